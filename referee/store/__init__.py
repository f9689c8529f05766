"""Where things are kept: live matches in Redis, the durable record in SQL.

This package knows dictionaries, lines and rows; it knows nothing of the game, and decides nothing.
No function here talks to Redis inside an SQL write transaction: with greenlets that would stand still.
"""
