"""What a good player of Spellcaster knows. Cards are read clause by clause, so any deck will do.

The rules of thumb, in log odds of the win:

- Energy is worth more the less of it there is, sapphires the more of them there are. The deck comes to an end: then
  every sapphire of a lead counts.
- A spell is worth what it changes in both stores, plus cards and actions. One that ends the game is worth the game:
  look for it first. One that costs your last energy is worth nothing.
- Where a spell asks, everyone decides well: you take an offer if it helps you, a rival pays if that hurts less.
- A card on top of a pile is worth its effect once or twice more: an enchantment goes off by itself, an incantation
  costs an action that could draw a card. Play what is worth more than what it covers.
- A rival's top card counts the other way round, and a bit more, since the rival is next: cover what kills.
- With an action to spare a card is played and activated in the same turn. With the last action that can wait.
- Discard what would do least on top of its pile; take what would do most.

How the constants were chosen. Those of the advice: one at a time up or down by a third or less, in 36,000 greedy
games of two mages against the set before, kept if it won more than 50.4 %; WON, WORST, CHOSEN, GLANCE, HEAT and FLOOR
are guesses. What a lead is worth (`ahead`) was learned: `spellheist learn spellcaster --write` plays 106,000 games of
two, three and four mages, reads `features` at 2,000,000 starts of turns and fits a network with 16 hidden numbers to
who won. In games that it did not see its log loss is 0.594, that of a network without hidden numbers 0.603. With a
deck that differed in nine cards it won 65.2 ± 4.5 % of 400 games of two mages against the search with the fit of
before, ten numbers and a straight line, at 700 iterations for both (8.3 and 8.4 ms a move), when it also read the
number of the turn. Those of the search: matches of two mages at 200 iterations, with the fit of before. Four turns
ahead or two is not settled: against greedy four won 75 ± 6 % of 200 games and 69 ± 5 % of 300, two won 60 to 70 ± 5 %
of 300 with various EXPLORE; four against two 56 ± 8 %, for twice the time. Playing to the end lost to two turns
(36 ± 10 %) and takes still longer. SHARP 1 with the network: 51.7 ± 6.3 % of 240 games against 0, so it was left out.
EXPLORE: 1.2 got 44 ± 8 % against 0.6; of 0.15, 0.3 and 0.6 with two turns none stood out.

Of reviews: the reference player, who looks at the best four moves of the advice again (LOOKS), won 83 ± 5 % of 200 games
of two mages against greedy, and 40 ± 11 % of 80 against steady. BELIEF by maximum likelihood from 400 moves of gentle,
steady, sharp and greedy bots: 0.99 and 0.6 for all, 0.99 and 0.25 to 0.65 for those that search; people may do anything.
"""

from spellheist.core.advice import sharpen
from spellheist.core.exponential import exp
from spellheist.core.kernel import constants, kernel, reals
from spellheist.core.network import log_odds
from spellheist.core.state import OVER
from spellheist.games.spellcaster.effects import (
    CARD,
    NO_TARGETS,
    OFTEN,
    ONCE,
    PAID,
    REFUSED,
    SECOND_OF_TWO,
    counters,
    effect,
    next_rival,
)
from spellheist.games.spellcaster.learned import WEIGHTS
from spellheist.games.spellcaster.rules import (
    ACT,
    BANISH,
    CHOOSE,
    COLOURS,
    DISPEL,
    DRAW,
    EACH,
    EITHER,
    FIRST,
    GIVE_UP,
    OFFER,
    OR,
    PILE,
    PLAY,
    POINT,
    RECALL,
    SET_OFF,
    STOP,
    USE,
    YES,
    as_set,
    faces,
    following,
    is_enchantment,
    lowest,
    nth_of_set,
    piles_of,
    score,
    set_size,
    top,
)

STAGES = 4
RIVALS_SEARCH = True
EXPLORE, TRUST, FOLLOW = 0.6, 1.0, 1.0
HORIZON, LOOKS = 1, 4
BELIEF, LOOK_BACK = (0.97, 0.5), 3
ADJUST = 0.5

# What actions and cards on the table are worth, in log odds of the win; what cards do is in `effects.py`.
DRAWN, FULL = 0.2, 0.005  # to draw one as an action; less for each card that is in the hand already
SPEND = 0.15  # the card that is played
FREE = 1.5  # how often an enchantment goes off before it is covered
LASTS = 0.8  # how often an incantation is activated in later turns
COVER = 1.2  # how much more a rival's top card counts, because the rival is next
NOW = 0.72  # what counts of activating a card at once that is played with an action to spare

