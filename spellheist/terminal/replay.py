"""A recorded game told again in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from spellheist.core import record
from spellheist.core.play import Play
from spellheist.core.refused import Refused
from spellheist.core.state import WATCHER


def told(file: Path) -> dict[str, Any]:
    """The whole game: every ply with its words and its news. A finished game has no secrets."""
    loaded = record.load(file)
    played = loaded.replay()
    again = loaded.start()
    plies = []
    for ply, (_, who, words) in zip(played.plies, loaded.plies, strict=True):
        before = sight(again, played.over)
        again.repeat(ply)
        shown = ply.move if played.over else again.past(WATCHER)[-1][1]
        news = again.game.words.news(before, shown, sight(again, played.over), again.names)
        plies.append({"ply": again.ply, "who": who, "words": words, "move": ply.move, "news": news})
    return {
        "game": loaded.game.name, "seats": loaded.seats, "names": loaded.names, "plies": plies,
        "over": played.over, "shares": played.score() if played.over else None,
        "standings": loaded.game.words.standings(played.state) if played.over else [],
    }  # fmt: skip


def sight(play: Play, finished: bool) -> Any:
    return play.state if finished else play.view(WATCHER)


def show(file: Path) -> None:
    """Print the game, a line a ply."""
    console = Console(highlight=False)
    game = told(file)
    for ply in game["plies"]:
        console.print(Text.assemble((f"{ply['ply']:4} ", "dim"), ply["news"]))
    if game["over"]:
        parts = [f"{name} {share:.3g}" for name, share in zip(game["names"], game["shares"], strict=True)]
        console.print(Text(f"The win: {', '.join(parts)}", "bold"))
        said = [f"{name} {words}" for name, words in zip(game["names"], game["standings"], strict=False)]
        if said:
            console.print(Text(f"At the end: {'; '.join(said)}"))
    else:
        console.print(Text("The game is not over.", "bold"))


def table_at(file: Path, at: int) -> None:
    """Draw the table after a ply."""
    loaded = record.load(file)
    played = loaded.replay()
    if not 0 <= at <= played.ply:
        raise Refused(f"{file} has {played.ply} plies; there is no ply {at}.")
    again = loaded.start()
    for ply in played.plies[:at]:
        again.repeat(ply)
    state = sight(again, played.over)
    console = Console(highlight=False)
    console.print(again.game.table.draw(state, WATCHER, again.names))
    console.print(Text(again.game.words.question(state, again.names), "bold"))
