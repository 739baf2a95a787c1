"""Sights: what a seat, or a watcher, gets to see of a game. Everything that leaves the server is made here, from
`hide` and from words that are given a view; the truth goes in and never comes out.
"""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

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


class Glance(tuple[int, ...]):
    """The numbers of a view with its fields as attributes. Rows and tables are made when they are first read: most
    sentences need few of them."""

    view: bytes


class Part:
    """A row or table of a glance. What it gives is kept under its name, where it is found first from then on."""

    def __init__(self, name: str, schema: Schema) -> None:
        self.name, self.value, self.place = name, schema.value, schema.where[name]

    def __get__(self, glance: Any, _: type) -> Any:
        found = glance.__dict__[self.name] = self.value(glance, self.place)
        return found


def glances(schema: Schema) -> type[Glance]:
    """The class of all glances at one game."""
    fields = schema.fields.items()
    single = {name: property(itemgetter(schema.where[name][0])) for name, field in fields if not field.shape}
    return type("Glance", (Glance,), {**single, **{name: Part(name, schema) for name, field in fields if field.shape}})


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
        self.Glance = glances(self.schema)
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

    def glance(self, view: bytes) -> Any:
        """A view, to be read by words."""
        found = self.Glance(self.schema.numbers(view))
        found.view = view
        return found

    def change(self, old: Glance, new: Glance) -> dict[str, Any]:
        """What is different in a view since another one."""
        return wire.change(self.schema, self.schema.changed(old.view, new.view), old, new)

    def phase(self, state: bytes) -> int:
        at = 2 * self.schema.where["phase"][0]
        return int.from_bytes(state[at : at + 2], "little", signed=True)

    def legal(self, state: bytes, seat: int) -> list[int]:
        """The moves of a seat."""
        self.load(state)
        return kernel.first(self.moves, self.game.door.legal_for(self.rows, 0, seat, self.moves))

    def shows(self, truth: bytes) -> bool:
        """Is a round's end shown here?"""
        return self.phase(truth) == self.show

    def odds(self, truth: bytes) -> list[int]:
        """The weights of the outcomes of a chance ply."""
        self.load(truth)
        self.game.door.chance(self.rows, 0, self.odds_)
        return kernel.first(self.odds_, len(self.odds_))

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
                legal = kernel.first(self.moves, door.legal(self.rows, 1, self.moves))
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


class Face(NamedTuple):
    """What a table shows one seat at one ply."""

    ply: int
    view: Any  # a glance
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
        self.first = table.play.ply + 1 - len(self.truths)  # the ply of the first of them
        self.stopped: dict[int, list[int]] = {}
        self.told: dict[tuple[int, int], list[int]] = {}
        self.glances: dict[bytes, Any] = {}
        self.seen: dict[tuple[int, int], Any] = {}

    def look(self, seat: int, ply: int) -> Any:
        """What a seat saw at one of the last plies."""
        key = seat, ply
        found = self.seen.get(key)
        if found is None:
            view = self.eyes.view(self.truths[ply - self.first], seat)
            found = self.glances.get(view)
            if found is None:
                found = self.glances[view] = self.eyes.glance(view)
            self.seen[key] = found
        return found

    def face(self, seat: int) -> Face:
        """The present one."""
        table = self.table
        plain = self.look(seat, table.play.ply)
        question = self.words.question(plain, named(table, seat))
        rules = [] if table.over else list(self.words.rules_now(plain))
        if table.over and plain.turn != OVER:
            question = table.reason or question
        mine = seat in self.asked and table.state in ("playing", "paused")
        moves = [(m, self.words.label(plain, m)) for m in self.eyes.legal(plain.view, seat)] if mine else []
        return Face(table.play.ply, plain, plain.turn, self.asked, question, moves, rules, table.over, table.result)

    def shown(self, seat: int, ply: int) -> Face:
        """What was shown at an earlier ply on the way, where nobody was asked."""
        plain = self.look(seat, ply)
        question = self.words.question(plain, named(self.table, seat))
        return Face(ply, plain, plain.turn, [], question, [], [], False, None)

    def stops(self, base: int) -> list[int]:
        """The plies after `base` where a round's end is shown before chance goes on."""
        if self.eyes.show is None:
            return []
        if base not in self.stopped:
            plies = range(max(base + 1, self.first), self.table.play.ply)
            self.stopped[base] = [ply for ply in plies if self.eyes.shows(self.truths[ply - self.first])]
        return self.stopped[base]

    def news(self, seat: int, first: int, last: int) -> list[wire.News]:
        """The plies from `first` to `last` in sentences, without those that need not be told one by one."""
        table = self.table
        names = named(table, seat)
        told = []
        for n in self.loud(first, last):
            ply = table.play.plies[n]
            shown = shown_to(ply, seat, table.seats)
            sentence = self.words.news(self.look(seat, n), shown, self.look(seat, n + 1), names)
            told.append((ply.who, shown, sentence, n + 1))
        return told

    def loud(self, first: int, last: int) -> list[int]:
        """The plies from `first` to `last` that are told one by one."""
        span = first, last
        if span not in self.told:
            eyes, plies = self.eyes, range(max(first, self.first), last)
            self.told[span] = [n for n in plies if eyes.phase(self.truths[n - self.first]) not in eyes.quiet]
        return self.told[span]

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
            base=old.ply, ply=new.ply, change=self.eyes.change(old.view, new.view),
            news=counted(old.ply, self.news(seat, old.ply, new.ply)),
            asked=new.asked if new.turn == ANYONE and (old.turn, old.asked) != (new.turn, new.asked) else UNSET,
            question=UNSET if new.question == old.question else new.question,
            moves=UNSET if new.moves == old.moves else new.moves,
            rules=UNSET if new.rules == old.rules else new.rules,
            over=UNSET if new.over == old.over else new.over,
            score=UNSET if new.score == old.score else new.score,
            left=UNSET if left is None or show else left,
            show=True if show else UNSET,
        )  # fmt: skip


def counted(base: int, news: list[wire.News]) -> list[wire.News | wire.Next]:
    """News without the ply where it is the next."""
    found: list[wire.News | wire.Next] = []
    for one in news:
        found.append(one[:3] if one[3] == base + 1 else one)
        base = one[3]
    return found


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
    plain = eyes.glance(eyes.view(truth, seat))
    names = named(table, seat)
    told = [wire.Frame(
        ply=first, who=None, move=None, news=[], turn=plain.turn, question=words.question(plain, names),
        view=wire.fields(eyes.schema, plain),
    )]  # fmt: skip
    for ply in plies[first : first + limit]:
        odds = eyes.odds(truth) if ended and ply.who == CHANCE else UNSET
        again.repeat(ply)
        truth, was = again.bytes, plain
        plain = eyes.glance(eyes.view(truth, seat))
        shown = shown_to(ply, seat, table.seats)
        told.append(wire.Frame(
            ply=again.ply, who=ply.who, move=shown,
            news=[(ply.who, shown, words.news(was, shown, plain, names), again.ply)],
            turn=plain.turn, question=words.question(plain, names),
            change=eyes.change(was, plain), odds=odds,
        ))  # fmt: skip
    return told


def why_not(table: Table, seat: int, move: int) -> wire.WhyOut:
    """The rule that stands in the way of a move."""
    view = table.play.view(seat)
    rule, sentence = table.game.words.why_not(view, move)
    return wire.WhyOut(move=move, rule=rule, sentence=sentence)


def at_anyone(table: Table) -> bool:
    return table.state == "playing" and table.play.turn == ANYONE
