"""Positions of Spell Stealers that cannot be, each refused; and some that can, loaded."""

import pytest

from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import ANYONE, CHANCE, HIDDEN, NONE, OVER
from spellheist.games.spell_stealers.rules import ASK, CHOOSE, MISSED, ORDER, PUNISH, WINDOW
from spellheist.games.spell_stealers.test_rules import begun, seven, tell
from spellheist.laws.positions import altered

VAIN = ("steal", "decline", "steal", "seat 3 is next", "seat 3 rolls orb 9")

WHERE = {
    "start": lambda: tell(new("spell_stealers", 3), "seat 0 rolls orb 3"),
    "begun": begun,
    "picked": lambda: tell(begun(), "roll orb"),
    "rolled": lambda: tell(begun(), "roll orb", "orb 7 yellow"),
    "kept": lambda: seven("decline", "decline"),
    "asked": lambda: seven("decline", seats=4),
    "thrown": lambda: seven("steal"),
    "race, asked": lambda: seven("steal", seats=4, stealing="race"),
    "race, order": lambda: seven("steal", "decline", "steal", seats=4, stealing="race"),
    "race, in vain": lambda: seven(*VAIN, seats=4, stealing="race"),
    "live, begun": lambda: begun(stealing="live"),
    "live, window": lambda: seven(stealing="live"),
    "live, missed": lambda: tell(begun(stealing="live"), "roll orb", "orb 7 yellow", "red"),
    "live, thrown": lambda: seven("seat 1 steals with orb", stealing="live"),
    "live, in vain": lambda: seven("seat 1 steals with pyramid", stealing="live"),
    "over": lambda: tell(begun(turn_limit=1), "roll orb", "orb 7 yellow", "red"),
    "won": lambda: tell(begun(2, 1, position={"pawn": [3, 40], "last": 1, "turns": 1}), "roll orb", "orb 7 yellow", "red"),
}

IMPOSSIBLE = {
    "start": [
        {"turn": OVER}, {"starter": 0}, {"current": 0}, {"stage": 1}, {"turns": 1}, {"last": 1}, {"playing": {1: 0}},
        {"pawn": {0: 1}}, {"pawn": {3: 1}}, {"token": {0: 0}}, {"points": 1}, {"rolled": 1}, {"die": 1}, {"face": 1},
        {"symbol": 1}, {"taker": 0}, {"roller": 0}, {"tries": {0: 1}}, {"tries": {3: 1}}, {"threw": {0: 1}},
    ],
    "begun": [
        {"turn": 1}, {"starter": NONE}, {"stage": 1}, {"turns": 500}, {"playing": {1: 0}}, {"pawn": {0: 35}},
        {"points": 1}, {"symbol": 1}, {"taker": 0}, {"roller": 0}, {"shows": {0: 1}}, {"current": NONE}, {"taker": -2},
        {"playing": {1: 0, 2: 0}, "last": 1},
    ],
    "picked": [{"rolled": 0}, {"face": 1}, {"symbol": 1}, {"taker": 0}, {"die": 0}],
    "rolled": [{"rolled": 0}, {"die": -2}, {"die": 0}, {"face": 0}, {"symbol": 1}, {"taker": 0}],
    "kept": [{"face": 1}, {"tries": {1: HIDDEN}}, {"tries": {1: 2}}],
    "asked": [
        {"turn": 0}, {"current": 1}, {"face": 1}, {"playing": {0: 0}, "last": 1}, {"phase": WINDOW, "turn": ANYONE},
        {"phase": MISSED, "turn": ANYONE, "symbol": 1},
    ],
    "thrown": [{"phase": PUNISH}, {"token": {1: 1}}, {"face": 1}, {"shows": {1: 1}}, {"roller": NONE}, {"threw": {1: 0}}],
    "race, order": [{"face": 1}, {"taker": 0}, {"tries": {1: 0}}],
    "race, in vain": [{"die": 2}, {"shows": {3: 0}}],
    "live, begun": [{"tries": {1: 1}}],
    "live, window": [
        {"turn": 0}, {"phase": CHOOSE}, {"face": 1}, {"phase": ASK, "turn": 1}, {"phase": ORDER, "turn": CHANCE},
    ],
    "live, missed": [{"turn": 0}, {"rolled": 0}, {"face": 1}, {"symbol": 0}, {"phase": ORDER, "turn": CHANCE}],
    "live, thrown": [{"turn": 0}, {"die": 2}],
    "live, in vain": [{"face": 0}],
    "over": [{"turns": 0}, {"roller": 0}, {"turn": 0}, {"phase": CHOOSE}, {"die": -2}],
    "won": [{"playing": {0: 0}}],
    "race, asked": [{"phase": ORDER, "turn": CHANCE}],
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
