"""Abraca...What? Call the spells on your own stones, which everyone but you can see.

Each seat has five stones, turned away from it. On a turn a seat calls a number: if one of its
stones shows it, the stone is cast and the seat may call again, the same number or higher; if
none does, it loses a life and the turn. Emptying the hand or knocking someone out ends the
round; eight points end the game.
"""

from spellheist.core.dice import below
from spellheist.core.kernel import kernel
from spellheist.core.state import (
    CHANCE,
    HIDDEN,
    NONE,
    OVER,
    SWITCH,
    a_seat,
    each_seat,
    number,
    numbers,
    packed,
)

SEATS, HAND, LIVES, GOAL = 5, 5, 6, 8
KINDS = 9  # stones are 1 to 8, and there are k stones of kind k; nothing is kind 0
STONES, SECRETS = 36, 4
FACES = 3
STIRS = 8  # see `stir`
ROUNDS = 100  # far more than can be played: every round brings someone a point

DRAGON, WANDERER, DREAM, SINGER, TEMPEST, BLIZZARD, FIREBALL, DRINK = range(1, 9)

# Moves. A call is the number called. An outcome is the number on the stone or the die, a seat, or 0.
STOP = 0
MOVES = OUTCOMES = KINDS

# Phases: what is being asked.
START, DEAL, CALL, GO_ON, ROLL, BACKFIRE, TAKE, REFILL, SHOW = range(9)

EMPTY = 0

State = packed(
    SEATS,
    seats=number(2, SEATS),  # how many play
    easy=SWITCH,
    last_standing=SWITCH,
    strict_calls=SWITCH,
    knock_out_first=SWITCH,
    die_faces=numbers(0, 6, FACES),  # how many faces show 1, 2, 3
    starter=a_seat(NONE),  # the seat that begins, or NONE: a random one
    turn=a_seat(CHANCE, OVER),  # the seat to act, or CHANCE, or OVER
    phase=number(START, SHOW),  # what is being asked
    caster=a_seat(NONE),  # whose turn it is at the table
    spell=number(0, 8),  # the spell called last in this turn, or 0
    stage=number(0, ROUNDS),  # rounds over
    pile=number(0, STONES - SECRETS),  # stones left to draw
    secrets=number(0, SECRETS),  # secret stones left in the middle
    deck=numbers(0, 8, KINDS),  # stones nobody has been dealt; in a view, all that the seat cannot see
    board=numbers(0, 8, KINDS),  # stones cast or set aside
    lives=each_seat(0, LIVES),
    points=each_seat(0, GOAL + 6),
    gain=each_seat(0, 7),  # points made in the round that ended last
    held=each_seat(0, HAND),  # stones in each hand
    hand=each_seat(HIDDEN, 8, HAND),  # longest held first: 1 to 8, EMPTY or HIDDEN
    never=each_seat(0, 510, HAND),  # bit k: the calls so far show that this stone is not a k
    takes=each_seat(0, SECRETS),  # secret stones each seat took
    taken=each_seat(HIDDEN, 8, SECRETS),  # 1 to 8, EMPTY or HIDDEN
)


@kernel
def setup(s):
    s.stage = 0
    for seat in range(SEATS):
        s.points[seat] = 0
        s.gain[seat] = 0
    s.caster = s.starter
    clear_table(s)
    if s.starter == NONE:  # AW-2: a random seat begins
        s.turn, s.phase = CHANCE, START
    else:
        s.turn, s.phase = CHANCE, DEAL


@kernel
def clear_table(s):
    for kind in range(KINDS):
        s.deck[kind] = kind
        s.board[kind] = 0
    for seat in range(SEATS):
        s.lives[seat] = LIVES if seat < s.seats else 0
        s.held[seat] = 0
        s.takes[seat] = 0
        for slot in range(HAND):
            s.hand[seat][slot] = EMPTY
            s.never[seat][slot] = 0
        for i in range(SECRETS):
            s.taken[seat][i] = EMPTY
    s.pile = STONES - SECRETS
    s.secrets = SECRETS
    s.spell = 0


