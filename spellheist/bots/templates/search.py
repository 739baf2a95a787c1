"""Information-set Monte Carlo tree search of one game. A template: run once for each game.

Each iteration imagines a world that fits the view, or picks a weighed one (`belief`), goes down the tree, plays on,
and tells every seat on the path what it got. Nodes are keyed by what the searching seat would have seen on the way
(never by a rival's secret move) and, at its own turns, by how many moves it has. Chance is drawn by its odds.

Where anyone may move, seats are asked one by one who wants to (`advice.asked`), in an order drawn anew each time. A seat
that waits changes nothing, and the next one does not know of it: its node is the same in whatever order they come.
"""

from types import ModuleType

import numpy as np

from spellheist.bots.nodes import Path
from spellheist.core.dice import below, real
from spellheist.core.kernel import EMPTY_DIGEST, copy, kernel, mix_number, reals, shorts, slot
from spellheist.core.state import ANYONE, CHANCE, NONE, OVER

rules: ModuleType
known: ModuleType
playouts: ModuleType
advice: ModuleType
play, score, imagine = rules.play, rules.score, rules.imagine
sees, stage = rules.sees, rules.stage
value = known.value
outcome, follow_advice, best_advised = playouts.outcome, advice.follow, advice.best
moves_of, offer, asked, ANYBODY = advice.moves_of, advice.offer, advice.asked, advice.ANYBODY
MOVES, OUTCOMES, SEATS = rules.MOVES, rules.OUTCOMES, rules.SEATS
COLUMNS = MOVES + 1 if ANYBODY else MOVES  # of a node: one for each move, and the last for NONE
STAGES, RIVALS_SEARCH, PAST_CHANCE = known.STAGES, known.RIVALS_SEARCH, known.PAST_CHANCE
DEEP = 512  # decisions that a path in the tree may have
ANY = -1  # in place of the column of the only move to begin with
LONG = 20_000  # plies after which a playout is stopped and valued


@kernel
def think(
    views, pool, picks, worlds, rngs, j, seat, only, iterations, root, used, nodes, explore, trust, follow, sharp
):  # fmt: skip
    """Search from views[0]; the results are in the row of `root`. Answers how many nodes are in use.
    Worlds are imagined, or picked from a pool of weighed ones. Where `only` is a column, that move is always the first.
    One function, because its steps share what a call for each would have to be given and to give back."""
    s, rng = worlds[0], rngs[j]
    moves, odds, out, weights = shorts(COLUMNS), shorts(OUTCOMES), reals(SEATS), reals(COLUMNS)
    path = Path(np.empty(DEEP, np.int32), shorts(DEEP), shorts(DEEP))
    last = stage(views[0]) + STAGES
    for _ in range(iterations):
        if len(picks):
            copy(worlds, 0, pool, picks[below(rng, len(picks))])
        else:
            copy(worlds, 0, views, 0)
            imagine(s, rng)
        node, depth = root, 0
        parent, trail = root, EMPTY_DIGEST  # the last node that led to a ply, and what was seen since
        turn, waited = seat if ANYBODY and s.turn == ANYONE else s.turn, 0

        # 1. Down the tree: chance by its odds, seats by what they got so far, until a node is new.
        while node >= 0 and depth < DEEP and not ended(s, last):
            searches = turn == seat or RIVALS_SEARCH
            if searches:
                if depth == 0 and only != ANY:
                    k = place(moves, moves_of(s, turn, moves), only)
                else:
                    n = offer(s, turn, moves, weights)
                    k = select(nodes.visits[node], nodes.offered[node], nodes.won[node], moves, n, weights, explore, trust)
                path.nodes[depth], path.columns[depth], path.seats[depth] = node, column(moves[k]), turn
                depth += 1
            else:
                n = moves_of(s, turn, moves)
                k = follow_advice(s, turn, moves, n, weights, rng)
            move = int(moves[k])
            if ANYBODY and move == NONE:
                waited |= 1 << turn
            else:
                if searches:
                    parent, trail = node, EMPTY_DIGEST
                trail = mix_number(trail, move + 2 if sees(s, move, seat) else 1)
                play(s, move)
                waited = 0
                if s.turn == CHANCE and not PAST_CHANCE:
                    break
                run_chance(s, rng, odds, last)
                if ended(s, last):
                    break
            turn = asked(s, waited, moves, weights, rng)
            if turn == seat or RIVALS_SEARCH:
                node = child(nodes, key_of(trail, parent, s, turn, seat, moves), used)
                if node == used:
                    used += 1
                    node = -1

        # 2. On by advice or at random. 3. Every seat on the path learns what it got.
        play_on(s, rng, waited, last, moves, weights, odds, follow, sharp)
        tell(s, nodes, path, depth, out)
    return used


