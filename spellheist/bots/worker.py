"""Bots in a process of their own, compiled, while this one stays plain or answers others.

`Thinker` starts `python -m spellheist.bots.worker` and speaks with it in lines of JSON: a question with the
game, the bot, the view, the seat and its past; an answer with all thoughts. The worker gets a view and nothing
else. A worker that dies is started anew at the next question.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from typing import Any

from spellheist.bots.search import Thought
from spellheist.core.dice import Luck
from spellheist.core.game import Game, Refused, find
from spellheist.core.play import Past


class Thinker:
    """A bot that thinks in another process."""

    def __init__(self, name: str, game: Game) -> None:
        self.name, self.game = name, game
        self.process: subprocess.Popen[str] | None = None

    def choose(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> int:
        return max(self.think(view, seat, past, rng), key=lambda thought: thought.share).move

    def think(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> list[Thought]:
        """Every move with its chance to win."""
        question = {
            "game": self.game.name, "bot": self.name, "view": self.game.rules.State.pack(view).hex(),
            "seat": seat, "past": past, "seed": rng.below(1 << 31),
            "views": [view.hex() for view in getattr(past, "views", [])],
        }  # fmt: skip
        answer = self.ask(question)
        if "refused" in answer:
            raise Refused(answer["refused"])
        return [Thought(**thought) for thought in answer["thoughts"]]

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        if self.process is not None and self.process.poll() is not None:
            self.close()
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "spellheist.bots.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                env={**os.environ, "SPELLHEIST_KERNEL": "fast"}, start_new_session=True,
            )  # fmt: skip
        assert self.process.stdin and self.process.stdout
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise Refused(f"The bot {self.name} has stopped thinking.")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the worker."""
        if self.process is not None:
            with suppress(BrokenPipeError):
                self.process.communicate(timeout=10)
        self.process = None


def serve() -> None:
    """Answer questions until there are no more."""
    from spellheist.bots import bot

    made: dict[tuple[str, str], Any] = {}
    for line in sys.stdin:
        question = json.loads(line)
        try:
            key = question["game"], question["bot"]
            if key not in made:
                made[key] = bot(question["bot"], find(question["game"]))
            print(json.dumps({"thoughts": thoughts(made[key], question)}), flush=True)
        except Refused as refusal:
            print(json.dumps({"refused": str(refusal)}), flush=True)


def thoughts(player: Any, question: dict[str, Any]) -> list[dict[str, Any]]:
    view = find(question["game"]).rules.State.unpack(bytes.fromhex(question["view"]))
    plies = [(who, move) for who, move in question["past"]]
    past = Past(plies, [bytes.fromhex(view) for view in question["views"]])
    if not hasattr(player, "think"):
        chosen = player.choose(view, question["seat"], past, Luck(question["seed"]))
        return [vars(Thought(chosen, 0.0, 1.0, 1.0))]
    found = player.think(view, question["seat"], past, Luck(question["seed"]))
    return [vars(thought) for thought in found]


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # whoever asked is gone
        serve()
