"""What cards of Spellcaster do for a mage, read clause by clause, in log odds of the win: a part of `bot.py`."""

from spellheist.core.kernel import kernel
from spellheist.games.spellcaster.rules import (
    ACT_MORE,
    CLAUSES,
    DAMAGE,
    DAMAGE_PER_CARD,
    DAMAGE_PER_PILE,
    DISCARD_CARDS,
    DISPEL,
    DRAIN,
    DRAW_CARDS,
    DROP_ANY,
    DROP_CHOSEN,
    EACH_DISCARDS,
    EACH_DRAWS,
    EACH_RIVAL_DISCARDS,
    ENERGY_PER_CARD,
    ENERGY_PER_PILE,
    GAIN_ENERGY,
    GAIN_SAPPHIRES,
    GOAL,
    LOOK,
    LOSE_ENERGY,
    LOSE_SAPPHIRES,
    MAY,
    NOTHING,
    OF_ENERGY,
    OF_SAPPHIRES,
    OR,
    PAY,
    REPEAT,
    RIVAL_DISCARDS,
    RIVAL_DRAWS,
    RIVAL_ENERGY,
    RIVAL_SAPPHIRES,
    SAPPHIRES_PER_PILE,
    SHATTER,
    STEAL,
    TAKE_ANY,
    UNLESS,
    following,
    piles_of,
)

# What things are worth, in log odds of the win.
ENERGY, ENERGY_HALF = 5.0, 8.0  # energy: ENERGY * e / (e + ENERGY_HALF), so each one counts less than the one before
GEMS, GEMS_HALF = 4.4, 6.0  # sapphires missing: the same, so each one counts more than the one before
LATE, LATE_HALF = 0.4, 3.0  # a sapphire more when the deck is nearly out
CARD = 0.12  # a card in the hand
WORST, CHOSEN = 0.7, 1.3  # what a card counts that its owner picks to lose, and one that the rival picks
ACTION = 0.34  # an action more
GLANCE = 0.02  # a look
WON = 6.0  # the game
AGAIN = 8  # times that a spell is started again at the most

