"""Positions of Mage's Dice that cannot be, each refused; and some that can, loaded."""

import pytest

from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, OVER
from spellheist.games.mages_dice.rules import ACT, AGAIN, FOCUS_DICE, REFOCUSING, REFRESHING, SHOW
from spellheist.games.mages_dice.test_rules import BATTLE, GAME, at
from spellheist.laws.positions import altered, reached


def on(play, *said):
    """Let the game go on: a move where somebody is asked, an outcome where chance is."""
    for word in said:
        play.chance(word) if play.turn == CHANCE else play.play(word)
    return play


def three(**fields):
    return at(["F5", "E2", "E3"], "A4 A5", [5, 2, 3], **fields)


def battle(**more):
    return at(["", "E2", "E3"], "A4 A5", [5, 2, 3], **BATTLE, **more)


ALL_HELD = ["F3 F3 F3 F3 W3 W3 W3 W3", "E4 E4 E4 E4 A4 A4 A4 A4"]

WHERE = {
    "focus": lambda: on(new(GAME, 3), 3),
    "spells": lambda: on(new(GAME, 3), 3, 4, 5, 6),
    "act": three,
    "two": lambda: at(["F5", "E2"], "A4 A5", [5, 2]),
    "refreshing": lambda: on(three(), "refresh"),
    "refocusing": lambda: on(three(), "refocus"),
    "clash": lambda: on(three(), "refocus", 2),
    "battle": battle,
    "second": lambda: on(battle(), "cast earth 2"),
    "seat 1 has no spell": lambda: at(["", "", "E3"], "A4 A5", [5, 2, 3], **BATTLE | {"turn": 2}),
    "again": lambda: at(ALL_HELD, "", [3, 4], phase=AGAIN, turn=CHANCE),
    "show": lambda: reached("mages_dice", 3, SHOW),
    "won": lambda: on(battle(options={"target": 1}), "cast earth 2", "cast earth 3"),
    "over": lambda: on(three(options={"turn_limit": 1}), "refresh", 1, 1),
}

IMPOSSIBLE = {
    "focus": [
        {"phase": REFRESHING}, {"actions": 1}, {"gain": {0: 2}, "points": {0: 2}}, {"pool": {5: 1}, "rolling": {0: 3}},
        {"focus": {1: 4, 2: 5}},
    ],
    "spells": [
        {"phase": FOCUS_DICE}, {"phase": AGAIN}, {"focus": {0: 0}}, {"focus": {0: 4}},
        {"arsenal": {0: {2: 1}}, "rolling": {0: 3}}, {"turn": 0}, {"phase": ACT}, {"played": {0: 0}, "rolling": {0: 2}},
        {"arsenal": {0: {2: 1}}, "rolling": {0: 2}},
    ],
    "act": [{"turn": 1}, {"stage": 1}, {"actions": 1000}, {"gain": {0: 1}}, {"actions": 1001}],
    "two": [
        {"points": {2: 1}}, {"focus": {2: 1}}, {"played": {2: 0}, "ether": {0: 2}},
        {"arsenal": {2: {0: 1}}, "ether": {0: 2}},
    ],
    "refreshing": [{"turn": 0}],
    "refocusing": [{"turn": 0}, {"phase": REFRESHING}, {"played": {1: 6}, "ether": {1: 3}}],
    "clash": [{"phase": REFOCUSING}, {"mage": 2}],
    "battle": [
        {"turn": 2}, {"mage": 2}, {"played": {1: -1}, "turn": 2}, {"turn": 0}, {"turn": CHANCE},
        {"pool": {21: 0, 22: 0}, "ether": {3: 4}},
    ],
    "second": [{"mage": 1}, {"ether": {1: 3}, "rolling": {1: 1}}],
    "show": [{"turn": OVER}, {"phase": AGAIN}, {"stage": 0}, {"phase": REFOCUSING}],
    "won": [
        {"phase": FOCUS_DICE}, {"stage": 0}, {"points": {1: 1}}, {"points": {1: 2}}, {"focus": {0: 0}},
        {"rolling": {0: 1}, "pool": {1: 0}}, {"pool": {21: 0}, "rolling": {3: 1}}, {"ether": {0: 3}, "played": {0: 0}},
    ],
    "over": [{"actions": 0}, {"turn": 0}, {"phase": ACT}],
    "again": [{"pool": {0: 1}, "arsenal": {0: {2: 3}}}, {"rolling": {0: 1}, "arsenal": {0: {2: 3}}}],
    "seat 1 has no spell": [{"turn": 1}],
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
