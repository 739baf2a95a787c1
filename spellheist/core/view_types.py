"""The types of a game's views: a Protocol with a line a field, written from the State in its rules."""

from __future__ import annotations

from spellheist.core.game import Game
from spellheist.core.observation import meanings

HEAD = '''"""What a seat sees of {title}, for type checkers. Written by `make golden` from the State in `rules.py`."""

from typing import Protocol


class View(Protocol):
    """A view, or the whole truth: whole numbers, and lists of them."""

'''
KINDS = ("int", "list[int]", "list[list[int]]")


def view_types(game: Game) -> str:
    """The text of a game's `view.py`."""
    said = meanings(game)
    lines = []
    for name, field in game.rules.State.fields.items():
        comment = "" if said[name] == name.replace("_", " ") else f"  # {said[name]}"
        lines.append(f"    {name}: {KINDS[len(field.shape)]}{comment}\n")
    return HEAD.format(title=game.title) + "".join(lines)