# What may be asked on the way through a card, and the ways through it: offers refused, taken once, taken as often as
# possible, the rival pays, the second of two.
OFFERS, DEMANDS, CHOICES = 1, 2, 4
REFUSED, ONCE, OFTEN, PAID, SECOND_OF_TWO = range(5)
NO_TARGETS = (0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def counters(s, energy, rival_energy, gems, rival_gems):
    """What energy and sapphires are worth to a side."""
    worth = ENERGY * (energy / (energy + ENERGY_HALF) - rival_energy / (rival_energy + ENERGY_HALF))
    mine, theirs = max(0, GOAL - gems), max(0, GOAL - rival_gems)
    worth += GEMS * (theirs / (theirs + GEMS_HALF) - mine / (mine + GEMS_HALF))
    return worth + LATE * LATE_HALF / (s.left + LATE_HALF) * (gems - rival_gems)


@kernel
def effect(s, seat, card, step, first, last, targets, base):
    """What a card does for a seat from a clause on, when everyone decides well between the ways through it."""
    worth, asks = 0.0, 0
    for way in range(first, last + 1):
        if way > first and not (OFFERS if way <= OFTEN else DEMANDS if way == PAID else CHOICES) & asks:
            continue
        found, asked = run(s, seat, card, step, way, targets, base)
        asks |= asked
        if way == first:
            worth = found
            if asks == 0:
                break
        else:
            worth = min(worth, found) if way == PAID else max(worth, found)
    return worth


@kernel
def run(s, seat, card, step, way, targets, base):
    """What a card does from a clause on, on one of the ways through it; and what was asked. It is as long as the list of
    words that change these five numbers."""
    second, paid, times = way == SECOND_OF_TWO, way == PAID, 1 if way == ONCE else AGAIN if way == OFTEN else 0
    side = seat & 1
    energy, theirs = int(s.energy[side]), int(s.energy[1 - side])
    gems, others = int(s.sapphires[side]), int(s.sapphires[1 - side])
    held = int(s.held[seat])
    worth, asks = 0.0, 0
    clauses = s.card_effect[card]
    while step < CLAUSES:
        word, n = int(clauses[2 * step]), int(clauses[2 * step + 1])
        step += 1
        if word == NOTHING:
            break
        if step < CLAUSES and clauses[2 * step] >= OR:
            asks |= CHOICES
            if second:
                continue
        if word >= OR:
            if not second:
                continue
            word -= OR
        if word < UNLESS:  # a price, or an offer
            what = word - PAY
            if word >= MAY:
                what = word - MAY
                asks |= OFFERS
                if times <= 0 or (energy if what == OF_ENERGY else gems if what == OF_SAPPHIRES else held) < n:
                    break
                times -= 1
            if what == OF_ENERGY:
                energy -= n
            elif what == OF_SAPPHIRES:
                gems -= n
            else:
                held -= n
                worth -= CARD * n
        elif word < DAMAGE:
            what = word - UNLESS
            cards = rival_hand(s, seat)
            if (theirs if what == OF_ENERGY else others if what == OF_SAPPHIRES else cards) >= n:
                asks |= DEMANDS
                if paid:
                    if what == OF_ENERGY:
                        theirs -= n
                    elif what == OF_SAPPHIRES:
                        others -= n
                    else:
                        worth += CARD * n
                    step += 1
        elif word == DAMAGE:
            theirs -= n
        elif word == DRAIN:
            energy += min(n, theirs)
            theirs -= n
        elif word == GAIN_ENERGY:
            energy += n
        elif word == GAIN_SAPPHIRES:
            gems += n
        elif word == STEAL:
            n = min(n, others)
            gems += n
            others -= n
        elif word == SHATTER:
            others = max(0, others - n)
        elif word == LOSE_ENERGY:
            energy -= n
        elif word == LOSE_SAPPHIRES:
            gems = max(0, gems - n)
        elif word == RIVAL_ENERGY:
            theirs += n
        elif word == RIVAL_SAPPHIRES:
            others += n
        elif word == DAMAGE_PER_CARD:
            theirs -= n * rival_hands(s, seat)
        elif word == ENERGY_PER_CARD:
            energy += n * rival_hands(s, seat)
        elif word <= SAPPHIRES_PER_PILE:
            n *= max(1, piles_of(s, side))
            if word == DAMAGE_PER_PILE:
                theirs -= n
            elif word == ENERGY_PER_PILE:
                energy += n
            else:
                gems += n
        elif word == ACT_MORE:
            worth += ACTION * n
        elif word == REPEAT:
            step = 0
            if theirs <= 0 or gems >= GOAL:
                break
        else:
            worth += cards_and_piles(s, seat, word, n, targets)
    if energy <= 0:
        return -WON, asks
    if theirs <= 0 or gems >= GOAL:
        return WON + 0.1 * worth, asks
    if others >= GOAL:
        return -WON, asks
    worth += counters(s, energy, theirs, gems, others)
    return worth + (base if side else -base), asks


@kernel
def cards_and_piles(s, seat, word, n, targets):
    """What clauses about hands and top cards are worth."""
    if word == LOOK:
        return GLANCE
    if word == DRAW_CARDS:
        return CARD * n
    if word == RIVAL_DRAWS:
        return -CARD * n
    if word == DISCARD_CARDS:
        return -WORST * CARD * min(n, s.held[seat])
    if word == RIVAL_DISCARDS or word == EACH_RIVAL_DISCARDS:
        return WORST * CARD * min(n, rival_hand(s, seat))
    if word == EACH_DRAWS:
        return 0.0
    if word == EACH_DISCARDS:
        return WORST * CARD * (min(n, rival_hand(s, seat)) - min(n, s.held[seat]))
    if word < DISPEL:
        n = min(n, rival_hand(s, seat))
        if word == TAKE_ANY:
            return 2 * CARD * n
        if word == DROP_ANY:
            return CARD * n
        return CHOSEN * CARD * n if word == DROP_CHOSEN else (1 + CHOSEN) * CARD * n
    return targets[word - DISPEL]


@kernel
def next_rival(s, seat):
    """A rival of a seat; of two, the one whose turn comes next after it."""
    if s.seats == 2:
        return 1 - seat
    if seat == s.mage:
        return following(s)
    if s.seats == 3:
        return 2 - s.mage if seat == 1 else 1
    return (seat + 1) % s.seats


@kernel
def rival_hand(s, seat):
    return int(s.held[next_rival(s, seat)])


@kernel
def rival_hands(s, seat):
    """SC-10: cards in the rival's hand; of two rivals, three mages: both hands, four mages: the bigger one."""
    total = most = 0
    for other in range(s.seats):
        if (other ^ seat) & 1:
            total += s.held[other]
            most = max(most, int(s.held[other]))
    return most if s.seats == 4 else total
