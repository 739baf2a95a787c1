"""What positions and answers are worth, by playing on as par does. A template: run once for each game.

Par is the reference player: every seat makes the best move of the game's advice, which uses only what that seat knows. So
the value of a world is full of secrets, but nobody in it plays by them. Where the game has LOOKS, par looks at so many
of the best advised moves again: in a world that fits what the seat knows, the turn is played to its end by the advice, and
`value` has the last word.

A rollout goes on for some stages, or to the end, and tells every seat's share there. Rollout k of all answers starts
from the same world and the same dice: what differs between two answers is then little but what they do.
"""

from math import sqrt
from types import ModuleType

from spellheist.core.dice import below, seed
from spellheist.core.kernel import copy, kernel, reals, shorts
from spellheist.core.state import CHANCE, NONE, OVER

rules: ModuleType
known: ModuleType
playouts: ModuleType
advice: ModuleType
play, score, stage, hide, imagine = rules.play, rules.score, rules.stage, rules.hide, rules.imagine
value, advise, LOOKS = known.value, known.advise, known.LOOKS
outcome, best_advised = playouts.outcome, advice.best
moves_of, asked, ANYBODY = advice.moves_of, advice.asked, advice.ANYBODY
MOVES, OUTCOMES, SEATS = rules.MOVES, rules.OUTCOMES, rules.SEATS

COLUMNS = MOVES + 1  # one for each move, and the last for NONE
LONG = 20_000  # plies after which a rollout is stopped and valued
FOREVER = 1 << 30
STREAM = 1 << 16  # rollouts that one number has dice for
FIRST, HERE, FITS, TRIED = range(4)  # rows of `worlds`: before an answer, now, a world that fits, and a move tried there
WORLDS = 4
DICE, INNER = range(2)  # rows of `rngs`: of a rollout, and of looks ahead within
RNGS = 2
INNER_SEED = 77  # looks ahead draw the same every time, so that par is a function of what a seat sees


@kernel
def values(states, i, worlds, rngs, number, count, stages, sums):
    """Add up the shares of `count` rollouts from states[i]."""
    moves, weights, odds, out = shorts(COLUMNS), reals(COLUMNS), shorts(OUTCOMES), reals(SEATS)
    for k in range(count):
        seed(rngs[DICE], number * STREAM + k)
        copy(worlds, HERE, states, i)
        play_on(worlds, rngs, horizon(states[i], stages), moves, weights, odds, out)
        tell(worlds[HERE], out)
        for seat in range(worlds[HERE].seats):
            sums[seat] += out[seat]


@kernel
def answers(views, pool, picks, hidden, worlds, rngs, wanted, n, number, first, count, stages, most, shares):
    """What each of n answers brings to every seat, from rollout `first` on: see `place` for where it is written. A rollout
    picks a world from a pool of weighed ones, or imagines one if something is hidden, the same for all answers."""
    rng = rngs[DICE]
    moves, weights, odds, out = shorts(COLUMNS), reals(COLUMNS), shorts(OUTCOMES), reals(SEATS)
    last = horizon(views[0], stages)
    for k in range(first, first + count):
        seed(rng, number * STREAM + k)
        if len(picks):
            copy(worlds, FIRST, pool, picks[below(rng, len(picks))])
        else:
            copy(worlds, FIRST, views, 0)
            if hidden:
                imagine(worlds[FIRST], rng)
        for a in range(n):
            copy(worlds, HERE, worlds, FIRST)
            seed(rng, (number + 1) * STREAM + k)
            if wanted[a] != NONE:
                play(worlds[HERE], int(wanted[a]))
            play_on(worlds, rngs, last, moves, weights, odds, out)
            tell(worlds[HERE], out)
            for seat in range(worlds[HERE].seats):
                shares[place(column(wanted[a]), k, most) + seat] = out[seat]


@kernel
def par(views, worlds, rngs, seat, moves, chances):
    """Writes what a seat may answer in views[0], and how likely par gives each answer; answers how many there are."""
    n = moves_of(views[0], seat, moves)
    copy(worlds, HERE, views, 0)
    prefer(worlds, rngs, seat, moves, n, chances, shorts(OUTCOMES), reals(SEATS))
    best, equals = chances[0], 0
    for a in range(1, n):
        best = max(best, chances[a])
    for a in range(n):
        equals += chances[a] == best
    for a in range(n):
        chances[a] = 1.0 / equals if chances[a] == best else 0.0
    return n


