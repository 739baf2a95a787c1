"""Talk: what each message of a page does at a live table, and the answer it gets."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from spellheist.core.game import Refused
from spellheist.core.state import ANYONE
from spellheist.server import entries as e
from spellheist.server import house, stealing, wire
from spellheist.server.lines import Line
from spellheist.server.live import Live, watched
from spellheist.server.sights import eyes_for, why_not
from spellheist.server.store import Unsettled
from spellheist.server.tables import Table
from spellheist.server.thinkers import Stopped

ADVISER = "master@300ms"
HOST = -1  # in entries that a host without a seat asked for


class Done(Exception):
    """This message was carried out before."""

    def __init__(self, ply: int) -> None:
        self.ply = ply


async def hear(live: Live, line: Line, message: Any) -> None:
    """Do what a message asks, and answer it. A line that has been ended is not heard any more."""
    if line.ended.is_set():
        return
    number = getattr(message, "id", None)
    try:
        may = FOR_HOSTS if line.token and line.token == live.table.made.host else FOR_ALL
        if line.seat is None and type(message) not in may:
            raise house.NotYours("Watchers cannot do that.")
        done = await HEARD[type(message)](live, line, message)
    except Done as before:
        line.tell(wire.Did(id=message.id, ply=before.ply if live.may_look(line) else 0))
    except Unsettled:  # neither yes nor no would be true: the page connects anew and asks again
        line.end()
    except Refused as refusal:
        refuse(live, line, number, refusal)
        if isinstance(message, wire.Move | wire.Press) and message.ply != live.table.play.ply:
            live.show(line)
    else:
        if done:
            line.tell(wire.Did(id=message.id, ply=shown_ply(live, line)))


def shown_ply(live: Live, line: Line) -> int:
    """How far the game is, for whoever may look at it."""
    return live.table.play.ply if live.may_look(line) else 0


def refuse(live: Live, line: Line, number: int | None, refusal: Refused) -> None:
    sentence = str(refusal).removesuffix(f" ({refusal.rule})") if refusal.rule else str(refusal)
    line.tell(wire.RefusedOut(id=number, sentence=sentence, rule=refusal.rule, ply=shown_ply(live, line)))


async def once(live: Live, line: Line, number: int, decide: Callable[[Table, int], Any]) -> bool:
    """Carry something out unless this message was carried out before. Is it still to be answered?"""
    seat = HOST if line.seat is None else line.seat

    def checked(table: Table, now: int) -> Any:
        before = table.did.get(seat, {}).get(number)
        if before is not None:
            raise Done(before)
        if seat != HOST:
            house.mine(table, seat, line.token)
        return decide(table, now)

    await live.carry_out(checked)
    return live.answered != (seat, number) or line not in live.lines


async def on_move(live: Live, line: Line, m: wire.Move) -> bool:
    if live.race.on and m.ply == live.race.ply:
        return await on_press(live, line, wire.Press(id=m.id, ply=m.ply, move=m.move))
    seat: int = line.seat  # type: ignore[assignment]
    return await once(live, line, m.id, lambda t, now: house.move(t, seat, m.ply, m.move, m.id, now))


async def on_press(live: Live, line: Line, m: wire.Press) -> bool:
    """In an open window presses are ruled on; else whoever comes first is first."""
    seat: int = line.seat  # type: ignore[assignment]
    m = msgspec.structs.replace(m, ply=live.race.answers(m.ply, m.move))
    if live.race.on:
        await live.race.press(line, m, lambda decide: once(live, line, m.id, decide))
        return True
    return await once(live, line, m.id, lambda t, now: house.move(t, seat, m.ply, m.move, m.id, now))


async def on_vote(live: Live, line: Line, m: wire.Vote) -> bool:
    seat: int = line.seat  # type: ignore[assignment]
    return await once(live, line, m.id, lambda t, now: stealing.vote(t, seat, m.ply, m.seat, m.id, now))


async def on_whole(live: Live, line: Line, m: wire.Whole) -> bool:
    line.tell(live.described(line))
    live.show(line)
    return False


async def on_start(live: Live, line: Line, m: wire.Start) -> bool:
    seat = HOST if line.seat is None else line.seat
    return await once(live, line, m.id, lambda t, now: house.ask_start(t, seat, line.token, m.id))


async def on_reveal(live: Live, line: Line, m: wire.Reveal) -> bool:
    seat: int = line.seat if m.seat is None else m.seat  # type: ignore[assignment]
    if seat < live.table.seats and live.table.chairs[seat].words == m.words:
        return False
    await live.carry_out(lambda t, now: house.reveal(t, seat, line.token, m.words))
    return False


async def on_chat(live: Live, line: Line, m: wire.Chat) -> bool:
    seat: int = line.seat  # type: ignore[assignment]
    return await once(live, line, m.id, lambda t, now: house.chat(t, seat, m.text, m.id))


async def on_hint(live: Live, line: Line, m: wire.Hint) -> bool:
    """What a strong bot thinks, from the seat's own view. Nobody waits for it: not the table, and not this seat."""
    table, seat = live.table, watched(line)
    house.playing(table)
    if not table.made.hints:
        raise Refused("This table is played without hints.")
    if seat not in table.asked() or m.ply != table.play.ply:
        raise Refused("Hints are given to whoever is to move.")
    if line.advised and not line.advised.done():
        raise Refused("The adviser is still thinking.")
    game = table.game
    lines = list(getattr(game.words, "hints", lambda view, seat: [])(table.play.view(seat), seat))
    view = eyes_for(game.name).view(table.truth, seat)
    thinking = live.hall.pool.think(ADVISER, game, view, seat, table.play.recall(seat))
    line.advised = live.hall.start(advise(live, line, m, lines, thinking))
    return False


