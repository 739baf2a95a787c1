"""The contract: what the files in a game's folder hold.

Each module here stands for one of those files, and reads like one: its functions and constants are the answers of a game
that says nothing else. `NEEDED` names what every such file has to say itself. A game's own file is completed once, when
it is first used (`Game.rules`, `Game.words`, ...), so nobody else has to ask whether a game has something.

    rules.py    the seven verbs, and questions about them
    words.py    labels, sentences, hints
    table.py    the table in a terminal
    bot.py      what bots know of the game; may be missing
    deck.py     cards that are read from a file; only where the game has a Deck among its options
    window.py   what a live table has to know where all press at once; may be missing
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from inspect import get_annotations
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spellheist.core.game import Game

MAY_BE_MISSING = ("bot", "deck", "window")


def completed(game: Game, file: str) -> ModuleType:
    """A file of a game's folder with the default answers filled in. Refuses one that lacks what it has to say itself."""
    from spellheist.core.refused import Refused

    contract = import_module(f"{__name__}.{file}")
    if (game.folder / f"{file}.py").is_file():
        module = game.module(file)
        for name, sentence in contract.NEEDED.items():
            if not hasattr(module, name.partition("(")[0]):
                raise Refused(f"The file {file}.py of {game.title} lacks {name}: {sentence}.")
    elif file in MAY_BE_MISSING:
        module = ModuleType(f"{game.package}.{file}")
    else:
        raise Refused(f"The folder of {game.title} lacks the file {file}.py.")
    for name, default in defaults(contract):
        if not hasattr(module, name):
            setattr(module, name, default)
    return module


def defaults(contract: ModuleType) -> Iterator[tuple[str, Any]]:
    """What a module of the contract answers itself: its functions, and its constants, which have annotations."""
    constants = get_annotations(contract)
    for name, value in vars(contract).items():
        own = name in constants or (callable(value) and getattr(value, "__module__", "") == contract.__name__)
        if own and name != "NEEDED":
            yield name, value
