"""What a good player of Mage's Dice knows.

A spell is a threat if it scores whatever the others answer: none of them has the opposing element, and one of
them has spells, all of less power. Everything turns on threats:

- Have a threat? Cast it, and with the spell that leaves you the best of what is left.
- No threat? Look at what each action leaves behind: your threats, and above all those of whoever acts next.
- Refocus takes dice out of the other arsenals too, or has them rolled again: that is how a threat is broken.
- Refresh gives to everyone. It is for whoever has the highest focus number that is nobody else's.
- A spell that cannot score may still be worth its answer: it takes a spell of the opposing element, or the
  strongest, out of the way. And an empty arsenal cannot be beaten.
- Answer with the weakest spell that nullifies or holds; if nothing helps, with the one you miss least. Keep
  spells of elements that oppose what the attacker has left.
- Two seats with the same high number collect nothing, and whoever leaves a six first loses half a point by it.
  Whoever is ahead may wait; the others wait a few turns at most, or the game would never end.

`advise` weighs the six faces of a refocus one by one, the dice of a refresh one element at a time, and a battle
with the answers that the others would choose.

How the numbers were chosen. What threats and the rest are worth: in 8,700 positions of greedy games every legal
move was played on to the end of the round 250 to 1,000 times, and the difference that it made was fitted by least
squares; three times over for two seats, twice for three, each time with the player that came out of the fit before.
Then each number was tried at a half and at 1.8 times its size in matches of 9,000 greedy games, which moved NEXT,
POWER and the numbers for three seats. The pace of the race in `value` is fitted to who won 6,000 greedy games, from
the points after each of their rounds (42,000 with two seats, 87,000 with three); its log loss is as good as that of
an exact race with even odds for each point. HEAT, FLOOR and EXPLORE: by how much worse the choices after 200 and
1,600 iterations were than those after 12,000, in 400 positions with two seats. HEAT from 0.06 to 0.2, FLOOR up to
0.05 and EXPLORE from 0.2 to 0.5 could not be told apart; an EXPLORE of 2 was worse after 1,600. A TRUST of 0.4 to 0.7
did better there, perhaps because it lets a search wait (not measured): TRUST is 1 because only then a weight of nothing is
a veto, and no search waits forever. Where the veto falls (13 of the 400) it costs 0.014 of the win by that measure.
"""

from math import sqrt

from spellheist.core.advice import sharpen
from spellheist.core.exponential import exp
from spellheist.core.kernel import kernel
from spellheist.core.state import NONE
from spellheist.games.mages_dice.rules import ACT, CAST, ELEMENTS, FACES, KINDS, REFOCUS, REFRESH, left_of

STAGES, RIVALS_SEARCH = 1, True
EXPLORE, TRUST, FOLLOW = 0.4, 1.0, 1.0

# What things are worth, in points. A threat: by when its owner acts again. The first number is for two seats, the
# second for three, where a point of one of the others costs half a point.
NEXT_2, LAST_2 = 0.45, 0.28
NEXT_3, SECOND_3, LAST_3 = 0.80, 0.50, 0.25
MORE = 0.25  # what a second threat adds to the first, as a share
POINT = 0.9  # a point now: a bit less than one, for the spell that it cost
MATCH = 1.5  # how much more all that counts for whoever wins with the next point
POWER_2, POWER_3 = 0.045, 0.025  # one more power of the strongest spell
SAFE_2, SAFE_3 = 0.20, 0.13  # an empty arsenal, which cannot be beaten
DIE_2, DIE_3 = 0.08, 0.045  # a spell more
LEAD = 0.028  # for each die in the pool: a higher focus number than the other's, with two seats
HOARD = 0.01  # for an answer: one power less, a spell that is there twice, or none that opposes the attacker

HEAT = 0.15  # a move that is worse by so many points gets about a third of the weight
FLOOR = 0.03  # the weight that any move gets
PATIENCE = 4  # of so many turns, one is the last to wait
RACE_2, RACE_3 = 1.85, 2.2  # see `value`
START = 0.2  # what it is worth to begin the next round, in points

