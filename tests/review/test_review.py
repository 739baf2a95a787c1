"""The whole review: the same for the same record, kept, refused where it cannot be, stopped when somebody says so."""

import json
import os
from dataclasses import replace

import pytest
from bot_games import QUICK, ending, short_game

import spellheist
from spellheist.core import kernel, record
from spellheist.core.dice import Luck
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.review import Review, confirm, examine, kept, review
from spellheist.review.account import Decision
from spellheist.review.mistakes import KINDS, kind_of, suspects

LONG = ["spellcaster"] if os.environ.get("SPELLHEIST_LONG") else []  # compiling it twice takes minutes
TELL = """
import sys
from spellheist.core.record import load
from spellheist.review import Settings, confirm, examine
settings = Settings(target=0.2, graph=2, first=4, most=8, worlds=16, search=8)
play = load(sys.argv[1]).replay()
print(confirm(examine(play, settings), play, settings).json())
"""


@pytest.fixture
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel, "cache_folder", lambda: tmp_path)


@pytest.fixture
def game():
    return short_game("dice_heist")


def write(tmp_path, play, **given):
    file = tmp_path / "game.txt"
    file.write_text(record.write(play, **given))
    return file


@pytest.mark.usefixtures("_own_cache")
def test_a_play_its_record_and_the_file_get_the_same_review(tmp_path, game):
    file = write(tmp_path, game)
    found = spellheist.review(game, QUICK)
    assert found == review(record.load(file), QUICK) == review(file, QUICK) == review(str(file), QUICK)
    assert isinstance(found, Review) and found.whole and found.confirmed


@pytest.mark.parametrize("name", ["dice_heist", *LONG])
def test_plain_and_compiled_for_any_machine_give_the_same_bytes(run, tmp_path, name):
    play = short_game(name)
    file = write(tmp_path, ending(play, 8) if name == "spellcaster" else play)
    plain = run("-c", TELL, str(file))
    native = run("-c", TELL, str(file), mode="fast")
    generic = run("-c", TELL, str(file), mode="fast", NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    assert plain.stdout and plain.stdout == native.stdout == generic.stdout, native.stderr + generic.stderr


@pytest.mark.usefixtures("_own_cache")
def test_a_review_is_kept_and_not_made_again(game, monkeypatch):
    first = review(game, QUICK)
    monkeypatch.setattr("spellheist.review.examine", None)
    assert review(game, QUICK) == first


@pytest.mark.usefixtures("_own_cache")
def test_another_game_other_settings_or_a_damaged_file_are_looked_at_anew(game):
    first = review(game, QUICK)
    other = short_game("mages_dice")
    assert len({kept.digest(game, QUICK), kept.digest(game, replace(QUICK, seed=2)), kept.digest(other, QUICK)}) == 3
    (kept.folder() / f"{kept.digest(game, QUICK)}.json").write_text("{")
    assert review(game, QUICK) == first


@pytest.mark.usefixtures("_own_cache")
def test_only_so_many_are_kept(game, monkeypatch):
    monkeypatch.setattr(kept, "MOST", 2)
    found = examine(game, QUICK)
    for key in "abcd":
        kept.keep(key, found)
    assert len(list(kept.folder().glob("*.json"))) == 2


def test_other_seeds_give_another_review_of_about_the_same(game):
    one, other = examine(game, QUICK), examine(game, replace(QUICK, seed=2))
    assert one != other and one.result == other.result and len(one.decisions) == len(other.decisions)


def test_a_game_that_is_not_over_is_refused():
    play = new("dice_heist", 2)
    play.roll_all(Luck(1))
    with pytest.raises(Refused, match="not over"):
        review(play)


def test_records_that_one_seat_saw_of_other_rules_or_damaged_are_refused_in_a_sentence(tmp_path, game):
    seen = write(tmp_path, game, seat=0)
    with pytest.raises(Refused, match="only what seat 0 saw"):
        review(seen)
    text = record.write(game)
    for wrong, sentence in (
        (text.replace(game.game.signature, "0123456789abcdef"), "made under other rules"),
        (text.replace("seats: 2", "seats: 9"), "seats 2 to 5 players"),
        (text[: len(text) // 2], "Line|not over"),
        ("no record", "not a record"),
    ):
        seen.write_text(wrong)
        with pytest.raises(Refused, match=sentence):
            review(seen)


def test_ctrl_c_gives_what_there_is(game):
    def stop(done, total):
        if done == 20:
            raise KeyboardInterrupt

    found = examine(game, QUICK, stop)
    assert not found.whole and found.looked == 20
    assert max(decision.ply for decision in found.decisions) < 20
    assert len(found.chances) == game.ply + 1
    for seat in found.seats:
        assert abs(seat.start + seat.own + seat.others + seat.luck - seat.result) < 1e-12
    ends = [0, *(step.last for step in found.steps)]
    assert [step.first for step in found.steps] == ends[:-1] and ends[-1] == game.ply


def test_with_a_time_limit_it_is_looked_at_as_exactly_as_that_allows(game):
    found = review(game, QUICK, seconds=0.5)
    assert found.target <= 0.08
    assert abs(sum(seat.luck for seat in found.seats)) < 1e-12


def test_progress_and_the_account_are_heard_of_before_mistakes(game):
    told, heard = [], []
    found = examine(game, QUICK, lambda done, total: told.append((done, total)))
    assert told == [(ply, game.ply) for ply in range(1, game.ply + 1)]
    confirmed = confirm(found, game, QUICK, heard.append)
    assert len(heard) == len(confirmed.mistakes)


def test_a_mistake_has_a_name_by_what_it_costs():
    assert [kind_of(cost) for cost in (0.0, 0.019, 0.02, 0.05, 0.099, 0.2)] == [
        None, None, "inaccuracy", "mistake", "mistake", "blunder",
    ]  # fmt: skip
    assert [kind for kind, _ in KINDS] == ["blunder", "mistake", "inaccuracy"]


def test_only_what_is_clear_is_suspected_and_only_what_search_finds_too_is_shown(game, monkeypatch):
    found = examine(game, QUICK)
    decision = next(one for one in found.decisions if one.best != one.played)
    other = decision.best

    def wrong(error, spread):
        one = replace(decision, error=error, spread=spread, worth=0.3, best_worth=0.3 + error)
        return replace(found, decisions=(one,))

    assert suspects(wrong(0.3, 0.2)) == []
    assert len(suspects(wrong(0.3, 0.01))) == 1

    class Search:
        gain = 0.0

        def __init__(self, *given, **named):
            pass

        def worth(self, view, seat, past, rng, move):
            from spellheist.bots.search import Thought

            return Thought(move, 0.5 + self.gain * (move == other), 0.001, 1.0)

    monkeypatch.setattr("spellheist.bots.search.Bot", Search)
    assert confirm(wrong(0.3, 0.01), game, QUICK).mistakes == ()
    Search.gain = 0.06
    (mistake,) = confirm(wrong(0.3, 0.01), game, QUICK).mistakes
    assert (mistake.kind, mistake.cost) == ("mistake", 0.3)
    assert mistake.searched == pytest.approx(0.06)


def test_every_decision_is_typed_and_told_whole(game):
    found = examine(game, QUICK)
    assert all(isinstance(decision, Decision) for decision in found.decisions)
    assert set(json.loads(json.dumps(found.json()))["decisions"][0]) == set(Decision.__dataclass_fields__)
