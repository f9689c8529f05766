"""Start and own the processes a referee is made of: Valkey, web servers, workers, sample bots.

This package knows processes, ports and files, and speaks to the service over HTTP only. It cannot
rule on anything: what the referee knows of the game it learns from the service like any client.
"""
