"""The house: what may be done at a table. Each function answers with the entry that a request makes, or refuses with
a sentence; nothing changes here. Times are given, in milliseconds.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal

from spellheist.bots import LEVELS, NAMES
from spellheist.core.dice import Fair
from spellheist.core.game import Deck, Game, Refused
from spellheist.core.play import Play, new
from spellheist.core.record import clean
from spellheist.core.speech import listed, whose
from spellheist.core.state import ANYONE
from spellheist.server.http import bodies
from spellheist.server.table import journal as e
from spellheist.server.table.table import CONSENT, REVEAL, Chair, Table
from spellheist.server.table.views import eyes_for
from spellheist.server.text import cut, tidy

WITHOUT_WATCHERS = "This table is played without watchers."
ARCHIVED = "This table was archived; only its record is kept."
GIVEN_UP = "You have given up this seat."
REMOVED = "You were removed from the table."
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


def make(asked: bodies.TableIn, game: Game, token: str, secret: bytes) -> e.Made:
    """A table as somebody asks for it."""
    clock = e.Clock(asked.clock.kind, asked.clock.seconds)
    people = sum(chair.kind != "bot" for chair in asked.chairs)
    given = options(game, asked.options)
    settings = game.table_settings(given, len(asked.chairs), people, over_days=clock.kind == "days")
    play = Play(game, len(asked.chairs), settings)
    if clock.kind != "none" and clock.seconds < 5:
        raise Refused("A clock gives at least 5 seconds a move.")
    return e.Made(
        game=game.name, seats=play.seats, signature=game.signature, deck=e.deck_hash(play.bytes),
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


def seatings(asked: bodies.TableIn, token: str) -> list[e.Seating]:
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
    name = clean(cut(tidy(name), 24))
    if name.lower() in ("you", "chance", "the judge", "?"):
        name = f"{name} 1"
    if name not in taken:
        return name
    return next(f"{name} {n}" for n in range(2, 99) if f"{name} {n}" not in taken)


def again(table: Table, secret: bytes, token: str) -> e.Made:
    """A table for the same people with the same settings."""
    made = table.made
    if table.state not in ("over", "closed"):
        raise Refused("A rematch comes after the game.")
    chairs = [seated_again(chair) for chair in table.chairs]
    play = new(table.game, made.seats, dict(made.settings))
    return e.Made(
        game=made.game, seats=made.seats, signature=table.game.signature, deck=e.deck_hash(play.bytes),
        settings=made.settings, secret=secret.hex(), host=token, chairs=chairs, clock=made.clock, listed=made.listed,
        watchers=made.watchers, hints=made.hints, leavers=made.leavers, compensation=made.compensation,
    )  # fmt: skip


def seated_again(chair: Chair) -> e.Seating:
    """A chair at the next table. That of somebody who was removed, or had given up for good, is open."""
    if chair.kind == "bot":
        return e.Seating("bot", chair.name, chair.level)
    stays = chair.token and not chair.final
    return e.Seating("person", chair.name, token=chair.token) if stays else e.Seating("open")


# Sitting down and standing up.


def sit(table: Table, asked: bodies.SitIn, token: str, now: int) -> e.Sat | e.Back | None:
    """Take a seat, say something else about the own one, or come back to it; whoever sits there already stays."""
    chair = chair_at(table, asked.seat)
    own = chair.kind == "person" and chair.token == token
    begun = table.state in ("promising", "playing", "paused")
    if own and begun and not chair.away:
        return None
    if own and begun:
        if chair.final:
            raise Refused("Whoever has given up a seat for good cannot come back to it.")
        return e.Back(seat=asked.seat, spent=table.used(now))
    if table.state != "gathering":
        raise Quicker("The game has begun already.")
    if chair.kind == "bot":
        raise Quicker("A bot sits there.")
    if chair.kind == "person" and not own:
        raise Quicker("Somebody else sits there already.")
    names = [name for seat, name in enumerate(table.names) if seat != asked.seat]
    return e.Sat(
        seat=asked.seat, name=fit_name(asked.name, names), token=token, promise=asked.promise or chair.promise
    )


def rise(table: Table, seat: int, token: str, now: int) -> e.Rose | e.Away:
    """Leave a seat: before the game it is free again, during it a bot plays on."""
    mine(table, seat, token)
    if table.state in ("gathering", "promising"):
        if table.state == "promising":
            raise Refused("The game is just beginning.")
        return e.Rose(seat=seat)
    playing(table)
    if table.chairs[seat].away:
        raise Refused("A bot plays there already.")
    if table.made.leavers == "wait" and table.two_sides():
        raise Refused("This table waits for those who leave; to give up, resign.")
    return e.Away(seat=seat, level=STAND_IN, spent=table.used(now))


def chair_at(table: Table, seat: int) -> Chair:
    if not 0 <= seat < table.seats:
        raise Refused(f"There is no seat {seat}; the seats are 0 to {table.seats - 1}.")
    return table.chairs[seat]


def mine(table: Table, seat: int, token: str) -> None:
    chair = chair_at(table, seat)
    if not table.holds(seat, token):
        given_up = token and chair.token == token
        raise NotYours(REMOVED if token in table.removed else GIVEN_UP if given_up else "That seat is not yours.")


def attend(table: Table, seat: int | None, token: str) -> None:
    """Refuses a line that may not be here now: one for a seat belongs to whoever holds it, one without a seat to
    whoever may watch, has a seat here, or is the host. While people gather, everybody with the link may come in."""
    if seat is not None:
        mine(table, seat, token)
    elif not table.public and not table.held_by(token) and (not token or token != table.made.host):
        raise NotYours(REMOVED if token in table.removed else WITHOUT_WATCHERS)


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


def ask_start(table: Table, seat: int, token: str, number: int) -> e.Asked:
    host(table, token)
    if table.state != "gathering":
        raise Refused("The game has begun already.")
    free = [str(k) for k, chair in enumerate(table.chairs) if chair.kind == "open"]
    if free:
        raise Refused(f"{f'Seat {free[0]} is' if len(free) == 1 else f'Seats {listed(free)} are'} still free.")
    return e.Asked(seat=seat, id=number)


def reveal(table: Table, seat: int, token: str, words: str) -> e.Revealed:
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
    return e.Revealed(seat=seat, words=words)


def begin(table: Table, now: int) -> e.Begun | None:
    """The first plies, when all words are there or the time for them is over."""
    if table.state != "promising":
        return None
    waiting = [k for k, chair in enumerate(table.chairs) if chair.promise and not chair.words]
    if waiting and now < table.asked_at + REVEAL:
        return None
    words = [chair.words for chair in table.chairs if chair.words]
    ahead = table.play.ahead(Fair(bytes.fromhex(table.made.secret), words))
    return e.Begun(words=words, left_out=waiting, plies=ahead.plies, check=e.checksum(ahead.end))


# Playing.


def move(
    table: Table, seat: int, ply: int, chosen: int, number: int, now: int, by: str = "", late: bool = False
) -> e.Moved:  # fmt: skip
    """A decision, with the chance that follows it."""
    playing(table)
    if table.state == "paused":
        raise Refused("The game is paused.")
    if table.chairs[seat].away and not by:
        raise Refused("A bot plays for you; take your seat back first.")
    if ply != table.play.ply:
        raise Refused("The game has moved on since.")
    ahead = table.play.ahead(table.dice, (chosen, seat))
    return e.Moved(
        seat=seat, plies=ahead.plies, check=e.checksum(ahead.end), id=number, by=by, late=late, spent=table.used(now)
    )


def late(table: Table, now: int) -> e.Resigned | int | None:
    """Somebody's time is over: lost with two sides, else the seat whose move a bot makes. None: nobody's."""
    deadline = table.deadline()
    if deadline is None or now < deadline:
        return None
    seat = table.play.turn
    return e.Resigned(seat=seat, late=True) if table.two_sides() else seat


def resign(table: Table, seat: int, number: int, now: int) -> e.Resigned | e.Away:
    playing(table)
    if table.chairs[seat].away:
        raise Refused("A bot plays there already.")
    if table.two_sides():
        return e.Resigned(seat=seat, id=number)
    return e.Away(seat=seat, level=STAND_IN, final=True, id=number, spent=table.used(now))


def undo(table: Table, seat: int, ply: int, number: int) -> e.Wished:
    """Ask to take the last own move back."""
    playing(table)
    plies = table.play.plies
    if ply != len(plies):
        raise Refused("The game has moved on since.")
    if table.proposal:
        raise Refused("Another question is open at the table; it comes first.")
    if table.wish:
        raise Refused(f"{whose(table.chairs[table.wish.by].name)} wish to take a move back comes first.")
    if not plies or plies[-1].who != seat:
        raise Refused("Only your own move can be taken back, and only while nothing else has happened since.")
    if table.play.turn == ANYONE or not table.recent:
        raise Refused("This move cannot be taken back.")
    if revealed(table):
        raise Refused("Your move has shown somebody something that was hidden, so it stands.")
    alone = not any(chair.person for k, chair in enumerate(table.chairs) if k != seat)
    before = e.checksum(table.recent[-1])
    return e.Wished(seat=seat, id=number, to=len(plies) - 1, done=alone, check=before if alone else 0)


def revealed(table: Table) -> bool:
    """Has the last move told somebody something? That takes a while to find out, so it may be known already."""
    before, move = table.recent[-1], table.play.plies[-1].move
    if table.revealed[:2] == (before, move):
        return table.revealed[2]
    return eyes_for(table.game.name).reveals(before, move, table.seats)


def agree(table: Table, seat: int, yes: bool, number: int) -> e.Agreed | e.Answered:
    """Answer somebody's wish to take a move back, or a proposal."""
    if table.proposal:
        return answer(table, seat, yes, number)
    if table.wish is None or seat not in table.wish.waits_for:
        raise Refused("There is nothing to agree to.")
    done = yes and table.wish.waits_for == [seat]
    return e.Agreed(seat=seat, id=number, yes=yes, done=done, check=e.checksum(table.recent[-1]) if done else 0)


