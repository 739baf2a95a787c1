"""A game drawn as text: the table of its folder, as the terminal shows it."""

from __future__ import annotations

from typing import Any

from spellheist.core.game import Game

WIDTH = 100


def drawn(game: Game, view: Any, seat: int, names: list[str]) -> str:
    """The table as one seat (or WATCHER) sees it; where a game has none to draw, its fields."""
    if not (game.folder / "table.py").is_file():
        return "\n".join(f"{name}: {getattr(view, name)}" for name in game.rules.State.fields)
    from rich.console import Console

    console = Console(width=WIDTH, color_system=None, force_terminal=False)
    with console.capture() as said:
        console.print(game.module("table").draw(view, seat, names))
    return "\n".join(line.rstrip() for line in said.get().splitlines())
