"""Mage's Dice: gather spells from the mana pool and cast them at each other, one point a victory."""

from spellheist.core.game import Game
from spellheist.core.options import Number, Switch

game = Game(
    title="Mage's Dice",
    sentence="Gather spells from the mana pool and cast them at each other, one point a victory.",
    seats=range(2, 4),
    credits="designed by Benjamin Donoghue, Paddy Duke and Dave Hayes",
    signature="22f156ac7e7e2445",
    options=(
        Switch(
            "literal_collect",
            "As the rulebook says: spells are collected only by MD-2, MD-6 and MD-7, not after every action (MD-a, MD-b).",
        ),
        Switch("unopposed_scores", "An attack that nobody has a spell against scores a point (MD-g)."),
        Number("target", 10, 1, 20, "The points that win the game (MD-h).", samples=[1, 3, 10, 20]),
        Number("turn_limit", 1000, 1, 10000, "The game ends after this many actions (MD-e).", samples=[1, 7, 1000]),
    ),
)
