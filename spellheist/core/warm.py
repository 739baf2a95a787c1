"""Warming up: compile a game's kernels ahead of time, by using each once."""

from __future__ import annotations

from pathlib import Path

from spellheist.core import kernel
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import Game
from spellheist.core.play import new

PLAYOUTS = Path(__file__).parent / "templates" / "playouts.py"


def warm_up(game: Game) -> None:
    """Play a game through the door and some at random."""
    luck = Luck(1)
    play = new(game, game.seats[0])
    play.view(0)
    while play.asks(luck):
        moves = play.legal()
        play.play(moves[luck.below(len(moves))])
    play.score()
    playouts = game.bound(PLAYOUTS)
    states = kernel.rows(game.rules.State, 1 + play.seats)
    kernel.load(game.rules.State, states, 0, play.bytes)
    game.verbs.views(states, 0)
    numbers = kernel.Numbers(game.rules.State).load(play.bytes)
    kernel.change(numbers, numbers, kernel.shorts(len(numbers)))
    generators = rngs(1)
    start(generators, 0, 1)
    playouts.random_games(states, 0, generators, 0, 1, kernel.reals(playouts.STATS))
