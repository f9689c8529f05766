"""The API's description, made from the code: `python -m referee.web.openapi > openapi.yaml`.

The committed file is compared with `render()` by a test, so the two cannot part.
"""

import sys
from typing import Final

from referee.web.api import document
from referee.web.app import bare_app
from referee.web.yaml import write_yaml

_HEAD: Final = "# Made by `python -m referee.web.openapi`; edit the code, not this file.\n"


def render() -> str:
    """Return the OpenAPI 3.1 document of the application as YAML, keys in the order of the code."""
    return _HEAD + write_yaml(document(bare_app()))


if __name__ == "__main__":
    sys.stdout.write(render())