# What a lead is made of at the start of a turn, see `features`.
OF_SIDE = 12
FEATURES = 2 + 2 * OF_SIDE
MUCH = 3.0  # what one card in a hand counts at the most
NETWORK = constants(WEIGHTS)

HEAT = 0.15  # a move that is worse by so much gets about a third of the weight
FLOOR = 0.0005  # the weight that any move gets

PRIME = 1009  # picks one of some cards: any, but the same of the same


@kernel
def advise(s, seat, moves, n, weights):
    if s.phase == ACT:
        advise_action(s, seat, moves, n, weights)
    else:
        advise_choice(s, seat, moves, n, weights)
    sharpen(weights, n, HEAT, FLOOR)


@kernel
def advise_action(s, seat, moves, n, worth):
    """Draw, play a card, or activate one."""
    base = counters(s, s.energy[0], s.energy[1], s.sapphires[0], s.sapphires[1])
    lying, targets = on_top(s, seat, base)
    for i in range(n):
        move = int(moves[i])
        if move == DRAW:
            worth[i] = DRAWN - FULL * s.held[seat]
        elif move == STOP:
            worth[i] = 0.0
        else:
            card = move - PLAY if move < CHOOSE else EACH * (move - PILE) + top(s, move - PILE)
            worth[i] = effect(s, seat, card, 0, REFUSED, SECOND_OF_TWO, targets, base)
            if move < CHOOSE:
                now = NOW * max(0.0, worth[i] - CARD) if s.actions > 1 and not is_enchantment(s, card) else 0.0
                worth[i] = standing(s, card, worth[i]) + now - lying[card // EACH] - SPEND


@kernel
def advise_choice(s, seat, moves, n, worth):
    """All that is asked while enchantments go off and spells are resolved."""
    base = counters(s, s.energy[0], s.energy[1], s.sapphires[0], s.sapphires[1])
    word = s.card_effect[s.card][2 * (s.step - 1)] & (OR - 1) if s.phase == POINT else 0
    for i in range(n):
        move = int(moves[i])
        you, step, first, last = seat, 0, REFUSED, SECOND_OF_TWO
        card = int(s.card)
        sign = 1.0
        if move >= PILE:
            card = EACH * (move - PILE) + top(s, move - PILE)
            if word == DISPEL or word == BANISH:
                you = following(s)
        elif move >= CHOOSE:
            card = move - CHOOSE
        elif s.phase == EITHER:
            step = int(s.step)
            first = last = REFUSED if move == FIRST else SECOND_OF_TWO
        elif s.phase == OFFER:
            step, first, last = int(s.step) - 1, ONCE, OFTEN
            sign = 1.0 if move == YES else 0.0
        else:  # SC-g: the rival of the mage decides
            you, step = int(s.mage), int(s.step) - 1
            first = last = PAID if move == YES else REFUSED
            sign = -1.0
        worth[i] = sign * effect(s, you, card, step, first, last, NO_TARGETS, base)
        if move >= CHOOSE and s.phase != SET_OFF and word != USE:
            worth[i] = standing(s, card, worth[i])
            if s.phase == GIVE_UP or word == RECALL:
                worth[i] = -worth[i]


@kernel
def value(s, out):
    """Shares of the sides from a lead in log odds."""
    if s.turn == OVER:
        score(s, out)
        return
    share = 1.0 / (1.0 + exp(-ahead(s) if s.mage & 1 == 0 else ahead(s)))
    seats_of_1 = s.seats // 2
    for seat in range(s.seats):
        out[seat] = (1.0 - share) / seats_of_1 if seat & 1 else share / (s.seats - seats_of_1)


@kernel
def ahead(s):
    """How far the side of the mage whose turn it is is ahead, in log odds."""
    seen = reals(FEATURES)
    features(s, seen)
    return log_odds(NETWORK, seen)


@kernel
def whose(s):
    """The seat whose side the features tell of."""
    return int(s.mage)


@kernel
def features(s, seen):
    """What a lead is made of at the start of a turn, for the mage whose turn it is and for the next rival."""
    mage = int(s.mage)
    rival = next_rival(s, mage)
    base = counters(s, s.energy[0], s.energy[1], s.sapphires[0], s.sapphires[1])
    seen[0], seen[1] = (-base if mage & 1 else base), s.left
    of_side(s, mage, base, seen, 2)
    of_side(s, rival, base, seen, 2 + OF_SIDE)


@kernel
def of_side(s, seat, base, seen, at):
    """What a side has, on the table and in the hand of one of its mages, from place `at` on."""
    side = seat & 1
    seen[at], seen[at + 1], seen[at + 2] = s.energy[side], s.sapphires[side], piles_of(s, side)
    seen[at + 3] = seen[at + 4] = 0
    for mate in range(side, s.seats, 2):
        seen[at + 3] += 1
        seen[at + 4] += s.held[mate]
    seen[at + 5], seen[at + 6], seen[at + 7] = powers(s, seat, base)
    seen[at + 8], seen[at + 9], seen[at + 10], seen[at + 11] = in_hand(s, seat, base)


@kernel
def powers(s, seat, base):
    """Of the top cards that face a seat's side: what the best incantation does, the second best, and all enchantments."""
    best = second = always = 0.0
    for colour in range(COLOURS):
        if faces(s, colour, seat & 1):
            card = EACH * colour + top(s, colour)
            worth = effect(s, seat, card, 0, REFUSED, SECOND_OF_TWO, NO_TARGETS, base)
            if is_enchantment(s, card):
                always += worth
            elif worth > best:
                best, second = worth, best
            else:
                second = max(second, worth)
    return best, second, always


@kernel
def in_hand(s, seat, base):
    """What the best incantation in a hand does, the second best, all that would help, and how many are enchantments."""
    best = second = total = 0.0
    enchantments = 0
    rest = as_set(s.hand[seat])
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        worth = effect(s, seat, card, 0, REFUSED, SECOND_OF_TWO, NO_TARGETS, base)
        total += max(0.0, min(worth, MUCH))
        if is_enchantment(s, card):
            enchantments += 1
        elif worth > best:
            best, second = worth, best
        else:
            second = max(second, worth)
    return best, second, total, enchantments


@kernel
def earlier(s, seat, later, who, move):
    """Fill in the hands of the others as they were one ply before `later`. A ply moves one card at the most: one that was
    hidden and lies open now has left the hand that lost a card; of a hand that drew one, any may be the one."""
    unseen = as_set(s.deck)
    gone = unseen & ~as_set(later.deck)
    for other in range(s.seats):
        gone &= ~as_set(later.hand[other]) if other != seat else -1
    for other in range(s.seats):
        if other == seat:
            continue
        cards = unseen & as_set(later.hand[other])
        if s.held[other] > later.held[other]:
            cards |= gone
        wanted = s.held[other] - set_size(as_set(s.hand[other]))
        while set_size(cards) > wanted:
            cards &= ~(1 << nth_of_set(cards, cards % PRIME % set_size(cards)))
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            s.hand[other][card // EACH] |= 1 << card % EACH
            s.deck[card // EACH] &= ~(1 << card % EACH)


# What lies on the table.


@kernel
def on_top(s, seat, base):
    """What the four top cards are worth to a seat, whichever side they face; and what it is worth to dispel, banish, turn,
    recall or use the best one."""
    a = b = c = d = 0.0
    dispel = banish = turn = recall = use = 0.0
    rival = next_rival(s, seat)
    for colour in range(COLOURS):
        if s.height[colour] == 0:
            continue
        card = EACH * colour + top(s, colour)
        mine = faces(s, colour, seat & 1)
        worth = effect(s, seat if mine else rival, card, 0, REFUSED, SECOND_OF_TWO, NO_TARGETS, base)
        here = standing(s, card, worth)
        if mine:
            recall = max(recall, CARD - here)
        else:
            banish = max(banish, here)
            turn = max(turn, 2.0 * here)
            if is_enchantment(s, card):
                dispel = max(dispel, here)
            else:
                use = max(use, worth)
            here *= -COVER
        a += here if colour == 0 else 0.0
        b += here if colour == 1 else 0.0
        c += here if colour == 2 else 0.0
        d += here if colour == 3 else 0.0
    return (a, b, c, d), (dispel, banish, turn, recall, use)


@kernel
def standing(s, card, worth):
    """What a card is worth to the side that it faces, beyond this turn."""
    return FREE * worth if is_enchantment(s, card) else LASTS * max(0.0, worth - CARD)
