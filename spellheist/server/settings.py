"""How a server is set up."""

from __future__ import annotations

from dataclasses import dataclass, field

from spellheist.core import kernel
from spellheist.server.limits import Limits
from spellheist.server.process.metrics import Board
from spellheist.server.race.arbiter import Times


@dataclass
class Settings:
    """How a server is set up."""

    public_url: str = ""  # the address that people open, without a slash at its end
    url_given: bool = False  # by whoever runs the server; else it was found out
    pace: float = 0.8  # seconds that a bot waits before it moves
    thinkers: int = 2  # processes for bots
    bots: str = kernel.MODE  # how their code runs
    rate: float = 1.0  # factor on all limits that are for each address or seat; 0: no such limits
    limits: Limits = field(default_factory=Limits)
    proxies: tuple[str, ...] = ()  # besides those of this machine, that are believed who asks
    metrics_token: str = ""  # with which figures are told to others than this machine
    slice: float = 0.001  # seconds of work on a long answer after which others have their turn
    soon: float = 0.5  # seconds in which those who come and go are told of together
    times: Times = field(default_factory=Times)  # of the live window
    grace: float = 10.0  # seconds after a start in which nobody runs out of time
    keep_days: int = 90  # days after which a table that nobody touches is archived
    workers: int = 1  # processes that share the tables
    number: int = 0  # of this one
    board: Board | None = None  # where workers note their figures for each other