@kernel
def play_on(s, rng, waited, last, moves, weights, odds, follow, sharp):
    """On from there by advice or at random."""
    plies = 0
    while not ended(s, last) and plies < LONG:
        plies += 1
        if s.turn == CHANCE:
            play(s, outcome(s, rng, odds))
            continue
        turn = asked(s, waited, moves, weights, rng)
        n = moves_of(s, turn, moves)
        if n > 1 and follow > 0 and real(rng) < follow:
            if sharp > 0 and real(rng) < sharp:
                move = int(moves[best_advised(s, turn, moves, n, weights, rng)])
            else:
                move = int(moves[follow_advice(s, turn, moves, n, weights, rng)])
        else:
            move = int(moves[below(rng, n)])
        if ANYBODY and move == NONE:
            waited |= 1 << turn
        else:
            play(s, move)
            waited = 0


@kernel
def tell(s, nodes, path, depth, out):
    """Every seat on the path learns what it got."""
    if s.turn == OVER:
        score(s, out)
    else:
        value(s, out)
    for d in range(depth):
        got = out[path.seats[d]]
        node, at = path.nodes[d], path.columns[d]
        nodes.visits[node, at] += 1
        nodes.won[node, at] += got
        nodes.squares[node, at] += got * got


@kernel
def ended(s, last):
    return s.turn == OVER or (STAGES > 0 and stage(s) >= last)


@kernel
def run_chance(s, rng, odds, last):
    """Let chance decide until somebody is asked, but not past the stage where the search ends."""
    while s.turn == CHANCE and not ended(s, last):
        play(s, outcome(s, rng, odds))


@kernel
def key_of(trail, node, s, turn, seat, moves):
    """The key of a node: the one before, what the seat saw since, who is asked what, and how many own moves there are."""
    trail = mix_number(mix_number(trail, node & 0xFFFF), node >> 16)
    trail = mix_number(mix_number(trail, turn + 64), s.phase)
    return mix_number(trail, moves_of(s, turn, moves) if turn == seat else 0)


@kernel
def column(move):
    """Where a node keeps what it knows of a move."""
    return MOVES if ANYBODY and move == NONE else move


@kernel
def place(moves, n, at):
    """Where the move of this column is in `moves`."""
    for i in range(n):
        if column(moves[i]) == at:
            return i
    return 0


@kernel
def select(visits, offered, won, moves, n, weights, explore, trust):
    """The place in `moves` with the best mix of what it brought and how little is known of it. The advice is a
    prior: moves that look good are tried first and more."""
    total = 0.0
    for i in range(n):
        total += weights[i]
    tried, sum_won = 0, 0.0
    for i in range(n):
        at = column(moves[i])
        offered[at] += 1
        tried += visits[at]
        sum_won += won[at]
    mean = sum_won / tried if tried else 0.5
    best, best_i = -1e30, 0
    for i in range(n):
        at = column(moves[i])
        prior = (1.0 - trust) / n + trust * (weights[i] / total if total > 0 else 1.0 / n)
        worth = won[at] / visits[at] if visits[at] else mean
        score_now = worth + explore * prior * np.sqrt(offered[at]) / (1.0 + visits[at])
        if score_now > best:
            best, best_i = score_now, i
    return best_i


@kernel
def entry_of(nodes, key):
    """Where the node under this key is, or would be."""
    i = slot(key, len(nodes.keys))
    while nodes.kids[i] != 0 and nodes.keys[i] != key:
        i = (i + 1) & (len(nodes.keys) - 1)
    return i


@kernel
def child(nodes, key, used):
    """The node under this key; a new one gets the number `used`; -1 when there is no room."""
    i = entry_of(nodes, key)
    if nodes.kids[i] == 0:
        if used >= len(nodes.visits):
            return -1
        nodes.keys[i] = key
        nodes.kids[i] = used
    return int(nodes.kids[i])


@kernel
def known_child(views, j, seat, node, move, nodes):
    """The node of the view j, to which a move of the seat led from this node; 0 if there is none."""
    trail = mix_number(EMPTY_DIGEST, move + 2)
    return int(nodes.kids[entry_of(nodes, key_of(trail, node, views[j], views[j].turn, seat, shorts(COLUMNS)))])
