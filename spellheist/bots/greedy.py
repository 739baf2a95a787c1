"""A bot that follows the game's rules of thumb: the move that its `bot.py` advises most."""

from __future__ import annotations

from typing import Any

from spellheist.bots.knowledge import own_moves, with_knowledge
from spellheist.core import kernel
from spellheist.core.dice import Luck
from spellheist.core.game import Game


class Bot:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.advice = with_knowledge(game, "advice")
        self.views = kernel.rows(game.rules.State, 1)
        self.moves = kernel.shorts(game.rules.MOVES + 1)
        self.weights = kernel.reals(game.rules.MOVES + 1)

    def choose(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> int:
        mine = set(own_moves(self.game, self.views, view, seat))
        count = self.advice.advised(self.views, 0, seat, self.moves, self.weights)
        advised = [(float(self.weights[i]), int(self.moves[i])) for i in range(count) if int(self.moves[i]) in mine]
        best = max(weight for weight, _ in advised)
        equal = [move for weight, move in advised if weight == best]
        return equal[rng.below(len(equal))]
