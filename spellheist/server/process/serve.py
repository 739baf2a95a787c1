"""Serving: the process around the app. Logs are lines of JSON without tokens, table names or anything of a game."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from dataclasses import replace
from errno import EADDRINUSE
from functools import partial
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from spellheist.core.refused import Refused

NEEDED = ("uvicorn", "spellheist.server.service", "spellheist.server.process.workers", "spellheist.server.store.locks")
KEYS = ("method", "route", "status", "ms", "game", "version", "event")
GARBAGE = (20_000, 20, 20)  # objects made between two searches for garbage, and how rarely older ones are searched
FILES = 65536  # that may be open at once, connections too
WAITING = 2048  # connections that wait to be taken, also before the server has started
HERE = ("127.0.0.1", "::1", "::ffff:127.0.0.1")  # proxies on this machine, who are believed
LARGEST_MESSAGE = 8192  # bytes that the socket reads at all; messages have a smaller limit with a sentence


class JsonLines(logging.Formatter):
    """One line of JSON a record."""

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, Any] = {"at": f"{at}.{int(record.msecs):03d}Z", "level": record.levelname.lower()}
        line["what"] = record.getMessage()
        line |= {key: getattr(record, key) for key in KEYS if hasattr(record, key)}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up_logs(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("spellheist", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = ([handler] if name != "uvicorn.error" else []), name == "uvicorn.error"
        logger.setLevel(level.upper() if name == "spellheist" else "ERROR")  # its warnings are of bad requests: no news


def config(app: Any, proxies: tuple[str, ...] = (), **where: Any) -> Any:
    """How uvicorn runs the app."""
    import uvicorn

    from spellheist.server.http.slow_clients import LARGEST_HEAD, LimitedHttpFactory
    from spellheist.server.http.websockets import Socket

    http: Any = LimitedHttpFactory(app.state.rate_limits)
    return uvicorn.Config(
        app, http=http, h11_max_incomplete_event_size=LARGEST_HEAD, forwarded_allow_ips=[*HERE, *proxies], ws=Socket,
        ws_max_size=LARGEST_MESSAGE, ws_per_message_deflate=False, ws_ping_interval=20, ws_ping_timeout=30,
        access_log=False, log_config=None, server_header=False, timeout_graceful_shutdown=10, **where,
    )  # fmt: skip


def serve(
    host: str, port: int, store: str, public_url: str | None, workers: int, pace: float, thinkers: int, bots: str,
    rate: float, keep_days: int, log_level: str, open_browser: bool, metrics_token: str = "",
    proxy: tuple[str, ...] = (), **limits: Any,
) -> None:  # fmt: skip
    """Serve until told to stop."""
    load()
    from spellheist.server.limits import Limits
    from spellheist.server.settings import Settings
    from spellheist.server.store import store_at
    from spellheist.server.store.locks import hold

    if public_url is not None and not is_address(public_url):
        raise Refused(f"{public_url!r} is not an address that people can open, such as https://games.example.org.")
    held = hold(store)
    open_many_files()
    asyncio.run(opened(store_at(store)))
    listening = bound(host, port)
    port = listening.getsockname()[1]
    shown = own_address() if host in ("0.0.0.0", "::") else "localhost" if host in ("127.0.0.1", "::1") else host
    link = (public_url or f"http://{shown}:{port}").rstrip("/")
    settings = Settings(
        public_url=link, url_given=public_url is not None, workers=workers, pace=pace, thinkers=thinkers, bots=bots,
        rate=rate, keep_days=keep_days, metrics_token=metrics_token, proxies=proxy, limits=Limits(**limits),
    )  # fmt: skip
    print(f"Spellheist is at {link}  (Ctrl-C stops it)", flush=True)
    if open_browser and has_browser():
        import webbrowser

        webbrowser.open(link)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever stops it, it ends in the same way
    with suppress(KeyboardInterrupt):
        run(listening, store, settings, log_level)
    if held:
        held.close()
    where = store if store.startswith("sqlite:") else "the database"  # whose URL may have a password in it
    print(f"Stopped. The tables are kept in {where}.", flush=True)


def load() -> None:
    """Load what a server needs before anybody is told an address, so that whoever stops it at once interrupts no import."""
    try:
        for name in NEEDED:
            import_module(name)
    except ImportError as missing:
        raise Refused(f"The server needs a package that is not installed here: {missing.name}.") from None


def run(listening: socket.socket, store: str, settings: Any, log_level: str) -> None:
    """Serve in this process, or in several workers behind it."""
    import uvicorn

    from spellheist.server.process.metrics import board, count_worker
    from spellheist.server.process.workers import Gate

    if settings.workers > 1:
        set_up_logs(log_level)
        figures = board(settings.workers)
        gate = Gate(listening, settings.workers, work, store, settings, log_level, figures)
        gate.count = partial(count_worker, figures)
        gate.run()
        return
    server = uvicorn.Server(set_up(store, settings, log_level))
    server.run(sockets=[listening])
    if not server.started:
        raise Refused("The server could not start; see above.")


def open_many_files() -> None:
    """Let as many connections be open as the system allows: many begin with a limit of a thousand."""
    with suppress(ImportError, ValueError, OSError):  # not on Windows
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, FILES) if most > 0 else FILES, most))


def is_address(url: str) -> bool:
    """Can a browser open this?"""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool((parts.hostname or "").encode("idna")) and parts.port != 0
    except ValueError:
        return False


async def opened(store: Any) -> None:
    """Open a store and close it again: one that cannot be opened is refused once, before anybody is told an address."""
    await store.open()
    await store.close()


def work(number: int, channel: socket.socket, store: str, settings: Any, log_level: str, figures: Any) -> None:
    """What a worker does."""
    from spellheist.server.process.workers import Worker

    thinkers = max(1, settings.thinkers // settings.workers)
    own = replace(settings, number=number, thinkers=thinkers, board=figures)
    Worker(set_up(store, own, log_level), channel).run()


def set_up(store: str, settings: Any, log_level: str) -> Any:
    """The app in this process."""
    from spellheist.server.http.app import App
    from spellheist.server.store import store_at

    set_up_logs(log_level)
    gc.set_threshold(*GARBAGE)
    app = App(store_at(store, shared=settings.workers > 1), settings).starlette()
    return config(app, settings.proxies, loop="uvloop" if sys.platform != "win32" else "asyncio")


def bound(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.socket(family)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, port))
            listening.listen(WAITING)
            listening.set_inheritable(True)
        except BaseException:
            listening.close()
            raise
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        taken = getattr(error, "errno", 0) == EADDRINUSE
        other = " Name another port: --port 8001, or make play PORT=8001." if taken else ""
        raise Refused(f"Cannot serve at {host} port {port}: {reason.lower()}.{other}") from None
    return listening


def own_address() -> str:
    """The address of this machine in its network; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way, suppress(OSError):
        way.connect(("192.0.2.1", 9))  # an address that is nobody's, by RFC 5737
        return str(way.getsockname()[0])
    return "localhost"


def has_browser() -> bool:
    """Is there a screen?"""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
