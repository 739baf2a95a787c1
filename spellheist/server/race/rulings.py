"""Rulings on presses: which count, in which order, and what follows. What they mean in a game, its `window.py` says
(`core/contract/window.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from spellheist.core.play import Play
from spellheist.core.refused import Refused
from spellheist.core.state import ANYONE
from spellheist.server.race.arbiter import Press, Scored, Times, elected, in_order, released
from spellheist.server.table.actions.pressing import Pressed, Ruled, Voted
from spellheist.server.table.journal import checksum
from spellheist.server.table.rights import playing
from spellheist.server.table.table import Table


class Measured(NamedTuple):
    """What was measured of the line that a press came over."""

    trip: float = 0.0  # what is believed of it
    least: float = 0.0
    recent: float = 0.0
    late: bool = False  # opened after the cue was sent to all
    again: bool = False  # the window was interrupted


def has_windows(table: Table) -> bool:
    """Is this game played with live windows?"""
    return table.game.window.LIVE in table.play.settings.items()


def open_at(table: Table) -> bool:
    """Is this a question on which presses are ruled?"""
    return table.state == "playing" and in_window(table.play)


def in_window(play: Play) -> bool:
    return play.turn == ANYONE and bool(play.game.window.is_open(play.state))


def may_come_late(table: Table, move: int) -> bool:
    """Is this an attempt that may also be made just after a ruling?"""
    asks_all = table.state == "playing" and table.play.turn == ANYONE
    return asks_all and bool(table.game.window.may_come_late(table.play.state, move))


def is_release(table: Table, move: int) -> bool:
    return bool(move == table.game.window.release(table.play.state))


def press(table: Table, seat: int, ply: int, move: int, elapsed: float, reaction: float | None, measured: Measured,
          judged: Scored, number: int) -> Pressed:  # fmt: skip
    """A press that arrives while the window is open."""
    playing(table)
    if ply != table.play.ply:
        raise Refused("The game has moved on since.")
    if table.heat:
        raise Refused("The attempts before yours are still being judged.", table.game.window.DEAD_HEAT)
    if any(other.seat == seat for other in table.presses):
        raise Refused("You have already pressed.", table.game.window.ONE_PRESS)
    if move not in table.play.legal(seat):
        rule, sentence = table.game.words.why_not(table.play.view(seat), move)
        raise Refused(sentence, rule)
    release = is_release(table, move)
    on = table.game.window.goes_on(table.play.state) or measured.again  # then what is pressed at has been seen for long
    return Pressed(
        seat=seat, ply=ply, move=move, elapsed=round(elapsed, 2), reaction=reaction, rtt=round(measured.trip, 2),
        allowance=round(judged.allowance, 2), score=round(judged.score, 2), bucket=0, clamped=judged.clamped,
        early=judged.early and not release and not on, id=number, least=round(measured.least, 2),
        recent=round(measured.recent, 2), fresh=table.chairs[seat].person and not release and not on,
        late=measured.late,
    )  # fmt: skip


def presses(table: Table, times: Times) -> list[Press]:
    """The presses in the journal at this ply, as they count."""
    spaces = table.game.window.spaces(table.play.state)
    found = []
    for entry in table.presses:
        release = is_release(table, entry.move)
        score = released(entry.score, spaces, times) if release else entry.score
        found.append(Press(entry.seat, entry.move, entry.elapsed, score, release, entry.early))
    return found


def can_press(table: Table) -> list[int]:
    """The seats that have not pressed and could."""
    pressed = {entry.seat for entry in table.presses}
    return [seat for seat in table.asked() if seat not in pressed]


def may_succeed(table: Table, press: Press) -> bool:
    """Could this attempt succeed, if it is first?"""
    if press.release or press.early:
        return False
    return bool(table.game.window.may_succeed(table.play.state, press.seat, press.move))


def tempted(table: Table, seat: int) -> bool:
    """Is there an attempt with which this seat could succeed?"""
    s, window = table.play.state, table.game.window
    return any(window.may_succeed(s, seat, move) for move in table.play.legal(seat))


def heat(table: Table, times: Times) -> list[int] | None:
    """The seats of the first dead heat that people have to decide, if it comes to one: not when somebody before them
    has succeeded."""
    with tried_out(table.play) as play:
        for run in in_order(presses(table, times), times):
            if any(press.release for press in run):
                return None  # who pressed with the release is unclear, and nobody votes on that
            able = [press.seat for press in run if may_succeed(table, press)]
            if len(able) > 1:
                return able if voters(table, able) else None
            for press in run:
                attempt(table, press, "early" if press.early else "counts")
            if not in_window(play):
                return None
    return None


@contextmanager
def tried_out(play: Play) -> Iterator[Play]:
    """What is played meanwhile is taken back."""
    state, count = play.bytes, play.ply
    try:
        yield play
    finally:
        del play.plies[count:]
        play.stand_at(state, play.plies)


def voters(table: Table, involved: Sequence[int]) -> list[int]:
    """The people who made none of these attempts."""
    return [seat for seat, chair in enumerate(table.chairs) if chair.person and seat not in involved]


def vote(table: Table, seat: int, ply: int, choice: int, number: int) -> Voted:
    """Somebody who made none of the attempts says who was first."""
    if not has_windows(table):
        raise Refused("There is nothing to vote on.")
    heat, rule = table.heat, table.game.window.DEAD_HEAT
    if heat is None or heat.ply != ply:
        raise Refused("There is nothing to vote on.", rule)
    if seat not in voters(table, heat.seats):
        raise Refused("Only those who made none of these attempts can say who was first.", rule)
    if choice != -1 and choice not in heat.seats:
        raise Refused("That seat is not in the dead heat.", rule)
    if seat in heat.votes:
        raise Refused("You have already voted.", rule)
    return Voted(seat=seat, ply=ply, choice=choice, id=number)


def rule(table: Table, times: Times, shut: bool = False) -> Ruled:
    """The ruling on all presses at this ply; `shut` when the table closes the window itself."""
    ply = table.play.ply
    verdicts: list[dict[str, Any]] = []
    with tried_out(table.play) as play:
        for press, kind in attempts(table, times):
            verdicts.append(attempt(table, press, kind))
        if shut and in_window(play):
            play.play(table.game.window.release(play.state))
            play.roll_all(table.dice)
        plies, after = play.plies[ply:], play.bytes
    return Ruled(ply=ply, plies=plies, check=checksum(after), verdicts=verdicts)


def attempts(table: Table, times: Times) -> list[tuple[Press, str]]:
    """All presses in the order in which they count, each with what the judge says of it."""
    found: list[tuple[Press, str]] = []
    for run in in_order(presses(table, times), times):
        release = [press for press in run if press.release]
        others = [press for press in run if not press.release]
        if release:  # nobody can tell whether these were in time
            found += [(press, "early" if press.early else "unclear") for press in others]
            found.append((release[0], "release"))
            continue
        able = [press for press in others if may_succeed(table, press)]
        order: list[Press] | None = others
        if len(able) > 1:
            votes = table.heat.votes if table.heat else {}
            order = elected(able, votes, len(voters(table, [press.seat for press in able])))
        if order is None:
            found += [(press, "early" if press.early else "undecided") for press in others]
        else:
            rest = [press for press in others if press not in order]
            found += [(press, "early" if press.early else "counts") for press in (*order, *rest)]
    return found


def attempt(table: Table, press: Press, kind: str) -> dict[str, Any]:
    """Make one attempt, with the chance after it; how it went."""
    play, window = table.play, table.game.window
    move = press.move
    if kind in ("early", "undecided"):
        move = window.void(move)
    elif kind == "unclear":
        move = window.unclear(move)
    late = play.turn == ANYONE and not in_window(play)
    legal = play.turn == ANYONE and move in play.legal()
    if legal:
        play.play(move)
        play.roll_all(table.dice)
    if kind == "counts":
        kind = "stole" if legal and window.succeeded(play.state, press.seat) else "late" if late else "failed"
    elif kind == "release" and not legal:
        kind = "too late"
    measured = next(entry for entry in table.presses if entry.seat == press.seat)
    lag = round(measured.elapsed - measured.score, 1)
    return {
        "seat": press.seat, "move": press.move, "reaction": measured.reaction, "lag": lag,
        "score": round(press.score, 1), "verdict": kind,
    }  # fmt: skip
