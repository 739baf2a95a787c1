"""Talk: what each message of a page does at a live table, and the answer it gets."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from spellheist.core.game import Refused
from spellheist.core.state import ANYONE
from spellheist.server.process.bot_pool import Stopped
from spellheist.server.race import rulings
from spellheist.server.store import Unsettled
from spellheist.server.table import decisions, messages
from spellheist.server.table import journal as e
from spellheist.server.table.connections import Line
from spellheist.server.table.live import Live, watched
from spellheist.server.table.table import Table
from spellheist.server.table.views import eyes_for, why_not

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
            raise decisions.NotYours("Watchers cannot do that.")
        done = await HEARD[type(message)](live, line, message)
    except Done as before:
        line.tell(messages.Did(id=message.id, ply=before.ply if live.may_look(line) else 0))
    except Unsettled:  # neither yes nor no would be true: the page connects anew and asks again
        line.end()
    except Refused as refusal:
        refuse(live, line, number, refusal)
        if isinstance(message, messages.Move | messages.Press) and message.ply != live.table.play.ply:
            live.show(line)
    else:
        if done:
            line.tell(messages.Did(id=message.id, ply=shown_ply(live, line)))


def shown_ply(live: Live, line: Line) -> int:
    """How far the game is, for whoever may look at it."""
    return live.table.play.ply if live.may_look(line) else 0


def refuse(live: Live, line: Line, number: int | None, refusal: Refused) -> None:
    sentence = str(refusal).removesuffix(f" ({refusal.rule})") if refusal.rule else str(refusal)
    line.tell(messages.RefusedOut(id=number, sentence=sentence, rule=refusal.rule, ply=shown_ply(live, line)))


async def once(live: Live, line: Line, number: int, decide: Callable[[Table, int], Any]) -> bool:
    """Carry something out unless this message was carried out before. Is it still to be answered?"""
    seat = HOST if line.seat is None else line.seat

    def checked(table: Table, now: int) -> Any:
        before = table.did.get(seat, {}).get(number)
        if before is not None:
            raise Done(before)
        if seat != HOST:
            decisions.mine(table, seat, line.token)
        return decide(table, now)

    await live.carry_out(checked)
    return live.answered != (seat, number) or line not in live.lines


async def on_move(live: Live, line: Line, m: messages.Move) -> bool:
    if live.race.on and m.ply == live.race.ply:
        return await on_press(live, line, messages.Press(id=m.id, ply=m.ply, move=m.move))
    seat: int = line.seat  # type: ignore[assignment]
    return await once(live, line, m.id, lambda t, now: decisions.move(t, seat, m.ply, m.move, m.id, now))


async def on_press(live: Live, line: Line, m: messages.Press) -> bool:
    """In an open window presses are ruled on; else whoever comes first is first."""
    seat: int = line.seat  # type: ignore[assignment]
    m = msgspec.structs.replace(m, ply=live.race.answers(m.ply, m.move))
    if live.race.on:
        await live.race.press(line, m, lambda decide: once(live, line, m.id, decide))
        return True
    return await once(live, line, m.id, lambda t, now: decisions.move(t, seat, m.ply, m.move, m.id, now))


async def on_vote(live: Live, line: Line, m: messages.Vote) -> bool:
    seat: int = line.seat  # type: ignore[assignment]
    return await once(live, line, m.id, lambda t, _: rulings.vote(t, seat, m.ply, m.seat, m.id))


async def on_whole(live: Live, line: Line, m: messages.Whole) -> bool:
    line.tell(live.described(line))
    live.show(line)
    return False


async def on_start(live: Live, line: Line, m: messages.Start) -> bool:
    seat = HOST if line.seat is None else line.seat
    return await once(live, line, m.id, lambda t, now: decisions.ask_start(t, seat, line.token, m.id))


async def on_reveal(live: Live, line: Line, m: messages.Reveal) -> bool:
    seat: int = line.seat if m.seat is None else m.seat  # type: ignore[assignment]
    if seat < live.table.seats and live.table.chairs[seat].words == m.words:
        return False
    await live.carry_out(lambda t, now: decisions.reveal(t, seat, line.token, m.words))
    return False


async def on_chat(live: Live, line: Line, m: messages.Chat) -> bool:
    seat: int = line.seat  # type: ignore[assignment]
    return await once(live, line, m.id, lambda t, now: decisions.chat(t, seat, m.text, m.id))


async def on_hint(live: Live, line: Line, m: messages.Hint) -> bool:
    """What a strong bot thinks, from the seat's own view. Nobody waits for it: not the table, and not this seat."""
    table, seat = live.table, watched(line)
    decisions.playing(table)
    if not table.made.hints:
        raise Refused("This table is played without hints.")
    if seat not in table.asked() or m.ply != table.play.ply:
        raise Refused("Hints are given to whoever is to move.")
    if line.advised and not line.advised.done():
        raise Refused("The adviser is still thinking.")
    game = table.game
    lines = game.words.hints(table.play.view(seat), seat)
    view = eyes_for(game.name).view(table.truth, seat)
    thinking = live.service.pool.think(ADVISER, game, view, seat, table.play.recall(seat))
    line.advised = live.service.start(advise(live, line, m, lines, thinking))
    return False


