"""Limits: how much one address, one seat and one table may have and do. Each is an option of `spellheist serve`."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any


def limit(default: float, sentence: str) -> Any:
    return field(default=default, metadata={"sentence": sentence})


@dataclass(frozen=True)
class Limits:
    """The limits of a server; 0 switches one off. An address is one of IPv4, or a /64 of IPv6."""

    requests_per_address: float = limit(20, "Requests a second; six times as many in a burst.")
    work_per_address: float = limit(100, "Milliseconds a second that long answers may take; ten times as many in a burst.")
    tables_per_address: float = limit(12, "New tables a minute, including rematches; twice as many in a burst.")
    links_per_address: float = limit(12, "Requests a minute about devices and links; almost twice as many in a burst.")
    connections_per_address: float = limit(200, "Open connections.")
    sockets_per_address: float = limit(100, "Open sockets, of seats and watchers.")
    joins_per_address: float = limit(5, "New sockets a second; twelve times as many in a burst.")
    watchers_per_address: float = limit(50, "Watchers, over all tables.")
    messages_per_address: float = limit(200, "Messages a second over all sockets; four times as many in a burst.")
    hints_per_address: float = limit(24, "Hints a minute; a third of them in a burst.")
    watchers_per_table: float = limit(500, "Watchers, whatever their address.")
    messages_per_seat: float = limit(20, "Messages a second from one seat or watcher; twice as many in a burst.")
    chats_per_seat: float = limit(30, "Lines of chat a minute; a fifth of them in a burst.")
    hints_per_seat: float = limit(12, "Hints a minute for one seat; a third of them in a burst.")
    seconds_for_headers: float = limit(10, "Seconds for a request to arrive up to its body, and between two requests.")
    seconds_for_body: float = limit(20, "Seconds for the body of a request to arrive.")


def names() -> list[tuple[str, float, str]]:
    """Each limit: its name, its default and its sentence."""
    return [(made.name, made.default, made.metadata["sentence"]) for made in fields(Limits)]  # type: ignore[misc]
