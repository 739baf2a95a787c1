"""Many games at once, each to its next decision. A template: run once for each game.

A row of every array belongs to one game; `g` has the arrays (`Arrays` in lab/batch.py). What a game does depends on its own
seed alone, so games can be split among threads at will.
"""

from types import ModuleType

from spellheist.core.dice import below, seed
from spellheist.core.kernel import copy, kernel, reals, shorts
from spellheist.core.state import ANYONE, CHANCE, OVER

rules: ModuleType
playouts: ModuleType
observing: ModuleType
advice: ModuleType
legal, play, score, hide = rules.legal, rules.play, rules.score, rules.hide
outcome, observe, advised = playouts.outcome, observing.observe, advice.advised
MOVES, OUTCOMES, SEATS = rules.MOVES, rules.OUTCOMES, rules.SEATS

LEARNER, RANDOM, GREEDY = range(3)  # who plays a seat
BLOCK = 32  # games that are looked at together


@kernel
def illegal(g, choices):
    """The first game for which the move that was chosen is not legal; -1 if there is none."""
    turns, masks = g.turns, g.masks
    for i in range(len(choices)):
        if turns[i] != OVER and not (0 <= choices[i] < MOVES and masks[i, choices[i]]):
            return i
    return -1


@kernel
def step(g, choices, restart, low, high):
    """Make the chosen moves of the games from `low` up to `high`, and take each to its next decision."""
    # Taking an array out of `g` costs as much as a chance ply, so what every game needs is taken out once.
    states, rngs, bots, turns, plies, done, rewards = g.states, g.rngs, g.bots, g.turns, g.plies, g.done, g.rewards
    moves, odds, weights, out = shorts(MOVES + 1), shorts(OUTCOMES), reals(MOVES + 1), reals(SEATS)
    for start in range(low, high, BLOCK):
        stop = min(start + BLOCK, high)
        for i in range(start, stop):
            s = states[i]
            if done[i]:
                done[i] = False
                for other in range(rewards.shape[1]):
                    rewards[i, other] = 0.0
            if s.turn != OVER:
                seat = int(s.turn)
                play(s, int(choices[i]))
                made, dice = 1, rngs[2 * i]
                while s.turn == CHANCE:
                    play(s, outcome(s, dice, odds))
                    made += 1
                plies[i] += made
                if s.turn < 0 or bots[s.turn] != LEARNER:
                    go_on(g, i, seat, restart, moves, odds, weights, out)
                turns[i] = s.turn
        see(g, start, stop, moves)


@kernel
def begin(g, chosen, restart, low, high):
    """Start those of the games from `low` up to `high` that are chosen, and take each to its first decision. Answers
    whether some game asks anyone at once."""
    moves, odds, weights, out = shorts(MOVES + 1), shorts(OUTCOMES), reals(MOVES + 1), reals(SEATS)
    anyone = False
    for i in range(low, high):
        if chosen[i]:
            g.done[i] = False
            for seat in range(g.rewards.shape[1]):
                g.rewards[i, seat] = 0.0
            set_up(g, i)
            go_on(g, i, 0, restart, moves, odds, weights, out)
            g.turns[i] = g.states[i].turn
            anyone |= g.turns[i] == ANYONE
            see(g, i, i + 1, moves)
    return anyone


@kernel
def set_up(g, i):
    """A game before its first ply. Its dice start from its seed, the luck of its bots from the complement of that."""
    copy(g.states, i, g.first, 0)
    seed(g.rngs[2 * i], int(g.seeds[i]))
    seed(g.rngs[2 * i + 1], ~int(g.seeds[i]))
    g.plies[i] = 0


@kernel
def go_on(g, i, seat, restart, moves, odds, weights, out):
    """Let chance and bots play until a learner is asked or the game is over; `seat` is who moved. A game that is over
    starts anew if `restart`, from the seed that comes after those of all games."""
    s, dice = g.states[i], g.rngs[2 * i]
    while True:
        while s.turn == CHANCE:
            play(s, outcome(s, dice, odds))
            g.plies[i] += 1
        if s.turn == OVER:
            end(g, i, seat, out)
            if not restart:
                return
            g.seeds[i] += g.every[0]
            set_up(g, i)
        elif s.turn == ANYONE or g.bots[s.turn] == LEARNER:
            return
        else:
            play(s, bot_move(g, i, moves, weights))
            g.plies[i] += 1


@kernel
def end(g, i, seat, out):
    """Leave each seat's share of the win and what the one that moved last saw; but of the first game that ended in this
    row since the last decision, which was the learner's."""
    if not g.done[i]:
        g.done[i] = True
        score(g.states[i], out)
        for other in range(g.rewards.shape[1]):
            g.rewards[i, other] = out[other]
        g.turns[i] = seat
        observe(g.states, i, i + 1, g.turns, g.views, g.cells, g.sources, g.named, g.finals)


@kernel
def bot_move(g, i, moves, weights):
    """Any legal move, or of those that the game's `bot.py` advises most any: what the bots of these names play."""
    s, luck = g.states[i], g.rngs[2 * i + 1]
    if g.bots[s.turn] == RANDOM:
        return int(moves[below(luck, legal(s, moves))])
    copy(g.views, 0, g.states, i)
    hide(g.views[0], s.turn)
    count = advised(g.views, 0, s.turn, moves, weights)
    best = weights[0]
    for k in range(1, count):
        best = max(best, weights[k])
    equals = 0
    for k in range(count):
        if weights[k] == best:
            moves[equals] = moves[k]
            equals += 1
    return int(moves[below(luck, equals)])


@kernel
def see(g, start, stop, moves):
    """Fill in what the next decisions of up to BLOCK games need: the legal moves, and what the seats that are asked see."""
    states, turns, masks = g.states, g.turns, g.masks
    for i in range(start, stop):
        for move in range(MOVES):
            masks[i, move] = False
        if turns[i] >= 0:
            for k in range(legal(states[i], moves)):
                masks[i, moves[k]] = True
    observe(states, start, stop, turns, g.views, g.cells, g.sources, g.named, g.observations)


@kernel
def any_moves(g, choices):
    """A random legal move of each game that asks for one, drawn from the luck of its bots."""
    turns, masks, rngs = g.turns, g.masks, g.rngs
    for i in range(len(choices)):
        if turns[i] >= 0:
            count = 0
            for move in range(MOVES):
                count += masks[i, move]
            left = below(rngs[2 * i + 1], count)
            for move in range(MOVES):
                left -= masks[i, move]
                if left < 0:
                    choices[i] = move
                    break
