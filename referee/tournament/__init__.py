"""Who meets whom, and who stands where: schedules and standings.

This package is pure: no clock, dice or I/O, integers only, and it imports nothing of the
referee. A bot is its id here, a match is its result. Values are immutable.
"""
