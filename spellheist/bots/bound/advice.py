"""The advice of a game's `bot.py`, followed. A template: run once for each game."""

from types import ModuleType

from spellheist.core.dice import below, real
from spellheist.core.kernel import kernel

rules: ModuleType
known: ModuleType
legal, advise = rules.legal, known.advise


@kernel
def follow(s, seat, moves, n, weights, rng):
    """A place in `moves`, drawn in proportion to the advice."""
    if n == 1:
        return 0
    advise(s, seat, moves, n, weights)
    total = 0.0
    for i in range(n):
        total += weights[i]
    if total <= 0:
        return int(below(rng, n))
    left = real(rng) * total
    for i in range(n):
        left -= weights[i]
        if left < 0:
            return i
    return n - 1


@kernel
def advised(views, i, seat, moves, weights):
    """Writes the legal moves of a view and the advice on each; answers how many there are."""
    n = legal(views[i], moves)
    advise(views[i], seat, moves, n, weights)
    return n
