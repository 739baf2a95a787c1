"""Pig. Roll as often as you dare, or hold what you have.

On a turn a seat rolls a die again and again. Each number is added to the total of the turn, but
a 1 takes the total away and ends the turn. A seat that holds banks the total and passes the die.
The first with a hundred points wins.
"""

from spellheist.core.dice import below
from spellheist.core.kernel import kernel
from spellheist.core.state import CHANCE, OVER, a_seat, each_seat, number, packed

SEATS, FACES = 6, 6
TARGETS, LIMITS = 1000, 10000  # the highest that the options allow
POINTS = TARGETS - 1 + FACES  # PG-b: the last roll is made below the target

# Moves. An outcome is the number that the die shows.
ROLL, HOLD = range(2)
MOVES = 2
OUTCOMES = FACES + 1

# Phases: what is being asked.
DECIDE, DIE = range(2)

State = packed(
    SEATS,
    seats=number(2, SEATS),  # how many play
    target=number(1, TARGETS),
    turn_limit=number(1, LIMITS),
    turn=a_seat(CHANCE, OVER),  # the seat to act, or CHANCE, or OVER
    phase=number(DECIDE, DIE),  # what is being asked
    roller=a_seat(),  # whose turn it is at the table; at the end, whose was the last
    turns=number(0, LIMITS),  # turns over, of all seats together
    total=number(0, POINTS),  # what this turn has brought so far
    points=each_seat(0, POINTS),  # what each seat has banked
)


@kernel
def setup(s):
    for seat in range(SEATS):  # PG-1
        s.points[seat] = 0
    s.turns = 0
    s.total = 0
    s.roller = 0
    s.turn, s.phase = s.roller, DECIDE


@kernel
def chance(s, odds):
    odds[0] = 0
    for face in range(1, OUTCOMES):
        odds[face] = 1
    return FACES


@kernel
def sample(s, rng):
    """An outcome by the same odds, without writing them down: optional, for faster random games."""
    return 1 + below(rng, FACES)


@kernel
def legal(s, moves):
    if s.points[s.roller] + s.total >= s.target:  # PG-b
        moves[0] = HOLD
        return 1
    moves[0] = ROLL  # PG-2
    moves[1] = HOLD
    return 2


@kernel
def play(s, move):
    if s.phase == DIE:
        add(s, move)
    elif move == ROLL:
        s.turn, s.phase = CHANCE, DIE
    else:
        hold(s)


@kernel
def add(s, face):
    if face == 1:  # PG-4
        end_turn(s)
    else:  # PG-3
        s.total += face
        s.turn, s.phase = s.roller, DECIDE


@kernel
def hold(s):
    s.points[s.roller] += s.total  # PG-5
    end_turn(s)


@kernel
def end_turn(s):
    s.total = 0
    s.turns += 1
    s.phase = DECIDE
    if s.points[s.roller] >= s.target or s.turns == s.turn_limit:  # PG-6, PG-7
        s.turn = OVER
        return
    s.roller = s.roller + 1 if s.roller + 1 < s.seats else 0
    s.turn = s.roller


@kernel
def score(s, out):
    """PG-6, PG-7: the most points win, equal points share. Nobody else has as many as the target."""
    best = most_points(s)
    sharing = 0
    for seat in range(s.seats):
        sharing += s.points[seat] == best
    for seat in range(s.seats):
        out[seat] = 1 / sharing if s.points[seat] == best else 0.0


@kernel
def hide(s, seat):
    """PG-s1: everything is public."""


@kernel
def imagine(s, rng):
    """PG-s1: there is nothing to fill in."""


# Questions the rules ask.


@kernel
def most_points(s):
    best = 0
    for seat in range(s.seats):
        best = max(best, s.points[seat])
    return best


@kernel
def limited(s):
    return s.turn == OVER and most_points(s) < s.target


@kernel
def sound(s):
    """Do the numbers agree with each other, and the phase with who is asked?"""
    for seat in range(SEATS):
        if s.points[seat] >= s.target + FACES or (s.points[seat] and seat >= s.seats):
            return False
        if s.points[seat] >= s.target and (s.turn != OVER or seat != s.roller):  # PG-6: at once
            return False
    if s.turn == OVER:
        ended = s.points[s.roller] >= s.target or s.turns == s.turn_limit
        return ended and s.phase == DECIDE and s.total == 0 and s.turns > 0
    reached = s.points[s.roller] + s.total
    if s.turns >= s.turn_limit or s.total == 1 or reached >= s.target + FACES:
        return False
    if s.phase == DIE:
        return s.turn == CHANCE and reached < s.target
    return s.turn == s.roller
