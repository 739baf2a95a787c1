"""Spellcaster. Duel with four piles of spells, of which only the top cards work, and only for the side they face.

On a turn the enchantments that face a mage go off, the mage draws a card and takes two actions: draw,
play a card onto the pile of its colour, or activate the top card of a pile that faces the own side. A
side without energy loses, a side with fifteen sapphires wins, and when the deck is empty sapphires
count. What a card does is a row of numbers, made from a deck file: clauses of a word and an amount.
"""

from spellheist.core.dice import below
from spellheist.core.kernel import kernel
from spellheist.core.state import CHANCE, NONE, OVER, SWITCH, a_seat, each_seat, number, numbers, packed

SEATS, SIDES = 4, 2
COLOURS, EACH = 4, 15  # a set of cards is a row of four masks, one a colour: bit k is card k of that colour
CARDS = COLOURS * EACH
ALL = (1 << EACH) - 1
HAND, ENERGY, SAPPHIRES, ACTIONS = 3, 10, 2, 2
GOAL = 15
MOST = 999  # SC-r: where counters stop
THREE = (0, 1, 2, 1)  # SC-8: who plays, with three mages
FIXED_SIDES = True  # with three mages; a test of this game rotates two and four

# Clauses: a card has up to four, each a word and an amount. The words, in families.
CLAUSES = 4
NOTHING = 0
PAY = NOTHING + 1  # the price of a card, and of what follows
MAY = PAY + 3  # an offer: what follows happens if it is paid
UNLESS = MAY + 3  # an offer to a rival: the next clause happens if it is not paid
OF_ENERGY, OF_SAPPHIRES, OF_CARDS = range(3)  # what is paid
(
    DAMAGE, DRAIN, GAIN_ENERGY, GAIN_SAPPHIRES, STEAL, SHATTER, LOSE_ENERGY, LOSE_SAPPHIRES, RIVAL_ENERGY, RIVAL_SAPPHIRES,
    DAMAGE_PER_CARD, ENERGY_PER_CARD, DAMAGE_PER_PILE, ENERGY_PER_PILE, SAPPHIRES_PER_PILE,
    ACT_MORE, LOOK, REPEAT,
    DRAW_CARDS, RIVAL_DRAWS, EACH_DRAWS, DISCARD_CARDS, RIVAL_DISCARDS, EACH_RIVAL_DISCARDS, EACH_DISCARDS,
    TAKE_ANY, DROP_ANY, TAKE_CHOSEN, DROP_CHOSEN,
    DISPEL, BANISH, TURN, RECALL, USE,
) = range(UNLESS + 3, UNLESS + 37)  # fmt: skip
OR = 64  # added to the word of a clause: it is the alternative to the clause before it
AMOUNT = 9

# Moves. An outcome is a card, or at the start a seat.
DRAW = 0
STOP = DRAW + 1
FIRST = STOP + 1
SECOND = FIRST + 1
YES = SECOND + 1
NO = YES + 1
PLAY = NO + 1
CHOOSE = PLAY + CARDS
PILE = CHOOSE + CARDS
MOVES = PILE + COLOURS
OUTCOMES = CARDS

# Phases: what is being asked.
START, DEAL, RECEIVE, ANY_CARD, SET_OFF, ACT, EITHER, OFFER, ANSWER, GIVE_UP, PICK, POINT, DONE = range(13)

State = packed(
    SEATS,
    seats=number(2, SEATS),  # how many play
    may_stop=SWITCH,
    solo_cards=number(1, 20),
    solo_energy=number(1, 99),
    solo_sapphires=number(0, 14),
    card_effect=numbers(0, 127, CARDS, 2 * CLAUSES),  # the deck: four times a word and an amount, or NOTHING,
    enchantments=numbers(0, ALL, COLOURS),  # which cards are enchantments,
    deck_mark=numbers(0, ALL, 4),  # and a hash, by which words know the names
    turn=a_seat(CHANCE, OVER),  # the seat to act, or CHANCE, or OVER
    phase=number(START, DONE),  # what is being asked
    mage=a_seat(NONE),  # whose turn it is at the table
    turns=number(0, CARDS),  # turns over
    actions=number(0, MOST),  # actions left in this turn
    ending=SWITCH,  # SC-6: the game ends after this turn
    energy=numbers(0, MOST, SIDES),
    sapphires=numbers(0, MOST, SIDES),
    deck=numbers(0, ALL, COLOURS),  # cards in the deck, whose order is nowhere; in a view, all that the seat cannot see
    left=number(0, CARDS),  # how many are in the deck
    discards=numbers(0, ALL, COLOURS),
    height=numbers(0, EACH, COLOURS),  # cards in each pile
    pile=numbers(0, EACH - 1, COLOURS, EACH),  # from the bottom up; 0 above the top
    facing=numbers(0, ALL, COLOURS),  # cards of the piles that face side 1; the others face side 0
    used=numbers(0, ALL, COLOURS),  # cards activated in this turn
    waiting=number(0, (1 << COLOURS) - 1),  # bit k: the enchantment on pile k has yet to go off in this turn
    card=number(NONE, CARDS - 1),  # the card whose effect is under way, or NONE
    step=number(0, CLAUSES),  # how many of its clauses have been read
    outer=number(NONE, CARDS - 1),  # the card that uses it, or NONE
    outer_step=number(0, CLAUSES),
    nth=number(0, SEATS - 1),  # who draws or discards: so many places after the mage in turn order
    count=number(0, CARDS),  # how many more cards are to be drawn, discarded, taken, or pointed at
    held=each_seat(0, CARDS),  # cards in each hand
    hand=each_seat(0, ALL, COLOURS),  # in a view, those the seat knows
    shown=numbers(0, ALL, COLOURS),  # cards in hands that all have seen come there
    known=each_seat(0, ALL, COLOURS),  # cards, not shown, that this seat has seen in the hands they are in
    knows=each_seat(0, CARDS, SEATS),  # how many those are, in the hand of each seat
)


