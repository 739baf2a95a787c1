"""Holds what people were told against the journal. What this needs of the product is imported here and nowhere else."""

from __future__ import annotations

import bisect
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from crowd import Evening, History, Told

from spellheist.core import record
from spellheist.core.state import WATCHER
from spellheist.server.store import store_at
from spellheist.server.table.actions import read_entry
from spellheist.server.table.actions.leaving import Resigned
from spellheist.server.table.actions.moving import Moved
from spellheist.server.table.actions.pressing import Pressed
from spellheist.server.table.actions.proposing import Paused
from spellheist.server.table.reading import read_table
from spellheist.server.table.table import Table
from spellheist.server.table.views import Updates

Rows = list[tuple[int, bytes]]
EARLY = 0.25  # seconds by which a clock may seem to ring early: the way of what is told
LATE, EACH = 20.0, 6.0  # seconds by which it may ring late, and for each fault meanwhile


class Finding(NamedTuple):
    """Something that must not be."""

    kind: str
    table: str
    sentence: str


class Step(NamedTuple):
    """An entry and where the table stood before it."""

    number: int
    entry: Any
    ply: int
    clocked: bool  # the table decided for a person whose time was over


class Fold:
    """A journal folded once, with all that its seats could see on the way, as far as it was told to anybody."""

    def __init__(self, evening: Evening, rows: Rows) -> None:
        self.table = Table(evening.table)
        self.steps: list[Step] = []
        self.shown: dict[int, list[tuple[int, tuple[Any, ...]]]] = {}  # seat: (entry, what it is shown then)
        self.around: list[tuple[Any, ...]] = []
        self.usurped: list[int] = []  # moves that a bot made for somebody who was there
        self.chat: set[tuple[Any, ...]] = set()
        self.wanted: dict[int, set[int]] = {}
        self.passed: dict[int, set[int]] = {}
        for history in evening.histories:
            seat = WATCHER if history.seat is None else history.seat
            self.shown[seat] = []
            self.wanted.setdefault(seat, set()).update(told.ply for told in history.told if not told.show)
            self.passed.setdefault(seat, set()).update(told.ply for told in history.told if told.show)
        for number, body in rows:
            self.add(number, read_entry(body))

    def add(self, number: int, entry: Any) -> None:
        table = self.table
        before = table.play.ply if table.count else 0
        clocked = is_clocked(table, entry)
        if isinstance(entry, Moved) and entry.by and not entry.late and table.chairs[entry.seat].person:
            self.usurped.append(number)
        table.apply(entry)
        self.steps.append(Step(number, entry, before, clocked))
        chairs = tuple((chair.kind, chair.name, chair.away) for chair in table.chairs)
        undo = (table.wish.by, *table.wish.waits_for) if table.wish else None
        self.around.append((table.state, chairs, table.rematch, undo))
        self.chat.update(map(tuple, table.chat))
        if table.begun:
            self.look(number, before)

    def look(self, number: int, before: int) -> None:
        """Keep what each seat is shown after this entry."""
        ply, updates = self.table.play.ply, Updates(self.table, {})
        for seat, shown in self.shown.items():
            for between in range(before + 1, ply):
                if between in self.passed[seat]:
                    shown.append((number, (*seen(updates.shown_at(seat, between)), True)))
            if ply in self.wanted[seat]:
                shown.append((number, (*seen(updates.shown(seat)), False)))


def is_clocked(table: Table, entry: Any) -> bool:
    if isinstance(entry, Resigned):
        return entry.late
    return isinstance(entry, Moved) and entry.late


def asker_of(entry: Any) -> tuple[int | None, int]:
    """Whose message an entry is, and its number."""
    asker = getattr(entry, "asker", None)
    return getattr(entry, "seat", None) if asker is None else asker, getattr(entry, "id", 0)


def seen(shown: Any) -> tuple[Any, ...]:
    score = None if shown.score is None else tuple(shown.score)
    moves = tuple(move for move, _ in shown.moves)
    return shown.ply, shown.view.bytes, tuple(shown.asked), moves, shown.question, shown.over, score


