"""Views: what a seat, or a watcher, gets to see of a game. Everything that leaves the server is made here, from
`hide` and from words that are given a view; the truth goes in and never comes out.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from spellheist.core import kernel
from spellheist.core.dice import rngs, start
from spellheist.core.game import Game, find
from spellheist.core.memory import Ply
from spellheist.core.state import ANYONE, HIDDEN, OVER, WATCHER
from spellheist.server.table import messages
from spellheist.server.table.table import Table
from spellheist.server.table.word_cache import Glance, Labels, Phrases, named

WORLDS = 300  # that are imagined to find out whether a move revealed something
T = TypeVar("T")
OPEN = -100  # looks at everything: only at games that have ended


class Views:
    """The views of states of one game."""

    def __init__(self, game: Game) -> None:
        self.verbs, self.schema = game.verbs, game.rules.State
        self.rows = kernel.rows(self.schema, 1 + game.rules.SEATS)
        self.row, *self.seats = (kernel.Row(self.schema, self.rows, i) for i in range(1 + game.rules.SEATS))
        self.moves = kernel.shorts(game.rules.MOVES)
        self.odds_ = kernel.shorts(game.rules.OUTCOMES)
        self.changes = kernel.shorts(3 * self.schema.size)
        self.old, self.new = kernel.Numbers(self.schema), kernel.Numbers(self.schema)
        self.at_phase = 2 * self.schema.where["phase"][0]
        self.quiet = game.words.QUIET
        self.phrases = Phrases(game)
        self.show = game.rules.SHOW  # the phase in which a round's end is shown

    def view(self, truth: bytes, seat: int) -> bytes:
        """The bytes of what that seat may know."""
        if seat == OPEN:
            return truth
        self.row.load(truth)
        self.verbs.hide(self.rows, 0, int(seat))
        return self.row.dump()

    def of_all(self, truth: bytes, seats: int) -> list[bytes]:
        """The same for every seat."""
        self.row.load(truth)
        self.verbs.views(self.rows, 0)
        return [row.dump() for row in self.seats[:seats]]

    def fields(self, view: Glance) -> dict[str, Any]:
        """A view as field names and values."""
        numbers = self.schema.numbers(view.bytes)
        return {name: self.schema.value(numbers, place) for name, place in self.schema.where.items()}

    def change(self, old: Glance, new: Glance) -> list[int]:
        """What is different in a view since another one."""
        count = kernel.change(self.old.load(old.bytes), self.new.load(new.bytes), self.changes)
        return kernel.first(self.changes, count)

    def phase(self, state: bytes) -> int:
        at = self.at_phase
        return int.from_bytes(state[at : at + 2], "little", signed=True)

    def legal(self, state: bytes, seat: int) -> list[int]:
        """The moves of a seat."""
        self.row.load(state)
        return kernel.first(self.moves, self.verbs.legal_for(self.rows, 0, seat, self.moves))

    def shows(self, truth: bytes) -> bool:
        """Is a round's end shown here?"""
        return self.phase(truth) == self.show

    def odds(self, truth: bytes) -> list[int]:
        """The weights of the outcomes of a chance ply."""
        self.row.load(truth)
        self.verbs.chance(self.rows, 0, self.odds_)
        return kernel.first(self.odds_, len(self.odds_))

    def reveals(self, truth: bytes, move: int, seats: int) -> bool:
        """Would anybody learn something by this move that was hidden before?"""
        return whole(self.look_for(truth, move, seats))

    def look_for(self, truth: bytes, move: int, seats: int) -> Generator[None, None, bool]:
        """The same, step by step. Asked of imagined worlds that fit what each seat knows: if all lead to the same view,
        the move has told nothing."""
        verbs, generators = self.verbs, rngs(1)
        start(generators, 0, 1)
        for seat in (*range(seats), WATCHER):
            view = self.view(truth, seat)
            if view == truth:
                continue
            after = self._after(truth, move, seat)
            for _ in range(WORLDS):
                self.row.load(view)
                verbs.imagine(self.rows, 0, generators, 0)
                world = self.row.dump()
                legal = kernel.first(self.moves, verbs.legal(self.rows, 0, self.moves))
                if move not in legal or self._after(world, move, seat) != after:
                    return True
                yield
        return False

    def _after(self, truth: bytes, move: int, seat: int) -> bytes:
        self.row.load(truth)
        self.verbs.play(self.rows, 0, move)
        self.verbs.hide(self.rows, 0, int(seat))
        return self.row.dump()


