"""Matches: seats rotated, the same dice for each rotation, and bots that do wrong."""

import csv
import json
import os
import re
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from spellheist.bots import bot, elsewhere, moves
from spellheist.cli import main
from spellheist.core import record
from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.state import NONE
from spellheist.lab import ladder, match, report, tune
from spellheist.lab.match import Outcome, Result, play_game, play_match
from spellheist.lab.share import share_of

PLAY_DEAL = match.play_deal


def test_every_deal_is_played_once_for_each_rotation_with_the_same_dice():
    result = play_match("dice_heist", ["random", "greedy", "random"], 5, seed=8)
    assert [outcome.seed for outcome in result.outcomes] == [8, 8, 8, 9, 9, 9]
    assert [outcome.seating for outcome in result.outcomes[:3]] == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    assert all(sum(outcome.shares) == pytest.approx(1) for outcome in result.outcomes)


def test_the_same_seed_gives_the_same_match():
    one, other = (play_match("dice_heist", ["random", "random"], 4, seed=3) for _ in range(2))
    assert [o.shares for o in one.outcomes] == [o.shares for o in other.outcomes]


def outcome(seed, share, fault=None):
    return replace(Outcome.begun(seed, [0, 1]), shares=[share, 1 - share], fault=fault, record=fault and "a record")


def test_shares_come_from_whole_deals():
    played = [outcome(1, 1), outcome(1, 0), outcome(2, 1), outcome(2, 1), outcome(3, 1)]
    result = Result("dice_heist", ["a", "b"], {}, played)
    assert result.share(0) == share_of([0.5, 1.0]), "the third deal is not complete"


def test_a_match_on_two_processes_is_the_same_as_on_one():
    one, two = (play_match("dice_heist", ["greedy", "random"], 12, seed=3, workers=workers) for workers in (1, 2))
    assert [(o.seed, o.seating, o.shares, o.plies) for o in one.outcomes] == [
        (o.seed, o.seating, o.shares, o.plies) for o in two.outcomes
    ]
    assert report.ratings(one) == report.ratings(two)


@pytest.fixture
def interrupted(monkeypatch):
    """Ctrl-C is pressed in the third deal of a match."""
    deals = []

    def play_deal(game, bots, options, seed):
        deals.append(seed)
        if len(deals) == 3:
            raise KeyboardInterrupt
        return [outcome(seed, 1.0), outcome(seed, 0.5)]

    monkeypatch.setattr(match, "play_deal", play_deal)
    return deals


def test_ctrl_c_gives_the_result_so_far_and_says_that_it_is_not_whole(interrupted):
    done = CliRunner().invoke(main, ["match", "dice_heist", "greedy", "random", "--games", "40"])
    assert done.exit_code == 0
    assert "4 games, 2 deals in all rotations" in done.output
    assert done.output.endswith("It was stopped early.\n")


def test_ctrl_c_while_the_result_is_shown_stops_a_match_as_well():
    def pressed(result):
        raise KeyboardInterrupt

    result = play_match("dice_heist", ["random", "random"], 40, progress=pressed)
    assert len(result.outcomes) == 2 and result.stopped


def test_ctrl_c_stops_a_ladder_and_leaves_its_page_alone(interrupted, tmp_path):
    page = tmp_path / "strength.md"
    page.write_text("as it was")
    done = CliRunner().invoke(main, ["ladder", "dice_heist", "--games", "8", "--write", str(page)])
    assert done.exit_code == 2 and "A ladder needs all of its pairs" in done.output
    assert page.read_text() == "as it was"
    assert len(interrupted) == 3


def test_ctrl_c_stops_tuning_before_anything_takes_a_place(interrupted):
    done = CliRunner().invoke(main, ["tune", "dice_heist", "--games", "8", "--iterations", "2"])
    assert ", adopted" not in done.output
    assert "It was stopped early." in done.output
    assert len(interrupted) == 3


def test_a_deal_of_which_every_process_dies_ends_a_match_with_the_result_so_far_and_its_seed(monkeypatch):
    monkeypatch.setattr(match, "play_deal", die_at_five)
    result = play_match("dice_heist", ["random", "random"], 16, workers=2)
    assert [outcome.seed for outcome in result.outcomes] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert result.stopped == "It ended early. 3 processes died while playing the seed 5."


def die_at_five(game, bots, options, seed):
    if seed == 5:
        os._exit(3)
    return PLAY_DEAL(game, bots, options, seed)


