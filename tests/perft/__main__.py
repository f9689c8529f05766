"""Count anew with the slow models and write the files: `python -m tests.perft [RULE-SET ...]`.

The positions are those that stand in the files; to add one, add its title and the lines `pack`,
`dealer`, `played` (if anything has been) and `depth`, after an empty line.
"""

import sys

from tests.perft import counting
from tests.perft.models import MODELS


def main(names: list[str]) -> int:
    """Write the files of the rule-sets named, or of all; tell whether one of them changed."""
    if unknown := set(names) - set(MODELS):
        print(f"no slow model of {', '.join(sorted(unknown))}; there are {', '.join(MODELS)}", file=sys.stderr)
        return 2
    for name in names or MODELS:
        game = counting.of_model(MODELS[name])
        counts = [(start, counting.count(game, start)) for start, _ in counting.stored(name)]
        file = counting.FOLDER / f"{name}.txt"
        new = counting.written(name, counts)
        same = new == file.read_text(encoding="utf-8")
        file.write_text(new, encoding="utf-8")
        nodes = sum(counted.nodes for _, counted in counts)
        print(f"{name}: {len(counts)} positions, {nodes} sequences, {'as before' if same else 'CHANGED'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