# Spells are a set of bits, four for each power, one of those for each element.
ALL = 0xFFFFFF
EACH = 0x111111  # one element of every power
FOUR = 0xF  # one power of every element


@kernel
def advise(s, seat, moves, n, weights):
    if s.phase == ACT:
        advise_action(s, seat, moves, n, weights)
    else:
        advise_answer(s, seat, moves, n, weights)
    sharpen(weights, n, HEAT, FLOOR)
    if s.phase == ACT and has_to_move_on(s, seat):
        weights[REFRESH] = 0.0


@kernel
def value(s, out):
    """A race to the target: the shares of two seats differ by so many points over the root of those still to be made."""
    left = 1.0
    for seat in range(s.seats):
        left += s.target - s.points[seat]
    pace = (RACE_2 if s.seats == 2 else RACE_3) / sqrt(left)
    total = 0.0
    for seat in range(s.seats):
        ahead = s.points[seat] + (START if seat == left_of(s, s.mage) else 0.0)  # MD-4
        out[seat] = exp(pace * (ahead - s.target))
        total += out[seat]
    for seat in range(s.seats):
        out[seat] /= total


# What each move is worth: written to `worth`, in points.


@kernel
def advise_action(s, seat, moves, n, worth):
    """Refresh, refocus or cast. It is long because all three are judged by the same dozen numbers."""
    pair = s.seats == 2
    left = left_of(s, seat)
    right = left_of(s, left)
    mine, one, pool = spells(s.arsenal[seat]), spells(s.arsenal[left]), spells(s.pool)
    pooled, taken = dice_in(s.pool), dice_in(s.arsenal[left])
    f, g = int(s.focus[seat]), int(s.focus[left])
    if pair:
        two, h = 0, 0
        a, b, c = LAST_2 * stakes(s, seat), -NEXT_2 * stakes(s, left), 0.0
        die, lead = DIE_2, LEAD * pooled
    else:
        two, h = spells(s.arsenal[right]), int(s.focus[right])
        a, b, c = LAST_3 * stakes(s, seat), -0.5 * NEXT_3 * stakes(s, left), -0.5 * SECOND_3 * stakes(s, right)
        die, lead = DIE_3, 0.0
        taken += dice_in(s.arsenal[right])
    higher = int(f > g) - int(f < g)
    keep = 2 / 3  # of the pool, after a refresh
    worth[REFRESH] = after_refresh(s, mine, one, two, f, g, h, a, b, c, die, pooled) + lead * higher * keep
    worth[REFOCUS] = after_refocus(s, mine, one, two, pool, f, g, h, a, b, c) + (
        (pooled + taken) * die + lead * (FACES + 1 - 2 * g)
    ) * (1 / FACES)
    if n == CAST:
        return
    twice, twice_one = doubles(s.arsenal[seat]), doubles(s.arsenal[left])
    twice_two = 0 if pair else doubles(s.arsenal[right])
    free = s.unopposed_scores != 0
    for i in range(CAST, n):
        kind = int(moves[i]) - CAST
        element = kind // FACES
        power = kind - element * FACES
        me = known(mine & ~(1 << (power * ELEMENTS + element) & ~twice))
        y, z, replies = one, two, 0
        if one:
            replies = answer(pair, element, power, one, twice_one, me[2])
            y = one & ~(replies & ~twice_one)
        if two:
            reply = answer(pair, element, power, two, twice_two, me[2])
            z = two & ~(reply & ~twice_two)
            replies |= reply
        worth[i] = standing(pair, free, me, known(y), known(z), a, b, c) + lead * higher - die
        if beats(replies, element, power) or (free and replies == 0):  # MD-12, MD-g
            worth[i] += POINT * stakes(s, seat)