def test_a_process_that_is_killed_in_the_middle_of_a_match_changes_nothing(monkeypatch, tmp_path):
    whole = play_match("dice_heist", ["greedy", "random"], 24, seed=3)
    monkeypatch.setattr(match, "play_deal", die_once)
    monkeypatch.setenv("SPELLHEIST_TEST_DIED", str(tmp_path / "died"))
    result = play_match("dice_heist", ["greedy", "random"], 24, seed=3, workers=2)
    assert (tmp_path / "died").exists() and result.stopped is None
    assert [(o.seed, o.seating, o.shares, o.plies) for o in result.outcomes] == [
        (o.seed, o.seating, o.shares, o.plies) for o in whole.outcomes
    ]


def die_once(game, bots, options, seed):
    """As a process does that runs out of memory, once."""
    mark = Path(os.environ["SPELLHEIST_TEST_DIED"])
    if seed == 7 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return PLAY_DEAL(game, bots, options, seed)


def test_who_wins_more_is_rated_higher():
    played = [outcome(deal, share) for deal in range(30) for share in (1.0, float(deal % 3 > 0))]
    (better, unsure), (worse, _) = report.ratings(Result("dice_heist", ["a", "b"], {}, played))
    assert better - unsure > worse
    pairs = {("master", "greedy"): Result("", [], {}, played), ("greedy", "random"): Result("", [], {}, played)}
    played_pairs = {pair: replace(result, bots=list(pair)) for pair, result in pairs.items()}
    page = ladder.page_of(["master", "greedy", "random"], 30, {}, played_pairs)
    assert re.search(r"^\| master \| 12800 \| [-0-9. ±]+ \|  \| 83\.3 ± ", page, re.MULTILINE)
    places = [float(line.split("|")[3].split("±")[0]) for line in page.splitlines()[4:]]
    assert places == sorted(places, reverse=True)
    assert re.search(r"^\| random \| - \| [-0-9. ±]+ \|  \| 16\.7 ± .* \|  \|$", page, re.MULTILINE)


def test_the_order_of_games_does_not_matter_to_ratings():
    played = [outcome(deal, float(deal < 12)) for deal in range(24)]
    for order in (played, played[::-1]):
        (one, _), (other, _) = report.ratings(Result("dice_heist", ["a", "b"], {}, order))
        assert one == pytest.approx(other, abs=0.7)


def test_times_are_those_of_a_bots_own_decisions():
    played = replace(outcome(1, 1.0), decisions=[1, 9], seconds=[0.5, 0.9], slowest=[0.5, 0.2])
    lines = report.table(Result("dice_heist", ["quick", "often"], {}, [played])).splitlines()
    assert "500.0 ms   500.0 ms" in lines[2] and "100.0 ms   200.0 ms" in lines[3]
    assert "10.0 decisions" in lines[4]


def test_who_does_wrong_loses_with_its_partner_and_the_other_side_wins(monkeypatch):
    class Wrong:
        def choose(self, view, seat, past, rng):
            raise KeyError("x")

    monkeypatch.setattr(match, "made", lambda game, name, seat: Wrong())
    lost = play_game(find("spellcaster"), ("a", "b", "c", "d"), [0, 1, 2, 3], {}, 1)
    guilty = "abcd".index(lost.fault[0])
    assert lost.shares == [0.0 if (seat - guilty) % 2 == 0 else 0.5 for seat in range(4)]


@pytest.mark.parametrize("fault", ["raises", "illegal", "nothing"])
def test_a_bot_that_does_wrong_loses_the_game_and_the_position_is_kept(monkeypatch, tmp_path, fault):
    class Wrong:
        def choose(self, view, seat, past, rng):
            if fault == "raises":
                raise ZeroDivisionError("by zero")
            return 999 if fault == "illegal" else None

    real = match.made
    monkeypatch.setattr(match, "made", lambda game, name, seat: Wrong() if name == "greedy" else real(game, name, seat))
    result = play_match("dice_heist", ["random", "greedy"], 2)
    assert [outcome.shares for outcome in result.outcomes] == [[1.0, 0.0], [1.0, 0.0]]
    said = report.write_faults(result, tmp_path)
    assert len(said) == 2
    assert all("greedy" in line for line in said)
    assert record.load(next(tmp_path.glob("fault-*.txt"))).replay().turn >= 0


def test_of_many_faults_the_first_are_written_down_and_the_others_counted(tmp_path):
    wrong = [outcome(seed, 1.0, "b: no move") for seed in range(2_010)]
    said = report.write_faults(Result("dice_heist", ["a", "b"], {}, wrong), tmp_path)
    assert len(list(tmp_path.iterdir())) == 10 == len(said) - 1
    assert said[-1] == "2,000 more games were lost this way."