def check(evening: Evening, rows: Rows, faults: list[tuple[float, float]]) -> list[Finding]:
    """All that is wrong at one table."""
    found: list[Finding] = []

    def find(kind: str, sentence: str) -> None:
        found.append(Finding(kind, evening.table, f"{evening.game}: {sentence}"))

    if [number for number, _ in rows] != list(range(1, len(rows) + 1)):
        find("hole", f"the entries are numbered {[number for number, _ in rows][:20]}...")
    try:
        fold = Fold(evening, rows)
    except Exception as error:
        find("unreadable", f"the journal cannot be folded: {error!r}")
        return found
    times = matched(evening, fold, find)
    answers(evening, fold, find)
    in_order(evening, fold, find)
    clocks(evening, fold, times, faults, find)
    verify(evening, fold, find)
    for number in fold.usurped:
        find("usurped", f"a bot moved for somebody who was there: entry {number}")
    if evening.stuck:
        find("stuck", evening.stuck)
    return found


def matched(evening: Evening, fold: Fold, find: Any) -> list[tuple[int, float]]:
    """Every page was shown what the journal shows its seat, in the journal's order, also from line to line. The entries
    that were shown, and when."""
    times = []
    for history in evening.histories:
        seat = WATCHER if history.seat is None else history.seat
        shown, at = fold.shown[seat], 0
        for told in history.told:
            key = (*told[2:],)
            place = next((k for k in range(at, len(shown)) if shown[k][1] == key), None)
            if place is None:
                find("told", f"seat {history.seat} was told at ply {told.ply} {differs(told, shown, at)}")
                break
            at = place
            times.append((shown[place][0], told.at))
        stale(history, fold, shown, find)
        said, at = fold.around, 0
        for around in history.around:
            place = next((k for k in range(at, len(said)) if said[k] == tuple(around[1:])), None)
            if place is None:
                find("told", f"seat {history.seat} was told of a table that the journal does not have: {around[1:]}")
                break
            at = place
        for line in history.chat:
            if line not in fold.chat:
                find("told", f"seat {history.seat} heard what nobody said: {line}")
        for gap in history.gaps:
            find("gap", f"seat {history.seat} got {gap}")
    return sorted(times)


def stale(history: History, fold: Fold, shown: list[tuple[int, tuple[Any, ...]]], find: Any) -> None:
    """Whoever is shown an entry has been told before how the table stood since the one shown before it."""
    at, since = 0, 0
    for told in history.told:
        key = (*told[2:],)
        place = next((k for k in range(at, len(shown)) if shown[k][1] == key), None)
        if place is None or not told.around:
            return
        last = place
        while last + 1 < len(shown) and shown[last + 1][1] == key:
            last += 1
        upto = shown[last + 1][0] - 1 if last + 1 < len(shown) else len(fold.around)
        said = tuple(history.around[told.around - 1][1:])
        if said not in fold.around[max(since, 1) - 1 : upto]:
            find("stale", f"seat {history.seat} was shown ply {told.ply} and had been told {said[0]}, undo {said[3]}")
            return
        at, since = place, shown[place][0]


def differs(told: Told, shown: list[tuple[int, tuple[Any, ...]]], at: int) -> str:
    """How a view that the journal does not show differs from those that it does."""
    key = (*told[2:],)
    if any(what == key for _, what in shown[:at]):
        return "what had been true before something that it was told earlier"
    names = ("ply", "view", "asked", "moves", "question", "over", "score", "show")
    same = [what for _, what in shown if what[0] == told.ply]
    if not same:
        return "although the journal never stood there"
    closest = min(same, key=lambda what: sum(a != b for a, b in zip(what, key, strict=True)))
    parts = [name for name, a, b in zip(names, key, closest, strict=True) if a != b]
    return f"another {' and '.join(parts)} than the journal shows: " + "; ".join(
        f"{a!r} for {b!r}" for name, a, b in zip(names, key, closest, strict=True) if a != b and name != "view"
    )


def answers(evening: Evening, fold: Fold, find: Any) -> None:
    """Every answered message is in the journal once, at its place; nothing refused is there."""
    there: dict[tuple[int, int], list[Step]] = {}
    for step in fold.steps:
        if getattr(step.entry, "id", 0):
            there.setdefault(asker_of(step.entry), []).append(step)
    for (seat, number), steps in there.items():
        if len(steps) > 1:
            find("doubled", f"message {number} of seat {seat} is entries {[step.number for step in steps]}")
    sent = {(history.seat, number) for history in evening.histories for number in history.sent}
    for key in there.keys() - sent:
        find("alien", f"nobody sent message {key[1]} of seat {key[0]}")
    for history in evening.histories:
        for number, told in history.answers.items():
            steps = there.get((history.seat or 0, number), [])
            placed(evening, fold, history, number, {answer.kind for answer in told}, steps, find)


