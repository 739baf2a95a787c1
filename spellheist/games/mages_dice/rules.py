"""Mage's Dice. Gather spells from the mana pool and cast them at each other.

Each seat has a focus die; spell dice that show its number come to its arsenal. On a turn a seat
rolls the pool again, rolls its focus die again, or casts a spell, which every other seat must
answer with one of its own. An attack that beats a spell, and meets none of the opposing element,
scores a point. An empty pool ends the round, ten points end the game.
"""

from spellheist.core.kernel import kernel
from spellheist.core.state import CHANCE, NONE, OVER, SWITCH, a_seat, each_seat, number, numbers, packed

SEATS = 3
ELEMENTS, DICE, FACES = 4, 4, 6  # DICE: spell dice of each element
FIRE, WATER, EARTH, AIR = range(ELEMENTS)
SPELLS = ELEMENTS * DICE
KINDS = ELEMENTS * FACES  # MD-i: dice of one element with one number are one kind
TARGETS, LIMITS = 20, 10000  # the highest that the options allow
LEAD = 5  # points of a round: see `worth`

# Moves. To cast a spell is to attack on one's own turn and to defend in another's battle.
# An outcome is the number that a die shows, or NEXT.
REFRESH = 0
REFOCUS = REFRESH + 1
CAST = REFOCUS + 1
MOVES = CAST + KINDS
NEXT = 0
OUTCOMES = FACES + 1

# Phases: what is being asked, or what is being rolled.
FOCUS_DICE, SPELL_DICE, AGAIN, ACT, REFRESHING, REFOCUSING, CLASH, DEFEND, SHOW = range(9)


@kernel
def kind_of(element, power):
    return element * FACES + power - 1


@kernel
def element_of(kind):
    return kind // FACES


@kernel
def power_of(kind):
    return kind % FACES + 1


State = packed(
    SEATS,
    seats=number(2, SEATS),  # how many play
    literal_collect=SWITCH,
    unopposed_scores=SWITCH,
    target=number(1, TARGETS),
    turn_limit=number(1, LIMITS),
    turn=a_seat(CHANCE, OVER),  # the seat to act, or CHANCE, or OVER
    phase=number(FOCUS_DICE, SHOW),  # what is being asked
    mage=a_seat(),  # whose turn it is at the table; before the first round's MD-3, who rolls first
    stage=number(0, LIMITS),  # rounds over
    actions=number(0, LIMITS),  # actions resolved in the whole game
    points=each_seat(0, TARGETS),
    gain=each_seat(0, SPELLS),  # points made in this round, or at its end in the one that ended
    focus=each_seat(0, FACES),  # 0: still to be rolled
    rolling=numbers(0, DICE, ELEMENTS),  # spell dice of the pool that wait to be rolled; the first element goes first
    pool=numbers(0, DICE, KINDS),  # all other dice in the pool
    arsenal=each_seat(0, DICE, KINDS),
    played=each_seat(NONE, KINDS - 1),  # the spell cast in the battle that runs, or NONE
    ether=numbers(0, DICE, ELEMENTS),  # dice in the ether box: their numbers no longer matter
)


@kernel
def setup(s):
    s.stage = 0
    s.actions = 0
    s.mage = 0
    for seat in range(SEATS):
        s.points[seat] = 0
    begin_round(s)


@kernel
def begin_round(s):
    # MD-1: every die is in the pool and every arsenal empty.
    for kind in range(KINDS):
        s.pool[kind] = 0
        for seat in range(SEATS):
            s.arsenal[seat][kind] = 0
    for element in range(ELEMENTS):
        s.rolling[element] = DICE
        s.ether[element] = 0
    for seat in range(SEATS):
        s.gain[seat] = 0
        s.focus[seat] = 0
        s.played[seat] = NONE
    s.turn, s.phase = CHANCE, FOCUS_DICE


@kernel
def chance(s, odds):
    if s.phase == SHOW or s.phase == AGAIN:
        odds[NEXT] = 1
        for face in range(1, OUTCOMES):
            odds[face] = 0
        return 1
    odds[NEXT] = 0
    for face in range(1, OUTCOMES):
        odds[face] = 1
    return FACES


