"""Games between greedy bots, compiled whole, for studies of a deck. A template: run once for each game.

Each seat makes the move that the game's `bot.py` advises most. Thousands of games a second tell of a deck what
a night of searching bots would tell, if not quite as they play it: good for a first look and for trying many decks.
"""

from types import ModuleType

from spellheist.core.dice import below
from spellheist.core.kernel import kernel, reals, shorts
from spellheist.core.state import CHANCE, NONE, OVER

rules: ModuleType
known: ModuleType
playouts: ModuleType
setup, legal, play, side, drawing = rules.setup, rules.legal, rules.play, rules.side, rules.drawing
outcome, advise = playouts.outcome, known.advise
MOVES, OUTCOMES, CARDS = rules.MOVES, rules.OUTCOMES, rules.CARDS


@kernel
def play_game(states, i, rngs, j, drawn):
    """Play a game in states[i], whose seats and options are set. Writes for each card which side drew it first, or
    NONE; answers the side that began."""
    s, rng = states[i], rngs[j]
    moves, odds, weights = shorts(MOVES), shorts(OUTCOMES), reals(MOVES)
    for card in range(CARDS):
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
            play(s, int(moves[best(s, moves, legal(s, moves), weights, rng)]))
    return starter


@kernel
def best(s, moves, n, weights, rng):
    """The place in `moves` of what is advised most; of equals any."""
    chosen = equals = 0
    if n > 1:
        advise(s, s.turn, moves, n, weights)
    for k in range(n):
        if weights[k] > weights[chosen]:
            chosen, equals = k, 1
        elif weights[k] == weights[chosen]:
            equals += 1
            if below(rng, equals) == 0:
                chosen = k
    return chosen
