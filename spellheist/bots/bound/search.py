"""Information-set Monte Carlo tree search of one game. A template: run once for each game.

Each iteration imagines a world that fits the view, or picks a weighed one (`belief`), goes down the tree, plays on,
and tells every seat on the path what it got. Nodes are keyed by what the searching seat would have seen on the way
(never by a rival's secret move) and, at its own turns, by how many moves it has. Chance is drawn by its odds.
"""

from types import ModuleType

import numpy as np

from spellheist.core.dice import below, real
from spellheist.core.kernel import EMPTY_DIGEST, copy, kernel, mix_number, reals, shorts, slot
from spellheist.core.state import CHANCE, OVER

rules: ModuleType
known: ModuleType
playouts: ModuleType
advice: ModuleType
legal, play, score, hide, imagine = rules.legal, rules.play, rules.score, rules.hide, rules.imagine
sees, stage = rules.sees, rules.stage
advise, value = known.advise, known.value
outcome, follow_advice = playouts.outcome, advice.follow
MOVES, OUTCOMES, SEATS = rules.MOVES, rules.OUTCOMES, rules.SEATS
STAGES, RIVALS_SEARCH = known.STAGES, known.RIVALS_SEARCH
DEEP = 512  # decisions that a path in the tree may have
LONG = 20_000  # plies after which a playout is stopped and valued


@kernel
def think(
    views, pool, picks, worlds, rngs, j, seat, iterations, root, used,
    visits, offered, won, squares, keys, kids, explore, trust, follow,
):  # fmt: skip
    """Search from views[0]; the results are in the rows of `root`. Answers how many nodes are in use.
    Worlds are imagined, or picked from a pool of weighed ones."""
    s, rng = worlds[0], rngs[j]
    moves, odds, out, weights = shorts(MOVES), shorts(OUTCOMES), reals(SEATS), reals(MOVES)
    path_node, path_move, path_seat = np.empty(DEEP, np.int32), shorts(DEEP), shorts(DEEP)
    last = stage(views[0]) + STAGES
    for _ in range(iterations):
        if len(picks):
            copy(worlds, 0, pool, picks[below(rng, len(picks))])
        else:
            copy(worlds, 0, views, 0)
            imagine(s, rng)
        node, depth, trail = root, 0, EMPTY_DIGEST

        # 1. Down the tree: chance by its odds, seats by what they got so far, until a node is new.
        while node >= 0 and depth < DEEP and not ended(s, last):
            n = legal(s, moves)
            turn = s.turn
            if turn == seat or RIVALS_SEARCH:
                advise(s, turn, moves, n, weights)
                k = select(visits[node], offered[node], won[node], moves, n, weights, explore, trust)
                path_node[depth], path_move[depth], path_seat[depth] = node, moves[k], turn
                depth += 1
            else:
                k = follow_advice(s, turn, moves, n, weights, rng)
            move = int(moves[k])
            trail = mix_number(trail, move + 2 if sees(s, move, seat) else 1)
            play(s, move)
            run_chance(s, rng, odds, last)
            if ended(s, last):
                break
            if s.turn == seat or RIVALS_SEARCH:
                node = child(keys, kids, key_of(trail, node, s, seat, moves), used, len(visits))
                trail = EMPTY_DIGEST
                if node == used:
                    used += 1
                    node = -1

        # 2. On by advice or at random.
        plies = 0
        while not ended(s, last) and plies < LONG:
            plies += 1
            if s.turn == CHANCE:
                play(s, outcome(s, rng, odds))
                continue
            n = legal(s, moves)
            if n > 1 and follow > 0 and real(rng) < follow:
                play(s, int(moves[follow_advice(s, s.turn, moves, n, weights, rng)]))
            else:
                play(s, int(moves[below(rng, n)]))

        # 3. Every seat on the path learns what it got.
        if s.turn == OVER:
            score(s, out)
        else:
            value(s, out)
        for d in range(depth):
            got = out[path_seat[d]]
            at, move = path_node[d], path_move[d]
            visits[at, move] += 1
            won[at, move] += got
            squares[at, move] += got * got
    return used


@kernel
def ended(s, last):
    return s.turn == OVER or (STAGES > 0 and stage(s) >= last)


@kernel
def run_chance(s, rng, odds, last):
    while s.turn == CHANCE and not ended(s, last):
        play(s, outcome(s, rng, odds))


@kernel
def key_of(trail, node, s, seat, moves):
    """The key of a node: the one before, what the seat saw since, who is asked what, and how many own moves there are."""
    trail = mix_number(mix_number(trail, node & 0xFFFF), node >> 16)
    trail = mix_number(mix_number(trail, s.turn + 64), s.phase)
    return mix_number(trail, legal(s, moves) if s.turn == seat else 0)


@kernel
def select(visits, offered, won, moves, n, weights, explore, trust):
    """The place in `moves` with the best mix of what it brought and how little is known of it. The advice is a
    prior: moves that look good are tried first and more."""
    total = 0.0
    for i in range(n):
        total += weights[i]
    tried, sum_won = 0, 0.0
    for i in range(n):
        offered[moves[i]] += 1
        tried += visits[moves[i]]
        sum_won += won[moves[i]]
    mean = sum_won / tried if tried else 0.5
    best, best_i = -1e30, 0
    for i in range(n):
        move = moves[i]
        prior = (1.0 - trust) / n + trust * (weights[i] / total if total > 0 else 1.0 / n)
        worth = won[move] / visits[move] if visits[move] else mean
        score_now = worth + explore * prior * np.sqrt(offered[move]) / (1.0 + visits[move])
        if score_now > best:
            best, best_i = score_now, i
    return best_i


@kernel
def child(keys, kids, key, used, room):
    """The node under this key; a new one gets the number `used`; -1 when there is no room."""
    i = slot(key, len(keys))
    while kids[i] != 0:
        if keys[i] == key:
            return int(kids[i])
        i = (i + 1) & (len(keys) - 1)
    if used >= room:
        return -1
    keys[i] = key
    kids[i] = used
    return used
