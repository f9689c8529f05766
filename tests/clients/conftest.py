"""Puts the Python SDK and the sample bots on the path, as a bot author's clone has them."""

import sys
from pathlib import Path

CLIENTS = Path(__file__).resolve().parents[2] / "clients"
for directory in (CLIENTS / "python", CLIENTS / "python" / "bots"):
    if str(directory) not in sys.path:
        sys.path.insert(0, str(directory))
