"""What bots know of Abraca...What?: rules of thumb for calls, what points are worth, and how to look back.

The rules of thumb:

- Count. What you see on the board, with the others and among your own secret stones is not in your hand; nor is what
  your calls have ruled out. The rest gives, exactly, the chance that a call succeeds.
- A call is worth what its spell does if it succeeds, less the life that it costs if it fails.
- Rivals' lives are worth more the fewer they have: the last one is the round. Of your own the last is worth least: who
  falls by a failed call gives every rival one point, who is knocked out gives the caster three. So dare the most then.
- A secret stone is worth more than a life: it is a point.
- The emptier your hand, the more another stone out of it is worth; twice that when the pile is empty.
- Call low before high: a success leaves all higher numbers open, and the best of them counts as part of the call.
- Go on while a call is worth something, else stop.

How the constants were chosen: the worths by hill climbing, candidate against champion in 36,000 games of two seats, then
rounded, which cost nothing that could be measured. STRENGTHS and STANDING by maximum likelihood from 60,000 games of
greedy bots for each number of seats. The win chances they give are off by 0.7 % on the mean and by 3 % at the most.
EXPLORE and TRUST by the regret of searches of 2,000 and 10,000 iterations, in 300 positions, against one of 100,000.
FAITH by how well weighed worlds foretell the own stones. BELIEF by maximum likelihood from 1,480 moves of gentle, steady,
sharp and greedy bots: 0.96 and 0.45 for all, 0.97 and 0.18 without greedy, who always makes the best move of its advice.
"""

from spellheist.core.kernel import kernel
from spellheist.core.state import HIDDEN
from spellheist.games.abraca_what.rules import (
    BLIZZARD,
    DREAM,
    DRINK,
    FACES,
    FIREBALL,
    GO_ON,
    GOAL,
    KINDS,
    LIVES,
    SHOW,
    SINGER,
    STOP,
    TEMPEST,
    WANDERER,
    left_of,
    right_of,
)

STAGES = 1  # a search stops at the end of the round
RIVALS_SEARCH = False  # in a tree their stones never change, and those who search would learn their own by heart
EXPLORE, TRUST, FOLLOW = 0.6, 0.5, 1.0
FAITH = 0.85
BELIEF = 0.95, 0.3
# By `tests/review/prove.py errors`, 159 choices.
ERRORS = {"random": 0.058, "greedy": 0.023, "gentle": 0.021, "steady": 0.0122, "sharp": 0.0105, "master": 0.0084}
ADJUST = 0.45  # between the best coefficients of two matches: 0.53 and 0.35

SECRET = 1.5  # worth of a secret stone, in lives
EMPTIED = 4.0  # worth of having cast the last stone
TEMPER = 0.4  # a move that is worth this much less is about e times less likely to be made

# How strong points make a seat: shares of the win are in proportion to it. For two to five seats, and for rounds that
# go on to the last one standing.
STRENGTHS = (
    (1.0, 1.37, 1.77, 1.9, 2.79, 4.68, 4.81, 5.39),
    (1.0, 1.5, 2.15, 2.89, 4.78, 9.46, 11.64, 18.47),
    (1.0, 1.62, 2.55, 3.84, 7.06, 14.63, 20.77, 39.63),
    (1.0, 1.63, 2.67, 4.18, 8.2, 18.33, 25.86, 58.96),
)
STANDING = (1.0, 1.35, 1.85, 2.7, 3.9, 6.0, 12.0, 12.0)
BEGINS = 1.13  # the seat that begins the next round is so much stronger


@kernel
def advise(s, seat, moves, n, weights):
    """The worth of each move in lives, made into weights. `weights` is first used by number, then by place."""
    lowest = int(moves[1]) if s.phase == GO_ON else 1
    misses(s, seat, lowest, weights)
    lives = s.lives[seat]
    left = s.held[seat] - 1
    spent = EMPTIED if left == 0 else (1.0 if s.pile > 0 else 2.0) / (left * left)
    after = 0.0  # the best of the higher calls, or to stop
    best = -100.0
    for spell in range(KINDS - 1, lowest - 1, -1):
        missed = weights[spell]
        gain = spent + effect(s, seat, spell)
        loss = own_life(lives) if spell > 1 else fall(s, seat, -1)
        worth = (1.0 - missed) * (gain + after) - missed * loss
        if spell < s.spell and not s.easy:  # AW-a: a strict call that is too low
            worth = -own_life(lives)
        weights[spell] = worth
        best = max(best, worth)
        after = max(after, worth)
    if s.phase == GO_ON:
        weights[STOP] = 0.0
        best = after
    for i in range(n):
        x = max(0.01, 1.0 + (weights[moves[i]] - best) / (16 * TEMPER))
        x *= x  # the 16th power, nearly an exponential
        x *= x
        x *= x
        weights[i] = x * x


