"""Spell Stealers. Press your luck for artifacts on the way to the spell, and steal those of the others.

On a turn a seat picks an artifact die and rolls it with the success die. If the colours match, the
number is added to its artifact points, unless another seat steals it: then that seat moves by the
number at once. After each artifact the current seat goes on, or banks its points and moves its pawn;
a roll without a match loses them. When a pawn reaches 35 the round is the last: the deepest wins.
"""

from spellheist.core.dice import below
from spellheist.core.kernel import kernel
from spellheist.core.state import (
    ANYONE,
    CHANCE,
    HIDDEN,
    JUDGE,
    NONE,
    OVER,
    SWITCH,
    a_seat,
    each_seat,
    number,
    numbers,
    packed,
)

SEATS, GOAL = 6, 35
TURNS = 9999  # the highest turn limit
MOST, DEEPEST = 999, 9999  # SS-m: where artifact points and pawns stop counting

NOTHING, PYRAMID, DIAMOND, ORB = range(4)
DICE = 3
SIDES = (0, 4, 8, 12)
GREEN_FROM, YELLOW_FROM = (0, 1, 5, 10), (0, 1, 1, 6)  # the lowest green and yellow numbers; those below are red
GREEN, YELLOW, RED = 1, 2, 3  # colours of numbers
EITHER = 2  # symbols of the success die: GREEN, EITHER (green or yellow), RED
SYMBOLS = 3
SPENT, READY = 0, 1  # steal tokens
UNASKED, NO, YES = 0, 1, 2  # what a seat answered when it could steal
POLITE, RACE, LIVE = 0, 1, 2  # how the stealing window is run

# Moves. An outcome is the number on a die, a symbol, or the seat whose attempt is next.
ROLL = 0  # + die - 1
BANK = ROLL + DICE
RESET = BANK + 1
CLOSE = RESET + 1
PASS = CLOSE + 1
STEAL = PASS + 1
DECLINE = STEAL + 1
STEAL_BY = DECLINE + 1  # + seat * DICE + die - 1, in live
VOID = STEAL_BY + SEATS * DICE  # the same, judged to fail
UNCLEAR = VOID + SEATS * DICE  # the same, perhaps outside the window
MOVES = UNCLEAR + SEATS * DICE
OUTCOMES = 13


@kernel
def press_of(kind, seat, die):
    """The move of a seat that throws a die in live; `kind` is STEAL_BY, VOID or UNCLEAR."""
    return kind + seat * DICE + die - 1


@kernel
def kind_of(move):
    return STEAL_BY if move < VOID else VOID if move < UNCLEAR else UNCLEAR


@kernel
def presser_of(move):
    return (move - STEAL_BY) % (SEATS * DICE) // DICE


@kernel
def die_of(move):
    return (move - STEAL_BY) % DICE + 1


# Phases: what is being asked. In live, CHOOSE, WINDOW and MISSED are asked of ANYONE.
START, CHOOSE, ARTIFACT, SUCCESS, ASK, ORDER, ATTEMPT, PUNISH, WINDOW, MISSED, DONE = range(11)

State = packed(
    SEATS,
    seats=number(2, SEATS),  # how many play
    stealing=number(POLITE, LIVE),
    forgiving=SWITCH,
    forgiving_window=SWITCH,
    reset_by_hand=SWITCH,
    success_faces=numbers(0, 8, SYMBOLS),  # faces of the success die: green, green or yellow, red
    turn_limit=number(1, TURNS),
    turn=a_seat(CHANCE, OVER, ANYONE),  # who is asked
    phase=number(START, DONE),  # what is being asked
    starter=a_seat(NONE),  # the seat from which rounds are counted; NONE at START
    current=a_seat(NONE),  # whose turn it is at the table; NONE at START
    stage=number(0, TURNS),  # rounds over
    turns=number(0, TURNS),  # turns over
    last=SWITCH,  # has a pawn reached the spell? Then this round is the last
    playing=each_seat(0, 1),  # who plays in this round; at START who still rolls
    pawn=each_seat(0, DEEPEST),
    token=each_seat(SPENT, READY),
    points=number(0, MOST),  # artifact points of this turn
    rolled=SWITCH,  # has the current seat rolled in this turn?
    die=number(HIDDEN, ORB),  # the artifact die rolled last, until the next is picked; or HIDDEN
    face=number(0, 12),  # its number, or 0: not yet rolled
    symbol=number(0, RED),  # what the success die shows, or 0: not yet rolled
    taker=a_seat(NONE),  # who got that artifact, or NONE: nobody, or nobody yet
    roller=a_seat(NONE),  # the seat that now rolls a stealing die
    tries=each_seat(HIDDEN, YES),  # what each seat answered about this artifact: UNASKED, NO, YES or HIDDEN
    threw=each_seat(NOTHING, ORB),  # the stealing die each seat threw since the roll (in live: or since the turn began)
    shows=each_seat(0, 12),  # what its stealing die shows, or 0: not rolled
)


