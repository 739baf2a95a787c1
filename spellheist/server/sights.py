"""Sights: what a seat, or a watcher, gets to see of a game. Everything that leaves the server is made here, from
`hide` and from words that are given a view; the truth goes in and never comes out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from msgspec import UNSET

from spellheist.core import kernel
from spellheist.core.dice import rngs, start
from spellheist.core.game import Game, Refused, find
from spellheist.core.play import Play, Ply
from spellheist.core.state import ANYONE, CHANCE, HIDDEN, OVER, WATCHER, Schema
from spellheist.server import wire
from spellheist.server.tables import Table

WORLDS = 300  # that are imagined to find out whether a move revealed something
OPEN = -100  # looks at everything: only at games that have ended


class Glance:
    """A view whose fields are unpacked when they are first read: most sentences need few of them."""

    def __init__(self, schema: Schema, view: bytes) -> None:
        self._schema, self._numbers = schema, schema.numbers(view)

    def __getattr__(self, name: str) -> Any:
        place = self._schema.where.get(name)
        if place is None:
            raise AttributeError(name)
        value = self._schema.value(self._numbers, place)
        self.__dict__[name] = value
        return value


class Eyes:
    """Looks at states of one game as a seat does."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.schema = game.rules.State
        self.rows = kernel.rows(self.schema, 2)
        self.row = None if kernel.PLAIN else kernel.cells(self.schema, self.rows)[0].data.cast("B")
        self.moves = kernel.shorts(game.rules.MOVES)
        self.odds_ = kernel.shorts(game.rules.OUTCOMES)
        self.quiet = getattr(game.words, "QUIET", ())
        self.show = getattr(game.rules, "SHOW", None)  # the phase in which a round's end is shown

    def load(self, state: bytes) -> None:
        """Write a state into the first row."""
        if self.row is None:
            kernel.load(self.schema, self.rows, 0, state)
        else:
            self.row[:] = state

    def view(self, truth: bytes, seat: int) -> bytes:
        """The bytes of what that seat may know."""
        if seat == OPEN:
            return truth
        self.load(truth)
        self.game.door.hide(self.rows, 0, int(seat))
        return kernel.dump(self.schema, self.rows, 0) if self.row is None else bytes(self.row)

    def phase(self, state: bytes) -> int:
        at = 2 * self.schema.where["phase"][0]
        return int.from_bytes(state[at : at + 2], "little", signed=True)

    def legal(self, state: bytes, seat: int) -> list[int]:
        """The moves of a seat."""
        self.load(state)
        door = self.game.door
        found = [int(self.moves[i]) for i in range(door.legal(self.rows, 0, self.moves))]
        return [move for move in found if door.owner(self.rows, 0, move) == seat]

    def shows(self, truth: bytes) -> bool:
        """Is a round's end shown here?"""
        return self.phase(truth) == self.show

    def odds(self, truth: bytes) -> list[int]:
        """The weights of the outcomes of a chance ply."""
        self.load(truth)
        self.game.door.chance(self.rows, 0, self.odds_)
        return [int(weight) for weight in self.odds_]

    def reveals(self, truth: bytes, move: int, seats: int) -> bool:
        """Would anybody learn something by this move that was hidden before? Asked of imagined worlds that fit what
        each seat knows: if all lead to the same view, the move has told nothing."""
        door, generators = self.game.door, rngs(1)
        start(generators, 0, 1)
        for seat in (*range(seats), WATCHER):
            view = self.view(truth, seat)
            if view == truth:
                continue
            after = self._after(truth, move, seat)
            for _ in range(WORLDS):
                kernel.load(self.schema, self.rows, 1, view)
                door.imagine(self.rows, 1, generators, 0)
                world = kernel.dump(self.schema, self.rows, 1)
                legal = [int(self.moves[i]) for i in range(door.legal(self.rows, 1, self.moves))]
                if move not in legal or self._after(world, move, seat) != after:
                    return True
        return False

    def _after(self, truth: bytes, move: int, seat: int) -> bytes:
        self.load(truth)
        self.game.door.play(self.rows, 0, move)
        self.game.door.hide(self.rows, 0, int(seat))
        return kernel.dump(self.schema, self.rows, 0)


