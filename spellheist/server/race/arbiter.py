"""Who pressed first: a pure arbiter. It is told every time; it has no clock and speaks with nobody.

Whoever is first by arrival is not whoever was first: lines differ. So a press is scored by the reaction, from the
roll being seen to the press, as far as the measured round trip of that line makes the claim possible:

    elapsed     from sending the cue to the arrival of the press, on the server's clock
    claimed     the lag that the page's own reaction time implies: elapsed - reaction
    allowance   the most lag that is believed: what the line usually takes and some slack, up to a limit
    score       elapsed - (claimed, between 0 and the allowance)

What is believed of a line is what whoever sits at its other end cannot make longer. All times are in milliseconds.
"""

from __future__ import annotations

import hashlib
import hmac
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median, stdev
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from spellheist.server.table.actions.pressing import Pressed


@dataclass(frozen=True)
class Times:
    """The parameters of a window."""

    held: float = 60  # the most that is believed of a time in which the server itself could not listen
    slack: float = 4  # a roll is seen when the next frame is painted; no more, since it is what false claims gain
    dead_heat: float = 8  # what the stamps cannot tell apart
    human: float = 120  # nobody reacts faster
    hold: float = 350  # the longest that a decision waits for slower lines
    earliest: float = 600  # before this the marker cannot be let go,
    space: float = 60  # and so much later for each space that it is moved
    shut: float = 10_000  # then the table closes the window itself
    vote: float = 8_000
    bot_mean: float = 380  # reactions of bots: normal, as those of people
    bot_spread: float = 60


class Known(NamedTuple):
    """What somebody else than the page knows of a line: this machine's own figures of the connection, or a proxy's."""

    usual: float  # its round trip, smoothed
    least: float  # the smallest
    spread: float  # the mean distance from the usual one


class Trips:
    """The round trips of one line, as measured by pings: the last forty, or those of a minute."""

    MOST, AGE = 40, 60_000.0
    SHARE = 0.6  # of the trips are no longer than what is usual
    STEADY = 1 / 16  # a line whose spread is so small a part of its trip is steady; one that varies more is believed more
    RECENT = 5
    TIMES, ABOVE = 3, 40.0  # a line is believed to be so many times as slow as at its best, or so much slower

    def __init__(self) -> None:
        self.seen: deque[tuple[float, float, Known | None]] = deque(maxlen=self.MOST)

    def add(self, now: float, trip: float, known: Known | None = None) -> None:
        self.seen.append((now, trip, known))
        while now - self.seen[0][0] > self.AGE:
            self.seen.popleft()

    def quantile(self, share: float) -> float:
        """The round trip that so large a share does not exceed. Whoever answers late makes it longer: it says how long
        a press may still be under way, not what is believed."""
        trips = sorted(trip for _, trip, _ in self.seen)
        return trips[min(len(trips) - 1, int(share * len(trips)))] if trips else 0.0

    def believed(self) -> float:
        """What this line usually takes, and no more than others know of it, nor than follows from its smallest trip.
        Nothing as long as no ping was answered."""
        if not self.seen:
            return 0.0
        usual, least = self.quantile(self.SHARE), self.least()
        spread = 1.2 * (self.quantile(0.5) - self.quantile(0.25))  # by the smaller half, which nobody can hold back alone
        known = [known for _, _, known in self.seen if known]
        if known:
            spread = min(spread, median(one.spread for one in known))
            usual = min(usual, median(one.usual for one in known))
            least = min(least, min(one.least for one in known))
        return min(usual + max(0.0, spread - self.STEADY * usual), max(self.TIMES * least, least + self.ABOVE))

    def least(self) -> float:
        """The smallest trip but one: a single one may be a freak."""
        trips = sorted(trip for _, trip, _ in self.seen)
        return trips[min(1, len(trips) - 1)] if trips else 0.0

    def recent(self) -> float:
        """What the latest pings took."""
        return median(trip for _, trip, _ in list(self.seen)[-self.RECENT :]) if self.seen else 0.0


@dataclass(frozen=True)
class Scored:
    """A press as it counts, and how that came about."""

    score: float
    allowance: float
    clamped: bool  # more lag was claimed than was believed
    early: bool  # a false start


