"""What the `bot.py` of a game thinks of a position."""

from __future__ import annotations

from typing import Any

from spellheist.core import kernel
from spellheist.core.game import Game
from spellheist.core.play import Play


class Thoughts:
    """Those of one game."""

    def __init__(self, game: Game) -> None:
        self.rules, self.known = game.rules, game.bot

    def row(self, play: Play) -> Any:
        """A position as kernels take it."""
        states = kernel.rows(self.rules.State, 1)
        kernel.load(self.rules.State, states, 0, play.bytes)
        return states

    def advice(self, states: Any, seat: int, moves: list[int]) -> list[float]:
        """The weight of each move."""
        ids, weights = kernel.shorts(len(moves)), kernel.reals(len(moves))
        for i, move in enumerate(moves):
            ids[i] = move
        self.known.advise(states[0], seat, ids, len(moves), weights)
        return [float(weights[i]) for i in range(len(moves))]

    def shares(self, play: Play) -> list[float]:
        """What each seat may hope for."""
        out = kernel.reals(self.rules.SEATS)
        self.known.value(self.row(play)[0], out)
        return [float(out[seat]) for seat in range(play.seats)]