@kernel
def misses(s, seat, lowest, chances):
    """The chance that no stone in the hand shows a number, for each from `lowest` up. Exact: what a stone may be,
    younger ones may be too, so going from the oldest the stones before take one each of what a stone may be."""
    unseen = 0  # how many of each kind the seat cannot see, in five bits each
    for kind in range(1, KINDS):
        unseen += int(s.deck[kind]) << 5 * kind
        chances[kind] = 1.0
    for slot in range(s.held[seat]):
        if s.hand[seat][slot] != HIDDEN:
            unseen += 1 << 5 * int(s.hand[seat][slot])
    for other in range(s.seats):
        if other != seat:
            for i in range(s.takes[other]):
                if s.taken[other][i] != HIDDEN:
                    unseen += 1 << 5 * int(s.taken[other][i])
    total, before = 0, -1
    for slot in range(s.held[seat]):
        never = int(s.never[seat][slot])
        if never != before:
            total, before = 0, never
            for kind in range(1, KINDS):
                if not never >> kind & 1:
                    total += unseen >> 5 * kind & 31
        share = 1.0 / (total - slot)
        for kind in range(lowest, KINDS):
            if not never >> kind & 1:
                chances[kind] *= 1.0 - (unseen >> 5 * kind & 31) * share


@kernel
def effect(s, seat, spell):
    """What a spell does, in lives."""
    lives = s.lives[seat]
    if spell == DRINK:
        return own_life(lives + 1)
    if spell == FIREBALL:
        return rival_life(s.lives[right_of(s, seat)])
    if spell == BLIZZARD:
        return rival_life(s.lives[left_of(s, seat)])
    if spell == TEMPEST:
        left, right = left_of(s, seat), right_of(s, seat)
        hurt = rival_life(s.lives[left])
        return hurt + rival_life(s.lives[right]) if left != right else hurt
    if spell == SINGER:
        return SECRET if s.secrets > 0 else 0.0
    if spell == DREAM:
        return fall(s, seat, 1)
    hurt = 0.0
    if spell == WANDERER:
        for other in range(s.seats):
            if other != seat:
                hurt += rival_life(s.lives[other])
        return hurt + own_life(lives + 1)
    for face in range(FACES):
        for other in range(s.seats):
            if other != seat:
                for loss in range(face + 1):
                    hurt += s.die_faces[face] * rival_life(s.lives[other] - loss)
    return hurt / faces(s)


@kernel
def fall(s, seat, way):
    """What the seat's lives up to the die are worth on the mean: those gained (way 1) or lost (-1)."""
    worth = 0.0
    for face in range(FACES):
        for i in range(face + 1):
            worth += s.die_faces[face] * own_life(s.lives[seat] + (i + 1 if way > 0 else -i))
    return worth / faces(s)


@kernel
def faces(s):
    return s.die_faces[0] + s.die_faces[1] + s.die_faces[2]


@kernel
def own_life(life):
    """The worth of the own first life, the second and so on; there are none below or above."""
    return 0.0 if life < 1 or life > LIVES else 0.75 if life == 1 else 1.4 if life < 4 else 1.0


@kernel
def rival_life(life):
    return 0.0 if life < 1 else 3.5 if life == 1 else 1.9 if life == 2 else 1.0


@kernel
def value(s, out):
    """The win shared in proportion to what the points make of each seat."""
    total = 0.0
    for seat in range(s.seats):
        points = min(int(s.points[seat]), GOAL - 1)
        strength = STANDING[points] if s.last_standing else STRENGTHS[s.seats - 2][points]
        if s.phase == SHOW and seat == (s.caster + 1) % s.seats:  # AW-13
            strength *= BEGINS
        out[seat] = strength
        total += strength
    for seat in range(s.seats):
        out[seat] /= total


@kernel
def earlier(s, seat, later, who, move):
    """Fill in the seat's hand and the secret stones of the others, as they were one ply before `later`."""
    held, slots = s.held[seat], later.held[seat]
    place = held  # where a stone was cast from: all before it, and no others, are known not to show its number
    if slots < held:
        place = 0
        while place < slots and later.never[seat][place] >> move & 1:
            place += 1
    for slot in range(held):
        if s.hand[seat][slot] == HIDDEN:
            kind = move if slot == place else later.hand[seat][slot - 1 if slot > place else slot]
            s.hand[seat][slot] = kind
            s.deck[kind] -= 1
    for other in range(s.seats):
        for i in range(s.takes[other]):
            if s.taken[other][i] == HIDDEN:
                kind = later.taken[other][i]
                s.taken[other][i] = kind
                s.deck[kind] -= 1
