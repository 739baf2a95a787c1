"""Learning what a position is worth: from games to the numbers of a network."""

from importlib.util import module_from_spec, spec_from_file_location

import numpy as np
import pytest
from click.testing import CliRunner

from spellheist.cli import main
from spellheist.core import kernel
from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.network import log_odds
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.lab import learn


def taught_by(features, shares):
    nothing = np.zeros(len(shares))
    return learn.Lessons(features, shares, nothing, nothing)


def test_a_network_in_a_file_answers_as_the_one_that_learned():
    luck = np.random.default_rng(1)
    features = luck.normal(3, 2, (2_000, 5))
    network = learn.Network(taught_by(features, (features[:, 0] > 3).astype(float)), 4, 1)
    network.learn(taught_by(features, (features[:, 0] > 3).astype(float)), 3)
    row = kernel.constants(network.row())
    near = features[np.abs(network.scaled(features)).max(1) < learn.FAR][:50]
    expected = network.log_odds(network.scaled(near))[1]
    assert [log_odds(row, position) for position in near] == pytest.approx(expected)


def test_hidden_numbers_learn_what_a_straight_line_cannot():
    luck = np.random.default_rng(2)
    features = luck.normal(0, 1, (20_000, 2))
    shares = (features[:, 0] * features[:, 1] > 0).astype(float)
    losses = []
    for hidden in (0, 8):
        network = learn.Network(taught_by(features, shares), hidden, 1)
        network.learn(taught_by(features, shares), 10)
        losses.append(learn.log_loss(network.guess(features), shares))
    assert losses[0] > 0.68
    assert losses[1] < 0.5


def test_lessons_tell_of_every_number_of_seats_and_who_won():
    found = learn.lessons(find("spellcaster"), 600, 5)
    mages = {(own, other) for own, other in found.features[:, [5, 17]].tolist()}
    assert mages == {(1, 1), (2, 1), (1, 2), (2, 2)}, "one against one, one against two, two against two"
    assert set(found.shares.tolist()) <= {0.0, 0.5, 1.0}
    assert 0.2 < found.shares.mean() < 0.8
    assert (np.abs(found.guesses - 0.5) < 0.5).all()
    again = learn.lessons(find("spellcaster"), 600, 5)
    assert (found.features == again.features).all(), "the same seed gives the same games"


def test_what_was_learned_fits_the_features_and_judges_better_than_nothing():
    game = find("spellcaster")
    known = game.bot
    assert (len(known.WEIGHTS) - known.FEATURES - 1) % (known.FEATURES + 2) == 0
    found = learn.lessons(game, 3_000, 99)
    nothing = np.full(len(found.shares), found.shares.mean())
    assert learn.log_loss(found.guesses, found.shares) < learn.log_loss(nothing, found.shares) - 0.05


def test_the_value_of_a_position_is_shared_by_the_sides_as_the_win_is():
    game = find("spellcaster")
    value = kernel.plain(game.bot.value)
    for seats in game.seats:
        play = new(game, seats)
        play.roll_all(Luck(1))
        shares = [0.0] * game.rules.SEATS
        value(play.state, shares)
        assert sum(shares) == pytest.approx(1)
        assert all(share > 0 for share in shares[:seats])


def test_weights_are_kept_as_a_module_of_the_game(tmp_path, monkeypatch):
    game = find("spellcaster")
    monkeypatch.setattr(game, "folder", tmp_path)
    learn.keep(game, [0.123456789, -2.0, 1e-7] * 40)
    path = tmp_path / "learned.py"
    assert max(len(line) for line in path.read_text().splitlines()) <= learn.WIDE
    spec = spec_from_file_location("learned", path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.WEIGHTS == (0.12346, -2.0, 1e-7) * 40


def test_a_game_without_features_is_refused_in_one_sentence():
    with pytest.raises(Refused, match="names no features"):
        learn.lessons(find("dice_heist"), 10, 1)
    answer = CliRunner().invoke(main, ["learn", "dice_heist"])
    assert answer.exit_code == 2
    assert "There is nothing to learn in dice_heist" in answer.output