@kernel
def chance(s, odds):
    if s.phase == DEAL or s.phase == REFILL or s.phase == TAKE:
        for kind in range(KINDS):
            odds[kind] = s.deck[kind]
        return s.pile + s.secrets
    for outcome in range(KINDS):
        odds[outcome] = 0
    if s.phase == START:
        for seat in range(s.seats):
            odds[seat] = 1
        return s.seats
    if s.phase == SHOW:
        odds[0] = 1
        return 1
    total = 0
    for face in range(FACES):
        odds[face + 1] = s.die_faces[face]
        total += s.die_faces[face]
    return total


@kernel
def sample(s, rng):
    """An outcome by the same odds, without writing them down."""
    if s.phase == DEAL or s.phase == REFILL or s.phase == TAKE:
        left = below(rng, s.pile + s.secrets)
        kind = 1
        for lower in range(1, KINDS - 1):
            left -= s.deck[lower]
            kind += left >= 0
        return kind
    if s.phase == START:
        return below(rng, s.seats)
    if s.phase == SHOW:
        return below(rng, 1)
    ones, twos = s.die_faces[0], s.die_faces[1]
    left = below(rng, ones + twos + s.die_faces[2])
    return 1 + (left >= ones) + (left >= ones + twos)


@kernel
def legal(s, moves):
    n = 0
    lowest = 1  # AW-3
    if s.phase == GO_ON:  # AW-6: stop, or the same number or higher
        moves[0] = STOP
        n = 1
        if not s.easy and not s.strict_calls:  # AW-15, AW-a
            lowest = s.spell
    for spell in range(lowest, KINDS):
        moves[n] = spell
        n += 1
    return n


@kernel
def play(s, move):
    if s.phase == DEAL:
        deal(s, move)
    elif s.phase == CALL or s.phase == GO_ON:
        if move == STOP:
            end_turn(s)
        else:
            call(s, move)
    elif s.phase == REFILL:
        receive(s, s.caster, move)
        end_turn(s)
    elif s.phase == ROLL:
        roll(s, move)
    elif s.phase == BACKFIRE:
        suffer(s, move)
    elif s.phase == TAKE:
        take(s, move)
    elif s.phase == START:
        s.caster = move
        s.phase = DEAL
    else:
        new_round(s)


@kernel
def deal(s, kind):
    # AW-1: five stones to each seat, then those set aside; pile and secret stones stay undealt.
    dealt = STONES - SECRETS - s.pile
    if dealt < HAND * s.seats:
        receive(s, dealt_to(s), kind)
    else:
        s.deck[kind] -= 1
        s.pile -= 1
        s.board[kind] += 1
    if dealt + 1 == HAND * s.seats + aside(s):
        s.turn, s.phase = s.caster, CALL


@kernel
def receive(s, seat, kind):
    s.deck[kind] -= 1
    s.pile -= 1
    slot = s.held[seat]
    s.hand[seat][slot] = kind
    s.held[seat] = slot + 1


@kernel
def call(s, spell):
    too_low = spell < s.spell and not s.easy  # AW-a: only strict calls offer it; the hand is not asked
    s.spell = spell
    slot = NONE if too_low else find(s, s.caster, spell)
    if slot != NONE:
        cast(s, slot)
    elif spell == DRAGON and not too_low:  # AW-4, AW-i: a false Dragon costs what the die says
        s.turn, s.phase = CHANCE, BACKFIRE
    else:
        suffer(s, 1)


@kernel
def suffer(s, loss):
    """AW-4: a call that failed."""
    lose(s, s.caster, loss)
    if s.lives[s.caster] > 0:
        end_turn(s)
    elif not s.last_standing:  # AW-11: the sole loser
        end_round(s, NONE)
    elif alive(s) == 1:  # AW-16: one left
        end_round(s, left_of(s, s.caster))
    else:  # AW-16: drops out without refilling
        pass_turn(s)


