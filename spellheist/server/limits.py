"""Limits: how much one address, one seat and one table may have and do. Each is an option of `spellheist serve`."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any


def limit(default: float, sentence: str) -> Any:
    return field(default=default, metadata={"sentence": sentence})


@dataclass(frozen=True)
class Limits:
    """The limits of a server; 0 switches one off. An address is one of IPv4, or a /64 of IPv6."""

    requests_per_address: float = limit(20, "Requests a second; six times as many at once.")
    work_per_address: float = limit(100, "Milliseconds of work on long answers a second; ten times as many at once.")
    tables_per_address: float = limit(12, "New tables a minute, rematches too; twice as many at once.")
    links_per_address: float = limit(12, "Questions a minute about devices and links; almost twice as many at once.")
    connections_per_address: float = limit(200, "Connections that are open at once.")
    sockets_per_address: float = limit(100, "Sockets that are open at once: seats and watchers.")
    joins_per_address: float = limit(5, "New sockets a second; twelve times as many at once.")
    watchers_per_address: float = limit(50, "Watchers at once, at all tables.")
    messages_per_address: float = limit(200, "Messages a second over all sockets; four times as many at once.")
    hints_per_address: float = limit(24, "Hints a minute; a third of it at once.")
    watchers_per_table: float = limit(500, "Watchers at once, whatever their address.")
    messages_per_seat: float = limit(20, "Messages a second of one seat or watcher; twice as many at once.")
    chats_per_seat: float = limit(30, "Lines of chat a minute; a fifth of it at once.")
    hints_per_seat: float = limit(12, "Hints a minute of one seat; a third of it at once.")
    seconds_for_headers: float = limit(10, "Until a request has come as far as its body, and between two requests.")
    seconds_for_body: float = limit(20, "Until the body of a request has come.")


def names() -> list[tuple[str, float, str]]:
    """Each limit: its name, its default and its sentence."""
    return [(made.name, made.default, made.metadata["sentence"]) for made in fields(Limits)]  # type: ignore[misc]
