"""Many games at once: what is told of each decision, and how ended games begin anew."""

import numpy as np

from spellheist.core import kernel
from spellheist.core.dice import rngs, start
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.state import OVER
from spellheist.core.warm import PLAYOUTS

COUNT = 5


def test_every_decision_is_told_with_its_seat_its_legal_moves_and_the_view_of_that_seat_and_ended_games_begin_anew():
    game = find("abraca_what")
    rules, playouts, schema = game.rules, game.bound(PLAYOUTS), game.rules.State
    states, views, seen = (kernel.rows(schema, COUNT) for _ in range(3))
    masks, turns = np.zeros((COUNT, rules.MOVES), np.int64), np.zeros(COUNT, np.int64)
    choices, shares = np.zeros(COUNT, np.int64), np.zeros((COUNT, rules.SEATS))
    luck, moves, ended = rngs(1), kernel.shorts(rules.MOVES), 0
    start(luck, 0, 7)
    for i in range(COUNT):
        kernel.load(schema, states, i, new(game, 2).bytes)
    playouts.begin(states, views, luck, 0, masks, turns)
    while ended < COUNT:
        for i in range(COUNT):
            assert turns[i] == game.verbs.turn(states, i) != OVER
            kernel.copy(seen, i, states, i)
            game.verbs.hide(seen, i, int(turns[i]))
            assert kernel.dump(schema, views, i) == kernel.dump(schema, seen, i)
            legal = moves[: game.verbs.legal(states, i, moves)]
            assert sorted(np.flatnonzero(masks[i])) == sorted(legal)
        playouts.any_moves(masks, luck, 0, choices)
        assert all(masks[i, choices[i]] for i in range(COUNT))
        ended += playouts.advance(states, views, luck, 0, choices, masks, turns, shares)
    assert set(shares.sum(axis=1)) <= {0.0, 1.0} and shares.any()