@kernel
def cast(s, slot):
    """AW-5: the stone goes to the board, then its effect happens."""
    seat, spell = s.caster, s.spell
    drop(s, seat, slot)
    s.board[spell] += 1
    if spell == DRAGON or spell == DREAM:
        s.turn, s.phase = CHANCE, ROLL
        return
    if spell == SINGER and s.secrets > 0:  # AW-b: with none left, nothing is taken
        s.turn, s.phase = CHANCE, TAKE
        return
    left, right = left_of(s, seat), right_of(s, seat)
    if spell == WANDERER:
        lose_others(s, 1)
        win(s, seat, 1)
    elif spell == TEMPEST:
        lose(s, left, 1)
        if left != right:
            lose(s, right, 1)
    elif spell == BLIZZARD:
        lose(s, left, 1)
    elif spell == FIREBALL:
        lose(s, right, 1)
    elif spell == DRINK:
        win(s, seat, 1)
    settle(s)


@kernel
def roll(s, face):
    if s.spell == DRAGON:
        lose_others(s, face)  # AW-i: one roll for all
    else:
        win(s, s.caster, face)
    settle(s)


@kernel
def take(s, kind):
    seat = s.caster
    s.deck[kind] -= 1
    s.secrets -= 1
    s.taken[seat][s.takes[seat]] = kind
    s.takes[seat] += 1
    settle(s)


@kernel
def settle(s):
    """After a cast: is the round over?"""
    seat = s.caster
    left = alive(s)
    knock_out = left < s.seats and not s.last_standing
    if s.held[seat] == 0 and not (knock_out and s.knock_out_first):  # AW-9, AW-d: the last stone wins at once
        lose_others(s, LIVES)
        end_round(s, seat)
    elif knock_out or left == 1:  # AW-10, AW-16
        end_round(s, seat)
    else:
        s.turn, s.phase = seat, GO_ON


@kernel
def end_turn(s):
    if s.held[s.caster] < HAND and s.pile > 0:  # AW-8, AW-e
        s.turn, s.phase = CHANCE, REFILL
    else:
        pass_turn(s)


@kernel
def pass_turn(s):
    s.caster = left_of(s, s.caster)
    s.spell = 0
    s.turn, s.phase = s.caster, CALL


@kernel
def end_round(s, winner):
    over = False
    for seat in range(s.seats):
        gain = 0
        if s.last_standing:
            if seat == winner:  # AW-16
                gain = 2 + s.takes[seat]
        elif s.lives[seat] > 0:  # AW-9 to AW-12, AW-h
            gain = (3 if seat == winner else 1) + s.takes[seat]
        s.gain[seat] = gain
        s.points[seat] += gain
        if s.points[seat] >= GOAL:
            over = True
    s.stage += 1
    # AW-k: the stones lie open before they are dealt again.
    s.turn, s.phase = OVER if over else CHANCE, SHOW


@kernel
def new_round(s):
    # AW-13: the player to the left begins, knocked out or not.
    s.caster = s.caster + 1 if s.caster + 1 < s.seats else 0
    clear_table(s)
    s.turn, s.phase = CHANCE, DEAL


@kernel
def score(s, out):
    """AW-14: of those with eight points, most points in the last round, then most lives; ties share."""
    best = 0
    sharing = 0
    for seat in range(s.seats):
        if rank(s, seat) > best:
            best = rank(s, seat)
            sharing = 1
        elif rank(s, seat) == best:
            sharing += 1
    for seat in range(s.seats):
        out[seat] = 1 / sharing if rank(s, seat) == best else 0.0


@kernel
def hide(s, seat):
    if s.phase == SHOW:  # AW-k
        return
    for other in range(s.seats):
        if (other == seat and s.lives[seat] > 0) or seat < 0:  # AW-s1, AW-f, AW-s5
            for slot in range(s.held[other]):
                s.hand[other][slot] = put_back(s, s.hand[other][slot])
        if other != seat:  # AW-s3
            for i in range(s.takes[other]):
                s.taken[other][i] = put_back(s, s.taken[other][i])


@kernel
def sees(s, move, seat):
    if s.phase == TAKE:
        return seat == s.caster  # AW-s3
    if s.phase == REFILL:
        return seat >= 0 and seat != s.caster  # AW-s1, AW-s5
    if s.phase == DEAL:
        return dealt_to(s) == NONE or (seat >= 0 and seat != dealt_to(s))
    return True


