"""Proposing: what nobody decides alone while people play. Somebody asks the others to agree to removing somebody, to a
pause, or to closing the table; silence for a minute is absence. Where nobody else plays, it is done at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from spellheist.core.refused import Refused
from spellheist.server.table.actions.leaving import BOT_PLAYS, Away, Rose, removal
from spellheist.server.table.actions.starting import begin
from spellheist.server.table.journal import Decided, Entry
from spellheist.server.table.messages import Asker, Request, SeatNumber, Who
from spellheist.server.table.rights import chair_at, host, member, playing
from spellheist.server.table.table import Table

CONSENT = 60_000  # milliseconds in which the others can answer a proposal
OTHER_FIRST = "Another question is open at the table and comes first."
What = Literal["remove", "pause", "close"]


@dataclass
class Proposal:
    """What somebody asks the others to agree to, and who has not answered yet."""

    what: str  # remove, pause or close
    by: int  # a seat, or below 0 a host without one
    about: int | None
    since: int
    waits_for: list[int]

    @property
    def until(self) -> int:
        """Whoever has not answered by then is not there."""
        return self.since + CONSENT


class Proposed(Entry, tag="proposed", frozen=True):
    """Somebody asks the others to agree to what nobody decides alone while people play."""

    what: What
    seat: int
    id: int
    about: int | None = None  # the seat that is to be removed

    def apply(self, table: Table) -> None:
        token = table.made.host if self.seat < 0 else table.chairs[self.seat].token
        table.proposal = Proposal(self.what, self.seat, self.about, self.t, table.consenting(token, self.about))
        table.wish = None


class Answered(Entry, tag="answered", frozen=True):
    """One of the others agrees to a proposal, or does not, and that is its end."""

    seat: int
    id: int
    yes: bool
    asker: int | None = None  # the seat whose message `id` is, where somebody has several

    def apply(self, table: Table) -> None:
        if table.proposal is None:
            return
        if not self.yes:
            table.proposal, table.refused_at = None, self.t
            table.say(f"{table.chairs[self.seat].name} does not agree.", self.at)
        elif self.seat in table.proposal.waits_for:
            table.proposal.waits_for.remove(self.seat)


class Paused(Entry, tag="paused", frozen=True):
    """The game rests, or goes on."""

    tells = ("table", "views")

    on: bool
    seat: int = 0
    id: int = 0
    spent: int = 0

    def apply(self, table: Table) -> None:
        table.state = "paused" if self.on else "playing"
        table.since, table.spent = self.t, self.spent
        table.proposal = None


class Closed(Entry, tag="closed", frozen=True):
    """The table is closed, whether its game is over or not."""

    survives = True
    when_broken = True

    reason: str
    seat: int = 0
    id: int = 0

    def apply(self, table: Table) -> None:
        table.end("closed", table.result)
        table.reason = self.reason


class Kick(Request, tag="kick", frozen=True):
    """Sends a person away: before the game the host does, in a running one anybody at the table proposes it to the other
    people, and where there are none it is done at once."""

    who = Who.HOST

    seat: SeatNumber

    def decide(self, table: Table, asker: Asker, now: int) -> Rose | Away | Proposed:
        chair = chair_at(table, self.seat)
        if table.state == "gathering":
            host(table, asker.token)
        else:
            playing(table)
            member(table, asker.token)
        if chair.kind != "person" or chair.token == asker.token:
            raise Refused("You can only remove another person.")
        if table.state == "gathering":
            return Rose(seat=self.seat, by_host=True, asker=asker.seat, id=self.id)
        if chair.final:
            raise Refused(BOT_PLAYS)
        question = proposed(table, "remove", asker, self.id, now, self.seat)
        return question or removal(table, self.seat, now, asker.seat, self.id)


class Pause(Request, tag="pause", frozen=True):
    """Pauses a running game in the same way; anybody ends a pause."""

    who = Who.HOST

    on: bool

    def decide(self, table: Table, asker: Asker, now: int) -> Paused | Proposed:
        playing(table)
        member(table, asker.token)
        if (table.state == "paused") == self.on:
            raise Refused("The game is already paused." if self.on else "The game is not paused.")
        question = proposed(table, "pause", asker, self.id, now) if self.on else None
        return question or Paused(on=self.on, seat=asker.seat, id=self.id, spent=table.used(now))


class Close(Request, tag="close", frozen=True):
    """Closes the table: before the game the host does, in a running one it is proposed in the same way."""

    who = Who.HOST

    def decide(self, table: Table, asker: Asker, now: int) -> Closed | Proposed:
        closable(table)
        if table.state in ("playing", "paused"):
            member(table, asker.token)
            question = proposed(table, "close", asker, self.id, now)
            if question:
                return question
        else:
            host(table, asker.token)
        return Closed(reason=closed_by(table, asker.seat), seat=asker.seat, id=self.id)


def close_by_operator(table: Table) -> Closed:
    """Whoever runs the server closes a table, whatever happens there."""
    closable(table)
    return Closed(reason="The table was closed.")


def closable(table: Table) -> None:
    if table.state in ("over", "closed"):
        raise Refused("The table is already closed." if table.state == "closed" else "The game is over.")


def closed_by(table: Table, seat: int) -> str:
    return "The host closed the table." if seat < 0 else f"{table.chairs[seat].name} closed the table."


def proposed(table: Table, what: What, asker: Asker, number: int, now: int, about: int | None = None) -> Proposed | None:
    """The question to the others, or None where nobody else plays."""
    if not table.consenting(asker.token, about):
        return None
    if table.proposal:
        raise Refused(OTHER_FIRST)
    if table.refused_at is not None and now < table.refused_at + CONSENT:
        raise Refused("The others have just refused. Ask again in a minute.")
    return Proposed(what=what, seat=asker.seat, id=number, about=about)


def answer(table: Table, seat: int, yes: bool, number: int) -> Answered:
    """Somebody agrees to a proposal or does not; whoever has several seats answers once, from any of them."""
    assert table.proposal
    token = table.chairs[seat].token
    mine = [k for k in table.proposal.waits_for if table.chairs[k].token == token]
    if not mine:
        raise Refused("There is nothing to agree to.")
    return Answered(seat=mine[0], asker=seat, id=number, yes=yes)


def follows(table: Table, now: int) -> Decided | Away | Paused | Closed | None:
    """What happens by itself now: the game begins, or what all have agreed to is done."""
    proposal = table.proposal
    if proposal is None or (proposal.waits_for and now < proposal.until):
        return begin(table, now) if table.state == "promising" else None
    if proposal.what == "remove":
        assert proposal.about is not None
        return removal(table, proposal.about, now)
    if proposal.what == "pause":
        return Paused(on=True, seat=proposal.by, spent=table.used(now))
    return Closed(reason=closed_by(table, proposal.by), seat=proposal.by)
