"""What bots know of Dice Heist. Nothing is secret here but the order of the deck, so all of it is arithmetic.

The rules of thumb, in points:

- A gem is worth the next step of your pyramid, and more if many of its colour are still to come. An artifact is worth
  a little less than its point, because it leads to nothing.
- Paintings matter by the lead: they are worth as much of the bonus and the malus as they swing towards you, and nothing
  once nobody can be overtaken any more.
- What you take, nobody else can: add half of what your rivals could expect from robbing that museum next.
- A heist is worth its chance times the prize, and the sidekicks have their price: one more goes along while the better
  chance is worth more than a sidekick that is likely to leave. When it fails they cost nothing.
- A sidekick is worth about as much as three or four artifacts, the next ones less, and nothing when the deck is out
  and there is nothing left that is hard to rob. Recruit while no heist promises more than that.

How the constants were chosen: those of the advice by evolution (CMA-ES) of the greedy bot in matches of two, three
and four seats against its former selves, some hundred thousand games; the optimum is flat, so they are rounded. Those
of `value` by maximum likelihood on 60,000 positions of greedy games for each number of seats: among the positions
that it gives a share of 0.75, the seat wins 76 to 80 of 100. A network of all numbers of the state judged no better
(log loss 0.509 against 0.511), so none is used.

The search, in matches of two seats against greedy at 2,000 iterations (10 ms): with a tree that goes on past the dice, so
that a success and a failure share a node, and playouts drawn by weight it won 51 ± 5 % of 400 games. With the tree
ending at the dice (PAST_CHANCE) and playouts by the best advised move (SHARP) it won 62 ± 6 % of 300 with EXPLORE 1
and TRUST 0, 60 ± 5 % with TRUST 0.5, 53 ± 5 % with EXPLORE 5, and 48 ± 10 % of 100 with EXPLORE 0.2 and TRUST 1:
moves differ by a point or two of the win, and whoever looks at few of them sees only noise.
"""

from math import sqrt

from spellheist.core.exponential import exp
from spellheist.core.kernel import kernel
from spellheist.core.state import OVER
from spellheist.games.dice_heist.rules import (
    BLUE,
    BONUS,
    FACES,
    HEIST,
    KINDS,
    LEVELS,
    MALUS,
    MUSEUMS,
    PAINTING,
    RAID,
    RED,
    SEND,
    score,
)

STAGES = 3
RIVALS_SEARCH = True
PAST_CHANCE = False
EXPLORE, TRUST, FOLLOW, SHARP = 1.0, 0.0, 1.0, 1.0
# By `tests/review/prove.py errors`, 218 choices; what master gives away is too little to be told.
ERRORS = {"random": 0.0197, "gentle": 0.0091, "steady": 0.0044, "greedy": 0.0024, "sharp": 0.001}

ARTIFACTS = 0.8  # points for an artifact
FUTURE = 0.65  # points for a gem and each of its colour that is still to come, over the seats
REACH = 1.0  # a lead in paintings is safe when it is this share of all that are still to come
SWING = 1.5  # how much more than its points the bonus for paintings counts: a rival does not get it
HIRE, LESS, LATE = 3.6, 0.3, 3.0  # points for the first sidekick; less by that share for each; half with so few cards left
DENY = 0.5  # of what a rival could expect from a museum
HARD = 0.15  # of what one more sidekick would add to the chances at what lies open
SCRAP = 0.1  # points for what is worth nothing: somebody has to take it, or the game would not end
HEAT = 1.0  # points between two moves that make one look e times as good as the other

OPEN, NEXT = 0.4, 0.65  # what counts of all that a seat could rob, and, if it is next, of the best of it
NOISE, DRAWS = 55.0, 3.2  # how far points can still move: at the end, for each card left;
CROWD = (1.0, 1.0, 1.0, 2.462, 4.171, 6.063)  # less with more seats, by the 1.3th power of how many rivals there are

