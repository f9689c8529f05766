"""The benchmarks of DESIGN section 9: `make bench`, or `python -m tests.bench`.

Every figure is a ratio to something run beside it, in turn and in the same minutes; absolute
times on shared machines mean nothing. Nothing here is a test: a slow machine fails nobody.
"""
