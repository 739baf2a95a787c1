"""The HTTP part described for machines (OpenAPI) and, from the same, as a small page for people."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any

import msgspec

from spellheist import __version__
from spellheist.server.http import bodies


@dataclass(frozen=True)
class Call:
    """One thing that can be asked."""

    method: str
    path: str
    sentence: str
    answers: Any
    takes: Any = None
    query: tuple[str, ...] = ()


CALLS = (
    Call("get", "/api/games", "The games, their options, and the levels of bots.", list[bodies.GameOut]),
    Call("get", "/api/games/{game}", "One game with its numbers, rules and cards.", bodies.GamePageOut),
    Call("get", "/api/tables", "Open tables that are listed.", list[bodies.OpenOut]),
    Call("post", "/api/tables", "Makes a table.", bodies.MadeOut, bodies.TableIn),
    Call("get", "/api/mine", "The tables where this browser has a seat, newest first.", list[bodies.MineOut]),
    Call("get", "/api/me", "Who this browser is: their devices, and links for others.", bodies.MeOut),
    Call("post", "/api/me", "Makes this browser a device of the person a link is for.", bodies.WhoOut, bodies.KeyIn),
    Call("post", "/api/me/look", "Who a link is for, and who this browser is now.", bodies.LookOut, bodies.KeyIn),
    Call("post", "/api/me/links", "A link for another device; it works once.", bodies.NewLinkOut, bodies.NothingIn),
    Call("post", "/api/me/links/revoke", "Revokes a link; old: all links of earlier versions.", bodies.MeOut, bodies.IdIn),
    Call("post", "/api/me/devices/end", "Signs out another device.", bodies.MeOut, bodies.IdIn),
    Call("post", "/api/tables/{table}/sit", "Takes a seat, or returns to it.", bodies.SeatOut, bodies.SitIn),
    Call("post", "/api/tables/{table}/rise", "Leaves a seat.", bodies.RiseIn, bodies.RiseIn),
    Call("get", "/api/tables/{table}/cards", "What is printed on the cards of this table, or null.", Any),
    Call("get", "/api/tables/{table}/frames", "The game ply by ply.", list[bodies.Frame], None, ("seat", "from")),
    Call("get", "/api/tables/{table}/record", "The record as text.", str, None, ("seat",)),
)


@cache
def described(public_url: str) -> dict[str, Any]:
    """The OpenAPI document, made from the types of the messages."""
    types = [kind for call in CALLS for kind in (call.answers, call.takes) if kind is not None] + [bodies.RefusalOut]
    shapes, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    by_type = dict(zip(map(repr, types), shapes, strict=True))
    paths: dict[str, Any] = {}
    for call in CALLS:
        paths.setdefault(call.path, {})[call.method] = operation(call, by_type)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Spellheist", "version": __version__, "description": "Tables, seats and records."},
        "servers": [{"url": public_url or "/"}],
        "paths": paths,
        "components": {"schemas": components},
    }


def operation(call: Call, shapes: dict[str, Any]) -> dict[str, Any]:
    kind = "text/plain" if call.answers is str else "application/json"
    sentence = {"application/json": {"schema": shapes[repr(bodies.RefusalOut)]}}
    refused = {"description": "Refused, with a sentence.", "content": sentence}
    codes = ("400", "403", "404", "409", "413", "429")
    found: dict[str, Any] = {
        "summary": call.sentence,
        "responses": {
            "200": {"description": "Done.", "content": {kind: {"schema": shapes[repr(call.answers)]}}},
            **dict.fromkeys(codes, refused),
        },
    }
    names = [part[1:-1] for part in call.path.split("/") if part.startswith("{")]
    parameters = [{"name": n, "in": "path", "required": True, "schema": {"type": "string"}} for n in names]
    parameters += [{"name": n, "in": "query", "required": False, "schema": {"type": "string"}} for n in call.query]
    if parameters:
        found["parameters"] = parameters
    if call.takes is not None:
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": shapes[repr(call.takes)]}}}
    return found


@cache
def page() -> str:
    """The same for people."""
    rows = "".join(
        f"<tr><td>{call.method.upper()}<td><code>{escape(call.path)}</code><td>{escape(call.sentence)}"
        f"<td><code>{escape(named(call.takes))}</code><td><code>{escape(named(call.answers))}</code>"
        for call in CALLS
    )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Spellheist: HTTP</title><h1>Spellheist: HTTP</h1>"
        "<p>All types are in <a href='/api/openapi.json'>openapi.json</a>. What happens at a table goes over the socket."
        f"<table><tr><th>method<th>path<th>does<th>takes<th>answers{rows}</table>"
    )


def named(kind: Any) -> str:
    """The name of a type."""
    if kind is None:
        return ""
    if getattr(kind, "__args__", ()):
        return str(kind).replace("spellheist.server.table.messages.", "")
    return str(getattr(kind, "__name__", kind))
