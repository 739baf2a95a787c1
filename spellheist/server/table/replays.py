"""Replays: games told again from their moves, ply by ply or as a record. That takes the longer the longer a game is, so
it is done step by step and in pages; pages of games that have ended are kept, and so are states on the way.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from spellheist.core import game as core
from spellheist.core import record
from spellheist.core.dice import Fair
from spellheist.core.memory import Ply
from spellheist.core.play import Play
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE
from spellheist.server.http import bodies
from spellheist.server.rate_limits import WorkQueue
from spellheist.server.table.table import Table
from spellheist.server.table.views import shown_to, views_of
from spellheist.server.table.word_cache import named

PAGE = 200  # plies of one answer
EVERY = 100  # plies between two states that are kept
WAYS = 200  # games of which states are kept
KEPT = 16 * 1024 * 1024  # bytes of answers that are kept


class Game(NamedTuple):
    """A game as it stands now. Its table may move on while it is told again."""

    table: str
    game: core.Game
    seats: int
    settings: dict[str, Any]
    names: list[str]
    players: list[str]
    plies: list[Ply]
    dice: Fair
    ended: bool

    def again(self) -> Play:
        """Before its first ply."""
        return Play(self.game, self.seats, self.settings, self.names)


def game_of(table: Table) -> Game:
    play, ended = table.play, table.state in ("over", "closed")
    players = [chair.level if chair.kind == "bot" else "you" for chair in table.chairs]
    return Game(table.name, table.game, table.seats, play.settings, list(play.names), players, list(play.plies), table.dice,
                ended)  # fmt: skip


Steps = Generator[None, None, bytes]  # that make an answer


@dataclass
class Way:
    """States of a game, one each EVERY plies, and the plies that led to them."""

    states: list[bytes] = field(default_factory=list)
    plies: list[Ply] = field(default_factory=list)


class Replays:
    """What is told again of all tables."""

    def __init__(self, work: WorkQueue) -> None:
        self.work = work
        self.ways: OrderedDict[str, Way] = OrderedDict()
        self.kept: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()
        self.size = 0

    async def frames(self, table: Table, seat: int, first: int, address: str) -> bytes:
        """The game from ply `first` on, as a seat saw it: a page of it."""
        game = game_of(table)
        if not 0 <= first <= len(game.plies):
            raise Refused(f"The game has {len(game.plies)} plies; there is no ply {first}.")
        return await self.made(game, ("frames", seat, first), self.page(game, seat, first), address)

    async def record(self, table: Table, seat: int | None, address: str | None) -> bytes:
        """The record: of a game that has ended whole, else as a seat saw it."""
        game = game_of(table)
        shown = None if game.ended else seat
        return await self.made(game, ("record", shown), written(game, shown), address)

    async def made(self, game: Game, what: tuple[Any, ...], steps: Steps, address: str | None) -> bytes:
        """An answer that is kept, or is made now."""
        key = (game.table, len(game.plies), *what)
        if not game.ended:
            return await self.work.do(address, steps)
        if key not in self.kept:
            found = await self.work.do(address, steps)
            if key not in self.kept:
                self.kept[key] = found
                self.size += len(found)
            while self.size > KEPT:
                self.size -= len(self.kept.popitem(last=False)[1])
            return found
        self.kept.move_to_end(key)
        return self.kept[key]

    def page(self, game: Game, seat: int, first: int) -> Steps:
        views, seats, names = views_of(game.game.name), game.seats, game.names
        phrases, own_names, news = views.phrases, named(names, seat), game.game.words.news
        again = yield from self.standing_at(game, first)

        def looked() -> Any:
            return phrases.glance(views.view(again.bytes, seat))

        view = looked()
        told = [bodies.Frame(
            ply=first, who=None, move=None, news=[], turn=view.turn, question=phrases.question(view, seat, names),
            view=views.fields(view),
        )]  # fmt: skip
        for n, ply in enumerate(game.plies[first : first + PAGE], first + 1):
            odds = views.odds(again.bytes) if game.ended and ply.who == CHANCE else UNSET
            again.repeat(ply)
            was, view = view, looked()
            shown = shown_to(ply, seat, seats)
            told.append(bodies.Frame(
                ply=n, who=ply.who, move=shown, news=[(ply.who, shown, news(was, shown, view, own_names), n)],
                turn=view.turn, question=phrases.question(view, seat, names), change=views.change(was, view), odds=odds,
            ))  # fmt: skip
            yield
        return msgspec.json.encode(told)

    def standing_at(self, game: Game, first: int) -> Generator[None, None, Play]:
        """The game as it stood at a ply, from the nearest state that is kept."""
        again, way = game.again(), self.way(game)
        near = min(first // EVERY, len(way.states))
        if near:
            again.stand_at(way.states[near - 1], [])
        for n, ply in enumerate(game.plies[near * EVERY : first], near * EVERY + 1):
            again.repeat(ply)
            if n % EVERY == 0:
                if len(way.states) == n // EVERY - 1 and way.plies == game.plies[: n - EVERY]:
                    way.states.append(again.bytes)
                    way.plies = game.plies[:n]
                yield
        return again

    def way(self, game: Game) -> Way:
        way = self.ways.setdefault(game.table, Way())
        self.ways.move_to_end(game.table)
        if len(self.ways) > WAYS:
            self.ways.popitem(last=False)
        if way.plies != game.plies[: len(way.plies)]:  # moves were taken back since
            way.states, way.plies = [], []
        return way


def written(game: Game, seat: int | None) -> Steps:
    """The record, line by line."""
    again, told = game.again(), []
    for ply in game.plies:
        told.append(record.ply_line(again, ply, seat))
        yield
    return record.write(again, game.dice, seat, reveal=game.ended, players=game.players, told=told).encode()