@kernel
def legal(s, moves):
    n = 0
    if s.phase == ACT:  # MD-5, MD-d
        moves[0] = REFRESH
        moves[1] = REFOCUS
        n = 2
    for kind in range(KINDS):  # MD-10
        moves[n] = CAST + kind  # written over by the next one unless it counts
        n += s.arsenal[s.turn][kind] > 0
    return n


@kernel
def play(s, move):
    if s.phase == SPELL_DICE or s.phase == REFRESHING or s.phase == CLASH:
        roll_spell(s, move)
    elif s.phase == FOCUS_DICE:
        roll_focus(s, move)
    elif s.phase == REFOCUSING:
        refocus(s, move)
    elif s.phase == AGAIN:  # MD-c: the same round, and in a later one the same seat is to begin
        begin_round(s)
    elif s.phase == SHOW:
        s.mage = left_of(s, s.mage)  # MD-4
        begin_round(s)
    elif move == REFRESH:
        refresh(s)
    elif move == REFOCUS:
        s.turn, s.phase = CHANCE, REFOCUSING
    else:
        cast(s, move - CAST)


@kernel
def roll_focus(s, face):
    s.focus[roller(s)] = face
    if not focused(s):
        return
    # MD-1: all who share a number with anyone roll again.
    again = 0
    for seat in range(s.seats):
        if shared(s, seat):
            again |= 1 << seat
    for seat in range(s.seats):
        if again >> seat & 1:
            s.focus[seat] = 0
    if again == 0:
        s.phase = SPELL_DICE


@kernel
def roll_spell(s, face):
    element = 0
    while s.rolling[element] == 0:
        element += 1
    s.rolling[element] -= 1
    s.pool[kind_of(element, face)] += 1
    while s.rolling[element] == 0:
        element += 1
        if element == ELEMENTS:
            all_rolled(s)
            return


@kernel
def all_rolled(s):
    if s.phase != SPELL_DICE:
        end_action(s)
        return
    collect(s)  # MD-2
    if pool_empty(s):  # MD-c
        s.phase = AGAIN
        return
    if s.actions == 0:
        s.mage = first_to_begin(s)
    s.turn, s.phase = s.mage, ACT


@kernel
def refresh(s):
    for kind in range(KINDS):  # MD-6
        s.rolling[element_of(kind)] += s.pool[kind]
        s.pool[kind] = 0
    s.turn, s.phase = CHANCE, REFRESHING


@kernel
def refocus(s, face):
    s.focus[s.mage] = face
    clash = shared(s, s.mage)
    for element in range(ELEMENTS):
        # MD-7, MD-8: every die in play of this number, wherever it is.
        kind = kind_of(element, face)
        found = s.pool[kind]
        s.pool[kind] = 0
        for seat in range(s.seats):
            found += s.arsenal[seat][kind]
            s.arsenal[seat][kind] = 0
        if clash:
            s.rolling[element] = found
        else:
            s.arsenal[s.mage][kind] = found
    for element in range(ELEMENTS):
        if s.rolling[element]:
            s.phase = CLASH
            return
    end_action(s)


@kernel
def cast(s, kind):
    s.arsenal[s.turn][kind] -= 1
    s.played[s.turn] = kind
    # MD-10: from the attacker's left, each seat that has a spell must answer.
    seat = left_of(s, s.turn)
    while seat != s.mage:
        if held(s, seat) > 0:
            s.turn, s.phase = seat, DEFEND
            return
        seat = left_of(s, seat)
    battle(s)
    end_action(s)


@kernel
def battle(s):
    attack = s.played[s.mage]
    defended, nullified, beats = False, False, False
    for seat in range(s.seats):
        spell = s.played[seat]
        if spell == NONE:
            continue
        s.ether[element_of(spell)] += 1  # MD-14
        s.played[seat] = NONE
        if seat != s.mage:
            defended = True
            if element_of(spell) == opposite(element_of(attack)):  # MD-11
                nullified = True
            if power_of(spell) < power_of(attack):  # MD-12
                beats = True
    # MD-13, MD-g: with nobody to beat there is no point, or by option one.
    if (beats and not nullified) or (s.unopposed_scores and not defended):
        s.points[s.mage] += 1
        s.gain[s.mage] += 1


