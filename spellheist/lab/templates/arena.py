"""Games between greedy bots, compiled whole, for studies of a deck. A template: run once for each game.

Each seat makes the move that the game's `bot.py` advises most. Thousands of games a second tell of a deck what
a night of searching bots would tell, if not quite as they play it: good for a first look and for trying many decks.
"""

from types import ModuleType

from spellheist.core.kernel import kernel, reals, shorts
from spellheist.core.state import CHANCE, NONE, OVER

rules: ModuleType
playouts: ModuleType
advice: ModuleType
setup, legal, play, side, drawing = rules.setup, rules.legal, rules.play, rules.side, rules.drawing
outcome, best_advised = playouts.outcome, advice.best
MOVES, OUTCOMES = rules.MOVES, rules.OUTCOMES


@kernel
def play_game(states, i, rngs, j, drawn):
    """Play a game in states[i], whose seats and options are set. Writes for each card which side drew it first, or
    NONE; answers the side that began."""
    s, rng = states[i], rngs[j]
    moves, odds, weights = shorts(MOVES), shorts(OUTCOMES), reals(MOVES)
    for card in range(len(drawn)):
        drawn[card] = NONE
    setup(s)
    starter = NONE
    while s.turn != OVER:
        if s.turn == CHANCE:
            seat = drawing(s)
            card = outcome(s, rng, odds)
            if seat != NONE and drawn[card] == NONE:
                drawn[card] = side(s, seat)
            play(s, card)
        else:
            if starter == NONE:
                starter = side(s, s.turn)
            play(s, int(moves[best_advised(s, s.turn, moves, legal(s, moves), weights, rng)]))
    return starter
