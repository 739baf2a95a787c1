"""Dice Heist. Rob four famous museums with a thief, a few sidekicks and a roll of the dice.

Each turn flips an exhibit into its museum. Then the seat recruits a sidekick, or goes for a museum
with its thief and as many sidekicks as it likes: one die above the museum's level takes everything
there and costs the sidekicks that rolled; otherwise nothing is taken and nothing is lost. When
deck and museums are empty, artifacts, sets of gems and the paintings are scored.
"""

from spellheist.core.kernel import kernel
from spellheist.core.state import CHANCE, NONE, OVER, SWITCH, a_seat, each_seat, number, numbers, packed

SEATS, SIDEKICKS, FACES = 5, 10, 6
DICE = 1 + SIDEKICKS  # the thief's die, then the sidekicks'
TURNS = 10000  # the highest turn limit
BONUS, MALUS = 8, 4  # DH-9: for the highest and the lowest total of paintings

HERMITAGE, METROPOLITAN, BRITISH, LOUVRE = range(4)
MUSEUMS = 4
LEVELS = (2, 3, 4, 5)  # DH-g

# A kind of card is a museum, what it shows, and what that is worth. No valid deck has more kinds than
# two sizes of artifact and three gems in four museums, and eleven paintings.
KINDS = 2 * MUSEUMS + 3 * MUSEUMS + 11
ARTIFACT, RED, GREEN, BLUE, PAINTING = range(5)
MINOR = 1  # the worth of a minor exhibit: one artifact

# Moves. An outcome is the face of a die, or the kind of the exhibit that is flipped.
RECRUIT = 0
TAKE_FROM = RECRUIT + 1
HEIST = TAKE_FROM + SEATS
RAID = HEIST + MUSEUMS
JOIN = RAID + KINDS
MOVES = JOIN + DICE
OUTCOMES = KINDS

# Phases: what is being asked.
START, REVEAL, ACT, SEND, ROLL, DONE = range(6)

NO_DIE, TO_ROLL = 0, 7  # what a die is, besides its face

State = packed(
    SEATS,
    seats=number(2, SEATS),  # how many play
    targeted_raid=SWITCH,
    recruit_from_richest_other=SWITCH,
    turn_limit=number(1, TURNS),
    kind_museum=numbers(0, MUSEUMS - 1, KINDS),  # the deck: where a card of each kind belongs,
    kind_what=numbers(ARTIFACT, PAINTING, KINDS),  # what it shows,
    kind_worth=numbers(0, 240, KINDS),  # artifacts on it, or the painting's value; 0 for a gem,
    kind_count=numbers(0, 20, KINDS),  # and how many there are; 0 for a kind that the deck does not have
    turn=a_seat(CHANCE, OVER),  # the seat to act, or CHANCE, or OVER
    phase=number(START, DONE),  # what is being asked
    thief=a_seat(),  # whose turn it is at the table; at START, who rolls
    turns=number(0, TURNS),  # turns over
    opening=each_seat(-FACES, FACES),  # the rolls for the start: 0 still to come, below 0 beaten
    left=numbers(0, 20, KINDS),  # cards in the deck, whose order is nowhere
    shown=numbers(0, 20, KINDS),  # cards lying open in their museums
    stolen=each_seat(0, 20, KINDS),  # cards each seat took
    supply=number(0, SIDEKICKS),  # sidekicks nobody has
    sidekicks=each_seat(0, SIDEKICKS),
    target=number(NONE, JOIN - 1),  # the heist or raid that is on, or was the last action: its move; or NONE
    dice=numbers(NO_DIE, TO_ROLL, DICE),  # its dice, the thief's first: a face, TO_ROLL or NO_DIE
)


@kernel
def setup(s):
    for kind in range(KINDS):
        s.left[kind] = s.kind_count[kind]
        s.shown[kind] = 0
    for seat in range(SEATS):
        s.opening[seat] = 0
        s.sidekicks[seat] = 0
        for kind in range(KINDS):
            s.stolen[seat][kind] = 0
    for die in range(DICE):
        s.dice[die] = NO_DIE
    s.supply = SIDEKICKS
    s.target = NONE
    s.turns = 0
    s.thief = 0
    s.turn, s.phase = CHANCE, START


