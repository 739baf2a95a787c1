"""The one door to a state: what it shows, what it refuses, and that a refusal changes nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spellheist.core.dice import Luck
from spellheist.core.game import find, names
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, HIDDEN, WATCHER


@pytest.mark.parametrize("name", names())
def test_a_wrong_number_of_seats_is_refused_with_the_right_ones(name):
    game = find(name)
    for seats in (game.seats[0] - 1, game.seats[-1] + 1, -3, 1000):
        with pytest.raises(Refused, match=rf"seats {game.seats[0]} to {game.seats[-1]} players, not {seats}\."):
            new(name, seats)


def test_an_unknown_game_option_or_value_is_refused_with_what_there_is():
    with pytest.raises(Refused, match=r"no game 'abraca_wat'.*Did you mean abraca_what\?"):
        new("abraca_wat", 3)
    with pytest.raises(Refused, match=r"no option 'easi'.*Did you mean easy\?"):
        new("abraca_what", 3, {"easi": True})
    for value in ("perhaps", 2, None, [], "tru"):
        with pytest.raises(Refused, match="easy takes true or false"):
            new("abraca_what", 3, {"easy": value})
    for value in ("1,2", (1, 2, 7), (0, 0, 0), "a,b,c", 5, [True, 1, 1]):
        with pytest.raises(Refused, match="die_faces takes 3 whole numbers from 0 to 6"):
            new("abraca_what", 3, {"die_faces": value})


def test_options_are_read_as_people_write_them():
    play = new("abraca_what", 3, {"easy": "yes", "die_faces": "3, 2, 1", "starter": "2"})
    assert (play.state.easy, play.state.die_faces, play.state.starter) == (1, [3, 2, 1], 2)


def test_names_must_be_as_many_as_seats():
    with pytest.raises(Refused, match="3 seats but 2 names"):
        new("abraca_what", 3, names=["Ann", "Bob"])


def test_nobody_moves_while_the_dice_are_to_be_rolled_and_nothing_is_rolled_while_somebody_is_to_move():
    play = new("abraca_what", 3)
    with pytest.raises(Refused, match="dice must be rolled first"):
        play.play(1)
    with pytest.raises(Refused, match="Chance cannot give outcome 4"):
        play.chance(4)
    play.roll_all(Luck(1))
    with pytest.raises(Refused, match="nothing to roll"):
        play.chance(1)
    with pytest.raises(Refused, match="not over yet"):
        play.score()


def test_a_finished_game_takes_no_more_moves(random_play):
    play = random_play("abraca_what", 2)
    with pytest.raises(Refused, match="The game is over"):
        play.play(1)
    assert play.legal() == []


def test_a_seat_that_is_not_there_has_no_view():
    play = new("abraca_what", 2)
    for seat in (2, -1, -9):
        with pytest.raises(Refused, match="no seat"):
            play.view(seat)


def test_moves_are_found_by_their_words_in_any_case():
    play = new("abraca_what", 2, {"starter": 0})
    play.roll_all(Luck(1))
    with pytest.raises(Refused, match=r"'call 9' is not a move here. The moves are: call 1 Ancient Dragon"):
        play.play("call 9")
    play.play("  CALL 8 magic drink ")
    assert play.plies[-1].move == 8


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_move_by_any_seat_is_played_or_refused_with_a_sentence_and_a_rule(data):
    name = data.draw(st.sampled_from(names()))
    game = find(name)
    seats = data.draw(st.sampled_from(list(game.seats)))
    play, luck = new(game, seats), Luck(data.draw(st.integers(0, 99)))
    for _ in range(data.draw(st.integers(0, 40))):
        if play.over:
            return
        if play.turn == CHANCE:
            play.roll(luck)
        else:
            play.play(play.legal()[luck.below(len(play.legal()))])
    move = data.draw(st.integers(-5, game.rules.MOVES + 3) | st.integers(-(10**9), 10**9))
    seat = data.draw(st.integers(0, seats - 1))
    before, ply = play.bytes, play.ply
    try:
        play.play(move, seat)
    except Refused as refusal:
        assert (play.bytes, play.ply) == (before, ply)
        assert str(refusal)[0].isupper()
        if play.turn not in (CHANCE, -2):
            assert refusal.rule in game.rule
    else:
        assert play.ply == ply + 1


def test_the_past_of_a_seat_hides_what_it_did_not_see():
    play = new("abraca_what", 2, {"starter": 0})
    play.chance("stone 8 to seat 0")
    assert play.past(0) == [(CHANCE, HIDDEN)]
    assert play.past(1) == [(CHANCE, 8)]
    assert play.past(WATCHER) == [(CHANCE, HIDDEN)]


@pytest.mark.parametrize("name", names())
def test_a_seat_recalls_what_it_saw_before_each_of_the_last_plies(name, random_play, monkeypatch):
    monkeypatch.setattr("spellheist.core.memory.RECALL", 20)
    played = random_play(name, find(name).seats[0], plies=60)
    again = new(name, played.seats, played.settings)
    seen, pack = [], find(name).rules.State.pack
    for ply in played.plies:
        if again.ply in (0, 3, 30):
            assert again.recall(0).views == seen[-20:]
        seen.append(pack(again.view(0)))
        again.repeat(ply)
    assert again.recall(0).views == played.recall(0).views == seen[-20:]
    assert again.recall(0) == again.past(0)


@pytest.mark.parametrize("name", names())
def test_views_are_copies_and_cannot_change_the_game(name, random_play):
    play = random_play(name, find(name).seats[0], plies=30)
    before = play.bytes
    view, state = play.view(0), play.state
    view.turn, state.turn = 77, 77
    assert play.bytes == before


@pytest.mark.parametrize("name", names())
def test_looking_ahead_changes_nothing_and_the_plies_lead_there_with_the_rules_run_again_or_not(name):
    play, plain = new(name, find(name).seats[0]), new(name, find(name).seats[0])
    luck = Luck(3)
    while not play.over and play.ply < 200:
        before, count = play.bytes, play.ply
        moves = play.legal()[:1]
        ahead = play.ahead(luck, *((move, play.owner(move)) for move in moves))
        assert (play.bytes, play.ply) == (before, count)
        assert plain.repeat_all(ahead.plies) == play.go_ahead(ahead) == ahead.states
        assert play.bytes == plain.bytes == ahead.end and play.turn == plain.turn
        assert play.plies == plain.plies