@kernel
def setup(s):
    for colour in range(COLOURS):
        s.deck[colour] = ALL
        s.discards[colour] = 0
        s.height[colour] = 0
        s.facing[colour] = 0
        s.used[colour] = 0
        s.shown[colour] = 0
        for place in range(EACH):
            s.pile[colour][place] = 0
    for seat in range(SEATS):
        s.held[seat] = 0
        for colour in range(COLOURS):
            s.hand[seat][colour] = 0
            s.known[seat][colour] = 0
        for other in range(SEATS):
            s.knows[seat][other] = 0
    for side_ in range(SIDES):  # SC-1, SC-8, SC-9
        s.energy[side_] = ENERGY
        s.sapphires[side_] = SAPPHIRES
    s.left = CARDS
    s.turns = 0
    s.actions = 0
    s.ending = 0
    s.waiting = 0
    s.card = NONE
    s.step = 0
    s.outer = NONE
    s.outer_step = 0
    s.nth = 0
    s.count = 0
    if s.seats == 3:  # SC-8, SC-h: the first of the team starts
        s.energy[1] = s.solo_energy
        s.sapphires[1] = s.solo_sapphires
        s.mage = 0
        s.turn, s.phase = CHANCE, DEAL
    else:  # SC-1, SC-h: a random seat
        s.mage = NONE
        s.turn, s.phase = CHANCE, START


@kernel
def chance(s, odds):
    if s.phase == START:
        for outcome in range(OUTCOMES):
            odds[outcome] = 1 if outcome < s.seats else 0
        return s.seats
    if s.phase == ANY_CARD:
        return even_odds(s.hand[following(s)], odds, s.held[following(s)])
    return even_odds(s.deck, odds, s.left)


@kernel
def even_odds(cards, odds, total):
    for colour in range(COLOURS):
        for k in range(EACH):
            odds[EACH * colour + k] = cards[colour] >> k & 1
    return total


@kernel
def sample(s, rng):
    """An outcome by the same odds, without writing them down."""
    if s.phase == START:
        return below(rng, s.seats)
    if s.phase == ANY_CARD:
        return nth_card(s.hand[following(s)], below(rng, s.held[following(s)]))
    return nth_card(s.deck, below(rng, s.left))


@kernel
def legal(s, moves):
    if s.phase == ACT:
        return legal_actions(s, moves)
    if s.phase == GIVE_UP:
        return listed(s.hand[s.turn], CHOOSE, moves, 0)
    if s.phase == PICK:
        return listed(s.hand[following(s)], CHOOSE, moves, 0)
    if s.phase == EITHER:
        moves[0], moves[1] = FIRST, SECOND
        return 2
    if s.phase == OFFER or s.phase == ANSWER:
        moves[0], moves[1] = YES, NO
        return 2
    n = 0
    for colour in range(COLOURS):
        if (s.waiting >> colour & 1) if s.phase == SET_OFF else fits(s, colour):
            moves[n] = PILE + colour
            n += 1
    return n


@kernel
def legal_actions(s, moves):
    """SC-3: draw, play a card, activate a top card."""
    n = 0
    if s.left > 0:  # SC-d
        moves[n] = DRAW
        n += 1
    if s.may_stop:  # SC-c
        moves[n] = STOP
        n += 1
    n = listed(s.hand[s.mage], PLAY, moves, n)
    for colour in range(COLOURS):
        moves[n] = PILE + colour
        n += can_activate(s, colour)
    return n


@kernel
def play(s, move):
    if s.phase == ACT:
        act(s, move)
    elif s.phase == RECEIVE:
        receive(s, move)
    elif s.phase == DEAL:
        deal(s, move)
    elif s.phase == SET_OFF:
        s.waiting &= ~(1 << (move - PILE))
        start_effect(s, EACH * (move - PILE) + top(s, move - PILE))
    elif s.phase == EITHER:
        s.step += 1 if move == FIRST else 2
        if not clause(s):
            go_on(s)
    elif s.phase == OFFER:
        offer(s, move)
    elif s.phase == ANSWER:
        answer(s, move)
    elif s.phase == GIVE_UP:
        discard(s, s.turn, move - CHOOSE)
        one_less(s)
    elif s.phase == PICK:
        lose_to(s, move - CHOOSE)
    elif s.phase == ANY_CARD:
        lose_to(s, move)
    elif s.phase == POINT:
        point(s, move - PILE)
    else:
        s.mage = move
        s.phase = DEAL


# A turn.


@kernel
def deal(s, card):
    seat = dealt_to(s)
    draw_card(s, seat, card)
    if dealt_to(s) == NONE:
        begin_turn(s)


@kernel
def begin_turn(s):
    """SC-2, SC-b: whatever enchantment faces the mage now waits to go off."""
    s.actions = ACTIONS
    s.waiting = 0
    for colour in range(COLOURS):
        s.used[colour] = 0
        s.waiting |= (faces(s, colour, s.mage & 1) & s.enchantments[colour] >> top(s, colour)) << colour
    next_enchantment(s)