@kernel
def end_action(s):
    s.actions += 1
    won = s.points[s.mage] == s.target  # MD-16: at once, before anything else
    if not won and (s.phase == REFRESHING or not s.literal_collect):  # MD-6, MD-a, MD-b
        collect(s)
    if won or s.actions == s.turn_limit:  # MD-e
        s.stage += 1
        s.turn, s.phase = OVER, SHOW
    elif round_over(s):
        s.stage += 1
        s.turn, s.phase = CHANCE, SHOW
    else:
        s.mage = left_of(s, s.mage)
        s.turn, s.phase = s.mage, ACT


@kernel
def collect(s):
    """Each focus number that one seat alone has takes the dice of the pool that show it."""
    for seat in range(s.seats):
        if not shared(s, seat):  # MD-9
            for element in range(ELEMENTS):
                kind = kind_of(element, s.focus[seat])
                s.arsenal[seat][kind] += s.pool[kind]
                s.pool[kind] = 0


@kernel
def score(s, out):
    """MD-16, MD-e: the most points win, equal points share. Nobody else has as many as the target."""
    best = most_points(s)
    sharing = 0
    for seat in range(s.seats):
        sharing += s.points[seat] == best
    for seat in range(s.seats):
        out[seat] = 1 / sharing if s.points[seat] == best else 0.0


@kernel
def hide(s, seat):
    """MD-s1: everything is public."""


@kernel
def imagine(s, rng):
    """MD-s1: there is nothing to fill in."""


# Questions the rules ask.


@kernel
def left_of(s, seat):
    return seat + 1 if seat + 1 < s.seats else 0


@kernel
def opposite(element):
    """MD-11: fire and water, earth and air."""
    return element ^ 1


@kernel
def roller(s):
    """The seat that rolls its focus die next, at the start of a round."""
    seat = s.mage
    while s.focus[seat]:
        seat = left_of(s, seat)
    return seat


@kernel
def focused(s):
    """Has every seat a focus number?"""
    count = 0
    for seat in range(s.seats):
        count += s.focus[seat] > 0
    return count == s.seats


@kernel
def shared(s, seat):
    """Does another seat have the same focus number?"""
    count = 0
    for other in range(s.seats):
        count += s.focus[other] == s.focus[seat]
    return count > 1


@kernel
def first_to_begin(s):
    """MD-3: the fewest spells, then the lowest focus number."""
    first, least = 0, (SPELLS + 1) * OUTCOMES
    for seat in range(s.seats):
        rank = held(s, seat) * OUTCOMES + s.focus[seat]
        if rank < least:
            first, least = seat, rank
    return first


@kernel
def held(s, seat):
    count = 0
    for kind in range(KINDS):
        count += s.arsenal[seat][kind]
    return count


@kernel
def pool_empty(s):
    count = 0
    for kind in range(KINDS):
        count += s.pool[kind]
    return count == 0


@kernel
def round_over(s):
    """MD-15: the pool is empty, or at most one spell is in play. Asked when no battle runs."""
    return pool_empty(s) or in_box(s) >= SPELLS - 1


@kernel
def in_box(s):
    count = 0
    for element in range(ELEMENTS):
        count += s.ether[element]
    return count


@kernel
def most_points(s):
    best = 0
    for seat in range(s.seats):
        best = max(best, s.points[seat])
    return best


@kernel
def stage(s):
    return s.stage


@kernel
def worth(s, out):
    """A half, and more or less by the points ahead of or behind the best of the others, up to LEAD."""
    for seat in range(s.seats):
        best = 0
        for other in range(s.seats):
            if other != seat:
                best = max(best, s.gain[other])
        out[seat] = 0.5 + max(-LEAD, min(LEAD, s.gain[seat] - best)) / (2 * LEAD)


