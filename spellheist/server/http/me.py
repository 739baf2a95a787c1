"""Me: what somebody can ask about themselves, over HTTP: their devices, and links for others. Each function answers with
what is told and, where this browser becomes another device, with who it is from now on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from spellheist.core.refused import Refused
from spellheist.server.http import bodies, visitors
from spellheist.server.http.answers import answer, read_body, visitor_of, with_token
from spellheist.server.http.visitors import Visitor
from spellheist.server.people import NOBODY, Device, People, short
from spellheist.server.service import Service

Answer = tuple[Any, Visitor | None]


async def tell(people: People, visitor: Visitor) -> bodies.MeOut:
    """Who this browser is, by which devices and links they are known."""
    if not visitor.known:
        return bodies.MeOut("", 0, [], [], False, visitor.ended)
    who, links = await people.look(visitor.token), await people.links(visitor.token)
    devices = [
        bodies.DeviceOut(short(d.device), d.name, d.since, d.seen, d.device == visitor.device, bool(d.old))
        for d in await all_devices(people, visitor)
    ]
    return bodies.MeOut(who.name, who.tables, devices, links, any(device.old for device in devices), False)


async def all_devices(people: People, visitor: Visitor) -> list[Device]:
    """The devices of a person, also the one that is not written down: a token of an earlier version."""
    devices = await people.devices(visitor.token)
    if not any(d.device == visitor.token for d in devices) and await people.has_old_links(visitor.token):
        return [Device(visitor.token, visitor.token, "", 0, 0, 1), *devices]
    return devices


async def look(people: People, visitor: Visitor, body: bodies.KeyIn, agent: str) -> Answer:
    """For whom a link is, and who would be lost by using it here. This changes nothing."""
    person = await people.person_of(body.key)
    here = await people.look(visitor.token) if visitor.known else bodies.WhoOut("", 0)
    return bodies.LookOut(await people.look(person), here, person == visitor.token), None


async def become(people: People, visitor: Visitor, body: bodies.KeyIn, agent: str) -> Answer:
    """This browser is a device of the person for whom a link is; whoever it was is known by it no longer."""
    if visitor.known and await people.person_of(body.key) == visitor.token:
        return await people.look(visitor.token), None
    new = await people.use(body.key, agent)
    before = await people.device(visitor.device) if visitor.known else None
    if before and not before.old:  # an old token may be another browser's as well
        await people.forget(before.device)
    return await people.look(new.token), new


async def make_link(people: People, visitor: Visitor, body: bodies.NothingIn, agent: str) -> Answer:
    if not visitor.known:
        raise Refused(NOBODY)
    settled = await people.settle(visitor, agent)
    key, made = await people.new_link(settled)
    return bodies.NewLinkOut(f"{people.service.settings.public_url}/me#{key}", made.id, made.until), None


async def revoke_link(people: People, visitor: Visitor, body: bodies.IdIn, agent: str) -> Answer:
    """Nobody becomes this person by that link any more. Old links are revoked together with the token in them."""
    if not visitor.known:
        raise Refused(NOBODY)
    if body.id == "old":
        new = await people.revoke_old(visitor, agent)
        visitor = new if new.known else visitor
        return await tell(people, visitor), new if new.known else None
    query = "delete from links where person = ? and substr(link, 1, 16) = ?"
    await people.service.store.people(query, visitor.token, body.id)
    return await tell(people, visitor), None


async def end_device(people: People, visitor: Visitor, body: bodies.IdIn, agent: str) -> Answer:
    """Sign out another browser of this person."""
    devices = await all_devices(people, visitor) if visitor.known else []
    found = next((d for d in devices if short(d.device) == body.id), None)
    if found is None:
        raise Refused("You have no such device.")
    if found.device == visitor.device:
        raise Refused("This is the browser you are using.")
    await people.put(found)  # if it was not written down
    await people.sign_out(found.device)
    return await tell(people, visitor), None


POSTS: dict[str, tuple[type, Callable[[People, Visitor, Any, str], Awaitable[Answer]]]] = {
    "/api/me": (bodies.KeyIn, become),
    "/api/me/look": (bodies.KeyIn, look),
    "/api/me/links": (bodies.NothingIn, make_link),
    "/api/me/links/revoke": (bodies.IdIn, revoke_link),
    "/api/me/devices/end": (bodies.IdIn, end_device),
}


class MeRoutes:
    """What somebody can ask about themselves."""

    def __init__(self, service: Service) -> None:
        self.service = service

    async def tell(self, request: Request) -> Response:
        return answer(await tell(self.service.people, await visitor_of(self.service, request)))

    async def change(self, request: Request) -> Response:
        """By some of what is asked this browser becomes another device."""
        self.service.rate_limits.keys.take(visitors.address(request))
        kind, does = POSTS[request.url.path]
        body, agent = await read_body(self.service, request, kind), request.headers.get("user-agent", "")
        told, new = await does(self.service.people, await visitor_of(self.service, request), body, agent)
        return with_token(self.service, answer(told), new.key) if new else answer(told)
