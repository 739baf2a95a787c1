"""Bots in a process of their own, compiled, while this one stays plain or answers others.

`Thinker` starts `python -m spellheist.bots.worker` and speaks with it in lines of JSON: a question with the
game, the bot, the view, the seat and its past, and what is asked for; an answer with a move, or with all thoughts. The
worker gets a view and nothing else. A worker that dies is started anew at the next question.
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

MOVE, THOUGHTS = "move", "thoughts"  # what a worker can be asked for


def question(asked: str, bot: str, game: Game, view: bytes, seat: int, past: Past, seed: int) -> dict[str, Any]:
    """What a worker is asked: all that it ever gets."""
    return {
        "asked": asked, "bot": bot, "game": game.where, "view": view.hex(), "seat": seat, "past": list(past),
        "views": [view.hex() for view in past.views], "seed": seed,
    }  # fmt: skip


class Thinker:
    """A bot that thinks in another process."""

    def __init__(self, name: str, game: Game) -> None:
        self.name, self.game = name, game
        self.process: subprocess.Popen[str] | None = None

    def choose(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> int:
        return int(self.ask(MOVE, view, seat, past, rng))

    def think(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> list[Thought]:
        """Every move with its chance to win."""
        return [Thought(**thought) for thought in self.ask(THOUGHTS, view, seat, past, rng)]

    def ask(self, asked: str, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> Any:
        seen = Past(past, getattr(past, "views", []))
        packed = self.game.rules.State.pack(view)
        answer = self.answer(question(asked, self.name, self.game, packed, seat, seen, rng.below(1 << 31)))
        if "refused" in answer:
            raise Refused(answer["refused"])
        return answer[asked]

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """What the worker says; it is started if there is none."""
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
        said: dict[str, Any] = json.loads(line)
        return said

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
            print(json.dumps({question["asked"]: answer(made[key], question)}), flush=True)
        except Refused as refusal:
            print(json.dumps({"refused": str(refusal)}), flush=True)


def answer(player: Any, question: dict[str, Any]) -> Any:
    """A move, or thoughts, the best first."""
    view = find(question["game"]).rules.State.unpack(bytes.fromhex(question["view"]))
    plies = [(who, move) for who, move in question["past"]]
    past = Past(plies, [bytes.fromhex(view) for view in question["views"]])
    asked = view, question["seat"], past, Luck(question["seed"])
    if question["asked"] == MOVE:
        return player.choose(*asked)
    if not hasattr(player, "think"):
        raise Refused(f"The bot {question['bot']} does not search, so it has no thoughts.")
    return [vars(thought) for thought in player.think(*asked)]


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # whoever asked is gone
        serve()