# Around the game.


def kick(table: Table, seat: int, token: str, by: int, number: int, now: int) -> e.Rose | e.Away | e.Proposed:
    """Send a person away: before the game the host does, during it the others have to agree."""
    chair = chair_at(table, seat)
    if table.state == "gathering":
        host(table, token)
    else:
        playing(table)
        member(table, token)
    if chair.kind != "person" or chair.token == token:
        raise Refused("Only another person can be sent away.")
    if table.state == "gathering":
        return e.Rose(seat=seat, by_host=True, asker=by, id=number)
    if chair.final:
        raise Refused("A bot plays there already.")
    return proposed(table, "remove", token, by, number, now, seat) or removal(table, seat, now, by, number)


def removal(table: Table, seat: int, now: int, by: int | None = None, number: int = 0) -> e.Away:
    return e.Away(
        seat=seat, level=STAND_IN, final=True, by_host=True, asker=by, id=number, spent=table.used(now)
    )


def pause(table: Table, on: bool, token: str, seat: int, number: int, now: int) -> e.Paused | e.Proposed:
    """Pause the game, if the others agree; anybody at the table lets it go on."""
    playing(table)
    member(table, token)
    if (table.state == "paused") == on:
        raise Refused("The game is paused already." if on else "The game is not paused.")
    asking = proposed(table, "pause", token, seat, number, now) if on else None
    return asking or e.Paused(on=on, seat=seat, id=number, spent=table.used(now))


