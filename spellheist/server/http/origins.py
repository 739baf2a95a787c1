"""Origins: does a request come from our own page, and was it sent to us under a name of ours?

Where a public URL is given, our page is there and nowhere else, and the Host is a proxy's affair. Where none is given, the
page is at the address that was asked, and that has to be an IP address or a name of this machine: a stranger's name that
leads here (DNS rebinding) is refused. Browsers spell an origin in one way only, so other spellings are refused, too.
"""

from __future__ import annotations

import re
import socket
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from spellheist.core.refused import Refused

SITE = re.compile(r"(https?)://([a-z0-9_-][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?")
PORTS = {"http": 80, "https": 443}
SECURE = {"http": "http", "ws": "http", "https": "https", "wss": "https"}
FOR_OPERATORS = ("/healthz", "/readyz")  # which are asked under any name, by programs
FOREIGN = "Requests that change something must come from the page itself."
MISNAMED = "This server does not answer to that name; its operator can give it one with --public-url."

Site = tuple[str, str, int]  # scheme, host and port


class Foreign(Refused):
    """The request does not come from our own page, or was not sent to us."""


class Origins:
    """Where our own page is."""

    def __init__(self, public_url: str, given: bool) -> None:
        self.given = site_of(public_url) if given else None
        name = socket.gethostname().lower()
        label = name.partition(".")[0]
        self.names = {"localhost", name, label, f"{label}.local", urlsplit(public_url).hostname or "localhost"}

    def check(self, connection: HTTPConnection) -> None:
        """Refuses a request that another site can have caused. One that changes nothing only has to be sent to us."""
        path, method = connection.scope["path"], connection.scope.get("method")
        if method in ("GET", "HEAD"):
            if path not in FOR_OPERATORS:
                self.sent_to_us(connection)
            if path.startswith("/api/") and fetched_by_others(connection):
                raise Foreign(FOREIGN)
        else:
            self.from_own_page(connection)

    def sent_to_us(self, connection: HTTPConnection) -> Site | None:
        """The site that was asked; None where that is not known, which no browser leaves open."""
        hosts = connection.headers.getlist("host")
        if not hosts and not self.given:
            return None
        site = read(f"{SECURE.get(connection.scope['scheme'], 'http')}://{hosts[0]}") if len(hosts) == 1 else None
        if not self.given and (site is None or not (site[1] in self.names or is_address(site[1]))):
            raise Foreign(MISNAMED)
        return site

    def from_own_page(self, connection: HTTPConnection) -> None:
        """Refuses a request that does not come from our own page."""
        site = self.sent_to_us(connection)
        origins = connection.headers.getlist("origin")
        origin = read(origins[0]) if len(origins) == 1 else None
        if origin is None or origin != (self.given or site):
            raise Foreign(FOREIGN)
        if any(site != "same-origin" for site in connection.headers.getlist("sec-fetch-site")):
            raise Foreign(FOREIGN)


@lru_cache(1024)
def read(text: str) -> Site | None:
    """A site as browsers spell it, or None."""
    found = SITE.fullmatch(text)
    if not found or found[2].endswith("."):
        return None
    scheme, host, port = found[1], found[2], int(found[3] or PORTS[found[1]])
    if port > 65535 or (host.startswith("[") and not is_address(host)):
        return None
    return scheme, host, port


def site_of(url: str) -> Site:
    """The site of an address that somebody gave by hand, as a browser will spell it."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    spelled = f"[{host}]" if ":" in host else host.encode("idna").decode() if not host.isascii() else host
    return parts.scheme, spelled, parts.port or PORTS[parts.scheme]


def is_address(host: str) -> bool:
    """Is this an IP address, one of version 6 in brackets?"""
    bare = host[1:-1] if host.startswith("[") else host
    try:
        return ip_address(bare).version == (6 if host.startswith("[") else 4)
    except ValueError:
        return False


def fetched_by_others(connection: HTTPConnection) -> bool:
    """Does a page of another site ask for this in the background? A link that somebody follows is another thing."""
    site, mode = connection.headers.get("sec-fetch-site"), connection.headers.get("sec-fetch-mode")
    return site in ("cross-site", "same-site") and mode != "navigate"
