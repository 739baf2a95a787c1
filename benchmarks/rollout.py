"""One random game from a position to its end. A template: run once for each game."""

from types import ModuleType

from spellheist.core.dice import below
from spellheist.core.kernel import kernel, shorts
from spellheist.core.state import CHANCE, OVER

rules: ModuleType
playouts: ModuleType
legal, play, score, outcome = rules.legal, rules.play, rules.score, playouts.outcome
MOVES, OUTCOMES = rules.MOVES, rules.OUTCOMES


@kernel
def rollout(states, i, rngs, j, out):
    """Play on at random in states[i]; `out` gets each seat's share of the win."""
    s, rng = states[i], rngs[j]
    moves, odds = shorts(MOVES), shorts(OUTCOMES)
    while s.turn != OVER:
        if s.turn == CHANCE:
            play(s, outcome(s, rng, odds))
        else:
            play(s, int(moves[below(rng, legal(s, moves))]))
    score(s, out)