# Cards add up in one number, with eight bits for each thing that they show: artifacts, gems by colour, paintings.
BITS = 8
PAINTED = BITS * PAINTING


@kernel
def advise(s, seat, moves, n, weights):
    """Chance times prize for a heist, the price of a sidekick for recruiting."""
    loots, rest, left = lying(s)
    piles = stolen(s)
    price = HIRE * left / (left + LATE)
    sending = s.phase == SEND

    # 1. The prize of each target: what it is worth to the seat, and that no rival gets it.
    for turn in range(s.seats):
        thief = seat + turn if seat + turn < s.seats else seat + turn - s.seats
        highest, lowest = most_and_least(s, piles, thief)
        for i in range(1 if sending else n):  # when sidekicks are sent, all moves have the same target
            target = int(s.target if sending else moves[i])
            if target >= HEIST:
                museum = museum_of(s, target)
                loot = loots[museum] if target < RAID else card(s, target - RAID)
                prize = worth(loot, piles[thief], rest, s.seats, highest, lowest)
                if thief == seat:
                    weights[i] = prize
                else:
                    weights[i] += DENY / (s.seats - 1) * best_heist(prize, LEVELS[museum], s.sidekicks[thief], price)

    # 2. What each move is worth. Recruiting comes first in the row and last here: it asks what is hard to rob.
    mine = s.sidekicks[seat]
    prize, hard = weights[0], 0.0
    for i in range(n - 1, -1, -1):
        target = int(s.target if sending else moves[i])
        if sending:
            weights[i] = heist(prize, level_of(s, target), mine, i, price)
        elif target >= HEIST:
            level = level_of(s, target)
            if target < RAID:
                hard += weights[i] * missed(level, mine) * (1.0 - level / FACES)
            weights[i] = best_heist(weights[i], level, mine, price)
        else:
            weights[i] = HARD * hard + price * max(0.0, 1.0 - LESS * mine)
    to_weights(weights, n)


@kernel
def to_weights(points, n):
    """Points become weights: e times less for each HEAT behind the best."""
    best = points[0]
    for i in range(1, n):
        best = max(best, points[i])
    for i in range(n):
        points[i] = exp((points[i] - best) / HEAT)


@kernel
def value(s, out):
    """Shares of the win from the points that seats have and can expect, by how much may still happen."""
    if s.turn == OVER:
        score(s, out)
        return
    loots, rest, left = lying(s)
    piles = stolen(s)
    price = HIRE * left / (left + LATE)
    best = -1000.0
    for seat in range(s.seats):
        highest, lowest = most_and_least(s, piles, seat)
        points = standing(piles[seat], rest, s.seats, highest, lowest)
        for hired in range(s.sidekicks[seat]):
            points += price * max(0.0, 1.0 - LESS * hired)
        most = 0.0
        for museum in range(MUSEUMS):
            if loots[museum] > 0:
                prize = worth(loots[museum], piles[seat], rest, s.seats, highest, lowest)
                hope = best_heist(prize, LEVELS[museum], s.sidekicks[seat], price)
                most = max(most, hope)
                points += OPEN * hope
        if seat == s.thief:
            points += NEXT * most
        best = max(best, points)
        out[seat] = points
    spread = sqrt((NOISE + DRAWS * left) / CROWD[s.seats])
    total = 0.0
    for seat in range(s.seats):
        out[seat] = exp((out[seat] - best) / spread)
        total += out[seat]
    for seat in range(s.seats):
        out[seat] /= total


# What things are worth.


@kernel
def worth(loot, pile, rest, seats, highest, lowest):
    """What loot adds to a pile, in points. `rest` is all that is still to be stolen, the loot included."""
    total = ARTIFACTS * (loot & 255)
    for colour in range(RED, BLUE + 1):
        gems = loot >> BITS * colour & 255
        have, coming = pile >> BITS * colour & 255, (rest >> BITS * colour & 255) - gems
        total += gems * (have + 0.5 * (gems + 1) + FUTURE / seats * coming)
    painted = loot >> PAINTED
    if painted > 0:
        have, coming = pile >> PAINTED, rest >> PAINTED
        swing = BONUS * (ahead(have + painted - highest, coming - painted) - ahead(have - highest, coming))
        swing += MALUS * (ahead(have + painted - lowest, coming - painted) - ahead(have - lowest, coming))
        total += SWING * swing * seats / (seats - 1)
    return max(total, SCRAP)