@cache
def eyes_for(name: str) -> Eyes:
    """One pair of eyes a game serves all tables."""
    return Eyes(find(name))


@dataclass(frozen=True)
class Face:
    """What a table shows one seat at one ply."""

    ply: int
    view: bytes
    turn: int
    asked: list[int]
    question: str
    moves: list[tuple[int, str]]
    rules: list[str]
    over: bool
    score: list[float] | None


class Teller:
    """Tells a table to its seats. One is made for each entry, so that what is the same for several is made once."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.eyes = eyes_for(table.game.name)
        self.words = table.game.words
        self.asked = table.asked()
        self.truths = [*table.recent, table.truth]
        self.stopped: dict[int, list[int]] = {}
        self.plain: dict[bytes, Any] = {}
        self.views: dict[tuple[int, int], bytes] = {}

    def view(self, seat: int, ply: int) -> bytes:
        """What a seat saw at one of the last plies."""
        key = seat, ply
        found = self.views.get(key)
        if found is None:
            found = self.views[key] = self.eyes.view(self.truths[ply - self.table.play.ply - 1], seat)
        return found

    def face(self, seat: int) -> Face:
        """The present one."""
        table = self.table
        view = self.view(seat, table.play.ply)
        plain = self.unpacked(view)
        question = self.words.question(plain, named(table, seat))
        rules = [] if table.over else list(self.words.rules_now(plain))
        if table.over and plain.turn != OVER:
            question = table.reason or question
        mine = seat in self.asked and table.state in ("playing", "paused")
        moves = [(m, self.words.label(plain, m)) for m in self.eyes.legal(view, seat)] if mine else []
        return Face(table.play.ply, view, plain.turn, self.asked, question, moves, rules, table.over, table.result)

    def shown(self, seat: int, ply: int) -> Face:
        """What was shown at an earlier ply on the way, where nobody was asked."""
        table = self.table
        view = self.view(seat, ply)
        plain = self.unpacked(view)
        return Face(ply, view, plain.turn, [], self.words.question(plain, named(table, seat)), [], [], False, None)

    def unpacked(self, view: bytes) -> Any:
        found = self.plain.get(view)
        if found is None:
            found = self.plain[view] = Glance(self.eyes.schema, view)
        return found

    def stops(self, base: int) -> list[int]:
        """The plies after `base` where a round's end is shown before chance goes on."""
        if self.eyes.show is None:
            return []
        if base not in self.stopped:
            now = self.table.play.ply
            first = max(base + 1, now - len(self.truths) + 1)
            self.stopped[base] = [ply for ply in range(first, now) if self.eyes.shows(self.truths[ply - now - 1])]
        return self.stopped[base]

    def news(self, seat: int, first: int, last: int) -> list[wire.News]:
        """The plies from `first` to `last` in sentences, without those that need not be told one by one."""
        table = self.table
        now = table.play.ply
        first = max(first, now - len(self.truths) + 1)
        names = named(table, seat)
        told = []
        for n in range(first, last):
            if self.eyes.phase(self.truths[n - now - 1]) not in self.eyes.quiet:
                ply = table.play.plies[n]
                shown = shown_to(ply, seat, table.seats)
                before, after = self.unpacked(self.view(seat, n)), self.unpacked(self.view(seat, n + 1))
                told.append((ply.who, shown, self.words.news(before, shown, after, names), n + 1))
        return told

    def whole(self, face: Face, seat: int, left: int | None) -> wire.ViewOut:
        """The whole view."""
        view = wire.fields(self.eyes.schema, face.view)
        return wire.ViewOut(
            ply=face.ply, view=view, turn=face.turn, asked=face.asked, question=face.question, moves=face.moves,
            rules=face.rules, news=self.news(seat, face.ply - len(self.table.recent), face.ply), over=face.over,
            score=face.score, left=left,
        )  # fmt: skip

    def updates(self, old: Face, new: Face, seat: int, left: int | None) -> list[wire.PliesOut]:
        """What has changed since another face: in one message, or more where a round's end is shown in between."""
        faces = [old, *(self.shown(seat, ply) for ply in self.stops(old.ply)), new]
        return [self.update(faces[k], faces[k + 1], seat, left, faces[k + 1] is not new) for k in range(len(faces) - 1)]

    def update(self, old: Face, new: Face, seat: int, left: int | None, show: bool) -> wire.PliesOut:
        return wire.PliesOut(
            base=old.ply, ply=new.ply, change=wire.change(self.eyes.schema, old.view, new.view),
            news=self.news(seat, old.ply, new.ply),
            turn=UNSET if new.turn == old.turn else new.turn,
            asked=new.asked if new.turn == ANYONE and (old.turn, old.asked) != (new.turn, new.asked) else UNSET,
            question=UNSET if new.question == old.question else new.question,
            moves=UNSET if new.moves == old.moves else new.moves,
            rules=UNSET if new.rules == old.rules else new.rules,
            over=UNSET if new.over == old.over else new.over,
            score=UNSET if new.score == old.score else new.score,
            left=UNSET if left is None or show else left,
            show=True if show else UNSET,
        )  # fmt: skip


