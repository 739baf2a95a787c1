"""Positions of Dice Heist that cannot be, each refused; and some that can, loaded."""

import pytest

from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, NONE
from spellheist.games.dice_heist.rules import ACT, HEIST, JOIN, RAID, REVEAL, ROLL, START, TO_ROLL
from spellheist.games.dice_heist.test_rules import CHEAP, DEAR, DECK, KIND, RED, at, limit_with, row
from spellheist.laws.positions import altered


def on(play, *said):
    """Let the game go on: a move where somebody is asked, an outcome where chance is."""
    for word in said:
        play.chance(word) if play.turn == CHANCE else play.play(word)
    return play


WHERE = {
    "start": lambda: on(new("dice_heist", 3), "seat 0 rolls 5"),
    "reveal": lambda: at([RED], phase=REVEAL),
    "act": lambda: at([RED, CHEAP], sidekicks=(2, 1)),
    "send": lambda: on(at([RED, CHEAP], sidekicks=(2, 1)), "heist Hermitage"),
    "roll": lambda: on(at([RED, CHEAP], sidekicks=(2, 1)), "heist Hermitage", JOIN + 1, 3),
    "raid": lambda: on(at([RED, CHEAP], sidekicks=(2, 1), targeted_raid=True), RAID + KIND[RED], JOIN + 1),
    "after": lambda: on(at([RED, CHEAP], sidekicks=(2, 1)), "heist Hermitage", JOIN, 1),
    "over": lambda: limit_with([[DEAR], [CHEAP]]),
    "all stolen": lambda: on(at([RED], deck=[], sidekicks=(2, 1)), "heist Hermitage", JOIN, 6),
}

IMPOSSIBLE = {
    "start": [
        {"turn": 0}, {"thief": 0}, {"turns": 1}, {"opening": {3: 1}}, {"stolen": {3: {3: 1}}}, {"sidekicks": {3: 1}},
        {"opening": {0: -1, 2: -1}}, {"target": HEIST, "dice": {0: 3}}, {"sidekicks": {0: 1}, "supply": 9},
    ],
    "reveal": [{"turn": 0}, {"phase": START}, {"turns": 401}],
    "act": [{"turn": 1}, {"shown": row([]), "left": row(DECK.elements())}],
    "send": [{"turn": 1}, {"phase": ACT}, {"dice": {0: 1}}, {"target": RAID + KIND[CHEAP]}],
    "roll": [{"dice": {0: 0}}, {"dice": {2: 1}}, {"dice": {1: TO_ROLL, 2: TO_ROLL, 3: TO_ROLL}}],
    "after": [{"phase": ROLL}, {"target": NONE}, {"target": 0}, {"target": 10}],
    "over": [{"turn": 0}, {"phase": START}, {"turns": 0}],
    "raid": [{"target": RAID + KIND[DEAR]}],
}  # fmt: skip


@pytest.mark.parametrize("where", WHERE)
def test_a_position_on_the_way_or_at_the_end_can_be_loaded(where):
    play = WHERE[where]()
    again = altered(play, {})
    assert (again.bytes, again.turn) == (play.bytes, play.turn)
    if play.over:
        assert again.score() == play.score()


@pytest.mark.parametrize(("where", "change"), [(w, change) for w in IMPOSSIBLE for change in IMPOSSIBLE[w]], ids=str)
def test_an_impossible_position_is_refused(where, change):
    play = WHERE[where]()
    with pytest.raises(Refused, match="position"):
        altered(play, change)
