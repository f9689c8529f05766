"""The REST contract and the pages, in Flask.

This package knows HTTP and nothing of the game: it reads a request strictly, calls one function of `referee.service`,
and writes the answer. It imports no gevent, so that any WSGI server can carry it.
"""
