"""Spell Stealers: press your luck for artifacts, and steal those of the others."""

from spellheist.core.game import Game
from spellheist.core.options import Choice, Number, Numbers, Switch

game = Game(
    title="Spell Stealers",
    sentence="Press your luck for artifacts on the way to the spell, and steal those of the others.",
    seats=range(2, 7),
    credits="designed by Greg Santo, published by Greg Santo Games",
    signature="249ac8b1f597ba2a",
    options=(
        Choice(
            "stealing",
            ["polite", "race", "live"],
            "How stealing goes. live is the rulebook's own game: whoever is quick throws a die (SS-g). polite is its "
            "variation for beginners, and for people who cannot press fast: each is asked in turn (SS-17). In race all "
            "decide in secret. The default is polite, but live at a table in the browser where two or more people sit and "
            "no clock counts days.",
            among_people="live",
            at_once={"live": "SS-l"},
        ),
        Switch("forgiving", "In live: the wrong die, or an artifact not obtained, costs the token and no steps (SS-18)."),
        Switch("forgiving_window", "In live: when nobody can tell if it was in time, only the token is lost (SS-19)."),
        Switch("reset_by_hand", "A spent token becomes ready only when reset before the first roll of the turn (SS-20)."),
        Numbers(
            "success_faces",
            (2, 4, 2),
            0,
            8,
            "How many faces of the success die show green, green or yellow, and red.",
            condition="8 in all and at least one red",
            holds=lambda row: sum(row) == 8 and row[2] > 0,
            samples=[(0, 0, 8), (7, 0, 1), (0, 7, 1)],
        ),
        Number("turn_limit", 500, 1, 9999, "After this many turns the deepest pawn wins (SS-f).", samples=[1, 7, 500]),
    ),
)
