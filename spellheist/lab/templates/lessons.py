"""Games to learn from, compiled whole. A template: run once for each game.

Seats follow the game's advice: in half of the plies the best of it, in the other half drawn by weight, so that games
differ. At the start of each stage the features of the position are written down, and whose they are; when the game is over,
what share of the win that seat's side got.
"""

from types import ModuleType

from spellheist.core.dice import below
from spellheist.core.kernel import kernel, reals, shorts
from spellheist.core.state import CHANCE, OVER

rules: ModuleType
known: ModuleType
playouts: ModuleType
advice: ModuleType
setup, legal, play, score = rules.setup, rules.legal, rules.play, rules.score
stage, side = rules.stage, rules.side
outcome, follow_advice, best_advised = playouts.outcome, advice.follow, advice.best
features, whose, value = known.features, known.whose, known.value
MOVES, OUTCOMES, SEATS = rules.MOVES, rules.OUTCOMES, rules.SEATS
MOST = 200  # positions of one game


@kernel
def lesson(states, i, rngs, j, seen, first, guesses, shares):
    """Play a game in states[i], whose seats and options are set; write from row `first` on. Answers how many rows."""
    s, rng = states[i], rngs[j]
    moves, odds, weights, out = shorts(MOVES), shorts(OUTCOMES), reals(MOVES), reals(SEATS)
    setup(s)
    rows, last = 0, stage(s)
    seats = shorts(min(MOST, len(seen) - first))
    while s.turn != OVER:
        if s.turn == CHANCE:
            play(s, outcome(s, rng, odds))
        else:
            n = legal(s, moves)
            if below(rng, 2):
                k = best_advised(s, s.turn, moves, n, weights, rng)
            else:
                k = follow_advice(s, s.turn, moves, n, weights, rng)
            play(s, int(moves[k]))
        if stage(s) != last and s.turn != OVER and rows < len(seats):
            last = stage(s)
            features(s, seen[first + rows])
            seats[rows] = whose(s)
            value(s, out)
            guesses[first + rows] = side_share(s, out, seats[rows])
            rows += 1
    score(s, out)
    for row in range(rows):
        shares[first + row] = side_share(s, out, seats[row])
    return rows


@kernel
def side_share(s, out, seat):
    """What the side of a seat gets: its own share and those of its partners."""
    total = 0.0
    for other in range(s.seats):
        if side(s, other) == side(s, seat):
            total += out[other]
    return total
