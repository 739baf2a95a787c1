"""Twin worlds: secrecy tested from outside.

Two worlds that differ only in what a seat may not know must look the same to it, byte for byte.
Worlds made by `imagine` cannot show a leak, because they keep whatever `hide` forgot. So a game's
tests change hidden outcomes in the moves of a game, by rules of their own about who saw what, and
`frames` tells everything that a seat gets on the way: views, moves with words, news, past, record.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from types import ModuleType
from typing import Any

from spellheist.core import record
from spellheist.core.play import Play
from spellheist.core.state import CHANCE, Schema

Frame = tuple[object, ...]


def frames(play: Play, moves: Sequence[int], seat: int) -> Iterator[Frame]:
    """Play these moves from the start of `play`; after each, all that a seat (or WATCHER) gets to see."""
    schema, words = play.game.rules.State, play.game.words
    before = play.view(seat)
    for move in moves:
        if play.turn == CHANCE:
            play.chance(move)
        else:
            play.play(move)
        view = play.view(seat)
        shown = play.past(seat)[-1]
        mine = [(move, words.label(view, move)) for move in play.legal(seat)]
        news = words.news(before, shown[1], view, play.names)
        yield schema.pack(view), shown, mine, words.question(view, play.names), news
        before = view


def last_frame(play: Play, moves: Sequence[int], seat: int) -> Frame:
    """All that a seat has after these moves, with the record of the running game as it may read it."""
    *_, frame = frames(play, moves, seat)
    return (*frame, record.write(play, seat=seat))


def leaky(schema: Schema, hide: Callable[[Any, int], None], name: str) -> Callable[[Any, int], None]:
    """A `hide` that forgets one field on purpose: tests of secrecy must fail with it. For plain states."""

    def forgetful(s: Any, seat: int) -> None:
        truth = schema.unpack(schema.pack(s))
        hide(s, seat)
        setattr(s, name, getattr(truth, name))

    return forgetful


def hidden_fields(schema: Schema, hide: Callable[[Any, int], None], states: Sequence[Any], seat: int) -> set[str]:
    """The fields that `hide` changes for a seat in any of these states."""
    names: set[str] = set()
    for state in states:
        view = schema.unpack(schema.pack(state))
        hide(view, seat)
        names |= {name for name in schema.fields if getattr(view, name) != getattr(state, name)}
    return names


def every_way(rules: ModuleType, view: Any) -> Iterator[tuple[Fraction, Any]]:
    """Run `imagine` on a view with every possible sequence of draws: each world with its exact chance. For plain
    rules, whose `below` is replaced meanwhile."""
    script: list[list[int]] = []  # what each draw gives, and out of how many
    place = 0

    def scripted(_: Any, n: int) -> int:
        nonlocal place
        if place == len(script):
            script.append([0, n])
        place += 1
        return script[place - 1][0]

    below, rules.below = rules.below, scripted  # type: ignore[attr-defined]
    try:
        while True:
            place = 0
            world = rules.State.unpack(rules.State.pack(view))
            rules.imagine(world, None)
            yield Fraction(1, math.prod(n for _, n in script)), world
            while script and script[-1][0] + 1 == script[-1][1]:
                script.pop()
            if not script:
                return
            script[-1][0] += 1
    finally:
        rules.below = below  # type: ignore[attr-defined]
