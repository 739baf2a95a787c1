"""Spellcaster: duel with four piles of spells, of which only the top cards work, and only for the side they face."""

from spellheist.core.game import Game
from spellheist.core.options import Deck, Number, Switch

game = Game(
    title="Spellcaster",
    sentence="Duel with four piles of spells, of which only the top cards work, and only for the side they face.",
    seats=range(2, 5),
    credits="designed by Aaron Weissblum and Norman Woods, illustrated by Kerem Beyit and Suleyman Temiz",
    signature="d6ea02d56d406bc6",
    options=(
        Switch("may_stop", "A turn may be ended with actions left (SC-c)."),
        Number("solo_cards", 6, 1, 20, "With three mages: cards dealt to the solo mage (SC-h).", samples=[1, 6, 20]),
        Number("solo_energy", 10, 1, 99, "With three mages: energy of the solo mage (SC-h).", samples=[1, 10, 25]),
        Number("solo_sapphires", 2, 0, 14, "With three mages: sapphires of the solo mage (SC-h).", samples=[0, 2, 14]),
        Deck("The spells: our own deck, or a file of your own."),
    ),
)
