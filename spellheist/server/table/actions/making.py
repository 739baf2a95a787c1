"""Making a table: who is to sit there, and what is played."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from spellheist.bots import NAMES
from spellheist.core.dice import Fair
from spellheist.core.game import Game, find
from spellheist.core.options import Deck
from spellheist.core.play import Play, new
from spellheist.core.record import clean
from spellheist.core.refused import Refused
from spellheist.core.speech import listed
from spellheist.server.http import bodies
from spellheist.server.table import levels
from spellheist.server.table.journal import Entry, deck_hash
from spellheist.server.table.table import Chair, Differs, Table
from spellheist.server.text import cut, tidy

BOT_NAMES = ("Morgana", "Merlin", "Circe", "Prospero", "Medea", "Alcina", "Sycorax", "Klingsor", "Armida", "Vivien")


class Seating(msgspec.Struct, omit_defaults=True, frozen=True):
    """A chair as the table was made: who is to sit there."""

    kind: Literal["person", "bot", "open"]
    name: str = ""
    level: str = ""
    token: str = ""  # the hash of the person's token
    promise: str = ""


class Clock(msgspec.Struct, omit_defaults=True, frozen=True):
    """How long a move may take."""

    kind: Literal["none", "move", "days"] = "none"
    seconds: int = 0


class Made(Entry, tag="made", frozen=True):
    """The table: always the first entry."""

    game: str
    seats: int
    settings: dict[str, str]
    signature: str  # of the rules, when the table was made
    deck: str  # the hash of what is in the state before the first ply
    secret: str
    host: str  # the hash of the token of whoever made the table
    chairs: list[Seating]
    clock: Clock = Clock()
    listed: bool = False
    watchers: bool = True
    hints: bool = False
    leavers: Literal["bot", "wait"] = "bot"
    compensation: int = 300  # of the live window: the most milliseconds of lag that are ever taken off

    def apply(self, table: Table) -> None:
        table.made, table.seats = self, self.seats
        table.game = find(self.game)
        table.play = new(table.game, self.seats, dict(self.settings))
        table.chairs = [Chair(c.kind, c.name, c.level, c.token, c.promise) for c in self.chairs]
        table.dice = Fair(bytes.fromhex(self.secret))
        table.name_chairs()
        if self.signature != table.game.signature or self.deck != deck_hash(table.play.bytes):
            raise Differs(f"The rules of {table.game.title} have changed since this table was made, so it cannot go on.")

    def holders(self) -> tuple[tuple[str, int], ...]:
        return tuple((chair.token, seat) for seat, chair in enumerate(self.chairs) if chair.token)


def make(body: bodies.TableIn, game: Game, token: str, secret: bytes) -> Made:
    """A table as somebody wants it."""
    clock = Clock(body.clock.kind, body.clock.seconds)
    people = sum(chair.kind != "bot" for chair in body.chairs)
    given = options(game, body.options)
    settings = game.table_settings(given, len(body.chairs), people, over_days=clock.kind == "days")
    play = Play(game, len(body.chairs), settings)
    if clock.kind != "none" and clock.seconds < 5:
        raise Refused("A clock must give at least 5 seconds a move.")
    return Made(
        game=game.name, seats=play.seats, signature=game.signature, deck=deck_hash(play.bytes),
        settings={o.name: o.show(settings[o.name]) for o in game.options if settings[o.name] != o.default},
        secret=secret.hex(), host=token, chairs=seatings(body, token), clock=clock, listed=body.listed,
        watchers=body.watchers, hints=body.hints, leavers=body.leavers, compensation=body.compensation,
    )  # fmt: skip


def options(game: Game, given: dict[str, Any]) -> dict[str, Any]:
    """The options that a page gave. A deck is given as its text, never as a file of this machine."""
    for name, value in given.items():
        if not isinstance(value, str | int | bool | list) or len(str(value)) > 65536:
            raise Refused(f"The option {name[:40]!r} has a value of a kind that no option takes.")
        if isinstance(game.option(name), Deck) and value != "standard" and "\n" not in str(value):
            raise Refused("The option deck takes standard or the text of a deck.")
    return given


def seatings(body: bodies.TableIn, token: str) -> list[Seating]:
    names: list[str] = []
    made = []
    for chair in body.chairs:
        if chair.kind == "open":
            made.append(Seating("open"))
        elif chair.kind == "me":
            name = fit_name(chair.name or body.name or "Host", names)
            made.append(Seating("person", name, token=token, promise=chair.promise or ""))
        else:
            level = chair.level or levels.STAND_IN
            if level not in NAMES:
                raise Refused(f"There is no bot {level!r}. The bots are {listed(NAMES)}.")
            made.append(Seating("bot", fit_name(chair.name or spare_name(names), names), level))
        names.append(made[-1].name)
    return made


def spare_name(taken: list[str]) -> str:
    return next(name for name in BOT_NAMES if name not in taken)


def fit_name(name: str, taken: list[str]) -> str:
    """A name on one line that nobody else at the table has."""
    name = clean(cut(tidy(name), 24))
    if name.lower() in ("you", "chance", "the judge", "?"):
        name = f"{name} 1"
    if name not in taken:
        return name
    return next(f"{name} {n}" for n in range(2, 99) if f"{name} {n}" not in taken)