@kernel
def after_refresh(s, mine, one, two, f, g, h, a, b, c, die, pooled):
    """MD-6: what every seat may collect, one element at a time."""
    pair, free = s.seats == 2, s.unopposed_scores != 0
    i_collect, one_collects, two_collects = f != g and f != h, g != f and g != h, h != 0 and h != f and h != g  # MD-9
    me, you, third = known(mine), known(one), known(two)
    now = standing(pair, free, me, you, third, a, b, c)
    worth = now
    for element in range(ELEMENTS):
        dice = 0
        for power in range(FACES):
            dice += s.pool[element * FACES + power]
        if dice == 0:
            continue
        change = 0.0
        if i_collect:
            change += standing(pair, free, with_one_more(me, element, f), you, third, a, b, c) - now
        if one_collects:
            change += standing(pair, free, me, with_one_more(you, element, g), third, a, b, c) - now
        if two_collects:
            change += standing(pair, free, me, you, with_one_more(third, element, h), a, b, c) - now
        # The chance that at least one of 1 to 4 dice shows the number.
        missed = 5 / 6 if dice & 1 else 1.0
        missed *= 25 / 36 if dice & 2 else 1.0
        missed *= 625 / 1296 if dice & 4 else 1.0
        worth += (1.0 - missed) * change
    if i_collect:
        worth += die * pooled * (1 / FACES)
    if pooled <= 2:  # MD-15: the last dice of the pool may go, and with them the round
        gone = (int(i_collect) + int(one_collects) + int(two_collects)) * (1 / FACES)
        worth *= 1.0 - (gone if pooled == 1 else gone * gone)
    return worth


@kernel
def after_refocus(s, mine, one, two, pool, f, g, h, a, b, c):
    """The mean over the six faces."""
    pair, free = s.seats == 2, s.unopposed_scores != 0
    in_play = mine | one | two | pool
    # MD-b: whoever shared my number with me collects when I leave it.
    left_behind = 0 if s.literal_collect or g == h else pool & FOUR << (ELEMENTS * (f - 1))
    total = 0.0
    for face in range(1, FACES + 1):
        those = FOUR << (ELEMENTS * (face - 1))
        x, y, z = mine & ~those, one & ~those, two & ~those
        if face != g and face != h:  # MD-7; otherwise MD-8: all those dice end in the pool
            if pool & ~those == 0:  # MD-15: the round is over
                continue
            x |= in_play & those
        if face != f:
            y |= left_behind if f == g else 0
            z |= left_behind if f == h else 0
        total += standing(pair, free, known(x), known(y), known(z), a, b, c)
    return total * (1 / FACES)


@kernel
def advise_answer(s, seat, moves, n, worth):
    pair, free = s.seats == 2, s.unopposed_scores != 0
    mage = s.mage
    attack = int(s.played[mage])
    element = attack // FACES
    power = attack - element * FACES
    mine, twice = spells(s.arsenal[seat]), doubles(s.arsenal[seat])
    attacker = known(spells(s.arsenal[mage]))
    others, replies = 0, 0
    if pair:
        a, b, c = NEXT_2 * stakes(s, seat), -LAST_2 * stakes(s, mage), 0.0
        loss = POINT * stakes(s, mage)
    else:
        third = 0 + 1 + 2 - mage - seat
        others = spells(s.arsenal[third])
        loss = 0.5 * POINT * stakes(s, mage)
        b = -0.5 * LAST_3 * stakes(s, mage)
        if seat == left_of(s, mage):
            a, c = NEXT_3 * stakes(s, seat), -0.5 * SECOND_3 * stakes(s, third)
            if others:  # the third seat answers after me
                twice_others = doubles(s.arsenal[third])
                replies = answer(pair, element, power, others, twice_others, attacker[2])
                others &= ~(replies & ~twice_others)
        else:
            a, c = SECOND_3 * stakes(s, seat), -0.5 * NEXT_3 * stakes(s, third)
            if s.played[third] != NONE:
                replies = bit_of(int(s.played[third]))
    rest = known(others)
    for i in range(n):
        kind = int(moves[i]) - CAST
        bit = bit_of(kind)
        worth[i] = standing(pair, free, known(mine & ~(bit & ~twice)), attacker, rest, a, b, c)
        if beats(replies | bit, element, power):
            worth[i] -= loss
        worth[i] -= HOARD * (kind % FACES + int(bit & ~twice & attacker[2] != 0) - int(bit & twice != 0))


