"""Answers over HTTP: their bodies, and the status of a refusal."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from spellheist.core.refused import Refused
from spellheist.server.http import bodies, visitors
from spellheist.server.http.origins import Foreign
from spellheist.server.rate_limits import TooOften
from spellheist.server.service import Service
from spellheist.server.store import Unavailable
from spellheist.server.table import messages
from spellheist.server.table.reading import Unreadable
from spellheist.server.table.rights import NoTable, NotYours, Quicker

STATUS: list[tuple[type[Refused], int]] = [
    (NoTable, 404), (NotYours, 403), (Foreign, 403), (visitors.SignedOut, 401), (Quicker, 409), (TooOften, 429),
    (visitors.TooLarge, 413), (visitors.TooSlow, 408), (Unreadable, 410), (Unavailable, 503), (Refused, 400),
]  # fmt: skip


def answer(data: Any, status: int = 200) -> Response:
    return encoded(msgspec.json.encode(data), status)


def encoded(body: bytes, status: int = 200) -> Response:
    """An answer that is JSON already."""
    return Response(body, status, media_type="application/json", headers={"cache-control": "no-store"})


def refusal(error: Refused) -> Response:
    sentence = str(error).removesuffix(f" ({error.rule})") if error.rule else str(error)
    return answer(bodies.RefusalOut(sentence, error.rule), status_of(error))


def status_of(error: Refused) -> int:
    return next(status for kind, status in STATUS if isinstance(error, kind))


async def read_body(service: Service, request: Request, kind: Any) -> Any:
    """The body of a request as one of our types."""
    body = await visitors.body_of(request, service.settings.limits.seconds_for_body)
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise Refused(f"The request is not understood: {messages.said(error)}.") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Refused("This request is not JSON.") from None


async def visitor_of(service: Service, connection: HTTPConnection) -> visitors.Visitor:
    """Who asks."""
    return await service.people.visitor(visitors.key_of(connection))


def with_token(service: Service, response: Response, token: str) -> Response:
    """This browser is known by a token from now on."""
    visitors.set_token(response, token, service.settings.public_url.startswith("https:"))
    return response
