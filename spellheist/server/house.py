"""The house: what may be done at a table. Each function answers with the entry that a request makes, or refuses with
a sentence; nothing changes here. Times are given, in milliseconds.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from spellheist.bots import LEVELS, NAMES
from spellheist.core.dice import Fair
from spellheist.core.game import Deck, Game, Refused
from spellheist.core.play import Play, new
from spellheist.core.record import clean
from spellheist.core.speech import listed, whose
from spellheist.core.state import ANYONE
from spellheist.server import entries as e
from spellheist.server import wire
from spellheist.server.sights import eyes_for
from spellheist.server.tables import REVEAL, Chair, Table

BOT_NAMES = ("Morgana", "Merlin", "Circe", "Prospero", "Medea", "Alcina", "Sycorax", "Klingsor", "Armida", "Vivien")
STAND_IN = "steady"  # the bot that plays for those who are away
LEVEL_SENTENCES = {
    "random": "plays any legal move",
    "greedy": "follows rules of thumb",
    "gentle": "looks a little ahead",
    "steady": "thinks before it moves",
    "sharp": "thinks hard",
    "master": "as strong as we can make it",
}
assert set(LEVEL_SENTENCES) == set(NAMES) and STAND_IN in LEVELS


class NoTable(Refused):
    """There is no table of that name."""


class NotYours(Refused):
    """Only somebody else may do that."""


class Quicker(Refused):
    """Somebody else was quicker."""


# Making a table.


def make(asked: wire.TableIn, game: Game, token: str, secret: bytes, now: int) -> e.Made:
    """A table as somebody asks for it."""
    settings = game.settings(len(asked.chairs), options(game, asked.options))
    play = Play(game, len(asked.chairs), settings)
    clock = e.Clock(asked.clock.kind, asked.clock.seconds)
    if clock.kind != "none" and clock.seconds < 5:
        raise Refused("A clock gives at least 5 seconds a move.")
    return e.Made(
        at=now, game=game.name, seats=play.seats, signature=game.signature, deck=e.deck_hash(play.bytes),
        settings={o.name: o.show(settings[o.name]) for o in game.options if settings[o.name] != o.default},
        secret=secret.hex(), host=token, chairs=seatings(asked, token), clock=clock, listed=asked.listed,
        watchers=asked.watchers, hints=asked.hints, leavers=asked.leavers, compensation=asked.compensation,
    )  # fmt: skip


def options(game: Game, given: dict[str, Any]) -> dict[str, Any]:
    """The options that a page gave. A deck is given as its text, never as a file of this machine."""
    for name, value in given.items():
        if not isinstance(value, str | int | bool | list) or len(str(value)) > 65536:
            raise Refused(f"The option {name[:40]!r} has no value of a kind that options have.")
        if isinstance(game.option(name), Deck) and value != "standard" and "\n" not in str(value):
            raise Refused("The option deck takes standard or the text of a deck.")
    return given


def seatings(asked: wire.TableIn, token: str) -> list[e.Seating]:
    names: list[str] = []
    made = []
    for chair in asked.chairs:
        if chair.kind == "open":
            made.append(e.Seating("open"))
        elif chair.kind == "me":
            name = fit_name(chair.name or asked.name or "Host", names)
            made.append(e.Seating("person", name, token=token, promise=chair.promise or ""))
        else:
            level = chair.level or STAND_IN
            if level not in NAMES:
                raise Refused(f"There is no bot {level!r}; there are {listed(NAMES)}.")
            made.append(e.Seating("bot", fit_name(chair.name or spare_name(names), names), level))
        names.append(made[-1].name)
    return made


def spare_name(taken: list[str]) -> str:
    return next(name for name in BOT_NAMES if name not in taken)


def fit_name(name: str, taken: list[str]) -> str:
    """A name on one line that nobody else at the table has."""
    name = clean("".join(letter for letter in name if letter.isprintable()))[:24].strip()
    if name.lower() in ("you", "chance", "the judge", "?"):
        name = f"{name} 1"
    if name not in taken:
        return name
    return next(f"{name} {n}" for n in range(2, 99) if f"{name} {n}" not in taken)


def again(table: Table, secret: bytes, token: str, now: int) -> e.Made:
    """A table for the same people with the same settings."""
    made = table.made
    if table.state not in ("over", "closed"):
        raise Refused("A rematch comes after the game.")
    chairs = [e.Seating(c.kind, c.name, "" if c.kind == "person" else c.level, c.token) for c in table.chairs]  # type: ignore[arg-type]
    play = new(table.game, made.seats, dict(made.settings))
    return e.Made(
        at=now, game=made.game, seats=made.seats, signature=table.game.signature, deck=e.deck_hash(play.bytes),
        settings=made.settings, secret=secret.hex(), host=token, chairs=chairs, clock=made.clock, listed=made.listed,
        watchers=made.watchers, hints=made.hints, leavers=made.leavers, compensation=made.compensation,
    )  # fmt: skip


# Sitting down and standing up.


def sit(table: Table, asked: wire.SitIn, token: str, now: int) -> e.Sat | e.Back | None:
    """Take a seat, say something else about the own one, or come back to it; whoever sits there already stays."""
    chair = chair_at(table, asked.seat)
    own = chair.kind == "person" and chair.token == token
    begun = table.state in ("promising", "playing", "paused")
    if own and begun and not chair.away:
        return None
    if own and begun:
        if chair.final:
            raise Refused("Whoever has given up a seat for good cannot come back to it.")
        return e.Back(at=now, seat=asked.seat)
    if table.state != "gathering":
        raise Quicker("The game has begun already.")
    if chair.kind == "bot":
        raise Quicker("A bot sits there.")
    if chair.kind == "person" and not own:
        raise Quicker("Somebody else sits there already.")
    names = [name for seat, name in enumerate(table.names) if seat != asked.seat]
    return e.Sat(
        at=now, seat=asked.seat, name=fit_name(asked.name, names), token=token, promise=asked.promise or chair.promise
    )


def rise(table: Table, seat: int, token: str, now: int) -> e.Rose | e.Away:
    """Leave a seat: before the game it is free again, during it a bot plays on."""
    mine(table, seat, token)
    if table.state in ("gathering", "promising"):
        if table.state == "promising":
            raise Refused("The game is just beginning.")
        return e.Rose(at=now, seat=seat)
    playing(table)
    if table.chairs[seat].away:
        raise Refused("A bot plays there already.")
    if table.made.leavers == "wait" and table.two_sides():
        raise Refused("This table waits for those who leave; to give up, resign.")
    return e.Away(at=now, seat=seat, level=STAND_IN)


def chair_at(table: Table, seat: int) -> Chair:
    if not 0 <= seat < table.seats:
        raise Refused(f"There is no seat {seat}; the seats are 0 to {table.seats - 1}.")
    return table.chairs[seat]


def mine(table: Table, seat: int, token: str) -> None:
    if chair_at(table, seat).token != token or not token:
        raise NotYours("That seat is not yours.")


def host(table: Table, token: str) -> None:
    if not token or table.made.host != token:
        raise NotYours("Only the host of the table can do that.")


def playing(table: Table) -> None:
    """The game is under way, paused or not."""
    if table.state in ("gathering", "promising"):
        raise Refused("The game has not begun.")
    if table.state not in ("playing", "paused"):
        raise Refused(table.reason or "The game is over.")


# The start.


def ask_start(table: Table, seat: int, token: str, number: int, now: int) -> e.Asked:
    host(table, token)
    if table.state != "gathering":
        raise Refused("The game has begun already.")
    free = [str(k) for k, chair in enumerate(table.chairs) if chair.kind == "open"]
    if free:
        raise Refused(f"{f'Seat {free[0]} is' if len(free) == 1 else f'Seats {listed(free)} are'} still free.")
    return e.Asked(at=now, seat=seat, id=number)


def reveal(table: Table, seat: int, token: str, words: str, now: int) -> e.Revealed:
    """The words that were promised."""
    mine(table, seat, token)
    if table.state != "promising":
        raise Refused("Words are revealed when the game begins.")
    chair = table.chairs[seat]
    if chair.words:
        raise Refused("These words are known already.")
    if clean(words) != words or not words.isprintable():
        raise Refused("The words must be one line without | and without spaces at its ends or doubled.")
    if hashlib.sha256(words.encode()).hexdigest() != chair.promise:
        raise Refused("These are not the words that were promised: their SHA-256 is another.")
    return e.Revealed(at=now, seat=seat, words=words)


def begin(table: Table, now: int) -> e.Begun | None:
    """The first plies, when all words are there or the time for them is over."""
    if table.state != "promising":
        return None
    waiting = [k for k, chair in enumerate(table.chairs) if chair.promise and not chair.words]
    if waiting and now < table.asked_at + REVEAL:
        return None
    words = [chair.words for chair in table.chairs if chair.words]
    ahead = table.play.ahead(Fair(bytes.fromhex(table.made.secret), words))
    return e.Begun(at=now, words=words, left_out=waiting, plies=ahead.plies, check=e.checksum(ahead.end))


# Playing.


def move(table: Table, seat: int, ply: int, chosen: int, number: int, now: int, by: str = "") -> e.Moved:
    """A decision, with the chance that follows it."""
    playing(table)
    if table.state == "paused":
        raise Refused("The game is paused.")
    if table.chairs[seat].away and not by:
        raise Refused("A bot plays for you; take your seat back first.")
    if ply != table.play.ply:
        raise Refused("The game has moved on since.")
    ahead = table.play.ahead(table.dice, (chosen, seat))
    return e.Moved(at=now, seat=seat, plies=ahead.plies, check=e.checksum(ahead.end), id=number, by=by)


def late(table: Table, now: int) -> e.Resigned | int | None:
    """Somebody's time is over: lost with two sides, else the seat whose move a bot makes. None: nobody's."""
    deadline = table.deadline()
    if deadline is None or now < deadline:
        return None
    seat = table.play.turn
    return e.Resigned(at=now, seat=seat, late=True) if table.two_sides() else seat


def resign(table: Table, seat: int, number: int, now: int) -> e.Resigned | e.Away:
    playing(table)
    if table.chairs[seat].away:
        raise Refused("A bot plays there already.")
    if table.two_sides():
        return e.Resigned(at=now, seat=seat, id=number)
    return e.Away(at=now, seat=seat, level=STAND_IN, final=True, id=number)


def undo(table: Table, seat: int, ply: int, number: int, now: int) -> e.Wished:
    """Ask to take the last own move back."""
    playing(table)
    plies = table.play.plies
    if ply != len(plies):
        raise Refused("The game has moved on since.")
    if table.wish:
        raise Refused(f"{whose(table.chairs[table.wish.by].name)} wish to take a move back comes first.")
    if not plies or plies[-1].who != seat:
        raise Refused("Only your own move can be taken back, and only while nothing else has happened since.")
    if table.play.turn == ANYONE or not table.recent:
        raise Refused("This move cannot be taken back.")
    if eyes_for(table.game.name).reveals(table.recent[-1], plies[-1].move, table.seats):
        raise Refused("Your move has shown somebody something that was hidden, so it stands.")
    alone = not any(chair.person for k, chair in enumerate(table.chairs) if k != seat)
    before = e.checksum(table.recent[-1])
    return e.Wished(at=now, seat=seat, id=number, to=len(plies) - 1, done=alone, check=before if alone else 0)


def agree(table: Table, seat: int, yes: bool, number: int, now: int) -> e.Agreed:
    if table.wish is None or seat not in table.wish.waits_for:
        raise Refused("There is nothing to agree to.")
    done = yes and table.wish.waits_for == [seat]
    return e.Agreed(at=now, seat=seat, id=number, yes=yes, done=done, check=e.checksum(table.recent[-1]) if done else 0)


# Around the game.


def kick(table: Table, seat: int, token: str, by: int, number: int, now: int) -> e.Rose | e.Away:
    host(table, token)
    chair = chair_at(table, seat)
    if chair.kind != "person" or chair.token == token:
        raise Refused("Only another person can be sent away.")
    if table.state == "gathering":
        return e.Rose(at=now, seat=seat, by_host=True)
    playing(table)
    if chair.final:
        raise Refused("A bot plays there already.")
    return e.Away(at=now, seat=seat, level=STAND_IN, final=True, by_host=True)


def pause(table: Table, on: bool, token: str, seat: int, number: int, now: int) -> e.Paused:
    host(table, token)
    playing(table)
    if (table.state == "paused") == on:
        raise Refused("The game is paused already." if on else "The game is not paused.")
    return e.Paused(at=now, on=on, seat=seat, id=number)


def close(table: Table, token: str | None, seat: int, number: int, now: int) -> e.Closed:
    """Close a table; a token of None is the operator's."""
    if token is not None:
        host(table, token)
    if table.state in ("over", "closed"):
        raise Refused("The table is closed already." if table.state == "closed" else "The game is over.")
    reason = "The table was closed." if token is None else "The host has closed the table."
    return e.Closed(at=now, reason=reason, seat=seat, id=number)


def chat(table: Table, seat: int, text: str, number: int, now: int) -> e.Said:
    text = re.sub(r"\s+", " ", "".join(c for c in text if c.isprintable() or c.isspace())).strip()
    if not text:
        raise Refused("There is nothing to say in that.")
    return e.Said(at=now, seat=seat, text=text, id=number)