@kernel
def setup(s):
    # SS-1: all pawns at the entrance, all tokens ready, and everyone rolls the orb.
    s.turn, s.phase = CHANCE, START
    s.starter, s.current, s.taker = NONE, NONE, NONE
    s.stage, s.turns, s.last = 0, 0, 0
    s.points, s.rolled, s.die, s.face, s.symbol = 0, 0, NOTHING, 0, 0
    s.roller = 0
    for seat in range(SEATS):
        s.playing[seat] = 1 if seat < s.seats else 0
        s.token[seat] = READY if seat < s.seats else SPENT
        s.pawn[seat] = 0
        s.tries[seat] = UNASKED
        s.threw[seat] = NOTHING
        s.shows[seat] = 0


@kernel
def chance(s, odds):
    total = sides(s)
    for face in range(OUTCOMES):
        odds[face] = 1 if 0 < face <= total else 0
    if s.phase == SUCCESS:
        for symbol in range(1, SYMBOLS + 1):
            odds[symbol] = s.success_faces[symbol - 1]
            total += s.success_faces[symbol - 1]
    elif s.phase == ORDER:
        for seat in range(s.seats):
            odds[seat] = 1 if waits(s, seat) else 0
            total += odds[seat]
    return total


@kernel
def sample(s, rng):
    """An outcome by the same odds, without writing them down."""
    numbered = sides(s)
    if numbered:
        return 1 + below(rng, numbered)
    if s.phase == SUCCESS:
        green, either = s.success_faces[0], s.success_faces[1]
        left = below(rng, green + either + s.success_faces[2])
        return 1 + (left >= green) + (left >= green + either)
    left = below(rng, waiting(s))
    seat = 0
    while left > 0 or not waits(s, seat):
        left -= waits(s, seat)
        seat += 1
    return seat


@kernel
def legal(s, moves):
    if s.phase == ASK:  # SS-17
        moves[0], moves[1] = STEAL, DECLINE
        return 2
    n = 0
    if s.phase == CHOOSE:
        for die in range(DICE):  # SS-3, SS-6
            moves[die] = ROLL + die
        n = DICE
        if s.rolled:  # SS-3: at least one roll a turn; SS-c: even with no points
            moves[n] = BANK
            n += 1
        elif s.reset_by_hand and s.token[s.current] == SPENT:  # SS-20
            moves[n] = RESET
            n += 1
    elif s.phase == WINDOW:
        moves[0] = CLOSE
        n = 1
    elif s.phase == MISSED:
        moves[0] = PASS
        n = 1
    if s.stealing != LIVE:
        return n
    for seat in range(s.seats):  # SS-g: every other seat of the round, any die, once a roll; SS-h
        if s.playing[seat] and seat != s.current and s.threw[seat] == NOTHING:
            for die in range(PYRAMID, ORB + 1):
                moves[n] = press_of(STEAL_BY, seat, die)
                moves[n + 1] = press_of(VOID, seat, die)
                moves[n + 2] = press_of(UNCLEAR, seat, die)
                n += 3
    return n


@kernel
def play(s, move):
    if s.phase == ARTIFACT:
        s.face = move
        s.phase = SUCCESS
    elif s.phase == SUCCESS:
        compare(s, move)
    elif s.phase == ATTEMPT:
        attempt(s, move)
    elif s.phase == PUNISH:
        send_back(s, move)
    elif s.phase == ORDER:
        throw(s, move, s.die, s.taker != NONE)
    elif s.phase == START:
        roll_off(s, move)
    elif move < BANK:
        pick(s, move - ROLL + 1)
    elif move >= STEAL_BY:
        press(s, move)
    elif move == BANK:
        bank(s)
    elif move == CLOSE:
        keep(s)
    elif move == PASS:
        end_turn(s)
    elif move == RESET:
        s.token[s.current] = READY
    else:
        answer(s, move)


