"""Positions of Abraca...What? that cannot be, each refused; and some that can, loaded."""

import pytest

from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, OVER
from spellheist.games.abraca_what.rules import CALL, DEAL, REFILL, START, TAKE
from spellheist.games.abraca_what.test_rules import THREE, at
from spellheist.laws.positions import altered


def on(play, *said):
    """Let the game go on: a move where somebody is asked, an outcome where chance is."""
    for word in said:
        play.chance(word) if play.turn == CHANCE else play.play(word)
    return play


WHERE = {
    "start": lambda: new("abraca_what", 3),
    "dealing": lambda: on(new("abraca_what", 3, {"starter": 1}), 5, 6, 7, 8, 8, 4),
    "call": lambda: at(THREE),
    "go on": lambda: on(at(THREE), 5),
    "roll": lambda: on(at(THREE), 3),
    "backfire": lambda: on(at(THREE, caster=1), 1),
    "take": lambda: on(at(THREE), 4),
    "taken": lambda: on(at(THREE), 4, 6),
    "no secrets": lambda: at([[5, 6], [6, 7], [7, 8]], taken=[[], [8, 8], [7, 5]]),
    "refill": lambda: on(at(THREE), 5, "stop"),
    "learned": lambda: on(at(THREE, pile=0), 8, 8, 8),
    "short": lambda: at([[5, 6], [6, 7], [7, 8]], pile=0),
    "show": lambda: on(at(THREE, lives=[6, 1, 6]), 5),
    "last standing": lambda: on(at(THREE, lives=[6, 1, 6], last_standing=True), 5),
    "last standing, refill": lambda: on(at(THREE, last_standing=True), 5, "stop"),
    "last standing, dealing": lambda: on(new("abraca_what", 3, {"starter": 1, "last_standing": True}), 5, 6),
    "over": lambda: on(at(THREE, lives=[6, 1, 6], points=[7, 0, 0]), 5),
}

IMPOSSIBLE = {
    "start": [
        {"turn": 0}, {"phase": DEAL}, {"stage": 1}, {"lives": {3: 1}}, {"held": {0: 1}}, {"never": {2: {0: 2}}},
        {"pile": 31, "deck": {8: 7}, "board": {8: 1}},
    ],
    "dealing": [
        {"phase": REFILL}, {"never": {2: {0: 1}}}, {"never": {2: {0: 510}}}, {"never": {1: {4: 2}}},
        {"secrets": 3, "takes": {0: 1}, "taken": {0: {0: 8}}, "deck": {8: 5}}, {"phase": START},
    ],
    "call": [{"pile": 0}, {"secrets": 3, "pile": 18}, {"points": {0: 8}}, {"spell": 3}, {"turn": 1}],
    "roll": [{"turn": 0}, {"phase": DEAL}, {"spell": 5}],
    "show": [{"phase": REFILL}],
    "last standing": [{"lives": {2: 0}}],
    "learned": [{"points": {0: 8}}],
    "refill": [{"turn": OVER, "points": {0: 11}}],
    "taken": [{"takes": {0: 0, 2: 1}}],
    "last standing, refill": [{"lives": {0: 0}}, {"lives": {1: 0, 2: 0}}],
    "over": [{"gain": {0: 0}, "lives": {0: 0}}, {"phase": CALL}],
    "short": [{"phase": REFILL, "turn": CHANCE}],
    "no secrets": [{"phase": TAKE, "turn": CHANCE, "spell": 4}],
    "last standing, dealing": [{"lives": {0: 0}}],
    "go on": [{"spell": 0}],
    "backfire": [{"spell": 3}],
    "take": [{"spell": 5}],
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