@kernel
def chance(s, odds):
    if s.phase == REVEAL:
        total = 0
        for kind in range(KINDS):
            odds[kind] = s.left[kind]
            total += s.left[kind]
        return total
    for outcome in range(OUTCOMES):
        odds[outcome] = 0
    for face in range(1, FACES + 1):
        odds[face] = 1
    return FACES


@kernel
def legal(s, moves):
    n = 0
    if s.phase == SEND:  # DH-5: none to all of the own sidekicks
        for count in range(s.sidekicks[s.thief] + 1):
            moves[n] = JOIN + count
            n += 1
        return n
    if s.supply > 0:  # DH-4
        moves[n] = RECRUIT
        n += 1
    else:
        most = most_sidekicks(s)
        for seat in range(s.seats):
            if seat != s.thief and s.sidekicks[seat] == most:
                moves[n] = TAKE_FROM + seat
                n += 1
    open_museums = 0
    for kind in range(KINDS):
        open_museums |= (s.shown[kind] > 0) << s.kind_museum[kind]
    # DH-h: there is one. A turn begins with a flip, or with an empty deck and something lying open,
    # or the game would be over (DH-9); and nothing has been taken in this turn yet.
    for museum in range(MUSEUMS):
        if open_museums >> museum & 1:  # DH-5, DH-j
            moves[n] = HEIST + museum
            n += 1
    if s.targeted_raid:  # DH-10, DH-e
        for kind in range(KINDS):
            moves[n] = RAID + kind
            n += s.shown[kind] > 0
    return n


@kernel
def play(s, move):
    if s.phase == REVEAL:
        reveal(s, move)
    elif s.phase == ROLL:
        roll(s, move)
    elif s.phase == SEND:
        send(s, move - JOIN)
    elif s.phase == ACT:
        act(s, move)
    else:
        roll_for_start(s, move)


@kernel
def roll_for_start(s, face):
    s.opening[s.thief] = face
    highest = 0
    tied = 0
    for seat in range(s.seats):
        if s.opening[seat] == 0:  # somebody has to roll yet
            s.thief = next_to_roll(s)
            return
        if s.opening[seat] > highest:
            highest = s.opening[seat]
            tied = 0
        tied += s.opening[seat] == highest
    # DH-1: the highest starts; of several, each rolls again, and the others are out of it.
    for seat in range(s.seats):
        if s.opening[seat] == highest:
            if tied == 1:
                s.thief = seat
            else:
                s.opening[seat] = 0
        elif s.opening[seat] > 0:
            s.opening[seat] = -s.opening[seat]
    if tied == 1:
        begin_turn(s)
    else:
        s.thief = next_to_roll(s)


@kernel
def begin_turn(s):
    if any_left(s):  # DH-2
        s.turn, s.phase = CHANCE, REVEAL
    else:
        s.turn, s.phase = s.thief, ACT


@kernel
def reveal(s, kind):
    s.left[kind] -= 1
    s.shown[kind] += 1
    minor = s.kind_what[kind] == ARTIFACT and s.kind_worth[kind] == MINOR
    if not minor or not any_left(s):  # DH-2: after a minor exhibit another one, while cards last
        s.turn, s.phase = s.thief, ACT


@kernel
def act(s, move):
    """DH-3: the one action of a turn."""
    for die in range(DICE):
        s.dice[die] = NO_DIE
    if move >= HEIST:  # DH-f: the target now, the sidekicks next
        s.target = move
        s.phase = SEND
        return
    s.target = NONE
    if move == RECRUIT:  # DH-4
        s.supply -= 1
    else:
        s.sidekicks[move - TAKE_FROM] -= 1
    s.sidekicks[s.thief] += 1
    end_turn(s)


@kernel
def send(s, count):
    for die in range(1 + count):
        s.dice[die] = TO_ROLL
    s.turn, s.phase = CHANCE, ROLL