@kernel
def standing(pile, rest, seats, highest, lowest):
    """The points of a pile, with what its gems and paintings promise."""
    total = 1.0 * (pile & 255)
    for colour in range(RED, BLUE + 1):
        have, coming = pile >> BITS * colour & 255, rest >> BITS * colour & 255
        total += have * (0.5 * (have + 1) + FUTURE / seats * coming)
    painted, coming = pile >> PAINTED, rest >> PAINTED
    return total + BONUS * ahead(painted - highest, coming) + MALUS * ahead(painted - lowest, coming)


@kernel
def ahead(lead, coming):
    """The chance to end ahead in paintings, from a lead and what is still to come."""
    return 0.5 + 0.5 * max(-1.0, min(1.0, lead / (REACH * coming + 1.0)))


@kernel
def most_and_least(s, piles, seat):
    """The highest and the lowest total of paintings among the others."""
    most, least = 0, 1000
    for other in range(s.seats):
        if other != seat:
            most = max(most, piles[other] >> PAINTED)
            least = min(least, piles[other] >> PAINTED)
    return most, least


# What heists promise.


@kernel
def missed(level, joined):
    """The chance that the thief's die and those of so many sidekicks all fail."""
    miss = level / FACES
    for _ in range(joined):
        miss *= level / FACES
    return miss


@kernel
def heist(prize, level, sidekicks, joined, price):
    """What a heist promises with so many of the own sidekicks. The ones that are dearest stay at home."""
    for k in range(joined):
        prize -= price * max(0.0, 1.0 - LESS * (sidekicks - 1 - k))
    return (1.0 - missed(level, joined)) * prize


@kernel
def best_heist(prize, level, sidekicks, price):
    """The same with the best number of sidekicks."""
    hit = level / FACES
    miss, best = hit, (1.0 - hit) * prize
    for joined in range(1, sidekicks + 1):
        miss *= hit
        prize -= price * max(0.0, 1.0 - LESS * (sidekicks - joined))
        best = max(best, (1.0 - miss) * prize)
    return best


@kernel
def museum_of(s, target):
    return target - HEIST if target < RAID else s.kind_museum[target - RAID]


@kernel
def level_of(s, target):
    """No die above this means failure."""
    return LEVELS[museum_of(s, target)] - (target >= RAID)


# Cards, added up.


@kernel
def card(s, kind):
    """A gem has no worth in the deck and counts as one."""
    shows = int(s.kind_worth[kind])
    return (shows + (shows == 0)) << BITS * s.kind_what[kind]


@kernel
def lying(s):
    """What lies in each museum, all that is still to be stolen there and in the deck, and how many cards the deck has."""
    a = b = c = d = rest = left = 0
    for kind in range(KINDS):
        code = card(s, kind)
        shown = s.shown[kind] * code
        rest += shown + s.left[kind] * code
        left += s.left[kind]
        museum = s.kind_museum[kind]
        a += shown if museum == 0 else 0
        b += shown if museum == 1 else 0
        c += shown if museum == 2 else 0
        d += shown if museum == 3 else 0
    return (a, b, c, d), rest, left


@kernel
def stolen(s):
    """What each seat has stolen."""
    a = b = c = d = e = 0
    for kind in range(KINDS):
        code = card(s, kind)
        a += s.stolen[0][kind] * code
        b += s.stolen[1][kind] * code
    if s.seats > 2:
        for kind in range(KINDS):
            code = card(s, kind)
            c += s.stolen[2][kind] * code
            d += s.stolen[3][kind] * code
            e += s.stolen[4][kind] * code
    return a, b, c, d, e
