"""Who pressed first: a pure arbiter. It is told every time; it has no clock and speaks with nobody.

Whoever is first by arrival is not whoever was first: lines differ. So a press is scored by the reaction, from the
roll being seen to the press, as far as the measured round trip of that line makes the claim possible:

    elapsed     from sending the cue to the arrival of the press, on the server's clock
    claimed     the lag that the page's own reaction time implies: elapsed - reaction
    allowance   the most lag that is believed: the round trip and some slack, up to a limit
    excess      what a bucket gives beyond that, for a line that stumbles now and then
    score       elapsed - (claimed, between 0 and allowance + excess)

All times are in milliseconds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Times:
    """The parameters of a window."""

    slack: float = 10  # half a frame to paint, half a frame to sample input
    dead_heat: float = 8  # what the stamps cannot tell apart
    human: float = 120  # nobody reacts faster
    hold: float = 350  # the longest that a decision waits for slower lines
    earliest: float = 600  # before this the marker cannot be let go,
    space: float = 60  # and so much later for each space that it is moved
    shut: float = 10_000  # then the table closes the window itself
    vote: float = 8_000
    bucket_first: float = 100
    bucket_gain: float = 10
    bucket_most: float = 200
    bot_mean: float = 380  # reactions of bots: normal, as those of people
    bot_spread: float = 60


class Trips:
    """The round trips of one line, as measured by pings: the last forty, or those of a minute."""

    MOST, AGE = 40, 60_000.0

    def __init__(self) -> None:
        self.seen: deque[tuple[float, float]] = deque(maxlen=self.MOST)

    def add(self, now: float, trip: float) -> None:
        self.seen.append((now, trip))
        while now - self.seen[0][0] > self.AGE:
            self.seen.popleft()

    def quantile(self, share: float, bound: float | None = None) -> float:
        """The round trip that so large a share does not exceed, and never more than the bound."""
        trips = sorted(trip for _, trip in self.seen)
        found = trips[min(len(trips) - 1, int(share * len(trips)))] if trips else 0.0
        return found if bound is None else min(found, bound)


@dataclass(frozen=True)
class Scored:
    """A press as it counts, and how that came about."""

    score: float
    allowance: float
    bucket: float  # what is left in it
    clamped: bool  # more lag was claimed than was believed
    early: bool  # a false start


def scored(elapsed: float, reaction: float | None, trip: float, most: float, bucket: float, times: Times) -> Scored:
    """The score of one press; `trip` is the 90 % quantile of the line's round trips, `most` the table's limit."""
    allowance = min(most, trip + times.slack) if most else 0.0
    claimed = 0.0 if reaction is None else elapsed - reaction
    excess = min(max(0.0, claimed - allowance), bucket) if most else 0.0
    score = elapsed - min(max(0.0, claimed), allowance + excess)
    left = min(times.bucket_most, bucket - excess + times.bucket_gain)
    return Scored(score, allowance, left, claimed > allowance, score < times.human)


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
