"""Fault injection: tournaments in which everything is killed, compared with the same tournaments left alone."""