@pytest.mark.parametrize(
    ("does", "fault"),
    [
        ("return 999", "There is no move 999"),
        ("return 3.9", "The bot answered 3.9, which is not a whole number."),
        ("raise KeyError('x')", "The bot failed in line 3: KeyError: 'x'."),
        ("raise SystemExit", "The bot failed in line 3: SystemExit."),
        ("os._exit(3)", "The bot's process has ended."),
        ("input()", "The bot failed in line 3: EOFError"),
        ("time.sleep(30)", "The bot did not answer within 0.2 s."),
    ],
)
def test_a_bot_of_ones_own_that_does_wrong_is_named_with_what_it_did(monkeypatch, tmp_path, does, fault):
    monkeypatch.setattr(elsewhere, "PATIENCE", 0.2 if "sleep" in does else 60)
    file = tmp_path / "mine.py"
    file.write_text(f"import os, time\ndef choose(view, seat, past, rng):\n    {does}\n")
    result = play_match("dice_heist", ["random", str(file)], 2)
    assert [outcome.shares for outcome in result.outcomes] == [[1.0, 0.0], [1.0, 0.0]]
    assert all(str(file) in outcome.fault and fault in outcome.fault for outcome in result.outcomes)


def test_the_bot_among_the_examples_plays_whole_games_with_every_number_of_seats_and_beats_random_ones():
    careful = str(Path(__file__).parents[1] / "examples" / "careful.py")
    for seats in (3, 5):
        result = play_match("dice_heist", [careful, *["random"] * (seats - 1)], 2 * seats, 1, 1, {})
        assert not any(outcome.fault for outcome in result.outcomes)
    result = play_match("dice_heist", [careful, "random"], 40, 1, 1, {})
    assert not any(outcome.fault for outcome in result.outcomes)
    assert sum(outcome.shares[0] for outcome in result.outcomes) > 25


def test_moves_are_told_to_a_bot_as_to_a_person():
    live = new("spell_stealers", 3, {"stealing": "live"})
    live.roll_all(Luck(1))
    for seat in range(3):
        told = moves(live.game, live.view(seat), seat)
        assert {move: words for move, words in told.items() if move != NONE} == live.moves(seat)
        assert (NONE in told) == (told.get(NONE) == "wait") == (live.owner(live.legal()[0]) != seat)


def test_a_bot_of_ones_own_is_a_file_with_a_function(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from spellheist.core.game import find\nfrom spellheist.bots import bot\n"
        "like = bot('greedy', find('dice_heist'))\n"
        "def choose(view, seat, past, rng):\n    return like.choose(view, seat, past, rng)\n"
    )
    result = play_match("dice_heist", [str(file), "random"], 20)
    assert not any(outcome.fault for outcome in result.outcomes)
    assert sum(outcome.shares[0] for outcome in result.outcomes) > 15


def test_a_bot_of_ones_own_sees_nothing_of_the_match_and_may_print_and_use_dataclasses(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from __future__ import annotations\nimport gc, sys\nfrom dataclasses import dataclass\n"
        "from spellheist.bots import moves\nfrom spellheist.core.game import find\nfrom spellheist.core.play import Play\n"
        "@dataclass\nclass Memory:\n    plies: int = 0\n"
        "def choose(view, seat, past, rng):\n"
        "    print('what a bot prints is no answer')\n"
        "    assert not any(isinstance(thing, Play) for thing in gc.get_objects())\n"
        "    assert -3 in view.hand[seat] and not any(-3 in hand for hand in view.hand[: seat] + view.hand[seat + 1 :])\n"
        "    return next(iter(moves(find('abraca_what'), view, seat)))\n"
    )
    result = play_match("abraca_what", [str(file), "random"], 2)
    assert [outcome.fault for outcome in result.outcomes] == [None, None]


def test_where_anyone_may_move_all_bots_are_asked_and_the_game_goes_on():
    options = {"stealing": "live", "turn_limit": 60}
    one, other = (play_match("spell_stealers", ["greedy", "random", "gentle@4"], 3, options=options) for _ in range(2))
    assert all(outcome.fault is None and outcome.plies < 4_000 for outcome in one.outcomes)
    assert [o.shares for o in one.outcomes] == [o.shares for o in other.outcomes]


def test_a_bot_that_waits_when_the_table_waits_for_it_has_lost(monkeypatch):
    class Waiting:
        def choose(self, view, seat, past, rng):
            return NONE

    monkeypatch.setattr(match, "made", lambda game, name, seat: Waiting())
    outcome = play_game(find("spell_stealers"), ("a", "b"), [0, 1], {"stealing": "live"}, 4)
    assert outcome.fault
    assert sorted(outcome.shares) == [0, 1]


