"""How to play Spell Stealers well, for bots.
"""

from math import exp

from spellheist.core.kernel import kernel
from spellheist.core.state import NONE
from spellheist.games.spell_stealers.rules import (
    ASK,
    BANK,
    CHOOSE,
    GOAL,
    RACE,
    READY,
    RESET,
    STEAL_BY,
    deepest,
    left_of,
    place,
)

STAGES = 1
RIVALS_SEARCH = True
EXPLORE = 1.0
TRUST = 0.7
FOLLOW = 1.0

# Positions are counted in quarters of a space here, because points that may still be lost are worth parts of spaces.
QUARTERS = 4
FURTHEST = GOAL + 25
SLOPE, BEND = 0.045, 0.0008
LATE = 1.0
DONE = tuple(exp(SLOPE * q / QUARTERS + BEND * (q / QUARTERS) ** 2) for q in range(QUARTERS * FURTHEST + 1))
TO_PLAY = tuple(strength * exp(LATE * (q / QUARTERS / GOAL) ** 4) for q, strength in enumerate(DONE))

# What a turn with so many artifact points is worth, in quarters of a space: without thieves (solve.best_turn), and
# with a rival who may steal (the same with thefts counted against it).
ALONE = (16, 17, 19, 21, 23, 25, 27, 30, 32)
WATCHED = (12, 14, 15, 16, 18, 20, 24, 28, 32)

# The chance to overtake somebody in the last turn of all, by how many spaces one is behind (solve.Solution).
CATCH = (0.73, *(0.62 * 0.912**behind for behind in range(1, 41)))
AHEAD = 0.95  # the same for somebody who is ahead already

TOKEN = 2
TOKEN_TURN = 1
CROWD = 0.75
SHARP = 0.02

AHEAD_0, A1, A2, A3 = -0.158383, 1.784097, 0.859546, 1.068209
B1, B2, B3 = -1.788827, -1.275474, -0.985706
C0, CX, CY = 0.429507, -2.115178, 1.77413

RISE, RISE_DEEP, ORDER, TIED_ORDER, HELD = 0.05, 0.00135, 0.13, 0.33, 0.05


@kernel
def advise(s, seat, moves, n, weights):
    if s.phase == CHOOSE:
        choose(s, s.current, moves, n, weights)
    elif s.phase == ASK:
        answer(s, seat, weights)
    else:
        for i in range(n):
            weights[i] = 0.0 if moves[i] >= STEAL_BY else 1.0


