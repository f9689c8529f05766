"""`python -m tests.scenarios`: every scenario with the tests that stand for it, or why there can be none."""

from tests.scenarios.listing import scenarios

for one in scenarios():
    print(f"{one.number:3} {one.about}")
    for line in one.tests or (f"no test: {one.why_not}",):
        print(f"      {line}")