@kernel
def limited(s):
    return s.turn == OVER and most_points(s) < s.target


@kernel
def pieces(s, out):
    """The spell dice of each element, wherever they are."""
    for element in range(ELEMENTS):
        out[element] = s.rolling[element] + s.ether[element]
    for kind in range(KINDS):
        count = s.pool[kind]
        for seat in range(SEATS):
            count += s.arsenal[seat][kind] + (s.played[seat] == kind)
        out[element_of(kind)] += count
    return ELEMENTS


@kernel
def sound(s):
    """Do the counts agree with each other, and the phase with who is asked?"""
    gains = 0
    for seat in range(SEATS):
        if s.points[seat] > s.target or s.gain[seat] > s.points[seat] or (seat >= s.seats and not unused(s, seat)):
            return False
        if s.points[seat] == s.target and (s.turn != OVER or seat != s.mage):  # MD-16: only an attacker scores
            return False
        if s.played[seat] < 0 and s.played[seat] != NONE:
            return False
        gains += s.gain[seat]
    # A point takes two spells to the box, or one that nobody could answer (MD-g).
    if gains * (1 if s.unopposed_scores else 2) > in_box(s) or s.stage > s.actions or s.actions > s.turn_limit:
        return False
    if s.turn == OVER:
        ended = s.points[s.mage] == s.target or s.actions == s.turn_limit
        return ended and s.phase == SHOW and s.stage > 0 and focused(s) and waiting(s) == 0 and not fighting(s)
    if s.actions == s.turn_limit:
        return False
    if s.phase == FOCUS_DICE or s.phase == SPELL_DICE or s.phase == AGAIN:
        return s.turn == CHANCE and start_fits(s)
    if not focused(s):
        return False
    if s.phase == DEFEND:
        return battle_fits(s)
    if fighting(s):
        return False
    if s.phase == REFRESHING or s.phase == CLASH:
        return s.turn == CHANCE and waiting(s) > 0 and (s.phase == REFRESHING or shared(s, s.mage))
    if waiting(s) > 0 or round_over(s) != (s.phase == SHOW):
        return False
    if s.phase == ACT:
        return s.turn == s.mage
    return s.turn == CHANCE and (s.phase == REFOCUSING or s.stage > 0)


@kernel
def unused(s, seat):
    return s.points[seat] == 0 and s.focus[seat] == 0 and s.played[seat] == NONE and held(s, seat) == 0


@kernel
def waiting(s):
    count = 0
    for element in range(ELEMENTS):
        count += s.rolling[element]
    return count


@kernel
def fighting(s):
    """Is a spell of a battle on the table?"""
    count = 0
    for seat in range(s.seats):
        count += s.played[seat] != NONE
    return count > 0


@kernel
def start_fits(s):
    """While a round begins: no box, no battle, and as many dice rolled as the phase says."""
    if in_box(s) > 0 or fighting(s) or (s.stage == 0) != (s.actions == 0):
        return False
    if s.phase == FOCUS_DICE:
        return waiting(s) == SPELLS and not focused(s)
    for seat in range(s.seats):
        if s.focus[seat] == 0 or shared(s, seat) or (s.phase == SPELL_DICE and held(s, seat) > 0):
            return False
    if s.phase == SPELL_DICE:
        return waiting(s) > 0
    return waiting(s) == 0 and pool_empty(s)


@kernel
def battle_fits(s):
    """In a battle the seats from the attacker to the one asked have cast or have nothing, the others have not cast."""
    if s.turn < 0 or s.turn == s.mage or s.played[s.mage] == NONE or held(s, s.turn) == 0:
        return False
    seat = left_of(s, s.mage)
    while seat != s.turn:
        if s.played[seat] == NONE and held(s, seat) > 0:
            return False
        seat = left_of(s, seat)
    while seat != s.mage:
        if s.played[seat] != NONE:
            return False
        seat = left_of(s, seat)
    return waiting(s) == 0 and not round_over(s)
