"""How what came of a case is compared with what the case expects; facts not expected are not compared."""


def differences(expect: dict, outcome: object) -> list[str]:
    """Each expected fact that came out otherwise, in words."""
    found = []
    for key, right in expect.items():
        real = getattr(outcome, key)
        if key == "after":
            found += [
                f"after.{name}: {said(right[name], real.get(name))}" for name in right if differs(name, right, real)
            ]
        elif plain(real) != plain(right):
            found.append(f"{key}: {said(right, real)}")
    return found


def said(right: object, real: object) -> str:
    return f"expected {right!r}, found {real!r}"


def differs(name: str, right: dict, real: dict) -> bool:
    if name.startswith("hand_"):  # the order in which a hand's cards are named says nothing
        return {*right[name].split()} != {*as_words(real.get(name))}
    return plain(real.get(name)) != plain(right[name])


def as_words(hand: object) -> list[str]:
    return hand.split() if isinstance(hand, str) else list(hand or ())


def plain(value: object) -> object:
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value
