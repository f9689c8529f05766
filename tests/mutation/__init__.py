"""Mutation testing of the laws and of scoring: small faults are put into the code, and the tests must see them.

`make mutants` copies the code to `build/mutants`, since cosmic-ray changes files in place, lets it try every mutant
there with `python -m tests.mutation` as test command, and prints the survivors and their share.  It takes about half an
hour.  cosmic-ray is no requirement of the project; install it where its commands can be found, apart from the
project's environment: `pipx install cosmic-ray` or `uv tool install cosmic-ray`.

What is mutated and which operators are left out stands in `cosmic-ray.toml`.  A new survivor is
answered by a case (`facts` and `after` of `[case.expect]` see much), by a test of `__main__.CLOSER`, or by a line
in the pull request that says why nobody could see the difference.
"""