def named(table: Table, seat: int) -> list[str]:
    """The names as a seat reads them: its own is You."""
    names = table.play.names
    return [*names[:seat], "You", *names[seat + 1 :]] if seat >= 0 else names


def shown_to(ply: Ply, seat: int, seats: int) -> int:
    """The move as a seat saw it."""
    if seat == OPEN:
        return ply.move
    return ply.move if ply.seen_by >> (seats if seat == WATCHER else seat) & 1 else HIDDEN


def frames(table: Table, seat: int, first: int, ended: bool, limit: int) -> list[wire.Frame]:
    """The game from ply `first` on, as a seat saw it, told again from its moves."""
    eyes, words = eyes_for(table.game.name), table.game.words
    again = Play(table.game, table.seats, table.play.settings, table.play.names)
    plies = table.play.plies
    if not 0 <= first <= len(plies):
        raise Refused(f"The game has {len(plies)} plies; there is no ply {first}.")
    for ply in plies[:first]:
        again.repeat(ply)
    truth = again.bytes
    view = eyes.view(truth, seat)
    plain = eyes.schema.unpack(view)
    names = named(table, seat)
    told = [wire.Frame(
        ply=first, who=None, move=None, news=[], turn=plain.turn, question=words.question(plain, names),
        view=wire.fields(eyes.schema, view),
    )]  # fmt: skip
    for ply in plies[first : first + limit]:
        odds = eyes.odds(truth) if ended and ply.who == CHANCE else UNSET
        again.repeat(ply)
        truth, before, was = again.bytes, view, plain
        view = eyes.view(truth, seat)
        plain = eyes.schema.unpack(view)
        shown = shown_to(ply, seat, table.seats)
        told.append(wire.Frame(
            ply=again.ply, who=ply.who, move=shown,
            news=[(ply.who, shown, words.news(was, shown, plain, names), again.ply)],
            turn=plain.turn, question=words.question(plain, names),
            change=wire.change(eyes.schema, before, view), odds=odds,
        ))  # fmt: skip
    return told


def why_not(table: Table, seat: int, move: int) -> wire.WhyOut:
    """The rule that stands in the way of a move."""
    view = table.play.view(seat)
    rule, sentence = table.game.words.why_not(view, move)
    return wire.WhyOut(move=move, rule=rule, sentence=sentence)


def at_anyone(table: Table) -> bool:
    return table.state == "playing" and table.play.turn == ANYONE