@kernel
def imagine(s, rng):
    # A seat: its longest held stone first. What that may be, every later one may be too (`never` only
    # shrinks from slot to slot). So each choice leaves as many ways to go on, and the draw is uniform.
    hands = 0
    for seat in range(s.seats):
        hands += s.held[seat] > 0 and s.hand[seat][0] == HIDDEN
    while not fill_hands(s, rng):
        pass
    if hands > 1:  # a watcher sees no hand: see `stir`
        stir(s, rng)
    for seat in range(s.seats):
        for i in range(s.takes[seat]):
            if s.taken[seat][i] == HIDDEN:
                s.taken[seat][i] = draw(s, 0, rng)


# Questions the rules ask, and the small changes they are made of.


@kernel
def aside(s):
    """AW-1: how many stones are set aside openly."""
    return 12 if s.seats == 2 else 6 if s.seats == 3 else 0


@kernel
def dealt_to(s):
    """In a deal: the seat that gets the next stone, from the one that begins; NONE when it is set aside."""
    place = (STONES - SECRETS - s.pile) // HAND
    if place >= s.seats:
        return NONE
    return s.caster + place if s.caster + place < s.seats else s.caster + place - s.seats


@kernel
def find(s, seat, spell):
    """The slot of the longest held such stone (AW-c) or NONE. All learn what the stones before it are not."""
    for slot in range(s.held[seat]):
        if s.hand[seat][slot] == spell:
            return slot
        s.never[seat][slot] |= 1 << spell
    return NONE


@kernel
def drop(s, seat, slot):
    last = s.held[seat] - 1
    for i in range(slot, last):
        s.hand[seat][i] = s.hand[seat][i + 1]
        s.never[seat][i] = s.never[seat][i + 1]
    s.hand[seat][last] = EMPTY
    s.never[seat][last] = 0
    s.held[seat] = last


@kernel
def left_of(s, seat):
    """The next seat in turn order; in a last-standing round the next with a life (AW-16)."""
    left = seat + 1 if seat + 1 < s.seats else 0
    while s.last_standing and s.lives[left] == 0:
        left = left + 1 if left + 1 < s.seats else 0
    return left


@kernel
def right_of(s, seat):
    right = seat - 1 if seat > 0 else s.seats - 1
    while s.last_standing and s.lives[right] == 0:
        right = right - 1 if right > 0 else s.seats - 1
    return right


@kernel
def alive(s):
    count = 0
    for seat in range(s.seats):
        count += s.lives[seat] > 0
    return count


@kernel
def lose(s, seat, count):
    s.lives[seat] = max(0, s.lives[seat] - count)  # AW-7


@kernel
def lose_others(s, count):
    for other in range(s.seats):
        if other != s.caster:
            lose(s, other, count)


@kernel
def win(s, seat, count):
    s.lives[seat] = min(LIVES, s.lives[seat] + count)  # AW-7


@kernel
def rank(s, seat):
    return s.gain[seat] * (LIVES + 1) + s.lives[seat] if s.points[seat] >= GOAL else NONE


@kernel
def put_back(s, kind):
    if kind != HIDDEN:
        s.deck[kind] += 1
    return HIDDEN


@kernel
def draw(s, never, rng):
    """A stone out of the deck, of any kind but those in `never`; NONE if there is no such stone."""
    total = 0
    for kind in range(1, KINDS):
        if not never >> kind & 1:
            total += s.deck[kind]
    if total == 0:
        return NONE
    left = below(rng, total)
    for kind in range(1, KINDS):
        if not never >> kind & 1:
            left -= s.deck[kind]
            if left < 0:
                s.deck[kind] -= 1
                return kind
    return NONE


@kernel
def fill_hands(s, rng):
    """Draw every hidden hand; if a stone fits nowhere any more, put all back and answer False."""
    for seat in range(s.seats):
        for slot in range(s.held[seat]):
            if s.hand[seat][slot] != HIDDEN:
                continue
            kind = draw(s, s.never[seat][slot], rng)
            if kind == NONE:
                for other in range(seat + 1):
                    for i in range(s.held[other]):
                        if s.hand[other][i] > 0 and (other < seat or i < slot):
                            s.hand[other][i] = put_back(s, s.hand[other][i])
                return False
            s.hand[seat][slot] = kind
    return True


