"""Who sits at a table in the terminal: people at the keyboard, and bots."""

from __future__ import annotations

from dataclasses import dataclass

from spellheist.bots import Bot, bot
from spellheist.core.dice import Luck
from spellheist.core.files import worded
from spellheist.core.game import Game
from spellheist.core.play import Play
from spellheist.core.refused import Refused
from spellheist.core.state import NONE

OPPONENT = "greedy"  # where no other was named: plays sensibly, at once, without being compiled
BOT_NAMES = ("Morgana", "Merlin", "Circe", "Prospero", "Medea", "Alcina")


@dataclass
class Player:
    """One seat: its name, how it was named, and its bot unless a person sits there."""

    name: str
    kind: str
    bot: Bot | None


def alone(seats: int) -> str:
    """One person at a table of so many seats, as `players` takes it."""
    return ",".join(["you", *[OPPONENT] * (seats - 1)])


def players(seats: str, game: Game, names: list[str] | None = None) -> list[Player]:
    """The players of '--seats you,greedy=Bob,you=Ann'."""
    parts = [part.strip() for part in seats.split(",")]
    if len(parts) not in game.seats:
        low, high = game.seats[0], game.seats[-1]
        raise Refused(f"{game.title} seats {low} to {high} players, not {len(parts)}.")
    if any("\ud800" <= letter <= "\udfff" for letter in seats):  # bytes that Python could not read: no file takes them
        raise Refused("The players' names are not UTF-8 text.")
    people = [part for part in parts if part.partition("=")[0] == "you"]
    spare = iter(BOT_NAMES)
    made = []
    for seat, part in enumerate(parts):
        kind, _, given = part.partition("=")
        if kind == "you":
            name = given or ("You" if len(people) == 1 else f"Player {seat + 1}")
            made.append(Player(name, kind, None))
        else:
            made.append(Player(given or next(spare), kind, bot(kind, game, elsewhere=True)))
    for player, name in zip(made, names or [], strict=False):
        player.name = name
    if len({player.name for player in made}) < len(made):
        raise Refused("Two seats cannot have the same name.")
    return made


def move_of_bot(player: Player, play: Play, seat: int, luck: Luck, may_wait: bool) -> int | None:
    """What a bot does; None when it waits. Whatever it does wrong is refused with its name and its kind."""
    assert player.bot
    who = f"{player.name} ({player.kind})"
    try:
        move = player.bot.choose(play.view(seat), seat, play.recall(seat), luck)
    except Refused as refusal:
        raise Refused(f"{who} made no move. {refusal}") from refusal
    if move == NONE:
        if may_wait:
            return None
        raise Refused(f"{who} answered NONE, to wait, but it must move here.")
    if move not in play.legal(seat):
        raise Refused(f"{who} answered {worded(move)}, which is not a legal move here.")
    return move