@kernel
def choose(s, seat, moves, n, weights):
    """Roll a die or bank? Every number of every die is looked at, with what a thief would do."""
    thief = next_thief(s, seat, seat)
    watched = thief != NONE
    more = watched and next_thief(s, seat, thief) != NONE
    other = thief if watched else left_of(s, seat)
    rest = strength_of_rest(s, seat, other)
    x, y, points = int(s.pawn[seat]), int(s.pawn[other]), int(s.points)
    calm = not s.last and x + points + 12 < GOAL and y + 12 < GOAL  # nobody can reach the spell with this roll
    either = s.success_faces[1]
    green, red = s.success_faces[0] + either, s.success_faces[2]
    bust = ended(s, seat, x, other, y, rest)
    same = waiting_strength(s, other, y) + rest
    mine = strength(QUARTERS * x + turn_worth(points, more))
    pyramid, diamond, orb = 0.0, 0.0, 0.0
    for face in range(1, 13):
        back = max(0, y - face // 2)
        if calm:
            kept, won, lost = with_more(x, points + face, same, watched), 0.0, 0.0
            if watched:
                won = mine / (mine + waiting_strength(s, other, y + face) + rest)
                lost = with_more(x, points + face, waiting_strength(s, other, back) + rest, more)
        else:
            kept = going_on(s, seat, x, points + face, other, y, rest, watched)
            won = going_on(s, seat, x, points, other, y + face, rest, more)
            lost = going_on(s, seat, x, points + face, other, back, rest, more)
        # A thief with a die of n sides succeeds with n - face + 1 of them, and tries when that is worth it.
        gap = won - lost if watched else 0.0
        fear = lost - kept if watched else 0.0
        green_or_less = green if face >= 10 else either if face >= 6 else red
        orb += green_or_less * (kept - bust + min(0.0, fear + gap * (13 - face) * (1 / 12)))
        if face <= 8:
            diamond += (green if face >= 5 else either) * (kept - bust + min(0.0, fear + gap * (9 - face) * 0.125))
        if face <= 4:
            pyramid += green * (kept - bust + min(0.0, fear + gap * (5 - face) * 0.25))
    weights[0] = bust + pyramid / 32
    weights[1] = bust + diamond / 64
    weights[2] = bust + orb / 96
    for i in range(3, n):
        weights[i] = 0.0
    if n > 3 and moves[3] == BANK:
        weights[3] = ended(s, seat, x + points, other, y, rest)
    elif n > 3 and moves[3] == RESET:
        weights[3] = 1.0
    sharpen(weights, min(n, 4))


@kernel
def with_more(x, points, others, watched):
    mine = strength(QUARTERS * x + turn_worth(points, watched))
    return mine / (mine + others)


@kernel
def answer(s, seat, weights):
    """Steal or not?"""
    rival = s.current
    rest = strength_of_rest(s, seat, rival)
    x, y, face = s.pawn[rival], s.pawn[seat], s.face
    sides = 4 * s.die
    success = (sides - face + 1) / sides
    if s.stealing == RACE:
        success /= 1.0 + CROWD * (thieves(s) - 1) * success
    more = next_thief(s, rival, rival) != seat or next_thief(s, rival, seat) != NONE
    token = TOKEN + TOKEN_TURN * (turns_before(s, seat) - 1)
    won = threatened(s, seat, y + face, 0, rival, x, s.points, rest, more)
    lost = threatened(s, seat, max(0, y - face // 2), 0, rival, x, s.points + face, rest, more)
    weights[0] = success * won + (1.0 - success) * lost
    weights[1] = threatened(s, seat, y, token, rival, x, s.points + face, rest, True)
    sharpen(weights, 2)


@kernel
def sharpen(weights, n):
    """From chances to weights: the best gets 1, those behind it quickly less."""
    best = 0.0
    for i in range(n):
        best = max(best, weights[i])
    for i in range(n):
        near = SHARP / (SHARP + best - weights[i])
        weights[i] = near * near * near * near


@kernel
def next_thief(s, seat, since):
    """Who is asked after `since` about an artifact of this seat; NONE if nobody may steal."""
    other = left_of(s, since)
    while other != seat:
        if s.token[other] == READY:
            return other
        other = left_of(s, other)
    return NONE


@kernel
def thieves(s):
    """How many may steal now."""
    count = 0
    for seat in range(s.seats):
        if s.playing[seat] and seat != s.current and s.token[seat] == READY:
            count += 1
    return count


@kernel
def turns_before(s, seat):
    """How many turns end before the seat has its own."""
    other, count = s.current, 0
    while other != seat:
        other = left_of(s, other)
        count += 1
    return count


@kernel
def strength_of_rest(s, seat, other):
    total = 0.0
    for one in range(s.seats):
        if s.playing[one] and one != seat and one != other:
            total += waiting_strength(s, one, s.pawn[one])
    return total


@kernel
def strength(quarters):
    """Of a seat that has had its turn in this round, or has it now."""
    return DONE[min(quarters, QUARTERS * FURTHEST)]


@kernel
def waiting_strength(s, seat, pawn):
    """Of a seat by its pawn: more if its turn in this round is still to come."""
    quarters = min(QUARTERS * pawn, QUARTERS * FURTHEST)
    return TO_PLAY[quarters] if place(s, seat) > place(s, s.current) else DONE[quarters]


@kernel
def turn_worth(points, watched):
    if points > 8:
        return QUARTERS * points
    return WATCHED[points] if watched else ALONE[points]


@kernel
def ended(s, seat, x, other, y, rest):
    """The share of the seat when its turn is over, with its pawn at x and another at y."""
    if s.last or x >= GOAL:
        return holds(s, seat, x, other, y)
    mine = strength(QUARTERS * x)
    return mine / (mine + waiting_strength(s, other, y) + rest)


@kernel
def going_on(s, seat, x, points, other, y, rest, watched):
    """The share of the seat in its turn, with so many artifact points."""
    if s.last or y >= GOAL:
        return max(holds(s, seat, x + points, other, y), catches(s, seat, x + points, other, y))
    if x + points >= GOAL:
        return holds(s, seat, x + points, other, y)
    mine = strength(QUARTERS * x + turn_worth(points, watched))
    return mine / (mine + waiting_strength(s, other, y) + rest)


@kernel
def threatened(s, seat, y, token, rival, x, points, rest, watched):
    """The share of the seat, with its pawn at y, while the rival has a turn with so many points."""
    if s.last or y >= GOAL or x + points >= GOAL:
        return holds(s, seat, y, rival, x + points)
    mine = waiting_strength(s, seat, y) * (1.0 + token * SLOPE / QUARTERS)
    return mine / (mine + strength(QUARTERS * x + turn_worth(points, watched)) + rest)


@kernel
def holds(s, seat, x, other, y):
    """In the last round: the chance that no one gets deeper than this seat at x."""
    if place(s, seat) > place(s, s.current):  # the own turn is still to come
        return catches(s, seat, x, other, y)
    chance = 1.0
    for one in range(s.seats):
        if s.playing[one] and one != seat:
            pawn = y if one == other else s.pawn[one]
            chance *= 1.0 - overtakes(s, one, pawn, x, seat)
    return chance


@kernel
def overtakes(s, one, pawn, x, seat):
    if place(s, one) > place(s, s.current) or one == s.current:
        return catch(x - pawn)
    return 0.5 if pawn == x else 1.0 if pawn > x else 0.0


@kernel
def catches(s, seat, x, other, y):
    deepest = y
    for one in range(s.seats):
        if s.playing[one] and one != seat and one != other:
            deepest = max(deepest, s.pawn[one])
    return catch(deepest - x)


@kernel
def catch(behind):
    return AHEAD if behind < 0 else CATCH[min(behind, 40)]


@kernel
def value(s, out):
    """Each seat's share of the win as a round begins: by its place on the track and in the round, and by its token."""
    if s.seats == 2 and not s.last:
        first = s.starter if s.starter != NONE else 0
        x, y = s.pawn[first] / GOAL, s.pawn[1 - first] / GOAL
        ahead = AHEAD_0 + x * (A1 + x * (A2 + x * A3)) + y * (B1 + y * (B2 + y * B3)) + x * y * (C0 + CX * x + CY * y)
        out[first] = 1.0 / (1.0 + exp(-ahead))
        out[1 - first] = 1.0 - out[first]
        return
    order = TIED_ORDER if s.last else ORDER
    best = deepest(s)
    total = 0.0
    for seat in range(s.seats):
        out[seat] = 0.0
        if s.playing[seat]:
            pawn = s.pawn[seat] - best if s.last else s.pawn[seat]
            out[seat] = exp(pawn * (RISE + RISE_DEEP * pawn) + order * place(s, seat) + HELD * s.token[seat])
        total += out[seat]
    for seat in range(s.seats):
        out[seat] /= total