def test_the_command_prints_a_table_and_writes_files(tmp_path):
    json_file, csv_file = tmp_path / "m.json", tmp_path / "m.csv"
    files = ["--json", str(json_file), "--csv", str(csv_file)]
    done = CliRunner().invoke(main, ["match", "dice_heist", "greedy", "random", "--games", "4", *files])
    assert done.exit_code == 0, done.output
    assert re.search(r"greedy +\d+\.\d%", done.output)
    assert [bot["bot"] for bot in json.loads(json_file.read_text())["bots"]] == ["greedy", "random"]
    assert len(list(csv.DictReader(csv_file.read_text().splitlines()))) == 4


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["dice_heist", "greedy", "wizard"], "no bot 'wizard'"),
        (["dice_heist", "greedy", "wizard.py"], "no bot file wizard.py"),
        (["dice_heist", "greedy", "tests/test_match.py"], "has no function choose"),
        (["dice_heist", "greedy"], "seats 2 to 5 players, not 1"),
        (["dice_heist", "greedy", "random", "--option", "x=1"], "no option 'x'"),
        (["dice_heist", "greedy", "random", "--csv", "/no/such/folder/x.csv"], "x.csv cannot be written"),
        (["dice_heist", "greedy", "random", "--json", "/"], "/ cannot be written"),
        (["dice_heist", "master@0", "random"], "above zero"),
        (["dice_heist", "master@5,explor=1", "random"], "'explor=1' is not a constant of the search"),
        (["dice_heist", "greedy", "random", "--games", "0"], "0 is not in the range"),
    ],
)
def test_what_cannot_be_played_is_refused_at_once(arguments, sentence):
    done = CliRunner().invoke(main, ["match", *arguments])
    assert done.exit_code == 2
    assert sentence in done.output


def test_a_game_is_played_with_one_view_for_each_bot(monkeypatch):
    seen = []

    class Watching:
        def choose(self, view, seat, past, rng):
            seen.append((seat, view.hand[seat][0]))
            return 8

    monkeypatch.setattr(match, "made", lambda game, name, seat: Watching())
    play_game(find("abraca_what"), ("a", "b"), [0, 1], {}, 4)
    assert {hidden for _, hidden in seen} == {-3}


def test_a_ladder_is_of_the_bots_that_are_named(tmp_path):
    page = tmp_path / "strength.md"
    done = CliRunner().invoke(main, ["ladder", "dice_heist", "greedy", "random", "--games", "4", "--write", str(page)])
    assert done.exit_code == 0
    assert re.search(r"^\| greedy \| - \| .* \|  \| \d", page.read_text(), re.MULTILINE)
    assert "master" not in page.read_text()
    for bots in (["greedy"], ["greedy", "greedy"]):
        assert "two or more bots, each named once" in CliRunner().invoke(main, ["ladder", "dice_heist", *bots]).output


def test_a_ladder_goes_into_its_page_in_place_of_the_old_one(tmp_path):
    page = tmp_path / "strength.md"
    ladder.into_page(page, "dice_heist", "first")
    ladder.into_page(page, "abraca_what", "other")
    ladder.into_page(page, "dice_heist", "second")
    text = page.read_text()
    assert "first" not in text
    assert text.count("## Dice Heist") == 1
    assert text.index("other") < text.index("second")


def test_a_constant_takes_the_place_of_another_only_if_it_wins_with_its_whole_interval(monkeypatch):
    asked = []

    def play(game, bots, games, seed, workers, options):
        asked.append(bots)
        better = "explore=2" in bots[0] and "explore=1" in bots[1]
        return Result(game, bots, {}, [outcome(n // 2, 1.0 if better else n % 2) for n in range(40)])

    monkeypatch.setattr(tune, "play_match", play)
    said = []
    found = tune.tune("dice_heist", 50, 4, 1, 1, {}, said.append)
    assert found == {"explore": 2.0, "trust": 0.0, "follow": 1.0, "sharp": 1.0}
    assert asked[0] == ["sharp@50,explore=0.5,trust=0,follow=1,sharp=1", "sharp@50,explore=1,trust=0,follow=1,sharp=1"]
    assert "explore 2 against 1: 100.0 ± 10.1 %, adopted" in said
    assert [bots[0].partition(",")[2] for bots in asked[2:]] == [
        "explore=2,trust=0.5,follow=1,sharp=1", "explore=2,trust=1,follow=1,sharp=1",
        "explore=2,trust=0,follow=0,sharp=1", "explore=2,trust=0,follow=0.5,sharp=1",
        "explore=2,trust=0,follow=1,sharp=0", "explore=2,trust=0,follow=1,sharp=0.5",
    ]  # fmt: skip


def test_the_constants_in_a_name_reach_the_search():
    made = bot("sharp@5,explore=0.25,trust=0.5", find("dice_heist"))
    assert made.constants == [0.25, 0.5, 1.0, 1.0]
