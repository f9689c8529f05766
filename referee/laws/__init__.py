"""The law book: what follows when something other than what the rules allow was done.

This package is pure and imports the rules only.  A law decides one infraction; `adjudicate` brings
the laws that found something together into one ruling, or one choice for the non-offender.
"""
