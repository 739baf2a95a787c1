"""A game as a value: copies that do not know of each other, pickles, plies taken back, worlds that are imagined."""

import copy
import pickle

import pytest

from spellheist.core import record
from spellheist.core.dice import Luck
from spellheist.core.game import find, names
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import HIDDEN

WAYS = {"clone": lambda play: play.clone(), "copy": copy.copy, "deepcopy": copy.deepcopy,
        "pickle": lambda play: pickle.loads(pickle.dumps(play))}  # fmt: skip


def finish(play, seed):
    luck = Luck(seed)
    while not play.over:
        play.roll_all(luck)
        if not play.over:
            play.play(play.legal()[luck.below(len(play.legal()))])
    return play


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", names())
def test_a_copy_goes_on_as_the_original_does_and_neither_changes_the_other(name, way, random_play):
    play = random_play(name, find(name).seats[-1], plies=40)
    play.information(0), play.recall(0)
    before, told, seen = play.bytes, play.information(0), play.recall(0)
    other = WAYS[way](play)
    assert (other.bytes, other.plies, other.turn, repr(other)) == (before, play.plies, play.turn, repr(play))
    finish(other, 5)
    assert (play.bytes, play.ply, play.information(0), play.recall(0)) == (before, 40, told, seen)
    assert finish(play, 5).bytes == other.bytes
    assert (other.information(0), other.recall(0).views) == (play.information(0), play.recall(0).views)
    other.names[0], other.settings["new"] = "Zoe", 1
    assert play.names[0] == "Seat 0" and "new" not in play.settings
    assert record.write(play) == record.write(WAYS[way](play))


def test_a_pickle_of_other_rules_is_refused(monkeypatch):
    play = new("dice_heist", 2)
    kept = pickle.dumps(play)
    monkeypatch.setattr(play.game, "signature", "0")
    with pytest.raises(Refused, match="kept under other rules"):
        pickle.loads(kept)


def test_a_game_from_a_position_and_with_a_deck_of_its_own_can_be_pickled(random_play):
    there = record.position_of(random_play("spellcaster", 2, plies=60))
    play = new("spellcaster", 2, {"deck": str(find("spellcaster").folder / "deck.toml")}, position=there)
    other = pickle.loads(pickle.dumps(play))
    assert (other.bytes, other.settings, other.position) == (play.bytes, play.settings, there)


@pytest.mark.parametrize("name", names())
def test_undo_takes_back_ply_by_ply_to_the_very_start(name, random_play):
    play = random_play(name, 2, plies=30)
    again, states = new(name, 2), []
    for ply in play.plies:
        states.append(again.bytes)
        again.repeat(ply)
    plies = list(play.plies)
    while plies:
        assert play.undo() == plies.pop()
        assert (play.bytes, play.plies) == (states.pop(), plies)
        assert play.recall(0).views[-1:] == play.clone().recall(0).views[-1:]
    with pytest.raises(Refused, match="none can be taken back"):
        play.undo()


@pytest.mark.parametrize("name", names())
def test_an_imagined_world_can_be_played_to_its_end_and_taken_back_to_where_it_was_imagined(name, random_play):
    play = random_play(name, 2, plies=50)
    world = play.imagine(0, Luck(4))
    here = world.bytes
    assert world.ply == play.ply == world.since
    assert finish(world, 9).over
    for other in (pickle.loads(pickle.dumps(world)), world.clone(), world):
        assert other.information(0).startswith(play.information(0))
        assert other.information(1)
        while other.ply > other.since:
            other.undo()
        assert other.bytes == here
        with pytest.raises(Refused, match="imagined here"):
            other.undo()
        with pytest.raises(Refused, match="no record of how it came about"):
            record.write(other)


def test_worlds_differ_in_what_is_hidden_and_the_same_luck_gives_the_same_world():
    play = new("abraca_what", 2, {"starter": 0})
    play.roll_all(Luck(7))
    worlds = [play.imagine(0, Luck(seed)) for seed in range(20)]
    assert len({str(world.state.hand) for world in worlds}) > 10
    assert all(world.state.hand[1] == play.state.hand[1] for world in worlds)
    assert play.imagine(0, Luck(3)).bytes == worlds[3].bytes
    assert [move for _, move in worlds[0].past(0)][:5] == [HIDDEN] * 5
    assert play.imagine(0, Luck(1)).past(1)[:5] == worlds[0].past(0)[:5]
