"""A game in a terminal, played by typing: right keys, wrong keys, questions, and leaving."""

import io
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
from rich.console import Console

from spellheist.bots import bot
from spellheist.bots.elsewhere import Bot as Elsewhere
from spellheist.bots.search import Thought
from spellheist.core import record
from spellheist.core.dice import Fair, Luck
from spellheist.core.game import names
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import NONE
from spellheist.terminal.game import Session, advice
from spellheist.terminal.players import players


@pytest.fixture
def play(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments, text="": run("-m", "spellheist", "play", *arguments, text=text)


@pytest.fixture
def bot_file(tmp_path):
    """A bot of one's own with this body; its file."""

    def write(body, name="own.py"):
        (tmp_path / name).write_text(f"def choose(view, seat, past, rng):\n    {body}\n")
        return name

    return write


def seated(seats, name="dice_heist", file=None, seed=1):
    """A session that nobody types at, and its screen."""
    screen = Console(file=io.StringIO(), width=200)
    play = new(name, len(seats.split(",")))
    return Session(play, players(seats, play.game), Luck(seed), Luck(seed), screen, file)


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
        ("?", "AW-3 +On your turn you call a spell"),
        ("HELP", "AW-3 +On your turn you call a spell"),
        ("Rules", "Wizards climb a tower"),
        ("past", "is set aside"),
        ("", "You call a spell"),
        ("-1", "'-1' is not a move here"),
        ("1" * 400, "no move 1111"),
        ("\x00\x1b[A", "is not a move here"),
        ("save a\x00b", "cannot be written: its name is not a file name"),
        (f"save {'a' * 300}", "cannot be written: file name too long"),
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
    player = Elsewhere("master", play.game)
    session = Session(play, players("you,greedy", play.game), Luck(1), Luck(1), screen, None)

    def said(bot):
        screen.file.seek(screen.file.truncate(0))
        with session.while_thinking("Merlin", bot):
            pass
        return screen.file.getvalue()

    assert "Merlin is thinking, for a minute or so if its code must be compiled first ..." in said(player)
    player.thinker.process = object()
    assert "Merlin is thinking ..." in said(player)
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
    assert "Resume it with: spellheist play --from mages_dice.txt" in done.stdout
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
    assert "notes.txt already exists; choose another name, or type save alone" in " ".join(done.stdout.split())
    assert other.read_text() == "mine"
    assert "Saved as mages_dice.txt." in done.stdout


def test_a_game_saves_over_the_name_that_it_was_given_before(play, tmp_path):
    done = play("mages_dice", "--seats", "you,random", "--seed", "3", text="save a.txt\n1\nsave a.txt\nquit\n")
    assert done.stdout.count("Saved as a.txt.") == 2
    saved, left = (record.load(tmp_path / name).replay().ply for name in ("a.txt", "mages_dice.txt"))
    assert saved == left


def test_a_game_saves_over_the_file_it_was_continued_from_and_a_new_one_is_not_recorded_over_another(play, tmp_path):
    play("mages_dice", "--seats", "you,random", "--seed", "3", text="quit\n")
    before = record.load(tmp_path / "mages_dice.txt").replay().ply
    assert "Saved as mages_dice.txt." in play("--from", "mages_dice.txt", text="1\n").stdout
    assert record.load(tmp_path / "mages_dice.txt").replay().ply > before
    kept = (tmp_path / "mages_dice.txt").read_text()
    done = play("mages_dice", "--record", "mages_dice.txt", text="quit\n")
    assert done.stderr == "spellheist: mages_dice.txt already exists; choose another name.\n"
    assert (tmp_path / "mages_dice.txt").read_text() == kept
    assert "Saved as new.txt." in play("mages_dice", "--record", "new.txt", text="save\nquit\n").stdout


@pytest.mark.parametrize("typed", ["quit", "Quit", "EXIT", "q", "Q"])
def test_leaving_is_understood_in_any_case_and_by_its_first_letter(play, typed):
    done = play("mages_dice", "--seats", "you,random", "--seed", "3", text=f"{typed}\nwibble\n")
    assert "Saved as mages_dice.txt." in done.stdout
    assert "wibble" not in done.stdout


def test_a_game_with_fair_dice_whose_secret_is_not_told_is_not_gone_on_with(play, random_play, tmp_path):
    begun = random_play("dice_heist", 2, plies=20)
    for name, told in (("told.txt", True), ("untold.txt", False)):
        (tmp_path / name).write_text(record.write(begun, Fair(bytes(32)), reveal=told, players=["you", "random"]))
    assert "does not tell their secret" in play("--from", "untold.txt").stderr
    assert "from ply 20" in play("--from", "told.txt", text="quit\n").stdout


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
    assert "Resume it with: spellheist play --from 'my game.txt'\n" in done.stdout


def test_who_does_not_take_part_in_the_fair_dice_is_told_that_no_game_was_begun(play, tmp_path):
    done = play("dice_heist", "--fair", text="")
    assert "The game was not started: not everybody added to the dice." in done.stderr
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
    while "Type ? for help" not in shown:
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


def test_whom_the_table_waits_for_is_not_offered_to_wait(play):
    typed = "\nwait\n1\n" * 5 + "1\n" * 9
    done = play("spell_stealers", "--option", "stealing=live", "--seats", "you,random", "--seed", "2", text=typed)
    questions = done.stdout.split("Type ? for help")[:-1]
    assert {("▶ Morgana" in shown, "Enter wait" in shown) for shown in questions} == {(True, True), (False, False)}
    assert "'wait' is not a move here" in done.stdout


def test_a_bot_that_waits_where_the_table_waits_for_it_does_not_go_on_for_ever(play, bot_file, tmp_path):
    waits = bot_file(f"return {NONE}")
    done = play("spell_stealers", "--option", "stealing=live", "--seats", f"{waits}=Eve,{waits}=Mal", "--seed", "2")
    assert done.stderr == "spellheist: Mal (own.py) answered NONE, to wait, but it must move here.\n"
    assert record.load(tmp_path / "spell_stealers.txt").replay().state.current == 1


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("1 / 0", "made no move. The bot failed in line 2: ZeroDivisionError: division by zero."),
        ("raise SystemExit", "made no move. The bot failed in line 2: SystemExit."),
        ("import os; os._exit(3)", "made no move. The bot's process has ended."),
        ("raise EOFError", "made no move. The bot failed in line 2: EOFError."),
        ("raise ValueError('one\\ntwo ' * 99)", "made no move. The bot failed in line 2: ValueError: one two one two"),
        ("return 999", "answered 999, which is not a legal move here."),
        ("return 10 ** 9999", "made no move. The bot answered a huge number, which is not a move."),
        (f"return {NONE}", "answered NONE, to wait, but it must move here."),
        ("return 3.9", "made no move. The bot answered 3.9, which is not a whole number."),
        ("return 'refresh'", "made no move. The bot answered 'refresh', which is not a whole number."),
        ("return None", "made no move. The bot answered None, which is not a whole number."),
    ],
)
def test_a_bot_of_ones_own_that_does_wrong_is_named_and_the_game_is_saved(play, bot_file, tmp_path, body, fault):
    done = play("mages_dice", "--seats", f"you,{bot_file(body)}=Eve", "--seed", "3", text="1\n")
    assert done.stderr.startswith(f"spellheist: Eve (own.py) {fault}")
    assert done.stderr.count("\n") == 1
    assert done.returncode == 2
    assert "Saved as mages_dice.txt. Resume it with: spellheist play --from mages_dice.txt" in done.stdout
    assert record.load(tmp_path / "mages_dice.txt").replay().turn == 1