def scored(elapsed: float, reaction: float | None, trip: float, most: float, times: Times, held: float = 0.0) -> Scored:
    """The score of one press; `trip` is what is believed of the line, `most` the table's limit, and `held` how long the
    server could not listen before it heard this press."""
    allowance = min(most, trip + times.slack) + min(held, times.held) if most else 0.0
    claimed = 0.0 if reaction is None else elapsed - reaction
    score = elapsed - min(max(0.0, claimed), allowance)
    return Scored(score, allowance, claimed > allowance, score < times.human)


def bot_reaction(secret: bytes, ply: int, seat: int, times: Times) -> float:
    """The reaction of a bot. Nobody can compute it who does not know the table's secret, and that is told only when the
    game has ended; words that people add to the dice have no null byte, so this is never a key of theirs."""
    drawn = hmac.new(secret, f"reaction\0{ply}\0{seat}".encode(), hashlib.sha256).digest()
    return max(times.human + 60, random.Random(drawn).gauss(times.bot_mean, times.bot_spread))


@dataclass(frozen=True)
class Press:
    """One attempt, or the release of the marker."""

    seat: int
    move: int
    arrival: float  # after the cue
    score: float
    release: bool = False
    early: bool = False


def released(score: float, spaces: int, times: Times) -> float:
    """When a release counts: not before the marker could have been moved."""
    return max(score, times.earliest + times.space * spaces)


def ruling_at(presses: Sequence[Press], out: Sequence[float], times: Times) -> float:
    """When the presses so far are ruled on, after the cue. `out` are the round trips (95 % quantile) of those who
    could still have pressed before. A release arrives when it counts."""
    if not presses:
        return times.shut
    if not out:
        return 0.0
    first = min(max(press.arrival, press.score) if press.release else press.arrival for press in presses)
    best = min(press.score for press in presses)
    return min(first + times.hold, best + max(out) + times.slack)


def in_order(presses: Sequence[Press], times: Times) -> list[list[Press]]:
    """The presses by score; those within a dead heat of the first of a run stand together."""
    runs: list[list[Press]] = []
    for press in sorted(presses, key=lambda press: (press.score, press.seat)):
        if runs and press.score - runs[-1][0].score <= times.dead_heat:
            runs[-1].append(press)
        else:
            runs.append([press])
    return runs


def elected(run: Sequence[Press], votes: dict[int, int], voters: int) -> list[Press] | None:
    """A dead heat in the order that the others saw: most votes first. None when they cannot say: nobody voted for any
    of them, or the first two have as many votes. Where nobody but bots could vote, the lower score is first."""
    if not voters:
        return list(run)
    count = {press.seat: sum(1 for choice in votes.values() if choice == press.seat) for press in run}
    order = sorted(run, key=lambda press: (-count[press.seat], press.score))
    if not count[order[0].seat] or count[order[0].seat] == count[order[1].seat]:
        return None
    return order


# Marks: what no person's hand and no honest line shows.

LAST = 10  # attempts that are looked at together
FEW = 5  # attempts of which most may say something of a line
CLAIM = 80.0  # a page that paints slowly claims so much more than its line explains; and lines stumble by half their trip
JUMP = 50.0
STEADY = 6.0  # the spread of ten reactions: that of people is 25 or more
QUICK, MANY = 170.0, 8  # so many of ten reactions below this: people look before they press


def claims_too_much(press: Pressed) -> bool:
    """Does the page claim far more lag than its line can explain?"""
    if press.reaction is None or press.late:
        return False
    return press.elapsed - press.reaction - press.allowance > press.rtt / 2 + CLAIM


def marks_of(attempts: Sequence[Pressed], least: float) -> list[str]:
    """What the latest attempts of one person, up to ten, are marked with; `least` is the smallest round trip that any
    line of theirs has shown at this table."""

    def mostly(holds: Callable[[Pressed], bool]) -> bool:
        return len(attempts) >= FEW and sum(map(holds, attempts)) > len(attempts) / 2

    found = []
    if mostly(claims_too_much):
        found.append("lag")
    if mostly(lambda press: press.recent > 3 * least + JUMP):
        found.append("jump")
    if len(attempts) >= LAST:
        claims = [press.reaction for press in attempts if press.reaction is not None]
        if any(len(times) >= LAST and stdev(times) < STEADY for times in (claims, [press.score for press in attempts])):
            found.append("steady")
        if sum(press.score < QUICK for press in attempts) >= MANY:
            found.append("quick")
    return found
