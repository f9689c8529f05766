"""The worked cases of the laws, as data: one TOML file a law, each case a position, acts and a ruling.

They are tests, documentation and the answer to a question about a law at once. Nothing here runs.
"""
