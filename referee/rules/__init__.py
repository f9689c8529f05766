"""The game of Sixty-Six: cards, rule-sets, positions, acts, legality, scoring, views, notation.

This package is pure: it has no clock, no dice and no I/O but reading its own rule-set files.
Its values are immutable: an act on a position makes another position.
"""
