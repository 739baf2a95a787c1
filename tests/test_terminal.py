"""A game in a terminal, played by typing: right keys, wrong keys, questions, and leaving."""

import io
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from rich.console import Console

from spellheist.bots.worker import Thinker
from spellheist.core import record
from spellheist.core.dice import Luck
from spellheist.core.game import names
from spellheist.core.play import new
from spellheist.terminal.game import Session
from spellheist.terminal.players import players


@pytest.fixture
def play(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments, text="": run("-m", "spellheist", "play", *arguments, text=text)


def test_moves_are_picked_by_number_words_or_first_letters(play):
    done = play("abraca_what", "--seats", "you,random", "--seed", "1", text="8\nCALL 8 MAGIC DRINK\ncall 8\nquit\n")
    assert done.stdout.count("You call 8 Magic Drink") + done.stdout.count("You cast 8 Magic Drink") == 3
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("wibble", "'wibble' is not a move here"),
        ("99", "There is no move 99"),
        ("0", r"The first call of a turn is obligatory\. \(AW-3\)"),
        ("call", "That could be call 1 Ancient Dragon, call 2"),
        ("?", "AW-3 +On a turn a player calls a spell"),
        ("HELP", "AW-3 +On a turn a player calls a spell"),
        ("Rules", "Wizards climb a tower"),
        ("past", "is set aside"),
        ("", "You call a spell"),
        ("-1", "'-1' is not a move here"),
        ("1" * 400, "no move 1111"),
        ("\x00\x1b[A", "is not a move here"),
    ],
)
def test_a_wrong_key_or_a_question_costs_nothing(play, typed, answer):
    done = play("abraca_what", "--seats", "you,random", "--seed", "2", "--option", "starter=0", text=f"{typed}\nquit\n")
    assert re.search(answer, done.stdout), done.stdout
    assert "You lose" not in done.stdout
    assert done.stderr == ""


def test_the_screen_says_who_is_thinking_and_that_the_first_time_takes_longer():
    screen = Console(file=io.StringIO(), force_terminal=True, width=120)
    play = new("dice_heist", 2)
    thinker = Thinker("master", play.game)
    session = Session(play, players("you,greedy", play.game), Luck(1), Luck(1), screen, None)

    def said(bot):
        screen.file.seek(screen.file.truncate(0))
        with session.while_thinking("Merlin", bot):
            pass
        return screen.file.getvalue()

    assert "Merlin is thinking, for a minute or so if its code has to be compiled first ..." in said(thinker)
    thinker.process = object()
    assert "Merlin is thinking ..." in said(thinker)
    assert said(session.players[1].bot) == ""  # a greedy bot answers at once


def test_without_a_name_the_game_is_asked_for(play):
    done = play(text="nonsense\n1\nquit\n")
    assert "Which game?" in done.stdout
    assert f"Type a number from 1 to {len(names())}" in done.stdout
    assert "Abraca...What?: Call the spells" in done.stdout


def test_nobody_sees_the_view_of_another_person_at_the_same_keyboard(play):
    done = play("abraca_what", "--seats", "you=Ann,you=Bob", "--seed", "4", "--option", "starter=0", text="\n2\n\nquit\n")
    ann, bob = done.stdout.split("It is Bob's turn. Pass the keyboard")
    assert "It is Ann's turn. Pass the keyboard" in ann
    assert re.search(r"Ann +♥+ .*\[\?\] \[\?\]", ann)
    assert re.search(r"Bob +♥+.*\[\?\] \[\?\]", bob)
    assert not re.search(r"draws a stone: \d", done.stdout)


def test_who_gets_the_keyboard_is_told_the_news_since_their_last_turn(play):
    seats = ["--seats", "you=Ann,you=Bob,random=Cy", "--seed", "4", "--option", "starter=0"]
    done = play("abraca_what", *seats, text="\n2\n\n1\n2\n\n2\n\n")
    turns = re.split(r"It is \w+'s turn\. Pass the keyboard, then press Enter\. ", done.stdout)[1:]
    dealt, bob, ann, again = (turn.split("\n\n")[0] for turn in turns)
    assert "A stone for" not in dealt
    assert "Ann calls 2 Dark Wanderer" in bob
    assert re.search(r"Bob casts 1 Ancient Dragon\.\n.*The die shows .*\n.*Bob calls 2 .*\n.*\n.*Cy calls", ann)
    assert "Cy calls" in again
    assert "Bob casts 1" not in again, "Bob saw that when it was Bob's turn"


def test_the_end_of_input_saves_the_game(play, tmp_path):
    done = play("mages_dice", "--seats", "you,random", "--seed", "3", text="1\n")
    assert "Saved as mages_dice.txt." in done.stdout
    assert "Go on with: spellheist play --from mages_dice.txt" in done.stdout
    assert record.load(tmp_path / "mages_dice.txt").replay().ply > 10


