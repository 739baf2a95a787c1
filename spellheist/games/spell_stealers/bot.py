"""What bots know of Spell Stealers: how far a turn gets, when a theft pays, and what places on the track are worth.

The rules of thumb:

- Without thieves a turn gets 3.9 spaces on average, by rolling the diamond (it finds an artifact in 62 of 100 rolls)
  and banking from nine points. The pyramid (75 of 100) is for the last few spaces to the spell or to the lead, the orb
  (46 of 100) for those who are behind. The more rivals, the more a big turn is worth: roll the orb with few points.
- A rival with a ready token makes every artifact smaller, for what is stolen moves the thief, too. While somebody may
  steal, bank from about six points; the leader rolls the pyramid, which has little to steal, and who is behind the orb,
  whose numbers are hard to steal. When all tokens are spent, it is the diamond and about nine points again.
- Steal nearly everything but the highest number or two of a die: a thief with an n-sided die takes a number k in
  n - k + 1 of n rolls and moves by k, and otherwise goes back by about half of k. At the entrance there is nothing to
  lose. With few points at stake and a long wait for your own turn keep the token for better: it is worth half a space,
  and more the more turns it can be used in.
- Spaces are worth more the closer the spell is, to you and to your rivals. In the last round only the lead counts:
  who moves last rolls until ahead, and wins about every second time from one or two spaces behind.
- In `race` others may be quicker, so a theft succeeds less often, the more may try. In `live` nothing but the matching
  die while the window is open is ever worth a throw.

All of it is one calculation, a ply deep: shares of the win after every number of every die, with what the next thief
would do about it, from strengths that grow with the place on the track.

How the constants were chosen. Turns and chances to overtake were read off the exact solution (solve.py). The strengths,
the worth of a token and the crowd of a race by matches of the greedy bot: with two seats against perfect play, 20,000
games for each of some two dozen settings; with four and six seats against its former self, 30,000 each. `value` of two
seats is a polynomial through the exact chances as a round begins (off by 0.003 on average and 0.015 at the most); of
more seats by maximum likelihood on 14,000 greedy games for each number of seats, polite and race. The constants of the
search by what it loses against perfect play, per game, at equal iterations.

What is left to win: with two seats, polite, the greedy bot loses 1.7 wins in 100 games to perfect play, and searches of
24, 200 and 1,600 iterations 2.4, 1.8 and 1.6. Moves often differ by less than a search can tell.
"""

from spellheist.core.exponential import exp
from spellheist.core.kernel import kernel
from spellheist.core.state import HIDDEN, NONE, OVER
from spellheist.games.spell_stealers.rules import (
    ASK,
    BANK,
    CHOOSE,
    DECLINE,
    GOAL,
    RACE,
    READY,
    RESET,
    STEAL,
    STEAL_BY,
    WINDOW,
    YES,
    deepest,
    die_of,
    left_of,
    place,
    score,
)

STAGES = 1  # to the end of the round: there every seat has had as many turns, and `value` is at its best
RIVALS_SEARCH = True
EXPLORE = 1.0
TRUST = 0.7  # the advice is a ply deep, so the search may overrule it
FOLLOW = 1.0
BELIEF = 0.97, 0.7  # of secret answers in a race: maximum likelihood from 534 moves of bots, 0.99 and 0.65 to 0.95

# Positions are counted in quarters of a space here, because points that may still be lost are worth parts of spaces.
QUARTERS = 4
FURTHEST = GOAL + 25  # where strengths stop growing
SLOPE, BEND = 0.045, 0.0008  # a space multiplies the strength by e to the SLOPE, and by more the deeper it is
LATE = 1.0  # the own turn of this round still to come multiplies it by e to this at the spell, and by little far from it
DONE = tuple(exp(SLOPE * q / QUARTERS + BEND * q * q / QUARTERS**2) for q in range(QUARTERS * FURTHEST + 1))
TO_PLAY = tuple(strength * exp(LATE * q**4 / (QUARTERS * GOAL) ** 4) for q, strength in enumerate(DONE))

# What a turn with so many artifact points is worth, in quarters of a space: without thieves (solve.best_turn), and
# with a rival who may steal (the same with thefts counted against it). From nine points on banking is right.
ALONE = (16, 17, 19, 21, 23, 25, 27, 30, 32)
WATCHED = (12, 14, 15, 16, 18, 20, 24, 28, 32)

FALL = -0.0921  # of the logarithm, for each space behind: 0.912 times the chance
# The chance to overtake somebody in the last turn of all, by how many spaces one is behind (solve.Solution): level, and
# then a curve through the rest.
CATCH = (0.73, *(0.62 * exp(FALL * behind) for behind in range(1, 41)))
AHEAD = 0.95  # the same for somebody who is ahead already: thieves may still come

TOKEN = 2  # quarters of a space that a ready token is worth until the next turn
TOKEN_TURN = 1  # and for each further turn in which it can be used
CROWD = 0.75  # the share of the others who may steal in a race that is thought to try and succeed as well as oneself
STEEP = 0.02  # a move behind the best by this share of the win gets a sixteenth of its weight

# Two seats, as a round begins: a polynomial in both places on the track (1 is the spell), the starter's and the
# other's, for the logarithm of the starter's odds.
LEVEL = -0.158383
MINE = (1.784097, 0.859546, 1.068209)  # of the starter's place, its square and its cube
OTHER = (-1.788827, -1.275474, -0.985706)
BOTH = (0.429507, -2.115178, 1.77413)  # of their product, and of that times each