@kernel
def roll_off(s, face):
    """SS-1: the highest orb starts; those tied for the highest roll again."""
    s.shows[s.roller] = face
    seat = left_of(s, s.roller)
    while s.shows[seat] > 0 and seat != s.roller:
        seat = left_of(s, seat)
    if s.shows[seat] == 0:
        s.roller = seat
        return
    best = 0
    highest = 0
    for other in range(s.seats):
        if s.playing[other]:
            best = max(best, s.shows[other])
    for other in range(s.seats):
        if s.playing[other] and s.shows[other] == best:
            highest += 1
            s.starter = other
        else:
            s.playing[other] = 0
    if highest > 1:
        for other in range(s.seats):
            if s.playing[other]:
                s.shows[other] = 0
        s.roller = left_of(s, s.roller)
        s.starter = NONE
        return
    for other in range(s.seats):
        s.playing[other] = 1
    s.roller = NONE
    begin_turn(s, s.starter)


@kernel
def begin_turn(s, seat):
    # SS-2: no points, and the own token becomes ready, by itself unless SS-20 says otherwise.
    s.current = seat
    s.points = 0
    s.rolled = 0
    if not s.reset_by_hand:
        s.token[seat] = READY
    clear_throws(s)
    choose(s)


@kernel
def choose(s):
    s.turn, s.phase = ANYONE if s.stealing == LIVE else s.current, CHOOSE


@kernel
def clear_throws(s):
    for seat in range(s.seats):
        s.tries[seat] = UNASKED
        s.threw[seat] = NOTHING
        s.shows[seat] = 0


@kernel
def pick(s, die):
    """SS-3, SS-j: the die is picked, and only chance comes before everyone sees the roll."""
    clear_throws(s)
    s.rolled = 1
    s.die = die
    s.face = 0
    s.symbol = 0
    s.taker = NONE
    s.turn, s.phase = CHANCE, ARTIFACT


@kernel
def compare(s, symbol):
    """SS-4: does the number have a colour of the symbol?"""
    s.symbol = symbol
    if s.stealing == LIVE:  # SS-12: the window is open; after no match a press is one on nothing
        s.turn, s.phase = ANYONE, WINDOW if obtained(s) else MISSED
    elif obtained(s):
        ask(s)
    else:  # SS-7
        end_turn(s)


@kernel
def ask(s):
    """SS-17, SS-k: the next who may steal and was not asked; when all were, the window closes."""
    seat = next_to_ask(s)
    if seat != NONE:
        s.turn, s.phase = seat, ASK
    elif s.stealing == RACE:
        next_attempt(s)
    else:
        keep(s)


@kernel
def answer(s, move):
    seat = s.turn
    s.tries[seat] = YES if move == STEAL else NO
    if move == STEAL and s.stealing == POLITE:
        throw(s, seat, s.die, False)
    else:  # SS-s1: in a race all the others are asked, whatever this seat said
        ask(s)


@kernel
def next_attempt(s):
    """A race, when all have decided: whose attempt is next, until all who try have tried."""
    count = waiting(s)
    if count > 1:
        s.turn, s.phase = CHANCE, ORDER
    elif count == 1:
        seat = 0
        while not waits(s, seat):
            seat += 1
        throw(s, seat, s.die, s.taker != NONE)
    elif s.taker == NONE:
        keep(s)
    else:
        choose(s)


