"""Beginning a game in the terminal, or going on with a saved one."""

from __future__ import annotations

import secrets
from pathlib import Path

from rich.console import Console
from rich.text import Text

from spellheist.core import record
from spellheist.core.dice import Dice, Fair, Luck
from spellheist.core.files import check_writable
from spellheist.core.game import Game, find, names
from spellheist.core.memory import Ply
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE
from spellheist.terminal.game import Session
from spellheist.terminal.players import Player, alone, players


def start(
    name: str | None, seats: str | None, options: dict[str, str], seed: int | None, fair: bool, file: Path | None
) -> None:
    """A new game."""
    if file:
        check_writable(file)
        if file.exists():
            raise Refused(f"{file} already exists; choose another name.")
    console = Console(highlight=False)
    game = find(name) if name else choose_game(console)
    sitting = players(seats or alone(min(3, game.seats[-1])), game)
    play = new(game, len(sitting), options, [player.name for player in sitting])
    dice: Dice = fair_dice(console, sitting) if fair else Luck(secrets.randbits(62) if seed is None else seed)
    console.print(Text(f"{game.title}: {game.sentence}", "bold"))
    if isinstance(dice, Luck):
        console.print(Text(f"For the same dice again: --seed {dice.seed}", "dim"))
    Session(play, sitting, dice, luck_of_bots(dice), console, file).run()


def go_on(path: Path, seats: str | None, file: Path) -> None:
    """A saved game, from where it stands."""
    if file != path:
        check_writable(file)
    loaded = record.load(path)
    play = loaded.replay()
    console = Console(highlight=False)
    if play.over:
        raise Refused(f"The game in {path} is over; `spellheist replay {path}` replays it.")
    if loaded.dice.startswith("fair ") and not loaded.secret:
        raise Refused(f"The game in {path} has fair dice, but the record does not tell their secret, so it cannot go on.")
    sitting = players(who_plays(loaded, seats, path), loaded.game, loaded.names)
    dice = loaded.source() or Luck(secrets.randbits(62))
    if isinstance(dice, Luck):
        catch_up(loaded, play.plies, dice)
    console.print(Text(f"{loaded.game.title}, from ply {play.ply}.", "bold"))
    if loaded.other_rules():
        console.print(Text(f"{loaded.other_rules()} The game continues under the current rules.", "yellow"))
    Session(play, sitting, dice, luck_of_bots(dice, play.ply), console, file).run()


def who_plays(loaded: record.Record, seats: str | None, path: Path) -> str:
    """Who goes on with a saved game, as `players` takes it: somebody in every seat."""
    named = seats or ",".join(loaded.players) or alone(loaded.seats)
    count = len(named.split(","))
    if count != loaded.seats:
        said = "--seats names" if seats else "its list of players names"
        raise Refused(f"The game in {path} has {loaded.seats} seats, but {said} {count}.")
    return named


def catch_up(loaded: record.Record, plies: list[Ply], dice: Luck) -> None:
    """Seeded dice go on where they were: they roll once for each chance ply so far."""
    again = loaded.start()
    for ply in plies:
        if ply.who == CHANCE:
            dice.outcome(again.ply, again.odds())
        again.repeat(ply)


def choose_game(console: Console) -> Game:
    """Ask which game to play."""
    found = [find(name) for name in names()]
    console.print(Text("Which game?", "bold"))
    for n, game in enumerate(found, 1):
        console.print(Text.assemble(f"{n} ", (f"{game.title:16}", "bold"), f" {game.sentence}"))
    while True:
        try:
            answer = console.input("[bold]> [/bold]").strip().lower()
        except (EOFError, KeyboardInterrupt):
            raise Refused("No game was chosen.") from None
        for n, game in enumerate(found, 1):
            if answer and (answer == str(n) or game.name.startswith(answer) or game.title.lower().startswith(answer)):
                return game
        console.print(Text(f"  Type a number from 1 to {len(found)}, or the name of a game.", "yellow"))


def fair_dice(console: Console, sitting: list[Player]) -> Fair:
    """The house shows its commitment, then every person adds words of their own."""
    secret = secrets.token_bytes(32)
    console.print(Text(f"The house commits to its dice. SHA-256 of its secret:\n{Fair(secret).commitment}"))
    people = [player.name for player in sitting if player.bot is None]
    try:
        nonces = [record.clean(console.input(f"{name}, type anything to add to the dice: ")) for name in people]
        return Fair(secret, nonces)
    except (EOFError, KeyboardInterrupt):
        raise Refused("The game was not started: not everybody added to the dice.") from None
    except UnicodeError:
        raise Refused("The game was not started: what was typed for the dice is not UTF-8 text.") from None


def luck_of_bots(dice: Dice, ply: int = 0) -> Luck:
    """What bots draw on: never the dice of the game."""
    return Luck(dice.seed * 31 + ply + 1 if isinstance(dice, Luck) else secrets.randbits(62))
