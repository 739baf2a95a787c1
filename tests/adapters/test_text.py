"""Play in words: any player that answers with the words of a move comes to the end; one that does not loses."""

import doctest

import pytest

from spellheist.adapters import text
from spellheist.adapters.text import Env
from spellheist.core.dice import Luck
from spellheist.core.game import find, names
from spellheist.core.refused import Refused

EVERY = [(name, seats, {}) for name in names() for seats in find(name).seats]
LIVE = [("spell_stealers", seats, {"stealing": "live", "turn_limit": 4}) for seats in (2, 4, 6)]


@pytest.mark.parametrize(("name", "seats", "options"), EVERY + LIVE)
def test_answers_in_words_lead_to_the_end(name, seats, options):
    game, luck, done, asked = Env(name, options), Luck(3), False, 0
    game.reset(num_players=seats, seed=5)
    while not done:
        player, told = game.get_observation()
        moves = [line[2:] for line in told.rpartition("Your moves:\n")[2].splitlines() if line.startswith("- ")]
        done, info = game.step(f"I have thought about it.\n  - {moves[luck.below(len(moves))].upper()}. ")
        assert info == {}
        asked += 1
        assert 0 <= player < seats
    rewards, _ = game.close()
    assert sum(rewards.values()) == pytest.approx(1) and len(rewards) == seats and asked > 1
    with pytest.raises(Refused, match="The game is over"):
        game.step("stop")
    with pytest.raises(Refused, match="nobody is asked"):
        game.get_observation()


def test_a_player_reads_the_rules_once_and_then_what_has_happened():
    game = Env("dice_heist")
    game.reset(num_players=2, seed=7, names=["Ann", "Bob"])
    first, told = game.get_observation()
    assert "DH-1" in told and "Your moves:" in told
    game.step("recruit")
    second, other = game.get_observation()
    assert second != first and f"{['Ann', 'Bob'][first]} recruits" in other and "DH-1" in other
    game.step("recruit")
    assert f"{['Ann', 'Bob'][second]} recruits" in game.get_observation()[1]
    assert "DH-1" not in game.get_observation()[1]


def test_words_tell_a_player_nothing_that_its_seat_does_not_see():
    told = []
    for stones in ((8, 8, 8, 8, 8), (7, 7, 7, 7, 7)):
        game = Env("abraca_what", {"starter": 0})
        game.reset(num_players=2, seed=1)
        play = game.asking.play
        while play.ply:
            play.undo()
        for stone in (*stones, 1, 2, 3, 6, 6):
            play.chance(stone)
        for stone in (2, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5):
            play.chance(stone)
        told.append(game.get_observation())
    assert told[0] == told[1]


def test_the_third_answer_in_a_row_that_is_no_move_loses():
    game = Env("abraca_what")
    game.reset(num_players=3, seed=1)
    loser, _ = game.get_observation()
    assert game.step("call 9")[1] == {"refused": "'call 9' is no move."}
    assert "is no move. Answer with the words" in game.get_observation()[1]
    assert game.step("")[0] is False
    done, info = game.step("x" * 10_000)
    assert done and "3 answers in a row" in info["refused"]
    rewards, why = game.close()
    assert rewards[loser] == -1 and sum(rewards.values()) == -1 and "3 answers" in why["reason"]


def test_the_example_runs():
    done = doctest.testmod(text)
    assert done.attempted and not done.failed