@kernel
def play_on(worlds, rngs, last, moves, weights, odds, out):
    """On from worlds[HERE] until the stage `last`, or to the end: chance by its odds, every seat as par."""
    s, rng = worlds[HERE], rngs[DICE]
    plies, waited = 0, 0
    while s.turn != OVER and stage(s) < last and plies < LONG:
        plies += 1
        if s.turn == CHANCE:
            play(s, outcome(s, rng, odds))
            continue
        turn = asked(s, waited, moves, weights, rng)
        n = moves_of(s, turn, moves)
        k = 0
        if n > 1:
            prefer(worlds, rngs, turn, moves, n, weights, odds, out)
            k = best_of(weights, n, rng)
        move = int(moves[k])
        if ANYBODY and move == NONE:
            waited |= 1 << turn
        else:
            play(s, move)
            waited = 0


if LOOKS:

    @kernel
    def prefer(worlds, rngs, seat, moves, n, weights, odds, out):
        """How par likes each answer of a seat in worlds[HERE]."""
        advise(worlds[HERE], seat, moves, n, weights)
        if n == 1:
            return
        copy(worlds, FITS, worlds, HERE)
        hide(worlds[FITS], seat)
        seed(rngs[INNER], INNER_SEED)
        imagine(worlds[FITS], rngs[INNER])
        for _ in range(min(LOOKS, n)):
            a = 0
            for other in range(1, n):
                if weights[other] > weights[a]:
                    a = other
            weights[a] = -1.0 - after_turn(worlds, rngs[INNER], seat, int(moves[a]), odds, out)
        for a in range(n):
            weights[a] = -weights[a] if weights[a] < 0 else 0.0

    @kernel
    def after_turn(worlds, rng, seat, move, odds, out):
        """The share of a seat, by `value`, after a move in worlds[FITS] and the rest of the turn by the advice."""
        copy(worlds, TRIED, worlds, FITS)
        s = worlds[TRIED]
        moves, weights = shorts(COLUMNS), reals(COLUMNS)
        seed(rng, INNER_SEED)
        now = stage(s)
        play(s, move)
        while s.turn != OVER and stage(s) == now:
            if s.turn == CHANCE:
                play(s, outcome(s, rng, odds))
            else:
                n = moves_of(s, s.turn, moves)
                play(s, int(moves[best_advised(s, s.turn, moves, n, weights, rng)]))
        tell(s, out)
        return out[seat]

else:

    @kernel
    def prefer(worlds, rngs, seat, moves, n, weights, odds, out):
        """How par likes each answer of a seat in worlds[HERE]."""
        advise(worlds[HERE], seat, moves, n, weights)


@kernel
def best_of(weights, n, rng):
    """The place of the highest weight; of equals any."""
    chosen, equals = 0, 1
    for i in range(1, n):
        if weights[i] > weights[chosen]:
            chosen, equals = i, 1
        elif weights[i] == weights[chosen]:
            equals += 1
            if below(rng, equals) == 0:
                chosen = i
    return chosen


@kernel
def horizon(s, stages):
    """The stage at which a rollout from here ends: so many on, or never."""
    return stage(s) + stages if stages > 0 else FOREVER


@kernel
def tell(s, out):
    """Every seat's share."""
    if s.turn == OVER:
        score(s, out)
    else:
        value(s, out)


@kernel
def column(move):
    return MOVES if move == NONE else move


@kernel
def place(at, k, most):
    """Where the shares of rollout k of an answer begin."""
    return (at * most + k) * SEATS


@kernel
def gain(shares, most, one, others, chances, n, seat, count):
    """How much more an answer brings to a seat than a mix of n others, on the mean of `count` rollouts, with its error."""
    total, squares = 0.0, 0.0
    for k in range(count):
        more = shares[place(one, k, most) + seat]
        for a in range(n):
            more -= chances[a] * shares[place(others[a], k, most) + seat]
        total += more
    mean = total / count
    for k in range(count):
        more = shares[place(one, k, most) + seat] - mean
        for a in range(n):
            more -= chances[a] * shares[place(others[a], k, most) + seat]
        squares += more * more
    return mean, sqrt(squares) / count


@kernel
def worth(shares, most, one, seat, count):
    """What an answer brings to a seat on the mean."""
    total = 0.0
    for k in range(count):
        total += shares[place(one, k, most) + seat]
    return total / count
