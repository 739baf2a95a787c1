"""Talking: chat, and the table's own word."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from spellheist.core.refused import Refused
from spellheist.server.table.journal import Entry
from spellheist.server.table.messages import Asker, Out, Request
from spellheist.server.table.table import Table
from spellheist.server.text import tidy


class Said(Entry, tag="said", frozen=True):
    """Chat, or with no seat the table's own word."""

    tells = ()

    text: str
    seat: int | None = None
    id: int = 0

    def apply(self, table: Table) -> None:
        table.say(self.text, self.at, self.seat)


class Chat(Request, tag="chat", frozen=True):
    """Says something to everybody at the table."""

    cost = 2
    seat_limit = "seat_chats"

    text: Annotated[str, Meta(min_length=1, max_length=500)]

    def decide(self, table: Table, asker: Asker, now: int) -> Said:
        text = tidy(self.text)
        if not text:
            raise Refused("That says nothing.")
        return Said(seat=asker.seat, text=text, id=self.id)


class ChatOut(Out, tag="chat", frozen=True):
    """Lines of chat, each `[seat or null, name, text, time]`: on connecting the last fifty, then each. Without a seat it is
    the table's own word."""

    lines: list[tuple[int | None, str, str, int]]
