"""A bot that thinks in a process of its own; one that somebody wrote may not think for ever."""

from __future__ import annotations

from typing import Any

from spellheist.bots.search import Thought
from spellheist.bots.thinker import MOVE, READY, THOUGHTS, Thinker, question
from spellheist.core.dice import Luck
from spellheist.core.game import Game
from spellheist.core.kernel import MODE
from spellheist.core.memory import Past

PATIENCE = 60.0  # seconds for an answer of a bot that somebody wrote
FIRST = 240.0  # and for being ready: what it uses may have to be compiled


class Bot:
    def __init__(self, name: str, game: Game) -> None:
        self.name, self.game = name, game
        self.own = name.endswith(".py")
        self.thinker = Thinker(MODE if self.own else "fast")
        if self.own:
            self.answer({"wants": READY, "bot": name, "game": game.where}, FIRST)

    def choose(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> int:
        return int(self.ask(MOVE, view, seat, past, rng))

    def think(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> list[Thought]:
        """Every move with its chance to win."""
        return [Thought(**thought) for thought in self.ask(THOUGHTS, view, seat, past, rng)]

    def ask(self, wants: str, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> Any:
        packed, seen = self.game.rules.State.pack(view), Past.of(past)
        asks = question(wants, self.name, self.game, packed, seat, seen, rng.below(1 << 31))
        return self.answer(asks, PATIENCE if self.own else None)

    def answer(self, question: dict[str, Any], patience: float | None) -> Any:
        self.thinker.begin()
        return self.thinker.answer(question, patience)

    def close(self) -> None:
        """End the process."""
        self.thinker.stop()