# More seats, as a round begins: a seat's strength grows by e to these.
RISE, RISE_DEEP = 0.05, 0.00135  # for each space, and for each space times the place on the track
ORDER = 0.13  # for each seat that plays before it in the round: it knows more
TIED_ORDER = 0.33  # the same in a tie-break, where it is all that differs
HELD = 0.05  # for a ready token
BEHIND = 0.092  # in the last round: for each space behind the deepest (the fall of CATCH)


@kernel
def advise(s, seat, moves, n, weights):
    """Shares of the win, as the rules of thumb see them, sharpened. Nothing but the open table is looked at."""
    if s.phase == CHOOSE and seat == s.current:
        choose(s, seat, moves, n, weights)
    elif s.phase == ASK:
        weights[0], weights[1] = theft(s, seat)
        sharpen(weights, 2)
    elif s.phase == WINDOW and seat != s.current and s.token[seat] == READY:
        throw(s, seat, moves, n, weights)
    else:  # live: a theft outside the window, or with a spent token, is only ever punished
        for i in range(n):
            weights[i] = 0.0 if moves[i] >= STEAL_BY else 1.0


@kernel
def choose(s, seat, moves, n, weights):
    """Roll a die or bank? Every number of every die is looked at, with what a thief would do. It is long because the three
    dice share one loop: their numbers are the same, and this is what a search spends most of its time on."""
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
    """The share of a seat at x in its turn, with so many artifact points, when nobody is near the spell."""
    mine = strength(QUARTERS * x + turn_worth(points, watched))
    return mine / (mine + others)


@kernel
def throw(s, seat, moves, n, weights):
    """Live: the matching die or none."""
    steal, wait = theft(s, seat)
    best = max(steal, wait)
    for i in range(n):
        if moves[i] < STEAL_BY:
            weights[i] = sharpened(best, wait)
        else:
            weights[i] = sharpened(best, steal) if die_of(moves[i]) == s.die else 0.0


@kernel
def theft(s, seat):
    """The share of the seat if it tries to steal the artifact on the table, and if it does not."""
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
    kept = threatened(s, seat, y, token, rival, x, s.points + face, rest, True)
    return success * won + (1.0 - success) * lost, kept


@kernel
def sharpen(weights, n):
    """From chances to weights: the best gets 1, those behind it quickly less."""
    best = 0.0
    for i in range(n):
        best = max(best, weights[i])
    for i in range(n):
        weights[i] = sharpened(best, weights[i])


@kernel
def sharpened(best, share):
    near = STEEP / (STEEP + best - share)
    return near * near * near * near


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
    """Of all who play in this round but these two."""
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
    """What a turn with so many artifact points is worth, in quarters of a space."""
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
            chance *= 1.0 - overtakes(s, one, pawn, x)
    return chance


@kernel
def overtakes(s, one, pawn, x):
    """The chance that one seat ends deeper than x: those who have had their turn stay where they are."""
    if place(s, one) > place(s, s.current) or one == s.current:
        return catch(x - pawn)
    return 0.5 if pawn == x else 1.0 if pawn > x else 0.0


@kernel
def catches(s, seat, x, other, y):
    """The chance of a seat at x to get past everybody in its turn."""
    best = y
    for one in range(s.seats):
        if s.playing[one] and one != seat and one != other:
            best = max(best, s.pawn[one])
    return catch(best - x)


@kernel
def catch(behind):
    """The chance to overtake in one turn."""
    return AHEAD if behind < 0 else CATCH[min(behind, 40)]


@kernel
def value(s, out):
    """Each seat's share of the win as a round begins: by its place on the track and in the round, and by its token."""
    if s.turn == OVER:
        score(s, out)
        return
    if s.seats == 2 and s.starter != NONE and not s.last:
        x, y = s.pawn[s.starter] / GOAL, s.pawn[1 - s.starter] / GOAL
        ahead = LEVEL + x * (MINE[0] + x * (MINE[1] + x * MINE[2])) + y * (OTHER[0] + y * (OTHER[1] + y * OTHER[2]))
        ahead += x * y * (BOTH[0] + BOTH[1] * x + BOTH[2] * y)
        out[s.starter] = 1.0 / (1.0 + exp(-ahead))
        out[1 - s.starter] = 1.0 - out[s.starter]
        return
    best = deepest(s)
    total = 0.0
    for seat in range(s.seats):
        out[seat] = 0.0
        if s.starter == NONE:  # all roll for the start
            out[seat] = 1.0
        elif s.playing[seat] and s.last:
            out[seat] = exp(BEHIND * (s.pawn[seat] - best) + TIED_ORDER * place(s, seat))
        elif s.playing[seat]:
            pawn = s.pawn[seat]
            out[seat] = exp(pawn * (RISE + RISE_DEEP * pawn) + ORDER * place(s, seat) + HELD * s.token[seat])
        total += out[seat]
    for seat in range(s.seats):
        out[seat] /= total


@kernel
def earlier(s, seat, later, who, move):
    """Fill in what others answered in a race, which stays secret until all have."""
    for other in range(s.seats):
        if s.tries[other] == HIDDEN:
            s.tries[other] = later.tries[other]


@kernel
def meant(later, who):
    """SS-s1: the secret answer of a seat in a race."""
    return STEAL if later.tries[who] == YES else DECLINE


def exact(view):
    """The chance to win of every move, where the game is solved: two seats, polite."""
    from spellheist.games.spell_stealers.solve import solved

    solution = solved(view)
    return solution.chances(view) if solution else None
