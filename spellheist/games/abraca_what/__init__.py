"""Abraca...What?: call the spells on your own stones, which everyone but you can see."""

from spellheist.core.game import Game
from spellheist.core.options import Numbers, Starter, Switch

game = Game(
    title="Abraca...What?",
    sentence="Call the spells on your own stones, which everyone but you can see.",
    seats=range(2, 6),
    credits="designed by Gary Kim, illustrated by Marie Cardouat",
    signature="25001f1435be8585",
    options=(
        Switch("easy", "After a success any spell may be called, not only the same number or higher (AW-15)."),
        Switch("last_standing", "The round goes on until one player is left or a hand is empty: winner takes all (AW-16)."),
        Switch(
            "strict_calls",
            "A spell below the last one may be called, and costs a life and the turn (AW-a). No effect under easy.",
        ),
        Switch(
            "knock_out_first",
            "A last stone that also knocks someone out is scored as a knock-out (AW-d). No effect under last_standing.",
        ),
        Numbers(
            "die_faces",
            (1, 1, 1),
            0,
            6,
            "How many faces of the die show 1, 2 and 3. The rulebook does not say.",
            condition="at least one of them above 0",
            holds=any,
            samples=[(3, 2, 1), (0, 0, 6), (1, 0, 0)],
        ),
        Starter("starter", "The seat that begins the first round (AW-2)."),
    ),
)
