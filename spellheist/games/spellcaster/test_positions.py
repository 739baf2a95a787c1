"""Positions of Spellcaster that cannot be, each refused; and some that can, loaded."""

import pytest

from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, NONE
from spellheist.games.spellcaster import deck
from spellheist.games.spellcaster.rules import ACT, ALL, ANY_CARD, DEAL, PICK, RECEIVE
from spellheist.games.spellcaster.test_rules import CARDS_HERE, at, changed, masks, probe, start_of_turn
from spellheist.laws.positions import altered


def on(play, *said):
    """Let the game go on: a move where somebody is asked, an outcome where chance is."""
    for word in said:
        play.chance(word) if play.turn == CHANCE else play.play(word)
    return play


HANDS = [["Haste", "Library"], ["Slow Burn", "Pyre", "Leech"]]
FOUR = [*HANDS, ["Vanish"], ["Silence"]]
PILES = [("Cursed Blade", 0), ("Ember Dart", 1), ("Hearth Glow", 1), ("Glint", 0)]
TWO = changed(red="rival discards 1, damage 1", green="energy 1, sapphires 1, use, damage 2")


def known(name):
    """A set of one card, as a state holds it."""
    return masks([[card.name for card in deck.cards(CARDS_HERE)].index(name)])


def asked(effect, hands=HANDS, **more):
    return probe(effect, hands, PILES, **more)


def using():
    play = at([[], ["Haste", "Library"]], [("Red Probe", 1), ("Green Probe", 0)], deck=TWO)
    return on(play, "activate Green Probe", "use Red Probe")


def enchanting():
    text = changed(green_always="discard 1")
    return on(start_of_turn(HANDS, [("Probe", 0), ("Slow Crystal", 0)], deck=text), "set off Probe")


WHERE = {
    "start": lambda: new("spellcaster", 4),
    "deal": lambda: on(new("spellcaster", 2), "seat 1 begins", 3, 20),
    "deal, three": lambda: on(new("spellcaster", 3), 3, 20, 21, 22),
    "act": lambda: at(HANDS, PILES),
    "three": lambda: at([*HANDS, ["Vanish"]], PILES),
    "enchanted": lambda: at(HANDS, [("Cursed Blade", 0)]),
    "enchanted, offer": lambda: probe("may pay sapphires 2, damage 5", HANDS, [("Cursed Blade", 0)]),
    "looked": lambda: asked("look"),
    "set off": lambda: start_of_turn([[], []], [("Slow Burn", 0), ("Slow Crystal", 0), ("Hearth Glow", 1)]),
    "drawing": lambda: on(at(HANDS, PILES), "draw"),
    "either": lambda: asked("damage 2 or sapphires 2, energy 1"),
    "offer": lambda: asked("damage 1, may pay sapphires 2, damage 5"),
    "answer": lambda: asked("draw 2 unless rival pays energy 3"),
    "discard": lambda: asked("discard 2"),
    "one card": lambda: asked("discard 2", [["Haste"], []]),
    "price": lambda: asked("pay cards 2, damage 1"),
    "rival discards": lambda: asked("rival discards 2"),
    "each draws": lambda: asked("each mage draws 2", FOUR),
    "each rival": lambda: asked("each rival discards 1", FOUR),
    "draw last": lambda: asked("draw 3", left=2),
    "take": lambda: asked("take 2"),
    "pick": lambda: asked("take chosen 2"),
    "point": lambda: asked("banish 2"),
    "used": using,
    "enchantment": enchanting,
    "won": lambda: asked("damage 9", energy=(5, 5)),
    "over": lambda: on(at([["Library"], []], left=0, actions=1), "play Library"),
}

IMPOSSIBLE = {
    "drawing": [{"knows": {1: {3: 6}}}, {"count": 7}, {"nth": 1}, {"turn": 0}],
    "act": [
        {"shown": {2: 2}}, {"used": {3: 1}}, {"phase": ANY_CARD}, {"mage": 1}, {"actions": 0},
        {"known": {3: known("Haste")}, "knows": {3: {0: 1}}}, {"pile": {2: {5: 3}}},
    ],
    "deal": [
        {"facing": {3: 3}}, {"ending": 1}, {"shown": {0: 8}}, {"turn": 0},
        {"deck": {2: ALL - 1}, "left": 57, "discards": {2: 1}}, {"deck": {2: ALL - 1}, "left": 57, "height": {2: 1}},
        {"deck": {2: ALL - 1}, "left": 57, "hand": {0: {2: 1}}, "held": {0: 1}},
        {"deck": {2: ALL - 3}, "left": 56, "hand": {1: {2: 3}}, "held": {1: 4}},
        {"known": {0: {0: 8}}, "knows": {0: {1: 1}}},
    ],
    "offer": [{"known": {1: {3: 7}}}, {"turns": 60}, {"sapphires": {0: 1}}, {"nth": 2}, {"mage": 1}, {"step": 1}],
    "discard": [{"left": 7}],
    "each draws": [
        {"held": {2: 3}}, {"turn": 3}, {"mage": NONE}, {"count": 6},
        {"known": {2: known("Haste")}, "knows": {2: {0: 1}}},
        {"known": {1: known("Haste"), 3: known("Library")}, "knows": {1: {0: 1}, 3: {0: 1}}},
    ],
    "take": [{"count": 3}, {"phase": RECEIVE}, {"turn": 0}, {"nth": 3}, {"phase": PICK, "turn": 0}],
    "deal, three": [{"actions": 1}, {"step": 4}, {"used": {0: 8}}, {"card": 1}, {"mage": 1}],
    "price": [{"used": {3: 0}}],
    "each rival": [{"nth": 3}],
    "either": [{"count": 4}, {"mage": 1}, {"step": 1}, {"step": 2}],
    "start": [
        {"phase": DEAL}, {"outer_step": 4}, {"turns": 7}, {"mage": 1}, {"energy": {1: 0}}, {"nth": 3},
        {"deck": {2: ALL - 1}, "left": 59, "hand": {0: {2: 1}}, "held": {0: 1}},
    ],
    "enchantment": [{"waiting": 2}, {"card": -1}, {"actions": 0}, {"actions": 1}],
    "point": [{"turn": CHANCE}, {"count": 0}, {"nth": 1}, {"step": 0}],
    "used": [{"step": 2}, {"outer": NONE}, {"outer_step": 0}, {"outer_step": 2}, {"used": {3: 0}}],
    "answer": [{"nth": 1}, {"energy": {1: 2}}],
    "won": [{"outer": -8}, {"card": 1}, {"turn": 0}, {"nth": 1}],
    "set off": [{"outer": 7}, {"energy": {0: 0}}, {"turn": CHANCE}, {"actions": 1}, {"count": 1}],
    "looked": [{"nth": 3}, {"knows": {0: {1: 2}}}],
    "draw last": [{"count": 1}, {"count": 3}],
    "pick": [
        {"turn": CHANCE}, {"phase": ANY_CARD, "turn": CHANCE},
        {"known": {0: {0: 0, 1: 0, 2: 0, 3: 0}}, "knows": {0: {1: 0}}},
    ],
    "enchanted": [{"waiting": 1}],
    "rival discards": [{"nth": 2}, {"phase": RECEIVE, "turn": CHANCE}],
    "one card": [{"count": 2}],
    "over": [{"turn": 0}, {"left": 1}, {"phase": ACT}, {"waiting": 1}],
    "three": [{"turns": 1}],
    "enchanted, offer": [{"waiting": 1}],
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