@kernel
def roll(s, face):
    die = 0
    while s.dice[die] != TO_ROLL:
        die += 1
    s.dice[die] = face
    if die + 1 == DICE or s.dice[die + 1] == NO_DIE:  # DH-i: every die is rolled, whatever the first ones show
        settle(s, die)


@kernel
def settle(s, joined):
    """DH-6: does any single die beat the museum?"""
    needed = needs(s)
    success = False
    for die in range(joined + 1):
        if s.dice[die] >= needed:
            success = True
    if success:  # DH-7; after a failure every die comes back (DH-8)
        if s.target < RAID:
            steal_all(s, s.target - HEIST)
        else:  # DH-10: the named card and no other
            s.shown[s.target - RAID] -= 1
            s.stolen[s.thief][s.target - RAID] += 1
        s.sidekicks[s.thief] -= joined
        s.supply += joined
    end_turn(s)


@kernel
def steal_all(s, museum):
    loot = s.stolen[s.thief]
    for kind in range(KINDS):
        if s.kind_museum[kind] == museum:
            loot[kind] += s.shown[kind]
            s.shown[kind] = 0


@kernel
def end_turn(s):
    s.turns += 1
    if s.turns == s.turn_limit or not (any_shown(s) or any_left(s)):  # DH-d, DH-9
        s.turn, s.phase = OVER, DONE
        return
    s.thief = s.thief + 1 if s.thief + 1 < s.seats else 0
    begin_turn(s)


@kernel
def score(s, out):
    """DH-9: most points win; equal points share."""
    points(s, out)
    best = out[0]
    for seat in range(1, s.seats):
        best = max(best, out[seat])
    sharing = 0
    for seat in range(s.seats):
        sharing += out[seat] == best
    for seat in range(s.seats):
        out[seat] = 1 / sharing if out[seat] == best else 0.0


@kernel
def hide(s, seat):
    """DH-s1, DH-s2: nothing in the state is secret."""


@kernel
def imagine(s, rng):
    """There is nothing to fill in."""


# Questions the rules ask.


@kernel
def any_left(s):
    total = 0  # a sum, because a loop with an early way out is slower
    for kind in range(KINDS):
        total += s.left[kind]
    return total > 0


@kernel
def any_shown(s):
    total = 0
    for kind in range(KINDS):
        total += s.shown[kind]
    return total > 0


@kernel
def next_to_roll(s):
    """DH-1: the next seat, clockwise, that has to roll for the start."""
    seat = s.thief
    for _ in range(s.seats):
        seat = seat + 1 if seat + 1 < s.seats else 0
        if s.opening[seat] == 0:
            break
    return seat


@kernel
def most_sidekicks(s):
    """DH-4, DH-a: how many sidekicks a seat has from whom the thief may take one when the supply is empty."""
    most = 1
    for seat in range(s.seats):
        if seat != s.thief or not s.recruit_from_richest_other:
            most = max(most, s.sidekicks[seat])
    return most


@kernel
def needs(s):
    """DH-6, DH-10: the lowest face that makes the heist or raid succeed."""
    if s.target < RAID:
        return LEVELS[s.target - HEIST] + 1
    return LEVELS[s.kind_museum[s.target - RAID]]


@kernel
def paintings(s, seat):
    total = 0
    for kind in range(KINDS):
        if s.kind_what[kind] == PAINTING:
            total += s.stolen[seat][kind] * s.kind_worth[kind]
    return total


@kernel
def points(s, out):
    """DH-9: the points of each seat."""
    highest = lowest = paintings(s, 0)
    for seat in range(1, s.seats):
        total = paintings(s, seat)
        highest = max(highest, total)
        lowest = min(lowest, total)
    for seat in range(s.seats):
        artifacts = red = green = blue = 0
        for kind in range(KINDS):
            count = s.stolen[seat][kind]
            if count > 0:
                what = s.kind_what[kind]
                if what == ARTIFACT:
                    artifacts += count * s.kind_worth[kind]
                elif what == RED:
                    red += count
                elif what == GREEN:
                    green += count
                elif what == BLUE:
                    blue += count
        total = artifacts + pyramid(red) + pyramid(green) + pyramid(blue)
        owned = paintings(s, seat)
        if owned == highest:  # DH-b, DH-c: a total of 0 counts, and one total may be both
            total += BONUS
        if owned == lowest:
            total -= MALUS
        out[seat] = total