def test_a_game_never_saves_over_the_file_of_another(play, tmp_path):
    seats = ["mages_dice", "--seats", "you,random", "--seed", "3"]
    for typed in ("quit\n", "", "save\nsave\nquit\n"):
        play(*seats, text=typed)
    assert {path.name for path in tmp_path.iterdir()} == {"mages_dice.txt", "mages_dice-2.txt", "mages_dice-3.txt"}


def test_a_name_that_is_taken_is_refused_and_the_file_stays_as_it_is(play, tmp_path):
    other = tmp_path / "notes.txt"
    other.write_text("mine")
    done = play("mages_dice", "--seats", "you,random", "--seed", "3", text="save notes.txt\nsave ./notes.txt\nquit\n")
    assert "notes.txt is there already; choose another name, or type save alone" in " ".join(done.stdout.split())
    assert other.read_text() == "mine"
    assert "Saved as mages_dice.txt." in done.stdout


def test_a_game_saves_over_the_name_that_it_was_given_before(play, tmp_path):
    done = play("mages_dice", "--seats", "you,random", "--seed", "3", text="save a.txt\n1\nsave a.txt\nquit\n")
    assert done.stdout.count("Saved as a.txt.") == 2
    saved, left = (record.load(tmp_path / name).replay().ply for name in ("a.txt", "mages_dice.txt"))
    assert saved == left


def test_a_game_saves_over_the_file_it_was_continued_from_or_recorded_to(play, tmp_path):
    play("mages_dice", "--seats", "you,random", "--seed", "3", text="quit\n")
    before = record.load(tmp_path / "mages_dice.txt").replay().ply
    assert "Saved as mages_dice.txt." in play("--from", "mages_dice.txt", text="1\n").stdout
    assert record.load(tmp_path / "mages_dice.txt").replay().ply > before
    for _ in range(2):
        done = play("mages_dice", "--record", "mages_dice.txt", text="quit\n")
        assert "Saved as mages_dice.txt." in done.stdout


@pytest.mark.parametrize("typed", ["quit", "Quit", "EXIT", "q", "Q"])
def test_leaving_is_understood_in_any_case_and_by_its_first_letter(play, typed):
    done = play("mages_dice", "--seats", "you,random", "--seed", "3", text=f"{typed}\nwibble\n")
    assert "Saved as mages_dice.txt." in done.stdout
    assert "wibble" not in done.stdout


def test_a_game_is_saved_under_a_name_in_the_home_folder(play, tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    done = play("mages_dice", "--seats", "you,random", "--seed", "3", text="SAVE ~/Foo.txt\nsave ~nobody-here/a.txt\nq\n")
    assert record.load(home / "Foo.txt").replay().ply > 0
    assert "~nobody-here/a.txt cannot be written: no such file or directory." in done.stdout
    assert "Saved as mages_dice.txt." in done.stdout


def test_the_advice_after_saving_quotes_a_name_with_a_space(play):
    done = play("mages_dice", "--seats", "you,random", "--seed", "3", text="save my game.txt\nq\n")
    assert "Go on with: spellheist play --from 'my game.txt'\n" in done.stdout


def test_who_does_not_take_part_in_the_fair_dice_is_told_that_no_game_was_begun(play, tmp_path):
    done = play("dice_heist", "--fair", text="")
    assert "No game was begun: not everybody has taken part in the dice." in done.stderr
    assert "Aborted" not in done.stderr
    assert done.returncode != 0
    assert not list(tmp_path.iterdir())


def test_ctrl_c_saves_the_game(tmp_path):
    command = [sys.executable, "-m", "spellheist", "play", "abraca_what", "--seats", "you,random", "--seed", "3"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "SPELLHEIST_KERNEL": "plain", "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    shown = ""
    while "? explains" not in shown:
        shown += process.stdout.readline()
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert "Saved as abraca_what.txt." in out
    assert err == ""
    assert record.load(tmp_path / "abraca_what.txt").replay().turn == 0


@pytest.mark.parametrize("name", names())
def test_every_game_can_be_played_to_its_end_by_always_typing_1_or_the_last_number(play, name):
    key = "8" if name == "abraca_what" else "1"
    done = play(name, "--seats", "you,random", "--seed", "6", "--record", "end.txt", text=f"{key}\n" * 3000)
    assert done.returncode == 0, done.stderr
    assert re.search(r"(You win|Morgana wins|share the win)", done.stdout), done.stdout[-2000:]


def test_a_table_where_anyone_may_move_can_be_waited_at(play):
    seats = ["--seats", "you,random,random", "--seed", "2"]
    done = play("spell_stealers", "--option", "stealing=live", *seats, text="\n" * 40 + "quit\n")
    assert done.returncode == 0, done.stderr
    assert "Enter wait" in done.stdout