def whole(steps: Generator[None, None, T]) -> T:
    """What something returns that is made step by step."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: T = end.value
            return found


@cache
def views_of(name: str) -> Views:
    """One of them a game serves all tables."""
    return Views(find(name))


class Shown(msgspec.Struct, frozen=True):
    """What a table shows one seat at one ply."""

    ply: int
    view: Glance
    asked: list[int]
    question: str
    moves: Labels
    rules: list[str]
    over: bool
    score: list[float] | None
    standings: list[str]


class Seen(dict[tuple[int, int], Any]):
    """What each seat saw at the latest plies of a table, made when it is first looked up."""

    def __init__(self, table: Table, views: Views, shown: dict[int, Shown]) -> None:
        super().__init__({(seat, last.ply): last.view for seat, last in shown.items()})
        self.views, self.seats = views, table.seats
        self.states = [*table.recent, table.truth]
        self.first = table.play.ply - len(table.recent)  # the ply of the first of them

    def __missing__(self, key: tuple[int, int]) -> Any:
        seat, ply = key
        truth, glance = self.states[ply - self.first], self.views.phrases.glance
        if seat < 0:
            self[key] = glance(self.views.view(truth, seat))
        else:  # then the other seats are about to be told of it as well
            for each, view in enumerate(self.views.of_all(truth, self.seats)):
                self[each, ply] = glance(view)
        return self[key]


class Updates:
    """What a table shows its seats, and what has changed for each of them. One is made for each entry, so that what is the
    same for several is made once."""

    def __init__(self, table: Table, shown: dict[int, Shown]) -> None:
        self.table = table
        self.views = views_of(table.made.game)
        self.phrases = self.views.phrases
        self.names = table.play.names
        self.asked = table.asked()
        self.over = table.over
        self.ply = table.play.ply
        self.seen = Seen(table, self.views, shown)
        self.states, self.first = self.seen.states, self.seen.first
        self.stopped: dict[int, list[int]] = {}
        self.told: dict[tuple[int, int], list[tuple[int, Ply, bool]]] = {}

    def shown(self, seat: int) -> Shown:
        """What is shown now."""
        table, over = self.table, self.over
        view = self.seen[seat, self.ply]
        legal = self.views.legal(view.bytes, seat) if seat in self.asked else ()
        question, moves, rules = self.phrases.prompt(view, seat, self.names, legal)
        if over and view.turn != OVER:
            question, rules = table.reason or question, []
        standings = table.game.words.standings(view) if over else []
        return Shown(self.ply, view, self.asked, question, moves, rules, over, table.result, standings)

    def shown_at(self, seat: int, ply: int) -> Shown:
        """What was shown at an earlier ply on the way, where nobody was asked."""
        view = self.seen[seat, ply]
        question = self.phrases.question(view, seat, self.names)
        return Shown(ply, view, [], question, [], [], False, None, [])

    def stops(self, base: int) -> list[int]:
        """The plies after `base` where a round's end is shown before chance goes on."""
        if base not in self.stopped:
            plies = range(max(base + 1, self.first), self.ply)
            self.stopped[base] = [ply for ply in plies if self.views.shows(self.states[ply - self.first])]
        return self.stopped[base]

    def news(self, seat: int, first: int, last: int, brief: bool = False) -> list[Any]:
        """The plies from `first` to `last` in sentences, without those that need not be told one by one; in brief
        without the number of a ply that is the next."""
        say, names, seats, seen = self.table.game.words.news, named(self.names, seat), self.table.seats, self.seen
        told = []
        for n, ply, follows in self.loud(first, last):
            shown = shown_to(ply, seat, seats)
            sentence = say(seen[seat, n], shown, seen[seat, n + 1], names)
            told.append((ply.who, shown, sentence) if brief and follows else (ply.who, shown, sentence, n + 1))
        return told

    def loud(self, first: int, last: int) -> list[tuple[int, Ply, bool]]:
        """The plies from `first` to `last` that are told one by one, and whether each is the next after `first` or
        after the one before it."""
        span = first, last
        found = self.told.get(span)
        if found is None:
            found = self.told[span] = []
            views, plies, after = self.views, self.table.play.plies, first
            for n in range(max(first, self.first), last):
                if views.phase(self.states[n - self.first]) not in views.quiet:
                    found.append((n, plies[n], n == after))
                    after = n + 1
        return found

    def whole(self, shown: Shown, seat: int, left: int | None) -> messages.ViewOut:
        """The whole view."""
        view = self.views.fields(shown.view)
        return messages.ViewOut(
            ply=shown.ply, view=view, turn=shown.view.turn, asked=shown.asked, question=shown.question,
            moves=shown.moves, rules=shown.rules, news=self.news(seat, shown.ply - len(self.table.recent), shown.ply),
            over=shown.over, score=shown.score, standings=shown.standings, left=left,
        )  # fmt: skip

    def since(self, old: Shown, new: Shown, seat: int, left: int | None, did: int) -> list[messages.PliesOut]:
        """What has changed since something else was shown: in one message, or more where a round's end is shown in between.
        The last says which message of this seat it answers, if any."""
        told = []
        for ply in self.stops(old.ply) if self.views.show is not None else ():
            stop = self.shown_at(seat, ply)
            told.append(self.update(old, stop, seat, left, 0, True))
            old = stop
        told.append(self.update(old, new, seat, left, did, False))
        return told

    def update(self, old: Shown, new: Shown, seat: int, left: int | None, did: int, show: bool) -> messages.PliesOut:
        turn = new.view.turn
        return messages.PliesOut(
            base=old.ply, ply=new.ply, change=self.views.change(old.view, new.view),
            news=self.news(seat, old.ply, new.ply, brief=True),
            asked=new.asked if turn == ANYONE and (old.view.turn, old.asked) != (turn, new.asked) else UNSET,
            question=UNSET if new.question == old.question else new.question,
            moves=UNSET if new.moves == old.moves else new.moves,
            rules=UNSET if new.rules == old.rules else new.rules,
            over=UNSET if new.over == old.over else new.over,
            score=UNSET if new.score == old.score else new.score,
            standings=UNSET if new.standings == old.standings else new.standings,
            left=UNSET if left is None or show else left,
            show=True if show else UNSET,
            did=did or UNSET,
        )  # fmt: skip


def shown_to(ply: Ply, seat: int, seats: int) -> int:
    """The move as a seat saw it."""
    if seat == OPEN:
        return ply.move
    return ply.move if ply.seen_by >> (seats if seat == WATCHER else seat) & 1 else HIDDEN