@kernel
def press(s, move):
    """Live: somebody throws a stealing die. What is wrong with it, and is that forgiven?"""
    kind, seat, die = kind_of(move), presser_of(move), die_of(move)
    choosing = s.phase == CHOOSE
    outside = choosing and (kind == STEAL_BY or not s.rolled)  # SS-11, SS-12
    stolen = choosing and kind == UNCLEAR and s.taker != s.current  # SS-10
    hopeless = kind == VOID or outside or stolen or s.token[seat] == SPENT  # SS-11, SS-h
    mistaken = die != s.die or not obtained(s)
    if (mistaken and not s.forgiving) or (kind == UNCLEAR and not s.forgiving_window):  # SS-18, SS-19, SS-n
        hopeless = True
    if not hopeless and (mistaken or kind == UNCLEAR):  # forgiven: only the token is spent
        s.threw[seat] = die
        s.token[seat] = SPENT
    else:
        throw(s, seat, die, hopeless)


@kernel
def throw(s, seat, die, hopeless):
    s.threw[seat] = die
    s.token[seat] = SPENT  # SS-8, SS-9
    s.roller = seat
    s.turn, s.phase = CHANCE, PUNISH if hopeless else ATTEMPT


@kernel
def attempt(s, face):
    if face < s.face:
        send_back(s, face)
        return
    # SS-8: the thief moves at once; the current seat keeps what it gathered before.
    s.shows[s.roller] = face
    s.taker = s.roller
    forward(s, s.roller, s.face)
    go_on(s)


@kernel
def send_back(s, face):
    """SS-9, SS-b: back by the thief's own roll, never below the entrance."""
    s.shows[s.roller] = face
    s.pawn[s.roller] = max(0, s.pawn[s.roller] - face)
    go_on(s)


@kernel
def go_on(s):
    """After an attempt: others may still try, unless it was stolen."""
    s.roller = NONE
    if s.stealing == RACE:
        next_attempt(s)
    elif s.stealing == POLITE and s.taker == NONE:
        ask(s)
    elif s.stealing == LIVE and s.rolled and s.taker == NONE:
        s.turn, s.phase = ANYONE, WINDOW if obtained(s) else MISSED
    else:
        choose(s)


@kernel
def keep(s):
    """SS-5: the window closes, and the number is added to the artifact points."""
    s.points = min(MOST, s.points + s.face)  # SS-m
    s.taker = s.current
    choose(s)


@kernel
def bank(s):
    forward(s, s.current, s.points)  # SS-6
    end_turn(s)


@kernel
def forward(s, seat, steps):
    s.pawn[seat] = min(DEEPEST, s.pawn[seat] + steps)  # SS-m
    if s.pawn[seat] >= GOAL:  # SS-14: by banking or by a steal, and it stays the last round
        s.last = 1


@kernel
def end_turn(s):
    s.turns += 1
    s.points = 0
    over = round_over(s)
    if over:
        s.stage += 1
    if decided(s) or s.turns >= s.turn_limit:  # SS-15, SS-f
        s.turn, s.phase = OVER, DONE
    elif over and s.last:
        break_tie(s)
    else:
        begin_turn(s, left_of(s, s.current))


@kernel
def break_tie(s):
    """SS-16: only the tied play on; SS-d: the first of them from the starting seat begins."""
    best = deepest(s)
    for seat in range(s.seats):
        if s.pawn[seat] != best:
            s.playing[seat] = 0
    begin_turn(s, s.starter if s.playing[s.starter] else left_of(s, s.starter))


@kernel
def score(s, out):
    """SS-15: the deepest of those who played in the last round; SS-f: at the limit ties share."""
    best = deepest(s)
    sharing = how_many_at(s, best)
    for seat in range(s.seats):
        out[seat] = 1 / sharing if s.playing[seat] and s.pawn[seat] == best else 0.0


@kernel
def hide(s, seat):
    if s.phase == ARTIFACT and seat != s.current:  # SS-s5, SS-s4
        s.die = HIDDEN
    if s.stealing != RACE or s.phase != ASK:  # SS-s2, SS-s3
        return
    for other in range(s.seats):  # SS-s1, SS-s4
        if other != seat and s.tries[other] != UNASKED:
            s.tries[other] = HIDDEN


@kernel
def sees(s, move, seat):
    if s.phase == CHOOSE and move < BANK:
        return seat == s.current  # SS-s5
    return s.stealing != RACE or s.phase != ASK or s.turn == seat  # SS-s1


@kernel
def imagine(s, rng):
    if s.die == HIDDEN:
        s.die = PYRAMID + below(rng, DICE)
    for seat in range(s.seats):
        if s.tries[seat] == HIDDEN:
            s.tries[seat] = NO + below(rng, 2)


