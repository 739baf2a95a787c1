"""Bots: players that see what their seat sees, and nothing else.

A bot is made for one game and answers `choose(view, seat, past, rng) -> move`. Those that search also answer
`think(view, seat, past, rng)`: every move with its chance to win, the error of that, and the share of thought.
Where anyone may move, NONE is an answer too: to do nothing now (see `knowledge`).

Bots have names: `random`, `greedy` (the game's rules of thumb), and the levels of search `gentle`, `steady`,
`sharp` and `master`. A level thinks for so many iterations a move; another budget can be asked for, in
iterations or in milliseconds: `master@500`, `sharp@100ms`; and other constants of the search, such as
`sharp@500,explore=0.3` (explore, trust, follow, sharp: see `knowledge`). A bot of your own is a Python file with a function
`choose(view, seat, past, rng)`, and its name is the path of the file, with `.py` at the end; `examples/careful.py` is
one. It plays in a process of its own, which gets views, and so cannot look at what it should not know.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, Protocol

from spellheist.core.dice import Luck
from spellheist.core.game import Game
from spellheist.core.refused import Refused, did_you_mean

LEVELS = {"gentle": 24, "steady": 200, "sharp": 1_600, "master": 12_800}  # iterations a move
NAMES = ("random", "greedy", *LEVELS)
CONSTANTS = ("explore", "trust", "follow", "sharp")


class Bot(Protocol):
    """A player of one game."""

    def choose(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> int:
        """The move of this seat, from its view and its past; NONE to wait where anyone may move."""
        ...


def bot(name: str, game: Game, threads: int = 1, elsewhere: bool = False) -> Bot:
    """The bot of this name, made for a game. One that somebody wrote thinks in a process of its own, one that searches too
    if `elsewhere`."""
    made: Bot
    if name.endswith(".py"):
        made = import_module("spellheist.bots.elsewhere").Bot(name, game)
        return made
    level, at, budget = name.partition("@")
    if level not in NAMES:
        raise Refused(f"There is no bot {name!r}. The bots are {', '.join(NAMES)}.{did_you_mean(level.lower(), NAMES)}")
    if level not in LEVELS:
        if at:
            raise Refused(f"The bot {level} takes no budget.")
        made = import_module(f"spellheist.bots.{level}").Bot(game)
        return made
    thinking = _budget(name, level, at, budget)
    if elsewhere:
        made = import_module("spellheist.bots.elsewhere").Bot(name, game)
    else:
        made = import_module("spellheist.bots.search").Bot(game, threads=threads, exact=level == "master", **thinking)
    return made


def warm(player: Bot, game: Game) -> None:
    """Let a bot make the first decision of a game, so that everything it needs is compiled."""
    from spellheist.core.play import new

    play = new(game, game.seats[0])
    play.roll_all(Luck(1))
    player.choose(play.view(play.turn), play.turn, play.recall(play.turn), Luck(1))
    if isinstance(player, import_module("spellheist.bots.search").Bot):
        player.reached(player.trees[0], play.turn, play.legal()[:1])  # which only later decisions ask for


def moves(game: Game, view: Any, seat: int) -> dict[int, str]:
    """What a seat may do, read from its view, with the words for each; NONE is to wait, where anyone may move."""
    from spellheist.bots.knowledge import own_moves
    from spellheist.core import kernel
    from spellheist.core.state import NONE

    found = own_moves(game, kernel.rows(game.rules.State, 1), view, seat)
    return {move: "wait" if move == NONE else game.words.label(view, move) for move in found}


def _budget(name: str, level: str, at: str, budget: str) -> dict[str, Any]:
    """How long to think, and with which constants."""
    if not at:
        return {"iterations": LEVELS[level]}
    amount, *constants = budget.split(",")
    match = re.fullmatch(r"([0-9]{1,9})(ms)?", amount)
    if not match or not int(match[1]):
        raise Refused(f"The budget of {name!r} must be iterations, or milliseconds such as 100ms, above zero.")
    found: dict[str, Any] = {"seconds": int(match[1]) / 1000} if match[2] else {"iterations": int(match[1])}
    for constant in constants:
        given = re.fullmatch(rf"({'|'.join(CONSTANTS)})=([0-9]{{1,3}}(?:\.[0-9]{{1,6}})?)", constant)
        if not given:
            raise Refused(f"{constant!r} is not a constant of the search such as explore=0.5: {', '.join(CONSTANTS)}.")
        found[given[1]] = float(given[2])
    return found
