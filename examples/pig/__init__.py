"""Pig: roll as often as you dare, or hold what you have. The worked example of a game of your own."""

from spellheist.core.game import Game
from spellheist.core.options import Number

game = Game(
    title="Pig",
    sentence="Roll as often as you dare, or hold what you have: a 1 takes it all away.",
    seats=range(2, 7),
    credits="a folk game, first described by John Scarne",
    signature="",
    options=(
        Number("target", 100, 1, 1000, "The points that win the game (PG-6).", samples=[1, 20, 100]),
        Number("turn_limit", 1000, 1, 10000, "The game ends after this many turns in all (PG-7).", samples=[1, 7, 1000]),
    ),
)
