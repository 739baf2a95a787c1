"""The report in words, and the command that prints it."""

import json
from dataclasses import replace

import pytest
from bot_games import QUICK, short_game
from click.testing import CliRunner

from spellheist.cli import main
from spellheist.core import kernel, record
from spellheist.core.dice import Luck
from spellheist.core.play import new
from spellheist.review import examine, report
from spellheist.review.account import Mistake, Seat, Step
from spellheist.review.levels import nearest


@pytest.fixture(autouse=True)
def _quick(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("kept")
    monkeypatch.setattr(kernel, "cache_folder", lambda: folder)
    monkeypatch.setattr("spellheist.review.Settings", lambda **given: QUICK)


def asked(*arguments):
    return CliRunner().invoke(main, ["review", *map(str, arguments)])


def write(folder, play, name="game.txt"):
    file = folder / name
    file.write_text(record.write(play))
    return file


def test_the_command_tells_account_graph_luck_and_mistakes(tmp_path):
    play = short_game("dice_heist")
    said = asked(write(tmp_path, play))
    assert said.exit_code == 0, said.output
    for words in ("Dice Heist", "own play", "luck", "result", "Chances to win", "luckiest steps", "istake"):
        assert words in said.output


def test_one_seat_can_be_told_of_alone(tmp_path):
    play = short_game("dice_heist")
    file = write(tmp_path, play)
    rows = [line for line in asked(file, "--seat", 1).output.splitlines() if " points of luck" in line]
    assert len(rows) == 1 and rows[0].startswith("greedy")
    refused = asked(file, "--seat", 5)
    assert refused.exit_code == 2 and "There is no seat 5" in refused.output


def test_as_json_it_has_everything_with_words(tmp_path):
    said = json.loads(asked(write(tmp_path, short_game("dice_heist")), "--json").stdout)
    assert said["review"] == 1 and len(said["seats"]) == 2
    assert said["steps"][0]["words"].startswith("chance: ")
    assert {"start", "own", "others", "luck", "result", "level"} <= set(said["seats"][0])


@pytest.mark.parametrize("what", ["unfinished", "missing", "garbage"])
def test_what_cannot_be_reviewed_is_answered_with_a_sentence(tmp_path, what):
    file = tmp_path / "game.txt"
    if what == "unfinished":
        play = new("dice_heist", 2)
        play.roll_all(Luck(1))
        file = write(tmp_path, play)
    elif what == "garbage":
        file.write_bytes(b"\xff\x00")
    said = asked(file)
    assert said.exit_code == 2
    assert said.output.startswith("spellheist: ") and "Traceback" not in said.output
    assert len(said.output.strip().splitlines()) == 1


def test_a_folder_adds_up_what_each_player_had(tmp_path):
    for seed in (1, 2):
        write(tmp_path, short_game("dice_heist", seed=seed), f"{seed}.txt")
    play = new("dice_heist", 2)
    play.roll_all(Luck(1))
    write(tmp_path, play, "open.txt")
    (tmp_path / "notes.md").write_text("no record")
    said = asked(tmp_path)
    assert said.exit_code == 0, said.output
    assert "random" in said.output and "greedy" in said.output
    assert "open.txt: The game is not over" in said.output and "notes.md" not in said.output
    told = json.loads(asked(tmp_path, "--json").stdout)
    assert [row["games"] for row in told["players"]] == [2, 2]
    assert sum(row["luck"]["value"] for row in told["players"]) == pytest.approx(0)


def test_a_folder_without_a_game_is_refused(tmp_path):
    said = asked(tmp_path)
    assert said.exit_code == 2 and "no finished game" in said.output


def test_the_graph_has_digits_where_there_are_no_blocks():
    assert report.bar([0.0, 0.5, 1.0], blocks=True) == "▁▅█"
    assert report.bar([0.0, 0.5, 1.0], blocks=False) == "059"


def seat(**given):
    line = {"seat": 0, "name": "Ann", "start": 0.5, "own": 0.0, "partners": 0.0, "rivals": 0.0, "luck": 0.0, "result": 0.5}
    rest = {"race": 0.0, "spread": 0.0, "luck_spread": 0.0, "choices": 1, "errors": 0.0}
    return Seat(**line | rest | given)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"result": 1.0, "luck": 0.59, "own": -0.09}, "Ann won by luck: +59.0 points of luck, -9.0 of own play"),
        ({"result": 1.0, "luck": 0.1, "own": 0.4}, "Ann won by play"),
        ({"result": 0.0, "luck": -0.6, "own": 0.1}, "Ann lost by luck"),
        ({"result": 0.0, "rivals": -0.6, "luck": 0.1}, "Ann lost by what others did"),
        ({"result": 0.5}, "Ann got about what it had at the start: 0.0 points of luck"),
    ],
)
def test_a_sentence_says_what_it_was(given, sentence):
    assert report.verdict(seat(**given)).startswith(sentence)


def test_partners_have_a_column_only_where_there_are_teams():
    assert "partner's" not in report.table([seat(own=0.1)])[0]
    assert "partner's" in report.table([seat(partners=0.1)])[0]


def test_a_mistake_is_told_with_both_moves_and_what_each_was_worth():
    play = short_game("dice_heist")
    found = examine(play, QUICK)
    decision = next(one for one in found.decisions if one.answers > 1)
    mistake = Mistake(decision.ply, decision.seat, decision.played, decision.best, 0.41, 0.52, 0.11, 0.01, 0.09, "blunder")
    said = report.mistake_line(found, report.Told(play), mistake)
    assert "??" in said and "(41 %)" in said and "(52 %)" in said and "11.0 ± 1.0 points, 9.0 by search" in said


def test_levels_lie_where_errors_are_closest_by_ratio():
    errors = {"random": 0.04, "gentle": 0.01, "sharp": 0.001}
    names = ["random", "gentle", "sharp"]
    assert [nearest(errors, names, error) for error in (0.1, 0.015, 0.004, 0.0005, -0.01)] == [
        "random", "gentle", "gentle", "sharp", "sharp",
    ]  # fmt: skip


def test_a_seat_is_told_which_bots_give_away_as_much_where_that_is_known():
    play = short_game("abraca_what")
    found = examine(play, QUICK)
    assert report.played_like(found, 0)
    assert report.played_like(found, 0) == report.as_json(found, play)["seats"][0]["level"]
    few = replace(found, decisions=found.decisions[:4])
    assert report.played_like(few, 0) is None
    assert report.played_like(examine(short_game("mages_dice"), QUICK), 0) is None


def test_a_long_run_of_chance_is_told_in_short():
    play = short_game("abraca_what")
    whole = Step(0, 9, -1, False, (0.0, 0.0))
    assert report.Told(play).step(whole).endswith("and 6 more")
