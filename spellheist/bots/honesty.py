"""The law of bots: what a seat does not know cannot matter.

In twin worlds, which look the same to a seat, the same seed gives the same move, whatever the bot has thought about in
between; and the advice of a game's `bot.py` is the same in the view as in every world that fits it.
`honest(game)` walks games of every variant under it, and raises Broken.
"""

from __future__ import annotations

from typing import Any

from spellheist.bots import bot
from spellheist.bots.knowledge import with_knowledge
from spellheist.core import kernel
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import Game
from spellheist.core.play import Play, new
from spellheist.laws.check import Broken, Variant, variants

PLAYERS = ("greedy", "gentle@12")
DECISIONS = 8  # of each variant
EVERY = 5  # decisions, one is walked under the law
TWINS = 3


def honest(game: Game) -> int:
    """How many decisions were held against the law."""
    walker = Walker(game)
    return sum(walker.walk(variant, number) for number, variant in enumerate(variants(game), 1))


class Walker:
    """Two bots of each kind for one game: one is asked about the view, the other about its twins."""

    def __init__(self, game: Game) -> None:
        self.game, self.schema = game, game.rules.State
        self.pairs = [(name, bot(name, game), bot(name, game)) for name in PLAYERS]
        self.advice = with_knowledge(game, "advice")
        self.rows, self.rngs = kernel.rows(self.schema, 1), rngs(1)

    def walk(self, variant: Variant, seed: int) -> int:
        """One game at random."""
        play, luck = new(self.game, variant.seats, dict(variant.options)), Luck(seed)
        start(self.rngs, 0, seed)
        decisions = held = 0
        while held < DECISIONS and play.asks(luck):
            decisions += 1
            seat = play.askable(luck)[0]
            if decisions % EVERY == 0:
                self.hold(play, seat, f"{self.game.name}, {variant}, seed {seed}, ply {play.ply}, seat {seat}")
                held += 1
            moves = play.legal(seat) or play.legal()
            play.play(moves[luck.below(len(moves))])
        return held

    def hold(self, play: Play, seat: int, where: str) -> None:
        view, past = play.view(seat), play.recall(seat)
        told = self.advised(view, seat)
        for _ in range(TWINS):
            world = self.twin(view)
            if self.advised(world, seat) != told:
                raise Broken(f"The advice differs in worlds that look the same: {where}.")
            seen = self.view_of(world, seat)
            for name, one, other in self.pairs:
                if one.choose(view, seat, past, Luck(1)) != other.choose(seen, seat, past, Luck(1)):
                    raise Broken(f"The bot {name} moves differently in worlds that look the same: {where}.")

    def twin(self, view: Any) -> Any:
        """A world that looks the same."""
        kernel.load(self.schema, self.rows, 0, self.schema.pack(view))
        self.game.verbs.imagine(self.rows, 0, self.rngs, 0)
        return self.schema.unpack(kernel.dump(self.schema, self.rows, 0))

    def view_of(self, world: Any, seat: int) -> Any:
        kernel.load(self.schema, self.rows, 0, self.schema.pack(world))
        self.game.verbs.hide(self.rows, 0, seat)
        return self.schema.unpack(kernel.dump(self.schema, self.rows, 0))

    def advised(self, world: Any, seat: int) -> list[tuple[int, float]]:
        moves, weights = kernel.shorts(self.game.rules.MOVES + 1), kernel.reals(self.game.rules.MOVES + 1)
        kernel.load(self.schema, self.rows, 0, self.schema.pack(world))
        count = self.advice.advised(self.rows, 0, seat, moves, weights)
        return [(int(moves[i]), float(weights[i])) for i in range(count)]
