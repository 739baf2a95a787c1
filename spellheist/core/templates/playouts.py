"""Random games of one game, as fast as the machine allows. A template: run once for each game.

`random_games` counts what a designer asks first: how long games are and who wins them.
`advance` steps many games at once, each to its next decision, with masks and views filled:
the loop that training runs in.
"""

from types import ModuleType

from spellheist.core.dice import below
from spellheist.core.kernel import copy, kernel, reals, shorts
from spellheist.core.state import CHANCE, OVER

rules: ModuleType
setup, legal, chance, play, score = rules.setup, rules.legal, rules.chance, rules.play, rules.score
hide, stage, limited = rules.hide, rules.stage, rules.limited
MOVES, OUTCOMES, SEATS = rules.MOVES, rules.OUTCOMES, rules.SEATS

# What `random_games` adds up, in this order; then the win share of each seat.
GAMES, DECISIONS, DECISIONS_SQUARED, PLIES, STAGES, STAGES_SQUARED, LIMITED, SHARES = range(8)
STATS = SHARES + SEATS


@kernel
def pick(odds, total, rng):
    """An outcome drawn in proportion to its odds. Counting has no branch to mispredict; walking to the hit has."""
    left = below(rng, total)
    outcome = 0
    for i in range(OUTCOMES - 1):
        left -= odds[i]
        outcome += left >= 0
    return outcome


if rules.sample:
    sample = rules.sample

    @kernel
    def outcome(s, rng, odds):
        """What chance does next."""
        return sample(s, rng)

else:

    @kernel
    def outcome(s, rng, odds):
        return pick(odds, chance(s, odds), rng)


@kernel
def random_games(states, i, rngs, j, games, stats):
    """Play this many random games in states[i], whose seats and options are set, and add up `stats`."""
    s, rng = states[i], rngs[j]
    moves, odds, out = shorts(MOVES), shorts(OUTCOMES), reals(SEATS)
    for _ in range(games):
        setup(s)
        decisions = chances = 0
        while s.turn != OVER:
            while s.turn == CHANCE:  # here and not in `run_chance`: counted behind a call, it takes 4 % longer
                chances += 1
                play(s, outcome(s, rng, odds))
            if s.turn != OVER:
                decisions += 1
                play(s, int(moves[below(rng, legal(s, moves))]))
        score(s, out)
        stats[GAMES] += 1
        stats[DECISIONS] += decisions
        stats[DECISIONS_SQUARED] += decisions * decisions
        stats[PLIES] += decisions + chances
        stats[STAGES] += stage(s)
        stats[STAGES_SQUARED] += stage(s) * stage(s)
        stats[LIMITED] += limited(s)
        for seat in range(s.seats):
            stats[SHARES + seat] += out[seat]


@kernel
def advance(states, views, rngs, j, choices, masks, turns, shares):
    """Make each game's chosen move, let chance run, and fill in what the next decision needs: who decides,
    a mask of the legal moves, and the view of that seat. A game that ended leaves its shares and starts anew."""
    rng = rngs[j]
    moves, odds, out = shorts(MOVES), shorts(OUTCOMES), reals(SEATS)
    ended = 0
    for i in range(len(states)):
        s = states[i]
        play(s, choices[i])
        run_chance(s, rng, odds)
        if s.turn == OVER:
            score(s, out)
            for seat in range(SEATS):
                shares[i, seat] = out[seat]
            ended += 1
            setup(s)
            run_chance(s, rng, odds)
        fill(states, views, i, moves, masks, turns)
    return ended


@kernel
def begin(states, views, rngs, j, masks, turns):
    """The first decision of each game."""
    rng = rngs[j]
    moves, odds = shorts(MOVES), shorts(OUTCOMES)
    for i in range(len(states)):
        setup(states[i])
        run_chance(states[i], rng, odds)
        fill(states, views, i, moves, masks, turns)


@kernel
def run_chance(s, rng, odds):
    """Let chance decide until somebody is asked or the game is over."""
    while s.turn == CHANCE:
        play(s, outcome(s, rng, odds))


@kernel
def fill(states, views, i, moves, masks, turns):
    turns[i] = states[i].turn
    for move in range(MOVES):
        masks[i, move] = 0
    for k in range(legal(states[i], moves)):
        masks[i, moves[k]] = 1
    copy(views, i, states, i)
    hide(views[i], states[i].turn)


@kernel
def any_moves(masks, rngs, j, choices):
    """A random legal move of each game, from the masks."""
    rng = rngs[j]
    for i in range(len(choices)):
        count = 0
        for move in range(MOVES):
            count += masks[i, move]
        left = below(rng, count)
        for move in range(MOVES):
            left -= masks[i, move]
            if left < 0:
                choices[i] = move
                break