@kernel
def next_enchantment(s):
    if s.waiting:  # SC-q
        s.turn, s.phase = s.mage, SET_OFF
    elif not ask_draw(s, 0, 1):  # SC-2; SC-5: without a card to draw the game is over
        end_game(s)


@kernel
def receive(s, card):
    draw_card(s, in_order(s, s.nth), card)
    one_less(s)


@kernel
def next_action(s):
    """SC-3, SC-c: another action, while one is left and possible."""
    if s.actions > 0 and any_action(s):
        s.turn, s.phase = s.mage, ACT
    else:
        end_turn(s)


@kernel
def act(s, move):
    if move == STOP:
        end_turn(s)
        return
    s.actions -= 1
    if move == DRAW:
        ask_draw(s, 0, 1)
    elif move < CHOOSE:
        card = move - PLAY
        leave_hand(s, s.mage, card)
        put_on_pile(s, card, s.mage & 1)
        next_action(s)
    else:
        activate(s, EACH * (move - PILE) + top(s, move - PILE))


@kernel
def end_turn(s):
    if s.ending:  # SC-6
        end_game(s)
        return
    s.mage = following(s)
    s.turns += 1
    begin_turn(s)


@kernel
def end_game(s):
    s.waiting = 0
    s.actions = 0
    s.turn, s.phase = OVER, DONE


# Effects. SC-t: a card is read clause by clause; where somebody must decide or draw, the phase says so.


