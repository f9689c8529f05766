"""A tournament and rules-referee service for the card game Sixty-Six.

Importing this package loads nothing else: the bootstrap in `referee.__main__` must run on a bare
Python, before anything is installed.
"""

__version__ = "0.1.0"