def placed(
    evening: Evening, fold: Fold, history: History, number: int, kinds: set[str], steps: list[Step], find: Any
) -> None:
    """One message that was answered."""
    message = history.sent[number]
    what = f"{message.kind} {number} of seat {history.seat}"
    if "did" not in kinds:
        if steps and "refused" in kinds:
            sentence = history.answers[number][-1].sentence
            find("refused", f"{what} was refused ({sentence}) and is entry {steps[0].number}")
        return
    if not steps:
        if message.kind != "rematch" or fold.table.rematch is None:  # somebody else's rematch answers it, too
            find("lost", f"{what} was answered and is not in the journal")
        return
    entry, ply = steps[0].entry, steps[0].ply
    if message.kind == "chat" and entry.text != message.what["text"]:
        find("misplaced", f"{what} says something else in the journal")
    if message.kind in ("move", "press"):
        move = entry.move if isinstance(entry, Pressed) else entry.plies[0][1]
        late = message.kind == "press" or isinstance(entry, Pressed)  # it may count in the window that goes on
        if move != message.what["move"] or ply < message.what["ply"] or (ply != message.what["ply"] and not late):
            find("misplaced", f"{what} was {message.what} and is move {move} at ply {ply}")


def in_order(evening: Evening, fold: Fold, find: Any) -> None:
    """What was answered before something else was sent stands before it."""
    sent = {(h.seat, number): message.at for h in evening.histories for number, message in h.sent.items()}
    done = {
        (h.seat, number): min(answer.at for answer in told if answer.kind == "did")
        for h in evening.histories for number, told in h.answers.items() if any(a.kind == "did" for a in told)
    }  # fmt: skip
    latest = 0.0
    for step in fold.steps:
        key = asker_of(step.entry)
        if key in done and done[key] < latest:
            find("order", f"message {key[1]} of seat {key[0]} was answered before one was sent that stands before it")
        latest = max(latest, sent.get(key, 0.0))


def clocks(
    evening: Evening, fold: Fold, times: list[tuple[int, float]], faults: list[tuple[float, float]], find: Any
) -> None:
    """No clock ran out before its time; who let it run out was not waited for much longer."""
    if not evening.clock:
        return
    sent = {(h.seat, number): message.at for h in evening.histories for number, message in h.sent.items()}
    asked = 0.0  # when the message was sent after which the present question was asked, at the earliest
    latest = 0.0
    for step in fold.steps:
        key = asker_of(step.entry)
        if step.clocked and asked:
            rang = min((at for number, at in times[bisect.bisect_left(times, (step.number, 0.0)) :]), default=None)
            if rang is not None and rang - asked < evening.clock - EARLY:
                find("early", f"entry {step.number}: seat {key[0]} had {rang - asked:.1f} of {evening.clock} seconds")
        latest = max(latest, sent.get(key, 0.0))
        if hasattr(step.entry, "plies") or getattr(step.entry, "done", False):
            asked = latest
    paused = any(isinstance(step.entry, Paused) for step in fold.steps)
    for history in evening.histories if not paused else []:
        for at, ply in history.dozed:
            later = [told.at for other in evening.histories for told in other.told
                     if told.at > at and (told.ply > ply or told.over)]  # fmt: skip
            rang = min(later, default=at)
            meanwhile = sum(1 for start, end in faults if start < rang and end > at)
            if rang - at > evening.clock + LATE + EACH * meanwhile:
                find("late", f"the clock of seat {history.seat} at ply {ply} rang after {rang - at:.1f} seconds")


def verify(evening: Evening, fold: Fold, find: Any) -> None:
    """The record of a game that is over holds."""
    if not evening.record:
        return
    try:
        holds = record.verify(record.read(evening.record))
    except Exception as error:
        find("record", f"{error!r}: {evening.record[:200]!r}")
        return
    if not holds:
        find("record", "the record does not verify")


def readable(rows: Rows) -> bool:
    """Can the journal of a table at which nobody of us was be folded?"""
    return read_table("another", [body for _, body in rows]).state != "frozen"


async def make_store(path: Path) -> None:
    """A SQLite store without tables."""
    store = store_at(f"sqlite:///{path}")
    await store.open()
    await store.close()


def summed(evenings: list[Evening]) -> Counter[str]:
    """What was written down."""
    counts: Counter[str] = Counter()
    for evening in evenings:
        counts["tables"] += 1
        counts["games over"] += bool(evening.record)
        for history in evening.histories:
            counts["views told"] += len(history.told)
            counts["lines"] += history.lines
            counts["chats"] += len(history.chat)
    return counts