async def advise(live: Live, line: Line, m: messages.Hint, lines: list[str], thinking: Awaitable[list[Any]]) -> None:
    """Tell what a bot has thought of the moment in which it was asked."""
    try:
        thoughts = await thinking
    except Stopped:
        refuse(live, line, m.id, Refused("The adviser has stopped thinking; ask again."))
    except Refused as refusal:
        refuse(live, line, m.id, refusal)
    else:
        moves = [(t["move"], round(t["chance"], 4), round(t["error"], 4)) for t in thoughts]
        line.tell(messages.Thoughts(id=m.id, ply=m.ply, lines=lines, moves=moves))


async def on_why(live: Live, line: Line, m: messages.Why) -> bool:
    if not live.table.begun or not live.may_look(line):
        raise Refused("The game has not begun.")
    line.tell(why_not(live.table, watched(line), m.move))
    return False


async def on_undo(live: Live, line: Line, m: messages.Undo) -> bool:
    seat: int = line.seat  # type: ignore[assignment]
    table, plies = live.table, live.table.play.plies
    if table.recent and m.ply == len(plies) and plies[-1].who == seat and table.play.turn != ANYONE:
        before, move = table.recent[-1], plies[-1].move
        looking = eyes_for(table.game.name).look_for(before, move, table.seats)
        table.revealed = before, move, await live.service.shares.labour.do(line.address, looking)
    return await once(live, line, m.id, lambda t, now: decisions.undo(t, seat, m.ply, m.id))


async def on_agree(live: Live, line: Line, m: messages.Agree) -> bool:
    seat: int = line.seat  # type: ignore[assignment]
    return await once(live, line, m.id, lambda t, now: decisions.agree(t, seat, m.yes, m.id))


async def on_resign(live: Live, line: Line, m: messages.Resign) -> bool:
    seat: int = line.seat  # type: ignore[assignment]
    return await once(live, line, m.id, lambda t, now: decisions.resign(t, seat, m.id, now))


async def on_kick(live: Live, line: Line, m: messages.Kick) -> bool:
    seat = HOST if line.seat is None else line.seat
    return await once(live, line, m.id, lambda t, now: decisions.kick(t, m.seat, line.token, seat, m.id, now))


async def on_pause(live: Live, line: Line, m: messages.Pause) -> bool:
    seat = HOST if line.seat is None else line.seat
    return await once(live, line, m.id, lambda t, now: decisions.pause(t, m.on, line.token, seat, m.id, now))


async def on_close(live: Live, line: Line, m: messages.Close) -> bool:
    seat = HOST if line.seat is None else line.seat
    return await once(live, line, m.id, lambda t, now: decisions.close(t, line.token, seat, m.id, now))


async def on_again(live: Live, line: Line, m: messages.Again) -> bool:
    """A rematch: the other table is made first, then this one points to it."""
    seat: int = line.seat  # type: ignore[assignment]
    table = live.table
    if table.rematch:
        raise Done(table.play.ply)
    live.service.shares.tables.take(line.address)
    made = decisions.again(table, secrets.token_bytes(32), line.token)
    name = await live.service.make(made)
    return await once(
        live, line, m.id, lambda t, now: None if t.rematch else e.Rematch(table=name, seat=seat, id=m.id)
    )


async def on_pong(live: Live, line: Line, m: messages.Pong) -> bool:
    line.pong(m.n)
    return False


FOR_ALL = (messages.Whole, messages.Why, messages.Pong)
FOR_HOSTS = (*FOR_ALL, messages.Start, messages.Kick, messages.Pause, messages.Close)  # also from a host who has no seat
HEARD: dict[type, Callable[[Live, Line, Any], Awaitable[bool]]] = {
    messages.Move: on_move, messages.Press: on_press, messages.Vote: on_vote, messages.Whole: on_whole,
    messages.Start: on_start, messages.Reveal: on_reveal, messages.Chat: on_chat, messages.Hint: on_hint,
    messages.Why: on_why, messages.Undo: on_undo, messages.Agree: on_agree, messages.Resign: on_resign,
    messages.Kick: on_kick, messages.Pause: on_pause, messages.Close: on_close, messages.Again: on_again,
    messages.Pong: on_pong,
}  # fmt: skip