# Questions the rules ask.


@kernel
def sides(s):
    """Of the numbered die that is rolled now; 0 if it is another kind of chance."""
    if s.phase == ARTIFACT:
        return SIDES[s.die]
    if s.phase == ATTEMPT or s.phase == PUNISH:
        return SIDES[s.threw[s.roller]]
    return SIDES[ORB] if s.phase == START else 0


@kernel
def colour(die, face):
    return GREEN if face >= GREEN_FROM[die] else YELLOW if face >= YELLOW_FROM[die] else RED


@kernel
def obtained(s):
    """SS-4: green numbers with green, green and yellow ones with green or yellow, red ones with red."""
    of = colour(s.die, s.face)
    if s.symbol == RED:
        return of == RED
    return of == GREEN or (of == YELLOW and s.symbol == EITHER)


@kernel
def left_of(s, seat):
    """The next seat that plays in this round."""
    left = seat + 1 if seat + 1 < s.seats else 0
    while not s.playing[left]:
        left = left + 1 if left + 1 < s.seats else 0
    return left


@kernel
def place(s, seat):
    """How many seats after the starter a seat plays."""
    return seat - s.starter if seat >= s.starter else seat - s.starter + s.seats


@kernel
def round_over(s):
    """SS-14: has everyone had a turn, counted from the starting seat?"""
    return place(s, left_of(s, s.current)) <= place(s, s.current)


@kernel
def decided(s):
    """SS-15: is the last round over, with one pawn deepest?"""
    return s.last == 1 and round_over(s) and how_many_at(s, deepest(s)) == 1


@kernel
def next_to_ask(s):
    """SS-k: from the current seat's left, another seat of this round with a ready token."""
    seat = left_of(s, s.current)
    while seat != s.current:
        if s.token[seat] == READY and s.tries[seat] == UNASKED:
            return seat
        seat = left_of(s, seat)
    return NONE


@kernel
def waits(s, seat):
    """In a race: has this seat decided to try, and not yet rolled?"""
    return s.tries[seat] == YES and s.threw[seat] == NOTHING


@kernel
def waiting(s):
    count = 0
    for seat in range(s.seats):
        count += waits(s, seat)
    return count


@kernel
def deepest(s):
    best = 0
    for seat in range(s.seats):
        if s.playing[seat]:
            best = max(best, s.pawn[seat])
    return best


@kernel
def how_many_at(s, depth):
    count = 0
    for seat in range(s.seats):
        if s.playing[seat] and s.pawn[seat] == depth:
            count += 1
    return count


@kernel
def owner(s, move):
    if s.turn != ANYONE:
        return s.turn
    if move < STEAL_BY:
        return s.current
    return presser_of(move) if move < VOID else JUDGE  # SS-h


@kernel
def stage(s):
    return s.stage


@kernel
def worth(s, out):
    """About each seat's chance to win after a round: every six spaces behind halve it, as in games of sensible bots."""
    best = deepest(s)
    total = 0.0
    for seat in range(s.seats):
        out[seat] = 0.5 ** ((best - s.pawn[seat]) / 6) if s.playing[seat] else 0.0
        total += out[seat]
    for seat in range(s.seats):
        out[seat] /= total


@kernel
def limited(s):
    return not decided(s)


@kernel
def rotated(s, move, by):
    if s.turn == CHANCE:
        return (move + by) % s.seats if s.phase == ORDER else move
    if move < STEAL_BY:
        return move
    return press_of(kind_of(move), (presser_of(move) + by) % s.seats, die_of(move))


@kernel
def sound(s):
    """Do the dice, the answers and the round fit the phase, and the phase who is asked?"""
    count = 0
    for seat in range(SEATS):
        count += s.playing[seat]
        if seat >= s.seats and (s.playing[seat] or s.pawn[seat] or s.token[seat]):
            return False
        if seat >= s.seats and (s.tries[seat] or s.threw[seat] or s.shows[seat]):
            return False
        if s.tries[seat] < 0 or (s.stealing == LIVE and s.tries[seat] != UNASKED):
            return False
        if s.pawn[seat] >= GOAL and not s.last:
            return False
    if count < 2:
        return False
    if s.phase == START:
        return start_fits(s)
    if s.starter < 0 or s.current < 0 or not s.playing[s.current] or (count < s.seats and not s.last):
        return False
    if (s.taker < 0 and s.taker != NONE) or s.die < NOTHING:
        return False
    if s.turns < s.stage or (s.phase == DONE) != (s.turn == OVER):
        return False
    if s.phase == DONE:
        return s.roller == NONE and (s.turns == s.turn_limit or (s.turns > 0 and decided(s)))
    return s.turns < s.turn_limit and dice_fit(s) and throws_fit(s) and phase_fits(s)