@kernel
def stir(s, rng):
    """Several hands at once are not uniform when drawn one after the other. Drawing each again, given
    all the others, leaves the uniform distribution as it is and comes close to it in a few rounds."""
    for _ in range(STIRS):
        for seat in range(s.seats):
            for slot in range(s.held[seat]):
                s.hand[seat][slot] = put_back(s, s.hand[seat][slot])
            for slot in range(s.held[seat]):
                s.hand[seat][slot] = draw(s, s.never[seat][slot], rng)


@kernel
def stage(s):
    return s.stage


@kernel
def worth(s, out):
    for seat in range(s.seats):
        out[seat] = s.gain[seat] / 7


@kernel
def rotated(s, move, by):
    return (move + by) % s.seats if s.phase == START else move


@kernel
def pieces(s, out):
    """The stones of each kind, wherever they are; hidden ones are in the deck."""
    for kind in range(KINDS):
        out[kind] = s.deck[kind] + s.board[kind]
    for seat in range(s.seats):
        for slot in range(HAND):
            if s.hand[seat][slot] > 0:
                out[s.hand[seat][slot]] += 1
        for i in range(SECRETS):
            if s.taken[seat][i] > 0:
                out[s.taken[seat][i]] += 1
    return KINDS


@kernel
def sound(s):
    """Do the counts of stones and points agree with each other, and the phase with who is asked?"""
    undealt = 0
    for kind in range(KINDS):
        undealt += s.deck[kind]
    takes = 0
    best = 0
    points = 0
    for seat in range(SEATS):
        takes += s.takes[seat]
        best = max(best, s.points[seat])
        points += s.points[seat]
        if seat >= s.seats and (s.held[seat] or s.takes[seat] or s.lives[seat] or s.points[seat]):
            return False
        for slot in range(HAND):
            if (s.hand[seat][slot] > 0) != (slot < s.held[seat]) or s.never[seat][slot] & 1:
                return False
            if s.hand[seat][slot] > 0 and s.never[seat][slot] >> s.hand[seat][slot] & 1:
                return False
            if s.never[seat][slot] and slot >= s.held[seat]:
                return False
            if slot and s.never[seat][slot] & ~s.never[seat][slot - 1]:
                return False
        for i in range(SECRETS):
            if (s.taken[seat][i] > 0) != (i < s.takes[seat]):
                return False
    if points < s.stage:  # every round brings someone a point
        return False
    if not s.last_standing and s.phase != SHOW and alive(s) < s.seats:
        return False
    if undealt != s.pile + s.secrets or takes + s.secrets != SECRETS or (s.turn == OVER) != (best >= GOAL):
        return False
    if s.turn == OVER:
        return s.phase == SHOW and rank_of_best(s) > 0
    if s.caster == NONE:
        return s.phase == START and s.turn == CHANCE and s.pile == STONES - SECRETS
    if s.turn >= 0:
        lively = s.turn == s.caster and s.lives[s.caster] > 0 and s.held[s.caster] > 0 and alive(s) > 1
        return lively and ((s.phase == CALL and s.spell == 0) or (s.phase == GO_ON and s.spell > 0))
    if s.phase == SHOW:
        return True
    if s.phase == DEAL:
        return dealing_fits(s)
    if alive(s) < 2 or s.lives[s.caster] == 0:
        return False
    if s.phase == REFILL:
        return s.held[s.caster] < HAND and s.pile > 0
    if s.phase == ROLL:
        return s.spell == DRAGON or s.spell == DREAM
    return (s.phase == BACKFIRE and s.spell == DRAGON) or (s.phase == TAKE and s.spell == SINGER and s.secrets > 0)


@kernel
def rank_of_best(s):
    best = 0
    for seat in range(s.seats):
        best = max(best, rank(s, seat))
    return best


@kernel
def dealing_fits(s):
    """In the middle of a deal the hands are as full as the pile says."""
    dealt = STONES - SECRETS - s.pile
    for seat in range(s.seats):
        place = (seat - s.caster + s.seats) % s.seats
        if s.held[seat] != max(0, min(HAND, dealt - HAND * place)) or s.lives[seat] == 0:
            return False
    return dealt < HAND * s.seats + aside(s) and s.secrets == SECRETS
