"""Who is asked, what it may answer, and the advice of a game's `bot.py` on it. A template: run once for each game."""

from types import ModuleType

from spellheist.core.dice import below, real
from spellheist.core.kernel import kernel
from spellheist.core.state import ANYONE, NONE

rules: ModuleType
known: ModuleType
legal, owner, advise = rules.legal, rules.owner, known.advise
ANYBODY = rules.State.fields["turn"].low <= ANYONE  # is anyone ever asked in this game?


@kernel
def moves_of(s, seat, moves):
    """Writes what a seat may answer, and how many answers there are: all that is legal; at ANYONE its own moves, and
    NONE unless the table waits for it."""
    n = legal(s, moves)
    if not ANYBODY or s.turn != ANYONE:
        return n
    waits = seat != owner(s, moves[0])
    own = 0
    for i in range(n):
        if owner(s, moves[i]) == seat:
            moves[own] = moves[i]
            own += 1
    if waits:
        moves[own] = NONE
        own += 1
    return own


@kernel
def offer(s, seat, moves, weights):
    """The same with the advice on each. At ANYONE, where most moves are senseless, those of weight 0 are left out."""
    n = moves_of(s, seat, moves)
    advise(s, seat, moves, n, weights)
    if not ANYBODY or s.turn != ANYONE:
        return n
    good = 0
    for i in range(n):
        if weights[i] > 0:
            moves[good], weights[good] = moves[i], weights[i]
            good += 1
    return good if good else n


@kernel
def asked(s, waited, moves, weights, rng):
    """Who is asked next; `waited` has a bit for each seat that did nothing since the last ply. At ANYONE it is any of
    the others who might do something, each as likely, and after them the seat that the table waits for."""
    if not ANYBODY or s.turn != ANYONE:
        return s.turn
    legal(s, moves)
    last = owner(s, moves[0])
    chosen, count = last, 0
    for seat in range(s.seats):
        if seat != last and not waited >> seat & 1:
            n = offer(s, seat, moves, weights)
            if n > 1 or moves[0] != NONE:
                count += 1
                if below(rng, count) == 0:
                    chosen = seat
    return chosen


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
def best(s, seat, moves, n, weights, rng):
    """The place in `moves` of what is advised most; of equals any."""
    advise(s, seat, moves, n, weights)
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
def advised(views, i, seat, moves, weights):
    """Writes what a seat may answer in a view and the advice on each; answers how many there are."""
    n = moves_of(views[i], seat, moves)
    advise(views[i], seat, moves, n, weights)
    return n