@kernel
def start_fits(s):
    """SS-1: nothing has happened but rolls for the start."""
    if s.starter != NONE or s.current != NONE or s.taker != NONE:
        return False
    if s.roller < 0 or not s.playing[s.roller] or s.shows[s.roller]:
        return False
    if s.stage or s.turns or s.last or s.points or s.rolled or s.die or s.face or s.symbol:
        return False
    for seat in range(s.seats):
        if s.pawn[seat] or s.token[seat] != READY or s.tries[seat] or s.threw[seat]:
            return False
    return s.turn == CHANCE


@kernel
def dice_fit(s):
    """What lies on the table: a whole roll, or nothing, or as much of a roll as the phase says."""
    if s.points and not s.rolled:
        return False
    if s.phase == ARTIFACT:
        return s.rolled == 1 and s.die > 0 and s.face == 0 and s.symbol == 0 and s.taker == NONE
    if s.face > SIDES[s.die]:
        return False
    if s.phase == SUCCESS:
        return s.rolled == 1 and s.face > 0 and s.symbol == 0 and s.taker == NONE
    if s.die == NOTHING:
        return s.symbol == 0 and not s.rolled and s.taker == NONE
    if s.face == 0 or s.symbol == 0:
        return False
    return s.taker == NONE or obtained(s)


@kernel
def throws_fit(s):
    """Answers and stealing dice: none in the middle of a roll, none unasked, and only the roller's still rolls."""
    live = s.stealing == LIVE
    fresh = s.phase == ARTIFACT or s.phase == SUCCESS or (s.rolled == 0 and not live)
    asking = s.stealing == RACE and s.phase == ASK
    for seat in range(s.seats):
        tried, thrown = s.tries[seat] != UNASKED, s.threw[seat] != NOTHING
        if s.shows[seat] > SIDES[s.threw[seat]]:
            return False
        if (tried or thrown) and (fresh or not s.playing[seat] or seat == s.current):
            return False
        if thrown and (asking or s.token[seat] == READY):
            return False
        if thrown and not live and (s.tries[seat] != YES or s.threw[seat] != s.die):
            return False
        if thrown and not live and s.shows[seat] == 0 and seat != s.roller:
            return False
        if waits(s, seat) and (s.stealing != RACE or s.phase == CHOOSE):
            return False
    if s.phase == ATTEMPT or s.phase == PUNISH:
        return s.roller >= 0 and s.threw[s.roller] != NOTHING and s.shows[s.roller] == 0
    return s.roller == NONE


@kernel
def phase_fits(s):
    open_window = s.rolled == 1 and obtained(s) and s.taker == NONE
    live = s.stealing == LIVE
    if s.phase == CHOOSE:
        if s.turn != (ANYONE if live else s.current):
            return False
        return s.rolled == 0 or s.taker != NONE
    if s.phase == WINDOW:
        return s.turn == ANYONE and live and open_window
    if s.phase == MISSED:
        return s.turn == ANYONE and live and s.rolled == 1 and not obtained(s)
    if s.phase == ASK:
        return not live and open_window and s.turn == next_to_ask(s)
    if s.turn != CHANCE:
        return False
    if s.phase == ATTEMPT:
        return open_window and s.threw[s.roller] == s.die
    if s.phase == PUNISH:
        return live or (s.stealing == RACE and s.rolled == 1 and s.taker != NONE and s.taker != s.current)
    if s.phase == ORDER:
        return s.stealing == RACE and s.rolled == 1 and obtained(s) and waiting(s) > 1 and s.taker != s.current
    return s.phase == ARTIFACT or s.phase == SUCCESS