@kernel
def pyramid(count):
    """1 + 2 + 3 + ... for so many gems of a colour."""
    return count * (count + 1) // 2


@kernel
def stage(s):
    return s.turns // s.seats


@kernel
def worth(s, out):
    """How far ahead of the best other seat: points as they stand, a sidekick for one; 40 ahead is all."""
    points(s, out)
    best = second = -1000.0
    for seat in range(s.seats):
        out[seat] += s.sidekicks[seat]
        if out[seat] > best:
            second = best
            best = out[seat]
        elif out[seat] > second:
            second = out[seat]
    for seat in range(s.seats):
        lead = out[seat] - (second if out[seat] == best else best)
        out[seat] = max(0.0, min(1.0, 0.5 + lead / 80))


@kernel
def limited(s):
    return s.turn == OVER and (any_left(s) or any_shown(s))


@kernel
def rotated(s, move, by):
    if s.phase == ACT and TAKE_FROM <= move < HEIST:
        return TAKE_FROM + (move - TAKE_FROM + by) % s.seats
    return move


@kernel
def pieces(s, out):
    """The cards of each kind, wherever they are, and the sidekicks."""
    for kind in range(KINDS):
        count = s.left[kind] + s.shown[kind]
        for seat in range(s.seats):
            count += s.stolen[seat][kind]
        out[kind] = count
    dice = s.supply
    for seat in range(s.seats):
        dice += s.sidekicks[seat]
    out[KINDS] = dice
    return KINDS + 1


@kernel
def sound(s):
    """Does the phase fit who is asked, what lies where, and the dice on the table?"""
    for seat in range(s.seats, SEATS):
        if s.sidekicks[seat] or s.opening[seat]:
            return False
        for kind in range(KINDS):
            if s.stolen[seat][kind]:
                return False
    if s.turns > s.turn_limit or not dice_fit(s):
        return False
    empty = not any_left(s) and not any_shown(s)
    if s.phase == DONE or empty or s.turns == s.turn_limit:
        return s.phase == DONE and s.turn == OVER and (empty or s.turns == s.turn_limit)
    if s.phase == START:
        return s.turn == CHANCE and nothing_done(s)
    if s.phase == REVEAL:
        return s.turn == CHANCE and any_left(s)
    if s.phase == ACT:
        return s.turn == s.thief and any_shown(s)
    if s.turn != (s.thief if s.phase == SEND else CHANCE) or s.target == NONE:
        return False
    for kind in range(KINDS):  # what the heist or raid is for lies open
        if s.shown[kind] and (s.target == HEIST + s.kind_museum[kind] or s.target == RAID + kind):
            return True
    return False


@kernel
def dice_fit(s):
    """Faces, then dice to roll, then none; as many as there can be; and only for a heist or raid."""
    rolled = joined = 0
    for die in range(DICE):
        if s.dice[die] != NO_DIE:
            if die != joined or (s.dice[die] != TO_ROLL and die != rolled):
                return False
            joined += 1
            rolled += s.dice[die] != TO_ROLL
    if s.target == NONE:
        return joined == 0
    if s.target < HEIST or (s.target >= RAID and not (s.targeted_raid and s.kind_count[s.target - RAID])):
        return False
    if s.phase == SEND:
        return joined == 0
    if s.phase == ROLL:
        return rolled < joined <= 1 + s.sidekicks[s.thief]
    return rolled == joined > 0


@kernel
def nothing_done(s):
    """Before the first turn nothing has moved, and at least two still roll for it."""
    rolling = 0
    for seat in range(s.seats):
        rolling += s.opening[seat] >= 0
        if s.sidekicks[seat]:
            return False
    for kind in range(KINDS):
        if s.left[kind] != s.kind_count[kind]:
            return False
    return rolling > 1 and s.opening[s.thief] == 0 and s.turns == 0 and s.target == NONE