async def advise(live: Live, line: Line, m: wire.Hint, lines: list[str], thinking: Awaitable[list[Any]]) -> None:
    """Tell what a bot has thought of the moment in which it was asked."""
    try:
        thoughts = await thinking
    except Stopped:
        refuse(live, line, m.id, Refused("The adviser has stopped thinking; ask again."))
    except Refused as refusal:
        refuse(live, line, m.id, refusal)
    else:
        moves = [(t["move"], round(t["chance"], 4), round(t["error"], 4)) for t in thoughts]
        line.tell(wire.Thoughts(id=m.id, ply=m.ply, lines=lines, moves=moves))


async def on_why(live: Live, line: Line, m: wire.Why) -> bool:
    if not live.table.begun or not live.may_look(line):
        raise Refused("The game has not begun.")
    line.tell(why_not(live.table, watched(line), m.move))
    return False


async def on_undo(live: Live, line: Line, m: wire.Undo) -> bool:
    seat: int = line.seat  # type: ignore[assignment]
    table, plies = live.table, live.table.play.plies
    if table.recent and m.ply == len(plies) and plies[-1].who == seat and table.play.turn != ANYONE:
        before, move = table.recent[-1], plies[-1].move
        looking = eyes_for(table.game.name).look_for(before, move, table.seats)
        table.revealed = before, move, await live.hall.shares.labour.do(line.address, looking)
    return await once(live, line, m.id, lambda t, now: house.undo(t, seat, m.ply, m.id))


async def on_agree(live: Live, line: Line, m: wire.Agree) -> bool:
    seat: int = line.seat  # type: ignore[assignment]
    return await once(live, line, m.id, lambda t, now: house.agree(t, seat, m.yes, m.id))


async def on_resign(live: Live, line: Line, m: wire.Resign) -> bool:
    seat: int = line.seat  # type: ignore[assignment]
    return await once(live, line, m.id, lambda t, now: house.resign(t, seat, m.id, now))


async def on_kick(live: Live, line: Line, m: wire.Kick) -> bool:
    seat = HOST if line.seat is None else line.seat
    return await once(live, line, m.id, lambda t, now: house.kick(t, m.seat, line.token, seat, m.id, now))


async def on_pause(live: Live, line: Line, m: wire.Pause) -> bool:
    seat = HOST if line.seat is None else line.seat
    return await once(live, line, m.id, lambda t, now: house.pause(t, m.on, line.token, seat, m.id, now))


async def on_close(live: Live, line: Line, m: wire.Close) -> bool:
    seat = HOST if line.seat is None else line.seat
    return await once(live, line, m.id, lambda t, now: house.close(t, line.token, seat, m.id, now))


async def on_again(live: Live, line: Line, m: wire.Again) -> bool:
    """A rematch: the other table is made first, then this one points to it."""
    seat: int = line.seat  # type: ignore[assignment]
    table = live.table
    if table.rematch:
        raise Done(table.play.ply)
    live.hall.shares.tables.take(line.address)
    made = house.again(table, secrets.token_bytes(32), line.token)
    name = await live.hall.make(made)
    return await once(
        live, line, m.id, lambda t, now: None if t.rematch else e.Rematch(table=name, seat=seat, id=m.id)
    )


async def on_pong(live: Live, line: Line, m: wire.Pong) -> bool:
    line.pong(m.n)
    return False


FOR_ALL = (wire.Whole, wire.Why, wire.Pong)
FOR_HOSTS = (*FOR_ALL, wire.Start, wire.Kick, wire.Pause, wire.Close)  # also from a host who has no seat
HEARD: dict[type, Callable[[Live, Line, Any], Awaitable[bool]]] = {
    wire.Move: on_move, wire.Press: on_press, wire.Vote: on_vote, wire.Whole: on_whole, wire.Start: on_start,
    wire.Reveal: on_reveal, wire.Chat: on_chat, wire.Hint: on_hint, wire.Why: on_why, wire.Undo: on_undo,
    wire.Agree: on_agree, wire.Resign: on_resign, wire.Kick: on_kick, wire.Pause: on_pause, wire.Close: on_close,
    wire.Again: on_again, wire.Pong: on_pong,
}  # fmt: skip