def test_a_bot_whose_process_dies_is_named_and_the_game_is_saved(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session = seated("master,greedy")
    silent = [sys.executable, "-c", "input()"]
    with subprocess.Popen(silent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        session.players[0].bot.thinker.process = process
        with pytest.raises(Refused, match=r"Morgana \(master\) made no move\. The bot's process has ended\."):
            session.run()
    assert record.load("dice_heist.txt").replay().turn == 0


def test_a_game_is_saved_even_if_the_program_itself_is_at_fault(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session = seated("random,random")
    monkeypatch.setattr(session, "ask", lambda seat: {}["a fault of ours"])
    with pytest.raises(KeyError, match="a fault of ours"):
        session.run()
    assert record.load("dice_heist.txt").replay().turn >= 0


def test_who_goes_on_with_a_game_fills_its_seats(play, tmp_path):
    play("mages_dice", "--seats", "you,random,random", "--seed", "3", text="quit\n")
    file = tmp_path / "mages_dice.txt"
    whole = file.read_text()
    for seats in ("you,random", "you,random,random,random"):
        done = play("--from", file.name, "--seats", seats)
        named = seats.count(",") + 1
        assert done.stderr == f"spellheist: The game in mages_dice.txt has 3 seats, but --seats names {named}.\n"
    file.write_text(whole.replace("players: you | random | random", "players: you"))
    done = play("--from", file.name)
    assert done.stderr == "spellheist: The game in mages_dice.txt has 3 seats, but its list of players names 1.\n"
    assert "Saved as" in play("--from", file.name, "--seats", "random,you,random").stdout


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("no/such/game.txt", "no such file or directory"),
        ("folder", "it is not a file"),
        ("notes.txt/game.txt", "not a directory"),
        ("a" * 300, "file name too long"),
    ],
)
def test_a_record_that_could_not_be_written_is_refused_before_anything_is_played(play, tmp_path, file, reason):
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes.txt").write_text("mine")
    done = play("mages_dice", "--seats", "you,random", "--record", file, text="1\n")
    assert done.stderr == f"spellheist: {file} cannot be written: {reason}.\n"
    assert done.stdout == ""
    assert {path.name for path in tmp_path.rglob("*")} == {"folder", "notes.txt"}


def test_a_record_that_could_not_be_written_is_refused_before_a_game_goes_on(play, tmp_path):
    play("mages_dice", "--seats", "you,random", text="quit\n")
    done = play("--from", "mages_dice.txt", "--record", "no/such/game.txt", text="1\n")
    assert done.stderr == "spellheist: no/such/game.txt cannot be written: no such file or directory.\n"
    assert done.stdout == ""


def test_a_record_that_can_be_written_is_not_there_before_there_is_something_to_save(play, tmp_path):
    assert "no game 'no_such_game'" in play("no_such_game", "--record", "game.txt").stderr
    assert not list(tmp_path.iterdir())


def test_a_game_of_other_rules_goes_on_with_a_warning(play, tmp_path):
    play("mages_dice", "--seats", "you,random", "--seed", "3", text="quit\n")
    file = tmp_path / "mages_dice.txt"
    file.write_text(re.sub("signature: .*", "signature: 00", file.read_text()))
    done = play("--from", "mages_dice.txt", text="quit\n")
    assert "It was made under other rules: signature 00, now" in done.stdout


def test_a_game_that_is_told_to_stop_is_saved(tmp_path):
    command = [sys.executable, "-m", "spellheist", "play", "mages_dice", "--seats", "you,random"]
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        while "Type ? for help" not in process.stdout.readline():
            pass
        process.terminate()
        assert "Saved as mages_dice.txt." in process.communicate(timeout=60)[0]
    assert record.load(tmp_path / "mages_dice.txt").replay().turn == 0


def test_a_game_whose_file_cannot_be_written_in_the_end_is_saved_under_a_free_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dice_heist.txt").write_text("mine")
    session = seated("random,random", file=tmp_path / "gone" / "game.txt")
    session.run()
    shown = session.console.file.getvalue()
    assert "gone/game.txt cannot be written: no such file or directory.\n\nSaved as dice_heist-2.txt." in shown
    assert record.load("dice_heist-2.txt").replay().over
    assert (tmp_path / "dice_heist.txt").read_text() == "mine"


def test_a_game_that_can_be_saved_nowhere_says_so_after_what_went_wrong(tmp_path, monkeypatch, bot_file):
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    whole = seated("random,random", file=here / "game.txt")
    fails = seated(f"{tmp_path / bot_file('return 999')}=Eve,random")
    shutil.rmtree(here)
    with pytest.raises(Refused, match=r"^The game could not be saved\.$"):
        whole.run()
    assert "game.txt cannot be written: no such file" in whole.console.file.getvalue()
    with pytest.raises(Refused, match=r"^Eve .* answered 999, .* here\. The game could not be saved\.$"):
        fails.run()


def typed_bytes(folder, errors, *arguments):
    """Play in a folder, and type something that is not UTF-8; `errors` says how a keyboard takes that."""
    return subprocess.run(
        [sys.executable, "-m", "spellheist", "play", "mages_dice", *arguments], input=b"\xff\n", cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": f"utf-8:{errors}"}, capture_output=True, check=False, timeout=60,
    )  # fmt: skip


def test_what_is_typed_but_is_not_text_costs_nothing(tmp_path):
    done = typed_bytes(tmp_path, "strict", "--seats", "you,random")
    assert b"That is not UTF-8 text." in done.stdout
    assert b"Saved as mages_dice.txt." in done.stdout


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_names_and_words_that_are_not_text_and_could_not_be_saved_are_refused_at_the_start(tmp_path, errors):
    done = typed_bytes(tmp_path, errors, "--seats", b"you=\xff,random")
    assert done.stderr == b"spellheist: The players' names are not UTF-8 text.\n"
    done = typed_bytes(tmp_path, errors, "--fair")
    assert done.stderr == b"spellheist: The game was not started: what was typed for the dice is not UTF-8 text.\n"
    assert not list(tmp_path.iterdir())


def test_a_hint_gives_the_exact_chance_of_every_move_where_the_game_is_solved():
    session = seated("you,you", "spell_stealers", seed=3)
    session.play.roll_all(session.dice)
    seat = session.play.turn
    session.adviser = bot("master@2", session.play.game)
    session.hint(seat)
    shown = session.console.file.getvalue()
    for words in session.play.moves(seat).values():
        assert re.search(rf"^  {words}: wins \d\d\.\d % \(exactly\)$", shown, re.MULTILINE)
    assert "±" not in shown and "thought" not in shown


def test_a_hint_of_a_search_gives_the_error_and_the_share_of_its_thought_even_if_all_of_it_won():
    thoughts = [Thought(4, 1.0, 0.0, 0.75), Thought(NONE, 0.5, 0.1, 0.25), Thought(5, 0.0, 1.0, 0.0)]
    said = advice(thoughts, {4: "bank", 5: "roll", NONE: "wait"})
    assert said == ["bank: wins 100.0 % ± 0.0, 75 % of its thought", "wait: wins 50.0 % ± 19.6, 25 % of its thought"]