@kernel
def has_to_move_on(s, seat):
    """All have the same number, so that a refresh would be a wait: is it this seat's turn to give in?"""
    ahead = True
    for other in range(s.seats):
        if s.focus[other] != s.focus[seat]:
            return False
        if other != seat and s.points[other] >= s.points[seat]:
            ahead = False
    return not ahead and (s.actions // s.seats + seat * (PATIENCE // 2)) % PATIENCE == 0


@kernel
def stakes(s, seat):
    return MATCH if s.points[seat] + 1 == s.target else 1.0


# Battles.


@kernel
def standing(pair, free, me, one, two, a, b, c):
    """What arsenals are worth to me: a, b and c are the weights of the threats that I and the others have."""
    worth = a * some(sure(free, me[0], one, two)) + b * some(sure(free, one[0], me, two))
    if pair:
        return worth + POWER_2 * (top(me) - top(one)) + SAFE_2 * (me[0] == 0)
    worth += c * some(sure(free, two[0], me, one))
    return worth + POWER_3 * (top(me) - 0.5 * (top(one) + top(two))) + SAFE_3 * (me[0] == 0)


@kernel
def some(threats):
    """One threat counts, a second a bit more."""
    return (threats != 0) + MORE * (threats & (threats - 1) != 0)


@kernel
def sure(free, mine, one, two):
    """Which spells of mine score whatever the others answer? Exact: MD-11 takes one answer of the opposing element,
    MD-12 one answer that is weaker, so a seat that can hold does, and one that cannot decides."""
    if free and one[0] | two[0] == 0:
        return mine
    return mine & (one[1] | two[1]) & ~(one[2] | two[2])


@kernel
def answer(pair, element, power, spells, twice, missed):
    """What a seat with these spells answers to an attack: one that nullifies or, with two seats, holds; the weakest;
    rather none of an element that would be missed; rather one that is there twice."""
    good = spells & EACH << (element ^ 1)
    if pair or good == 0:
        good |= spells & ALL << (ELEMENTS * power)
    if good == 0:
        good = spells
    weakest = good & -good
    good &= ((weakest | weakest >> 1 | weakest >> 2 | weakest >> 3) & EACH) * FOUR
    if good & ~missed:
        good &= ~missed
    if good & twice:
        good &= twice
    return good & -good


@kernel
def beats(replies, element, power):
    """MD-11, MD-12: does an attack score against these answers?"""
    return replies & ~(ALL << (ELEMENTS * power)) != 0 and replies & EACH << (element ^ 1) == 0


# Sets of spells.


@kernel
def known(spells):
    """Spells, with those that are stronger than all of them and those of the elements that they oppose."""
    reach = ((spells | spells >> 1 | spells >> 2 | spells >> 3) & EACH) * FOUR
    reach |= reach >> 4
    reach |= reach >> 8
    reach |= reach >> 16
    held = spells | spells >> 16
    held |= held >> 8
    held |= held >> 4
    return spells, (ALL & ~reach) * int(spells != 0), ((held & 5) << 1 | held >> 1 & 5) * EACH


@kernel
def with_one_more(arsenal, element, power):
    """The same as `known`, with a spell added."""
    stronger = (arsenal[1] if arsenal[0] else ALL) & ALL << (power * ELEMENTS)
    return arsenal[0] | 1 << ((power - 1) * ELEMENTS + element), stronger, arsenal[2] | EACH << (element ^ 1)


@kernel
def top(arsenal):
    """The power of the strongest spell: 6 without the powers that are stronger, added up by the product."""
    return (FACES - ((arsenal[1] & EACH) * EACH >> 20 & FOUR)) * int(arsenal[0] != 0)


@kernel
def spells(row):
    found = 0
    for element in range(ELEMENTS):
        for power in range(FACES):
            found |= int(row[element * FACES + power] > 0) << (power * ELEMENTS + element)
    return found


@kernel
def doubles(row):
    """Spells that are there more than once."""
    found = 0
    for element in range(ELEMENTS):
        for power in range(FACES):
            found |= int(row[element * FACES + power] > 1) << (power * ELEMENTS + element)
    return found


@kernel
def dice_in(row):
    count = 0
    for kind in range(KINDS):
        count += row[kind]
    return count


@kernel
def bit_of(kind):
    element = kind // FACES
    return 1 << ((kind - element * FACES) * ELEMENTS + element)
