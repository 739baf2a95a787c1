"""Dice Heist: rob four famous museums with a thief, a few sidekicks and a roll of the dice."""

from spellheist.core.game import Game
from spellheist.core.options import Deck, Number, Switch

game = Game(
    title="Dice Heist",
    sentence="Rob four famous museums with a thief, a few sidekicks and a roll of the dice.",
    seats=range(2, 6),
    credits="designed by Trevor Benjamin and Brett J. Gilbert, illustrated by Natalie Reiss and Steven Tu",
    signature="03caffd2de990505",
    options=(
        Switch("targeted_raid", "A single exhibit may be raided: a die equal to the level is enough (DH-10)."),
        Switch("recruit_from_richest_other", "With no supply, recruit from whoever has most among the others (DH-a)."),
        Number(
            "turn_limit", 400, 1, 10000, "After this many turns in all, what everyone holds is scored (DH-d).",
            samples=[1, 7, 400],
        ),
        Deck("The exhibits: our reconstruction of the published deck, or a file of your own."),
    ),
)  # fmt: skip
