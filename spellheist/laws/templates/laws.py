"""The laws that every game keeps, along random games. A template: run once for each game.

`walk` plays one random game and answers which law broke first. Its course comes from `rng` alone,
drawn as `Luck` draws, so any broken law can be replayed from the game's seed.
"""

from types import ModuleType

from spellheist.core.dice import below
from spellheist.core.kernel import copy, kernel, mix, mix_number, reals, same, shorts, within
from spellheist.core.state import CHANCE, OVER, WATCHER

rules: ModuleType
setup, legal, chance, play, score = rules.setup, rules.legal, rules.chance, rules.play, rules.score
hide, imagine, pieces, sound = rules.hide, rules.imagine, rules.pieces, rules.sound
MOVES, OUTCOMES, SEATS = rules.MOVES, rules.OUTCOMES, rules.SEATS

LAWS = (
    "every law holds",
    "every game ends",
    "some move is legal until the end",
    "legal moves are in range and all different",
    "odds are never negative and add up to the total, which is positive",
    "sample draws what chance says",
    "play is deterministic",
    "every number stays in its range",
    "pieces are conserved",
    "every position that is reached is sound",
    "hiding twice is hiding once",
    "hiding an imagined world gives the view it was imagined from",
    "the legal moves are the same in the view and in every world imagined from it",
    "scores are not negative and sum to 1",
    "setting up leaves nothing of an earlier game",
)
(
    HOLDS, ENDS, GOES_ON, LEGAL, ODDS, SAMPLE, DETERMINISTIC, RANGES, PIECES, SOUND,
    HIDDEN_TWICE, IMAGINED, SAME_MOVES, SCORES, SETUP,
) = range(len(LAWS))  # fmt: skip

LONGEST = 1_000_000  # plies: no game is that long
ROWS = 4
TRUTH, OTHER, VIEW, WORLD = range(ROWS)
COUNTS = 256
RNGS = 3
COURSE, WORLDS, SAMPLES = range(RNGS)  # the course of the game; what is imagined; the same again for `sample`


@kernel
def walk(states, cells, rngs, lows, highs, digest, most):
    """Play a random game in states[TRUTH], set up already, for `most` plies at the most.
    Answers (law broken or HOLDS, plies, digest)."""
    s, rng, worlds = states[TRUTH], rngs[COURSE], rngs[WORLDS]
    moves, others, odds = shorts(MOVES), shorts(MOVES), shorts(OUTCOMES)
    first, now = shorts(COUNTS), shorts(COUNTS)
    counts = pieces(s, first)
    for ply in range(most):
        broken = look(states, cells, worlds, lows, highs, moves, others, first, now, counts)
        if broken != HOLDS:
            return broken, ply, digest
        if s.turn == OVER:
            return ending(states, cells, s), ply, digest
        if s.turn == CHANCE:
            copy(rngs, SAMPLES, rngs, COURSE)
            move = draw(s, odds, rng)
            if move < 0:
                return ODDS, ply, digest
            if quick(s, rngs[SAMPLES], move) != move:
                return SAMPLE, ply, digest
        else:
            n = legal(s, moves)
            if n <= 0:
                return GOES_ON, ply, digest
            if not proper(moves, n):
                return LEGAL, ply, digest
            move = int(moves[below(rng, n)])
        copy(states, OTHER, states, TRUTH)
        play(s, move)
        play(states[OTHER], move)
        if not same(cells, TRUTH, cells, OTHER):
            return DETERMINISTIC, ply, digest
        digest = mix(mix_number(digest, move), cells, TRUTH)
    return ENDS if most >= LONGEST else HOLDS, most, digest


if rules.sample:
    sample = rules.sample

    @kernel
    def quick(s, rng, drawn):
        """The outcome that the game's own `sample` draws; without one, what was drawn."""
        return sample(s, rng)

else:

    @kernel
    def quick(s, rng, drawn):
        return drawn


@kernel
def draw(s, odds, rng):
    """An outcome of chance, or -1 if the odds are not sound."""
    for i in range(OUTCOMES):
        odds[i] = 7  # whatever was there before must not matter
    total = chance(s, odds)
    count = 0
    for i in range(OUTCOMES):
        if odds[i] < 0:
            return -1
        count += odds[i]
    if count != total or total <= 0:
        return -1
    left = below(rng, total)
    for outcome in range(OUTCOMES):
        left -= odds[outcome]
        if left < 0:
            return outcome
    return -1


@kernel
def proper(moves, n):
    for i in range(n):
        if moves[i] < 0 or moves[i] >= MOVES:
            return False
        for j in range(i):
            if moves[i] == moves[j]:
                return False
    return n <= MOVES


@kernel
def look(states, cells, worlds, lows, highs, moves, others, first, now, counts):
    """The laws about one position, for every seat and for a watcher."""
    s = states[TRUTH]
    if not sound(s):
        return SOUND
    for row in range(-1, s.seats):
        seat = row if row >= 0 else WATCHER
        copy(states, VIEW, states, TRUTH)
        hide(states[VIEW], seat)
        copy(states, OTHER, states, VIEW)
        hide(states[OTHER], seat)
        if not same(cells, OTHER, cells, VIEW):
            return HIDDEN_TWICE
        copy(states, WORLD, states, VIEW)
        imagine(states[WORLD], worlds)
        for k in (TRUTH, VIEW, WORLD):
            if not within(cells, k, lows, highs):
                return RANGES
            if pieces(states[k], now) != counts:
                return PIECES
            for i in range(counts):
                if now[i] != first[i]:
                    return PIECES
        if not sound(states[WORLD]):
            return SOUND
        if s.turn != CHANCE and s.turn != OVER and (s.turn < 0 or s.turn == seat):
            if not same_moves(s, states[VIEW], moves, others) or not same_moves(s, states[WORLD], moves, others):
                return SAME_MOVES
        hide(states[WORLD], seat)
        if not same(cells, WORLD, cells, VIEW):
            return IMAGINED
    return HOLDS


@kernel
def same_moves(s, other, moves, others):
    n = legal(s, moves)
    if legal(other, others) != n:
        return False
    for i in range(n):
        if moves[i] != others[i]:
            return False
    return True


@kernel
def ending(states, cells, s):
    """The laws about a game that is over."""
    out = reals(SEATS)
    score(s, out)
    total = 0.0
    for seat in range(s.seats):
        if out[seat] < 0:
            return SCORES
        total += out[seat]
    if abs(total - 1) > 1e-9:
        return SCORES
    copy(states, OTHER, states, TRUTH)
    setup(states[OTHER])
    copy(states, VIEW, states, OTHER)
    setup(states[VIEW])
    return HOLDS if same(cells, OTHER, cells, VIEW) else SETUP


@kernel
def course(states, cells, rngs, digest):
    """The digest of one random game in states[TRUTH], with no law asked: for signatures."""
    s, rng = states[TRUTH], rngs[COURSE]
    moves, odds = shorts(MOVES), shorts(OUTCOMES)
    while s.turn != OVER:
        move = draw(s, odds, rng) if s.turn == CHANCE else int(moves[below(rng, legal(s, moves))])
        play(s, move)
        digest = mix(mix_number(digest, move), cells, TRUTH)
    return digest
