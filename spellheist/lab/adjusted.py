"""Luck-adjusted shares: what bots earned by their moves, with the luck of the dice taken out.

    adjusted = equal share + effects of the moves that were not par's, in the true world + revisions of the horizon

On the mean over rotated seats it is the share that was won, whatever the bots are and however wrong the values may be; only
its spread is smaller, the more so the better values foretell. Moves that par would have made cost nothing and add no noise.
How much of it is taken (the game's ADJUST) is fixed beforehand: who chooses it after the games can choose the result.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from spellheist.bots.knowledge import with_knowledge
from spellheist.core import kernel
from spellheist.core.game import Game, find
from spellheist.core.play import Play
from spellheist.core.refused import Refused
from spellheist.core.state import ANYONE, CHANCE
from spellheist.core.warm import PLAYOUTS
from spellheist.review.judge import Judge, Settings

REVISIONS = Path(__file__).parent.parent / "review" / "templates" / "revisions.py"
ROLLOUTS = 128  # for each move and each revision
NOW, AFTER = range(2)


class Adjuster:
    """Adjusts games of one kind."""

    def __init__(self, game: Game) -> None:
        self.game, self.judge = game, Judge(game, Settings(most=1))
        advice, playouts = with_knowledge(game, "advice"), game.bound(PLAYOUTS)
        self.bound = game.bound(REVISIONS, rollouts=self.judge.bound, playouts=playouts, advice=advice)
        self.states = kernel.rows(game.rules.State, 2)

    def shares(self, play: Play, seed: int) -> list[float]:
        """The adjusted share of each seat in a game that is over."""
        judge, schema = self.judge, self.game.rules.State
        again = Play(play.game, play.seats, play.settings, play.names, play.position)
        sums: Any = kernel.reals(self.game.rules.SEATS)
        in_run = False
        for ply in play.plies:
            if again.turn == ANYONE:
                raise Refused(f"Where anyone may move, luck cannot be taken out: play {self.game.title} another way.")
            kernel.load(schema, self.states, NOW, again.bytes)
            given = judge.worlds, judge.rngs, (seed << 20) + 2 * again.ply, ROLLOUTS, judge.stages, sums
            if judge.stages and not (ply.who == CHANCE and in_run):
                self.bound.revision(self.states, NOW, *given)
            in_run = ply.who == CHANCE
            other = ply.who != CHANCE and not self.is_par(again, ply.who, ply.move)
            again.repeat(ply)
            if other:
                kernel.load(schema, self.states, AFTER, again.bytes)
                self.bound.effect(self.states, NOW, AFTER, *given)
        won, part = play.score(), self.game.bot.ADJUST
        return [share + part * (1 / play.seats + float(sums[seat]) - share) for seat, share in enumerate(won)]

    def is_par(self, play: Play, seat: int, move: int) -> bool:
        """Is this the only move that par would make?"""
        judge = self.judge
        kernel.load(judge.schema, judge.view, 0, judge.schema.pack(play.view(seat)))
        n = int(judge.bound.par(judge.view, judge.worlds, judge.rngs, seat, judge.moves, judge.odds))
        return any(judge.moves[i] == move and judge.odds[i] == 1.0 for i in range(n))


@cache
def adjuster(game: str) -> Adjuster:
    """One for this process."""
    return Adjuster(find(game))