def close(table: Table, token: str | None, seat: int, number: int, now: int) -> e.Closed | e.Proposed:
    """Close a table; a token of None is the operator's. A running game is closed if the others agree."""
    if table.state in ("over", "closed"):
        raise Refused("The table is closed already." if table.state == "closed" else "The game is over.")
    if token is None:
        return e.Closed(reason="The table was closed.", seat=seat, id=number)
    if table.state in ("playing", "paused"):
        member(table, token)
        asking = proposed(table, "close", token, seat, number, now)
        if asking:
            return asking
    else:
        host(table, token)
    return e.Closed(reason=closed_by(table, seat), seat=seat, id=number)


def closed_by(table: Table, seat: int) -> str:
    return "The host closed the table." if seat < 0 else f"{table.chairs[seat].name} closed the table."


def member(table: Table, token: str) -> None:
    """Refuses whoever is neither at this table nor its host."""
    if not table.held_by(token):
        host(table, token)


# What nobody decides alone while people play.


def proposed(
    table: Table, what: Literal["remove", "pause", "close"], token: str, seat: int, number: int, now: int,
    about: int | None = None,
) -> e.Proposed | None:  # fmt: skip
    """The question to the others, or None where nobody else plays."""
    if not table.consenting(token, about):
        return None
    if table.proposal:
        raise Refused("Another question is open at the table; it comes first.")
    if table.refused_at is not None and now < table.refused_at + CONSENT:
        raise Refused("The others have just refused; ask again in a minute.")
    return e.Proposed(what=what, seat=seat, id=number, about=about)


def answer(table: Table, seat: int, yes: bool, number: int) -> e.Answered:
    """Somebody agrees to a proposal or does not; whoever has several seats answers once, from any of them."""
    assert table.proposal
    token = table.chairs[seat].token
    mine = [k for k in table.proposal.waits_for if table.chairs[k].token == token]
    if not mine:
        raise Refused("There is nothing to agree to.")
    return e.Answered(seat=mine[0], asker=seat, id=number, yes=yes)


def follows(table: Table, now: int) -> e.Begun | e.Away | e.Paused | e.Closed | None:
    """What happens by itself now: the game begins, or what all have agreed to is done."""
    proposal = table.proposal
    if proposal is None or (proposal.waits_for and now < proposal.until):
        return begin(table, now)
    if proposal.what == "remove":
        assert proposal.about is not None
        return removal(table, proposal.about, now)
    if proposal.what == "pause":
        return e.Paused(on=True, seat=proposal.by, spent=table.used(now))
    return e.Closed(reason=closed_by(table, proposal.by), seat=proposal.by)


def chat(table: Table, seat: int, text: str, number: int) -> e.Said:
    text = tidy(text)
    if not text:
        raise Refused("There is nothing to say in that.")
    return e.Said(seat=seat, text=text, id=number)
