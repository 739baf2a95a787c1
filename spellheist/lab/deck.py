"""What a deck is worth playing with: who wins, how games end, how long they are, and what each card does to them.

Bots of one strength play on all seats. A card's effect is how many points of win share it brings to the side that drew
it, in place of the mean card: shares are regressed (least squares, with errors that hold for any spread) on who drew
which card, the mean of all cards is taken off, so that drawing more cards is not counted as any card's merit.
A game of two sides can be studied if its rules say who is `drawing` and its `deck.py` has `faces`. Games of greedy bots are
compiled whole (`templates/arena.py`): a quick first look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from spellheist.bots.knowledge import with_knowledge
from spellheist.core import kernel
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import Game, find
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, NONE
from spellheist.core.warm import PLAYOUTS
from spellheist.lab.match import in_parallel, made
from spellheist.lab.share import Share, share_of

CHUNK, MANY = 20, 2_000  # games a task; of greedy bots


@dataclass(frozen=True)
class Story:
    """One game."""

    starter: int  # side
    share: float  # of side 0
    ending: str
    turns: int
    drawn: tuple[int, ...]  # for each card the side that drew it first, or NONE


def play_games(
    game: str, seats: int, bot: str, options: dict[str, Any], games: int, seed: int = 1, workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[Story]:  # fmt: skip
    """The stories of so many games; on Ctrl-C of those so far."""
    chosen = find(game)
    if not chosen.deck.faces("standard"):
        raise Refused(f"{chosen.title} has no deck whose balance can be studied.")
    chosen.settings(seats, options)
    last = seed + games
    tell, chunk = (tell_greedy, MANY) if bot == "greedy" else (tell_stories, CHUNK)
    tasks = [(game, seats, bot, options, range(n, min(n + chunk, last))) for n in range(seed, last, chunk)]
    stories: list[Story] = []
    with suppress(KeyboardInterrupt):
        for found in in_parallel(tell, tasks, workers):
            stories += found
            if progress:
                progress(len(stories))
    return stories


def tell_stories(game: str, seats: int, bot: str, options: dict[str, Any], seeds: range) -> list[Story]:
    return [tell_story(find(game), seats, bot, options, seed) for seed in seeds]


def tell_story(game: Game, seats: int, bot: str, options: dict[str, Any], seed: int) -> Story:
    """Play one game and note what matters."""
    play, side = new(game, seats, options), sides_of(game, seats)
    drawing = kernel.plain(game.rules.drawing)
    dice, lucks = Luck(seed), [Luck(seed * 1_000 + 17 * seat + 1) for seat in range(seats)]
    drawn = [NONE] * len(game.deck.faces("standard"))
    starter = NONE
    while not play.over:
        if play.turn == CHANCE:
            seat = drawing(play.state)
            card = play.roll(dice).move
            if seat != NONE and drawn[card] == NONE:
                drawn[card] = side[seat]
            continue
        seat = play.turn
        starter = side[seat] if starter == NONE else starter
        play.play(made(game.where, bot, seat).choose(play.view(seat), seat, play.recall(seat), lucks[seat]), seat)
    share = sum(share for seat, share in enumerate(play.score()) if side[seat] == 0)
    return Story(starter, share, game.deck.ending(play.state), game.deck.turns(play.state), tuple(drawn))


def sides_of(game: Game, seats: int) -> list[int]:
    """The side of each seat."""
    side, state = kernel.plain(game.rules.side), new(game, seats).state
    return [int(side(state, seat)) for seat in range(seats)]


def tell_greedy(game: str, seats: int, _: str, options: dict[str, Any], seeds: range) -> list[Story]:
    """The same of greedy bots, in compiled games."""
    chosen = find(game)
    schema, deck, arena, side = chosen.rules.State, chosen.deck, arena_of(chosen), sides_of(chosen, seats)
    states, generators = kernel.rows(schema, 1), rngs(1)
    drawn, shares = kernel.shorts(len(deck.faces("standard"))), kernel.reals(chosen.rules.SEATS)
    kernel.load(schema, states, 0, new(chosen, seats, options).bytes)
    stories = []
    for seed in seeds:
        start(generators, 0, seed)
        starter = int(arena.play_game(states, 0, generators, 0, drawn))
        chosen.verbs.score(states, 0, shares)
        end = schema.unpack(kernel.dump(schema, states, 0))
        share = sum(float(shares[seat]) for seat in range(seats) if side[seat] == 0)
        stories.append(Story(starter, share, deck.ending(end), deck.turns(end), tuple(kernel.first(drawn, len(drawn)))))
    return stories


def arena_of(game: Game) -> ModuleType:
    """Compiled games of greedy bots."""
    template = Path(__file__).parent / "templates" / "arena.py"
    return game.bound(template, playouts=game.bound(PLAYOUTS), advice=with_knowledge(game, "advice"))


def starters_share(stories: list[Story]) -> Share:
    """How much of the win the side that begins gets."""
    return share_of([story.share if story.starter == 0 else 1 - story.share for story in stories])


def side_share(stories: list[Story], side: int) -> Share:
    return share_of([story.share if side == 0 else 1 - story.share for story in stories])


def endings(stories: list[Story]) -> dict[str, Share]:
    """What decided the games, in which share of them."""
    found = Counter(story.ending for story in stories)
    return {name: share_of([float(story.ending == name) for story in stories]) for name, _ in found.most_common()}


def middle_half(stories: list[Story]) -> tuple[int, int, int]:
    """How long games are: the turns at a quarter, half and three quarters of them."""
    turns = sorted(story.turns for story in stories)
    return turns[len(turns) // 4], turns[len(turns) // 2], turns[3 * len(turns) // 4]


@dataclass(frozen=True)
class Effect:
    """What a card brings to the side that draws it, against the mean card."""

    card: int
    share: float
    half: float
    games: int  # in which it was drawn

    @property
    def outside(self) -> float:
        """How far the whole interval lies from nothing: 0 if it does not."""
        return max(0.0, abs(self.share) - self.half)


def effects(stories: list[Story]) -> list[Effect]:
    """The effect of every card, the best first."""
    import numpy as np

    sides = np.array([story.drawn for story in stories])
    drew = (sides == 0).astype(float) - (sides == 1)
    starts = np.array([[1.0 if story.starter == 0 else -1.0] for story in stories])
    known = np.hstack([drew, starts])
    won = np.array([story.share - 0.5 for story in stories])
    inverse = np.linalg.pinv(known.T @ known)
    weights = inverse @ known.T @ won
    left_over = won - known @ weights
    covariance = inverse @ (known.T * left_over**2) @ known @ inverse
    cards = sides.shape[1]
    centre = np.eye(cards) - 1 / cards
    shares = centre @ weights[:cards]
    errors = np.sqrt(np.diag(centre @ covariance[:cards, :cards] @ centre))
    counts = (sides != NONE).sum(axis=0)
    found = [Effect(card, float(shares[card]), 1.96 * float(errors[card]), int(counts[card])) for card in range(cards)]
    return sorted(found, key=lambda effect: -effect.share)