@kernel
def activate(s, card):
    s.used[card // EACH] |= bit(card)  # SC-3, SC-m: once a turn
    start_effect(s, card)


@kernel
def start_effect(s, card):
    s.card = card
    s.step = 0
    go_on(s)


@kernel
def go_on(s):
    """Read on until somebody is asked or the effect is resolved."""
    asked = False
    while not asked:
        word = word_at(s, s.step)
        if word == NOTHING:
            if s.outer == NONE:
                end_effect(s)
                return
            s.card, s.step = s.outer, s.outer_step  # SC-m: back to the card that used this one
            s.outer, s.outer_step = NONE, 0
        elif word >= OR:  # the clause before it was chosen
            s.step += 1
        elif word_at(s, s.step + 1) >= OR:
            s.turn, s.phase = s.mage, EITHER
            asked = True
        else:
            s.step += 1
            asked = clause(s)


@kernel
def end_effect(s):
    """SC-a: an effect is resolved, and only now is it asked who has won."""
    by_itself = is_enchantment(s, s.card)
    s.card, s.step = NONE, 0
    if anyone_won(s):
        end_game(s)
    elif by_itself:
        next_enchantment(s)
    else:
        next_action(s)


@kernel
def clause(s):
    """Do what the clause before `step` says. True if somebody is asked now."""
    word = word_at(s, s.step - 1) & (OR - 1)
    n = s.card_effect[s.card][2 * s.step - 1]
    if word >= DISPEL:
        s.count = n
        return ask_pile(s)
    if word >= TAKE_ANY:
        return ask_hand(s, word, n)
    if word >= DRAW_CARDS:
        return ask_mages(s, 0)
    if word >= DAMAGE:
        at_once(s, word, n)
        return False
    if word >= UNLESS:
        if not can_pay(s, following(s), word - UNLESS, n):  # SC-g
            return False
        s.turn, s.phase = following(s), ANSWER
        return True
    if word >= MAY:
        if not can_pay(s, s.mage, word - MAY, n):  # SC-o: not offered, and what follows is off
            s.step = CLAUSES
            return False
        s.turn, s.phase = s.mage, OFFER
        return True
    return pay(s, 0, word - PAY, n)


@kernel
def at_once(s, word, n):
    """Clauses that ask nobody."""
    mine = s.mage & 1
    other = 1 - mine
    if word == DAMAGE:
        add_energy(s, other, -n)
    elif word == DRAIN:
        n = min(n, s.energy[other])
        add_energy(s, other, -n)
        add_energy(s, mine, n)
    elif word == GAIN_ENERGY:
        add_energy(s, mine, n)
    elif word == GAIN_SAPPHIRES:
        add_sapphires(s, mine, n)
    elif word == STEAL:  # SC-7: what there is
        n = min(n, s.sapphires[other])
        add_sapphires(s, other, -n)
        add_sapphires(s, mine, n)
    elif word == SHATTER:
        add_sapphires(s, other, -n)
    elif word == LOSE_ENERGY:
        add_energy(s, mine, -n)
    elif word == LOSE_SAPPHIRES:
        add_sapphires(s, mine, -n)
    elif word == RIVAL_ENERGY:
        add_energy(s, other, n)
    elif word == RIVAL_SAPPHIRES:
        add_sapphires(s, other, n)
    elif word == DAMAGE_PER_CARD:
        add_energy(s, other, -n * rival_cards(s))
    elif word == ENERGY_PER_CARD:
        add_energy(s, mine, n * rival_cards(s))
    elif word == DAMAGE_PER_PILE:
        add_energy(s, other, -n * piles_of(s, mine))
    elif word == ENERGY_PER_PILE:
        add_energy(s, mine, n * piles_of(s, mine))
    elif word == SAPPHIRES_PER_PILE:
        add_sapphires(s, mine, n * piles_of(s, mine))
    elif word == ACT_MORE:  # SC-n
        s.actions = min(MOST, s.actions + n)
    elif word == LOOK:
        look(s)
    else:  # REPEAT
        s.step = 0


@kernel
def offer(s, move):
    n = s.card_effect[s.card][2 * s.step - 1]
    if move == NO:
        s.step = CLAUSES
        go_on(s)
    elif not pay(s, 0, word_at(s, s.step - 1) - MAY, n):
        go_on(s)


@kernel
def answer(s, move):
    n = s.card_effect[s.card][2 * s.step - 1]
    if move == YES:
        if pay(s, 1, word_at(s, s.step - 1) - UNLESS, n):
            return
        s.step += 1
    go_on(s)


@kernel
def pay(s, nth, what, n):
    """SC-7: the full price. True if cards must be chosen for it."""
    seat = in_order(s, nth)
    if what == OF_ENERGY:
        add_energy(s, seat & 1, -n)
        return False
    if what == OF_SAPPHIRES:
        add_sapphires(s, seat & 1, -n)
        return False
    return ask_discard(s, nth, n)


@kernel
def ask_draw(s, nth, n):
    """So many cards for a mage; as many as there are (SC-6, SC-p). False when there is none."""
    if n > s.left:
        n = s.left
        if s.card != NONE:
            s.ending = 1
    if n == 0:
        return False
    s.nth, s.count = nth, n
    s.turn, s.phase = CHANCE, RECEIVE
    return True


@kernel
def ask_discard(s, nth, n):
    """SC-7: the owner chooses, one card a ply; as many as there are."""
    seat = in_order(s, nth)
    n = min(n, s.held[seat])
    if n == 0:
        return False
    s.nth, s.count = nth, n
    s.turn, s.phase = seat, GIVE_UP
    return True


@kernel
def ask_mages(s, nth):
    """Draws and discards of one mage, or from the nth on of each. False when nobody has to do anything more."""
    word = word_at(s, s.step - 1) & (OR - 1)
    n = s.card_effect[s.card][2 * s.step - 1]
    if word == DRAW_CARDS:
        return nth == 0 and ask_draw(s, 0, n)
    if word == DISCARD_CARDS:
        return nth == 0 and ask_discard(s, 0, n)
    if word == RIVAL_DRAWS:  # SC-10, SC-i
        return nth == 0 and ask_draw(s, 1, n)
    if word == RIVAL_DISCARDS:
        return nth == 0 and ask_discard(s, 1, n)
    while nth < s.seats:  # SC-j
        seat = in_order(s, nth)
        each = n
        if word == EACH_RIVAL_DISCARDS:
            each = n if (seat ^ s.mage) & 1 else 0
        elif s.seats == 3 and seat != 1:  # SC-10, SC-v: a mage of the team half as many as the solo mage
            each = (n + 1) // 2
        if ask_draw(s, nth, each) if word == EACH_DRAWS else ask_discard(s, nth, each):
            return True
        nth += 1
    return False


@kernel
def one_less(s):
    """A card has been drawn or discarded: the same mage again, the next one, or the effect goes on."""
    s.count -= 1
    if s.count > 0:
        return
    nth = s.nth
    s.nth = 0
    if s.card == NONE:
        next_action(s)
        return
    word = word_at(s, s.step - 1) & (OR - 1)
    if word == UNLESS + OF_CARDS:
        s.step += 1
    elif word >= DRAW_CARDS and ask_mages(s, nth + 1):
        return
    go_on(s)


@kernel
def ask_hand(s, word, n):
    """Cards out of the next rival's hand: any, or looked at and chosen."""
    s.count = min(n, s.held[following(s)])
    if word >= TAKE_CHOSEN:
        look(s)
    if s.count == 0:
        return False
    if word >= TAKE_CHOSEN:
        s.turn, s.phase = s.mage, PICK
    else:
        s.turn, s.phase = CHANCE, ANY_CARD
    return True


@kernel
def lose_to(s, card):
    """The next rival loses this card to the mage (SC-l), or to the discard pile."""
    word = word_at(s, s.step - 1) & (OR - 1)
    if word in (TAKE_ANY, TAKE_CHOSEN):
        leave_hand(s, following(s), card)
        enter_hand(s, s.mage, card)
        s.shown[card // EACH] |= bit(card)
    else:
        discard(s, following(s), card)
    s.count -= 1
    if s.count == 0:
        go_on(s)


@kernel
def ask_pile(s):
    """SC-w: does any top card fit the clause? Then the mage points at one."""
    if not any_fits(s):
        s.count = 0
        return False
    s.turn, s.phase = s.mage, POINT
    return True


@kernel
def point(s, colour):
    word = word_at(s, s.step - 1) & (OR - 1)
    card = EACH * colour + top(s, colour)
    s.count -= 1
    if word == USE:  # SC-m
        s.count = 0
        s.outer, s.outer_step = s.card, s.step
        activate(s, card)
        return
    s.waiting &= ~(1 << colour)  # SC-b
    if word == TURN:
        s.facing[colour] ^= bit(card)
    else:
        take_off_pile(s, colour)
        if word == RECALL:
            enter_hand(s, s.mage, card)
            s.shown[colour] |= bit(card)
        else:
            s.discards[colour] |= bit(card)
    if s.count == 0 or not ask_pile(s):
        go_on(s)


@kernel
def score(s, out):
    """SC-5, SC-a: a side without energy loses; else most sapphires, then most energy; a draw is shared by the sides."""
    lead = leader(s)
    seats_of_1 = s.seats // 2
    for seat in range(s.seats):
        share = 0.5 if lead == NONE else 1.0 if lead == (seat & 1) else 0.0
        out[seat] = share / (seats_of_1 if seat & 1 else s.seats - seats_of_1)


@kernel
def hide(s, seat):
    for other in range(s.seats):
        if other != seat:
            for colour in range(COLOURS):  # SC-s1, SC-s2, SC-s4: all but what was shown to all, or to this seat
                seen = s.shown[colour] | (s.known[seat][colour] if seat >= 0 else 0)
                s.deck[colour] |= s.hand[other][colour] & ~seen
                s.hand[other][colour] &= seen
    for other in range(s.seats):
        if other != seat:
            for colour in range(COLOURS):  # SC-s3, SC-u: which cards others know, but for those in the own hand
                s.known[other][colour] &= s.hand[seat][colour] if seat >= 0 else 0


@kernel
def sees(s, move, seat):
    if s.phase == DEAL:
        return seat == dealt_to(s)  # SC-s1
    return s.phase != RECEIVE or seat == in_order(s, s.nth)


@kernel
def imagine(s, rng):
    # Nothing is known of a hidden card but that it is not one of those in sight: any set is as likely as any other.
    for seat in range(s.seats):
        for _ in range(s.held[seat] - size_of(s.hand[seat])):
            card = nth_card(s.deck, below(rng, size_of(s.deck)))
            s.deck[card // EACH] &= ~bit(card)
            s.hand[seat][card // EACH] |= bit(card)
    for seat in range(s.seats):
        imagine_known(s, seat, rng)


@kernel
def imagine_known(s, owner_, rng):
    """Which cards of a hand others have seen there. A look shows the whole hand, so of two who looked one knows all
    that the other knows: the cards get a random order, and each knows the first ones. Cards that the view marks
    for one seat come first; where it marks them for every seat nothing is open."""
    hand = as_set(s.hand[owner_])
    marked = most = 0
    for looker in range(s.seats):
        marks = as_set(s.known[looker]) & hand
        if s.knows[looker][owner_] > set_size(marks):
            most = max(most, int(s.knows[looker][owner_]))
        marked |= marks
    rest = hand & ~as_set(s.shown)
    for place in range(most):
        among = rest & marked if rest & marked else rest
        card = nth_of_set(among, below(rng, set_size(among)))
        rest &= ~(1 << card)
        for looker in range(s.seats):
            if place < s.knows[looker][owner_]:
                s.known[looker][card // EACH] |= bit(card)


# Questions the rules ask, and the small changes they are made of.


@kernel
def side(s, seat):
    """SC-8, SC-9, SC-x: seats 0 and 2 against 1 and 3."""
    return seat & 1


@kernel
def following(s):
    """The mage whose turn is next, which is always a rival: the "next rival to play" (SC-i)."""
    if s.seats == 3:
        return THREE[(s.turns + 1) & 3]
    return s.mage + 1 if s.mage + 1 < s.seats else 0


@kernel
def in_order(s, nth):
    """SC-j: the mage so many places after the active one in turn order, each mage once."""
    if nth == 0:
        return int(s.mage)
    if nth == 1:
        return following(s)
    if s.seats == 3:
        return 3 - s.mage - following(s)
    return (s.mage + nth) % s.seats


@kernel
def dealt_to(s):
    """In a deal: the seat that gets the next card, from the one that begins; NONE when all have theirs."""
    for place in range(s.seats):
        seat = (s.mage + place) % s.seats
        if s.held[seat] < dealt(s, seat):
            return seat
    return NONE


@kernel
def drawing(s):
    """The seat that gets the next card of the deck, where chance draws one; else NONE."""
    if s.phase == DEAL:
        return dealt_to(s)
    return in_order(s, s.nth) if s.phase == RECEIVE else NONE


@kernel
def dealt(s, seat):
    """SC-1, SC-8, SC-9: cards at the start."""
    return s.solo_cards if s.seats == 3 and seat == 1 else HAND


@kernel
def bit(card):
    return 1 << (card % EACH)


@kernel
def word_at(s, step):
    """The word of a clause of the card that is being read; NOTHING after the last."""
    return s.card_effect[s.card][2 * step] if step < CLAUSES else NOTHING


@kernel
def is_enchantment(s, card):
    return (s.enchantments[card // EACH] >> (card % EACH) & 1) == 1


@kernel
def top(s, colour):
    """Which card of its colour is on top of a pile; 0 if there is none."""
    return s.pile[colour][max(1, s.height[colour]) - 1]


@kernel
def faces(s, colour, side_):
    """Is there a top card, and does it face this side?"""
    return (s.height[colour] > 0) & ((s.facing[colour] >> top(s, colour) & 1) == side_)


@kernel
def fits(s, colour):
    """May the mage point at this pile, as the clause stands?"""
    word = word_at(s, s.step - 1) & (OR - 1)
    mine = s.mage & 1
    if word == RECALL:
        return faces(s, colour, mine)
    if not faces(s, colour, 1 - mine):
        return False
    if word == DISPEL:
        return s.enchantments[colour] >> top(s, colour) & 1 == 1
    if word == USE:  # SC-m
        return ready(s, colour) and not uses(s, EACH * colour + top(s, colour))
    return True


@kernel
def can_activate(s, colour):
    """SC-3: an incantation on top that faces the own side."""
    return faces(s, colour, s.mage & 1) & ready(s, colour)  # no branches: a random game would mispredict them


@kernel
def ready(s, colour):
    """Is the top card an incantation, not activated in this turn (SC-3), whose price can be paid (SC-o)?"""
    k = top(s, colour)
    clauses = s.card_effect[EACH * colour + k]
    ready_ = ((s.enchantments[colour] | s.used[colour]) >> k & 1) == 0
    if PAY <= clauses[0] < MAY:
        ready_ = ready_ and can_pay(s, s.mage, clauses[0] - PAY, clauses[1])
    return ready_


@kernel
def uses(s, card):
    for step in range(CLAUSES):
        if s.card_effect[card][2 * step] & (OR - 1) == USE:
            return True
    return False


@kernel
def can_pay(s, seat, what, n):
    """SC-7: a price is paid in full or not at all."""
    if what == OF_ENERGY:
        return s.energy[seat & 1] >= n
    if what == OF_SAPPHIRES:
        return s.sapphires[seat & 1] >= n
    return s.held[seat] >= n


@kernel
def any_action(s):
    if s.left > 0 or s.held[s.mage] > 0:
        return True
    for colour in range(COLOURS):
        if can_activate(s, colour):
            return True
    return False


@kernel
def rival_cards(s):
    """SC-10: cards in the rival's hand; of two rivals, three mages: both hands, four mages: the bigger one."""
    total = most = 0
    for seat in range(s.seats):
        if (seat ^ s.mage) & 1:
            total += s.held[seat]
            most = max(most, int(s.held[seat]))
    return most if s.seats == 4 else total


@kernel
def piles_of(s, side_):
    count = 0
    for colour in range(COLOURS):
        count += faces(s, colour, side_)
    return count


@kernel
def add_energy(s, side_, n):
    s.energy[side_] = max(0, min(MOST, s.energy[side_] + n))  # SC-e, SC-r


@kernel
def add_sapphires(s, side_, n):
    s.sapphires[side_] = max(0, min(MOST, s.sapphires[side_] + n))


@kernel
def anyone_won(s):
    """SC-5: no energy left, or enough sapphires."""
    return min(s.energy[0], s.energy[1]) == 0 or max(s.sapphires[0], s.sapphires[1]) >= GOAL


@kernel
def leader(s):
    """SC-5, SC-a: the side that has won when the game is over; NONE for a draw."""
    if min(s.energy[0], s.energy[1]) == 0 and s.energy[0] != s.energy[1]:
        return 0 if s.energy[0] else 1
    if s.sapphires[0] != s.sapphires[1]:
        return 0 if s.sapphires[0] > s.sapphires[1] else 1
    if s.energy[0] != s.energy[1]:
        return 0 if s.energy[0] > s.energy[1] else 1
    return NONE


@kernel
def draw_card(s, seat, card):
    s.deck[card // EACH] &= ~bit(card)
    s.left -= 1
    enter_hand(s, seat, card)


@kernel
def enter_hand(s, seat, card):
    s.hand[seat][card // EACH] |= bit(card)
    s.held[seat] += 1  # SC-f: to any size


@kernel
def leave_hand(s, seat, card):
    """A card goes from a hand, and with it what others knew about it."""
    colour = card // EACH
    s.hand[seat][colour] &= ~bit(card)
    s.held[seat] -= 1
    s.shown[colour] &= ~bit(card)
    for looker in range(s.seats):
        if s.known[looker][colour] & bit(card):
            s.known[looker][colour] &= ~bit(card)
            s.knows[looker][seat] -= 1


@kernel
def discard(s, seat, card):
    leave_hand(s, seat, card)
    s.discards[card // EACH] |= bit(card)


@kernel
def put_on_pile(s, card, side_):
    """SC-3, SC-4: on top of its colour, facing the side that played it."""
    colour = card // EACH
    s.pile[colour][s.height[colour]] = card % EACH
    s.height[colour] += 1
    if side_ == 1:
        s.facing[colour] |= bit(card)


@kernel
def take_off_pile(s, colour):
    s.facing[colour] &= ~(1 << top(s, colour))
    s.height[colour] -= 1
    s.pile[colour][s.height[colour]] = 0


@kernel
def look(s):
    """SC-k: the mage alone sees the next rival's hand as it is now."""
    rival = following(s)
    for colour in range(COLOURS):
        s.known[s.mage][colour] |= s.hand[rival][colour] & ~s.shown[colour]
    s.knows[s.mage][rival] = set_size(as_set(s.known[s.mage]) & as_set(s.hand[rival]))


@kernel
def listed(cards, first, moves, n):
    """Writes a move for each card of a set, behind n moves; how many there are then."""
    rest = as_set(cards)
    while rest:
        moves[n] = first + lowest(rest)
        n += 1
        rest &= rest - 1
    return n


@kernel
def nth_card(cards, n):
    """The card that has n cards of the set before it."""
    return nth_of_set(as_set(cards), n)


@kernel
def size_of(cards):
    return set_size(as_set(cards))


@kernel
def as_set(cards):
    """A row of masks as one number: bit k is card k."""
    return int(cards[0]) | int(cards[1]) << EACH | int(cards[2]) << 2 * EACH | int(cards[3]) << 3 * EACH


@kernel
def nth_of_set(cards, n):
    """Halves of halves, by how many cards are in them."""
    at = 0
    width = 32
    while width:
        here = set_size(cards >> at & ((1 << width) - 1))
        at += width if n >= here else 0
        n -= here if n >= here else 0
        width >>= 1
    return at


@kernel
def lowest(cards):
    """The first card of a set."""
    return set_size((cards & -cards) - 1)


@kernel
def set_size(cards):
    """Compiled, this loop is one instruction of the processor."""
    count = 0
    while cards:
        cards &= cards - 1
        count += 1
    return count


@kernel
def stage(s):
    return s.turns


@kernel
def worth(s, out):
    """How far a side is ahead: 15 sapphires, 10 energy or 20 cards are half of everything."""
    cards = 0
    for seat in range(s.seats):
        cards += s.held[seat] if seat & 1 == 0 else -s.held[seat]
    lead = (s.sapphires[0] - s.sapphires[1]) / 30 + (s.energy[0] - s.energy[1]) / 20 + cards / 40
    if anyone_won(s):
        lead = 0.0 if leader(s) == NONE else 1.0 if leader(s) == 0 else -1.0
    lead = max(-0.5, min(0.5, lead))
    for seat in range(s.seats):
        out[seat] = 0.5 - lead if seat & 1 else 0.5 + lead


@kernel
def limited(s):
    """Was it the empty deck that ended the game?"""
    return s.turn == OVER and not anyone_won(s)


@kernel
def rotated(s, move, by):
    return (move + by) % s.seats if s.phase == START else move


@kernel
def seen_from(s, seat):
    """Turn what the schema does not know of, so that this seat comes first: whom seats know cards of, and the sides, of
    which 0 is then its own."""
    for looker in range(s.seats):
        for _ in range(seat):
            first = s.knows[looker][0]
            for other in range(s.seats - 1):
                s.knows[looker][other] = s.knows[looker][other + 1]
            s.knows[looker][s.seats - 1] = first
    if seat & 1:
        s.energy[0], s.energy[1] = s.energy[1], s.energy[0]
        s.sapphires[0], s.sapphires[1] = s.sapphires[1], s.sapphires[0]
        for colour in range(COLOURS):
            lying = 0
            for place in range(s.height[colour]):
                lying |= 1 << s.pile[colour][place]
            s.facing[colour] = lying & ~s.facing[colour]


@kernel
def pieces(s, out):
    """How often each card is anywhere: once. A hidden one counts as in the deck."""
    for card in range(CARDS):
        colour = card // EACH
        cards = (s.deck[colour] >> (card % EACH) & 1) + (s.discards[colour] >> (card % EACH) & 1)
        for seat in range(s.seats):
            cards += s.hand[seat][colour] >> (card % EACH) & 1
        out[card] = cards
    for colour in range(COLOURS):
        for place in range(s.height[colour]):
            out[EACH * colour + s.pile[colour][place]] += 1
    return CARDS


@kernel
def sound(s):
    """Do the counts agree with the cards, what is known with where it is, and the phase with everything?"""
    if NONE < s.mage < 0 or NONE < s.card < 0 or NONE < s.outer < 0:
        return False
    if s.left != size_of(s.deck) or not hands_fit(s) or not piles_fit(s):
        return False
    dealt_cards = 0
    for seat in range(s.seats):
        dealt_cards += dealt(s, seat)
    if s.phase == START or s.phase == DEAL:
        return deal_fits(s)
    if s.mage == NONE or (s.seats == 3 and s.mage != THREE[s.turns & 3]):
        return False
    early = s.phase == SET_OFF or (s.phase == RECEIVE and s.card == NONE)
    if s.card != NONE:
        early = is_enchantment(s, s.card if s.outer == NONE else s.outer)
    if s.turns + s.left + (0 if early or s.phase == DONE else 1) > CARDS - dealt_cards:  # SC-n: a card a turn
        return False
    if s.ending and s.left != (s.count if s.phase == RECEIVE else 0):
        return False
    if s.phase == DONE:
        over = s.turn == OVER and s.actions == 0 and (anyone_won(s) or s.left == 0)
        return over and s.card == NONE and idle(s) and s.waiting == 0
    if s.card == NONE:
        return not anyone_won(s) and idle_effect(s) and between_effects_fits(s)
    return effect_fits(s)


@kernel
def deal_fits(s):
    """Before the first turn nothing is anywhere but in the deck and in the hands that have been dealt."""
    for colour in range(COLOURS):
        if s.discards[colour] or s.height[colour] or s.used[colour] or s.shown[colour]:
            return False
    for seat in range(s.seats):
        for other in range(s.seats):
            if s.knows[seat][other]:
                return False
    if s.turns or s.actions or s.ending or s.waiting or s.card != NONE or not idle(s) or not idle_effect(s):
        return False
    if s.turn != CHANCE or anyone_won(s):
        return False
    if s.phase == START:
        return s.seats != 3 and s.mage == NONE and s.left == CARDS
    if s.mage == NONE or (s.seats == 3 and s.mage != 0) or dealt_to(s) == NONE:
        return False
    open_ = False  # a hand is full before the next one gets a card
    for place in range(s.seats):
        seat = (s.mage + place) % s.seats
        if s.held[seat] > dealt(s, seat) or (open_ and s.held[seat]):
            return False
        open_ = open_ or s.held[seat] < dealt(s, seat)
    return True


@kernel
def hands_fit(s):
    """Hands have as many cards as they say, and what is known of them is in them."""
    for seat in range(SEATS):
        if s.held[seat] != size_of(s.hand[seat]) or (seat >= s.seats and s.held[seat]):
            return False
    everything = 0
    for seat in range(SEATS):
        everything |= as_set(s.hand[seat])
    shown = as_set(s.shown)
    if shown & ~everything:
        return False
    for looker in range(SEATS):
        rivals = 0
        for owner_ in range(SEATS):
            hand = as_set(s.hand[owner_]) & ~shown
            mine = as_set(s.known[looker]) & hand
            if s.knows[looker][owner_] != set_size(mine):
                return False
            if mine and not (looker ^ owner_) & 1:
                return False
            rivals |= hand
            for other in range(SEATS):  # of two who looked, one knows all that the other knows
                theirs = as_set(s.known[other]) & hand
                if mine & ~theirs and theirs & ~mine:
                    return False
        if as_set(s.known[looker]) & ~rivals or (looker >= s.seats and as_set(s.known[looker])):
            return False
    return True


@kernel
def piles_fit(s):
    """Nothing lies above a pile's top, each card lies there once, and what faces side 1 lies in the pile."""
    for colour in range(COLOURS):
        lying = 0
        for place in range(EACH):
            if place >= s.height[colour]:
                if s.pile[colour][place]:
                    return False
            else:
                lying |= 1 << s.pile[colour][place]
        if s.facing[colour] & ~lying or set_size(lying) != s.height[colour]:
            return False
        if s.used[colour] & (s.deck[colour] | s.enchantments[colour]):
            return False
        waits = s.mage != NONE and faces(s, colour, s.mage & 1) and s.enchantments[colour] >> top(s, colour) & 1 == 1
        if s.waiting >> colour & 1 and not waits:
            return False
    return True


@kernel
def idle(s):
    return s.count == 0 and s.nth == 0


@kernel
def idle_effect(s):
    return s.step == 0 and s.outer == NONE and s.outer_step == 0


@kernel
def between_effects_fits(s):
    """No effect is under way: an enchantment is to be set off, a card is drawn, or an action is asked for."""
    if s.phase == SET_OFF:
        return s.turn == s.mage and s.waiting > 0 and idle(s) and s.actions >= ACTIONS
    if s.waiting:
        return False
    if s.phase == RECEIVE:
        return s.turn == CHANCE and s.count == 1 and s.nth == 0 and s.left > 0
    return s.phase == ACT and s.turn == s.mage and idle(s) and s.actions > 0 and any_action(s)


@kernel
def effect_fits(s):
    """An effect is under way: the clause read last, or the one to be read, asks what the phase says."""
    if not card_fits(s, s.card, s.step, s.outer == NONE) or (s.outer == NONE and s.outer_step):
        return False
    if s.outer != NONE:
        if s.outer_step == 0 or not card_fits(s, s.outer, s.outer_step, True) or s.outer == s.card or uses(s, s.card):
            return False
        if s.card_effect[s.outer][2 * s.outer_step - 2] & (OR - 1) != USE or is_enchantment(s, s.card):
            return False
    if s.phase == EITHER:
        return NOTHING < word_at(s, s.step) < OR and word_at(s, s.step + 1) >= OR and s.turn == s.mage and idle(s)
    if s.step == 0 or word_at(s, s.step - 1) == NOTHING:
        return False
    word = word_at(s, s.step - 1) & (OR - 1)
    n = s.card_effect[s.card][2 * s.step - 1]
    if s.phase == OFFER:
        return MAY <= word < UNLESS and s.turn == s.mage and idle(s) and can_pay(s, s.mage, word - MAY, n)
    if s.phase == ANSWER:
        asked = UNLESS <= word < DAMAGE and s.turn == following(s) and idle(s)
        return asked and can_pay(s, following(s), word - UNLESS, n)
    if s.phase == POINT:
        return word >= DISPEL and s.turn == s.mage and s.nth == 0 and 0 < s.count <= n and any_fits(s)
    if s.phase == ANY_CARD or s.phase == PICK:
        return hand_clause_fits(s, word, n)
    return mages_clause_fits(s, word, n)


@kernel
def card_fits(s, card, step, first):
    """A card that is being read has been activated, or is an enchantment of this turn."""
    if s.deck[card // EACH] & bit(card):
        return False
    if is_enchantment(s, card):
        return first and s.actions >= ACTIONS
    return (s.used[card // EACH] & bit(card)) > 0 and (not first or s.waiting == 0)


@kernel
def any_fits(s):
    for colour in range(COLOURS):
        if fits(s, colour):
            return True
    return False


@kernel
def hand_clause_fits(s, word, n):
    if not 0 < s.count <= min(n, s.held[following(s)]) or s.nth:
        return False
    if s.phase == ANY_CARD:
        return word in (TAKE_ANY, DROP_ANY) and s.turn == CHANCE
    unseen = 0
    for colour in range(COLOURS):
        unseen |= s.hand[following(s)][colour] & ~s.shown[colour] & ~s.known[s.mage][colour]
    return word in (TAKE_CHOSEN, DROP_CHOSEN) and s.turn == s.mage and unseen == 0


@kernel
def mages_clause_fits(s, word, n):
    """Somebody draws or discards, and the clause says so."""
    if s.nth >= s.seats or not 0 < s.count <= n:
        return False
    seat = in_order(s, s.nth)
    rival = (seat ^ s.mage) & 1
    if s.phase == RECEIVE:
        if s.turn != CHANCE or s.count > s.left:
            return False
        return (word == DRAW_CARDS and s.nth == 0) or (word == RIVAL_DRAWS and s.nth == 1) or word == EACH_DRAWS
    if s.phase != GIVE_UP or s.turn != seat or s.count > s.held[seat]:
        return False
    if s.nth == 0 and (word == PAY + OF_CARDS or word == MAY + OF_CARDS or word == DISCARD_CARDS):
        return True
    if s.nth == 1 and (word == UNLESS + OF_CARDS or word == RIVAL_DISCARDS):
        return True
    return word == EACH_DISCARDS or (word == EACH_RIVAL_DISCARDS and rival == 1)
