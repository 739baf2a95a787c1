"""What a decision changed in the true world, and how values change their mind as the horizon moves on. A template: run
once for each game, for luck-adjusted matches.
"""

from types import ModuleType

from spellheist.core.dice import seed
from spellheist.core.kernel import copy, kernel, reals, shorts
from spellheist.core.state import CHANCE, NONE

rules: ModuleType
rollouts: ModuleType
playouts: ModuleType
advice: ModuleType
play, stage, outcome = rules.play, rules.stage, playouts.outcome
asked, moves_of, ANYBODY = advice.asked, advice.moves_of, advice.ANYBODY
play_on, tell, prefer, best_of, horizon = (
    rollouts.play_on, rollouts.tell, rollouts.prefer, rollouts.best_of, rollouts.horizon
)  # fmt: skip
SEATS, OUTCOMES, COLUMNS = rules.SEATS, rules.OUTCOMES, rollouts.COLUMNS
STREAM, DICE, HERE = rollouts.STREAM, rollouts.DICE, rollouts.HERE


@kernel
def step(worlds, rngs, moves, weights, odds, out):
    """A run of chance in worlds[HERE], or one ply as par makes it."""
    s, rng = worlds[HERE], rngs[DICE]
    if s.turn == CHANCE:
        while s.turn == CHANCE:
            play(s, outcome(s, rng, odds))
        return
    waited, moved = 0, False
    while not moved:
        turn = asked(s, waited, moves, weights, rng)
        n = moves_of(s, turn, moves)
        k = 0
        if n > 1:
            prefer(worlds, rngs, turn, moves, n, weights, odds, out)
            k = best_of(weights, n, rng)
        if ANYBODY and moves[k] == NONE:
            waited |= 1 << turn
        else:
            play(s, int(moves[k]))
            moved = True


@kernel
def effect(states, i, after, worlds, rngs, number, count, stages, sums):
    """Add the mean over `count` rollouts of what every seat has at states[after] less what it has when par moves at
    states[i]; the horizon counts from after the move."""
    moves, weights, odds, out = shorts(COLUMNS), reals(COLUMNS), shorts(OUTCOMES), reals(SEATS)
    s = worlds[HERE]
    for k in range(count):
        for way in range(2):
            seed(rngs[DICE], number * STREAM + k)
            copy(worlds, HERE, states, i if way else after)
            if way:
                step(worlds, rngs, moves, weights, odds, out)
            play_on(worlds, rngs, horizon(s, stages), moves, weights, odds, out)
            tell(s, out)
            for seat in range(s.seats):
                sums[seat] += (-out[seat] if way else out[seat]) / count


@kernel
def revision(states, i, worlds, rngs, number, count, stages, sums):
    """Add the mean, over `count` rollouts, of the value at the horizon after the next step less that at the horizon before
    it. A stage that may end has a revision whether it does end or not."""
    moves, weights, odds, out = shorts(COLUMNS), reals(COLUMNS), shorts(OUTCOMES), reals(SEATS)
    s = worlds[HERE]
    first = stage(states[i])
    for k in range(count):
        seed(rngs[DICE], number * STREAM + k)
        copy(worlds, HERE, states, i)
        step(worlds, rngs, moves, weights, odds, out)
        now = stage(s)
        if now != first:
            play_on(worlds, rngs, first + stages, moves, weights, odds, out)
            tell(s, out)
            for seat in range(s.seats):
                sums[seat] -= out[seat] / count
            play_on(worlds, rngs, now + stages, moves, weights, odds, out)
            tell(s, out)
            for seat in range(s.seats):
                sums[seat] += out[seat] / count
