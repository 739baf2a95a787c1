"""The command line: what people type, right and wrong. Never a traceback."""

import json
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from spellheist.cli import main
from spellheist.core import record
from spellheist.core.game import find, names


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Run a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def caller(*arguments, text=None):
        done = CliRunner().invoke(main, list(map(str, arguments)), input=text)
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done

    return caller


def test_help_lists_every_command_once_under_play_serve_or_study(call):
    told = call("--help").output.split("\nPlay:\n")[1]
    play, rest = told.split("\nServe:\n")
    serve, study = rest.split("\nStudy:\n")
    listed = [re.findall(r"^  (\w+) ", part, re.M) for part in (play, serve, study)]
    assert [part[0] for part in listed] == ["play", "serve", "match"]
    assert sorted(name for part in listed for name in part) == sorted(main.commands)
    assert "..." not in told, "the first sentence of each command fits on its line"


def commands(group, *path):
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)
        yield (*path, name), command


def test_help_of_every_command_begins_with_a_sentence_and_explains_every_option(call):
    for path, command in commands(main):
        told = call(*path, "--help").output
        assert command.help.partition("\n")[0].endswith("."), path
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.help, (path, option.name)
                assert option.opts[0] in told, path


def test_the_page_of_commands_has_all_of_them_and_no_others():
    page = (Path(__file__).parents[1] / "docs" / "commands.md").read_text()
    told = re.findall(r"^\| `spellheist ((?:(?:deck|tables) )?\w+)", page, re.M)
    known = [" ".join(path) for path, command in commands(main) if not isinstance(command, click.Group)]
    assert sorted(set(told)) == sorted(known)


def test_games_lists_every_game_with_its_seats(call):
    out = call("games").output
    for name in names():
        game = find(name)
        assert re.search(rf"{name} .*{re.escape(game.title)}.*{game.seats[0]}-{game.seats[-1]} seats", out)
    listed = json.loads(call("games", "--json").output)
    assert [game["name"] for game in listed] == names()
    assert listed[0]["options"][0].keys() == {"name", "kind", "default", "range", "sentence"}


def test_rules_shows_the_page_or_one_rule(call):
    assert "Ancient Dragon" in call("rules", "abraca_what").output
    assert "You must make at least one call" in call("rules", "abraca_what", "aw-3").output
    done = call("rules", "abraca_what", "AW-99")
    assert (done.exit_code, "no rule 'AW-99'" in done.output) == (2, True)


def test_a_game_of_bots_is_played_to_its_end_recorded_replayed_and_verified(call, tmp_path):
    file = tmp_path / "game.txt"
    done = call("play", "dice_heist", "--seats", "random,random=Bob", "--seed", 5, "--record", file)
    assert done.exit_code == 0
    assert re.search(r"(Morgana|Bob) wins?\.|share the win", done.output)
    assert record.load(file).players == ["random", "random"]
    again = call("play", "dice_heist", "--seats", "random,random=Bob", "--seed", 5)
    assert again.output.strip() in done.output
    assert "All" in call("verify", file).output
    assert json.loads(call("verify", file, "--json").output)["holds"] is True
    told = json.loads(call("replay", file, "--json").output)
    assert told["over"]
    assert len(told["plies"]) == len(record.load(file).plies)
    shown = call("replay", file).output
    assert "The win: Morgana" in shown
    assert re.search(r"At the end: Morgana -?\d+ points; Bob -?\d+ points", shown)
    assert "Hermitage" in call("replay", file, "--at", 9).output
    assert call("replay", file, "--at", 10_000).exit_code == 2


def test_a_saved_game_goes_on_with_the_same_dice(call, tmp_path):
    moves = "8\n7\n6\n8\n7\n6\n8\n8\n8\n8\n8\n"
    file = tmp_path / "saved.txt"
    call("play", "abraca_what", "--seats", "you,you", "--seed", 3, "--record", file, text="\n8\n\n7\n\nquit\n")
    saved = record.load(file)
    assert saved.players == ["you", "you"]
    whole = tmp_path / "whole.txt"
    call("play", "abraca_what", "--seats", "you,you", "--seed", 3, "--record", whole, text="\n8\n\n7\n\n" + moves * 2)
    call("play", "--from", file, text="\n" + moves * 2)
    short, long = sorted((record.load(f).plies for f in (file, whole)), key=len)
    assert len(short) > len(saved.plies)
    assert [ply[1:] for ply in long[: len(short)]] == [ply[1:] for ply in short]
    assert "All" in call("verify", file).output


def test_fair_dice_show_their_commitment_first_and_can_be_verified(call, tmp_path):
    file = tmp_path / "fair.txt"
    done = call("play", "dice_heist", "--seats", "you,random", "--fair", "--record", file, text="swordfish\nquit\n")
    promised = re.search(r"SHA-256 of its secret:\n([0-9a-f]{64})", done.output)[1]
    assert record.load(file).dice == f"fair {promised}"
    assert record.load(file).nonces == ["swordfish"]
    assert "follow from the secret" in call("verify", file).output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["plai"], r"no command 'plai'\. Did you mean play\?"),
        (["play", "abraca_wat"], r"no game 'abraca_wat'.*Did you mean abraca_what\?"),
        (["play", "abraca_what", "--seats", "you"], "seats 2 to 5 players, not 1"),
        (["play", "abraca_what", "--fair", "--seed", "3"], "Fair dice have a secret instead of a seed"),
        (["play", "abraca_what", "--seed", 10**23], "is not in the range"),
        (["deck", "balance", "--write", "no/such/page.md"], "page.md cannot be written"),
        (["ladder", "dice_heist", "--write", "no/such/page.md"], "page.md cannot be written"),
        (["play", "abraca_what", "--seats", "you,randm"], r"no bot 'randm'.*Did you mean random\?"),
        (["play", "abraca_what", "--seats", "you=A,random=A"], "cannot have the same name"),
        (["play", "abraca_what", "--option", "easi=true"], r"no option 'easi'.*Did you mean easy\?"),
        (["play", "abraca_what", "--option", "easy"], "not of the form NAME=VALUE"),
        (["play", "abraca_what", "--option", "easy=7"], "takes true or false"),
        (["play", "dice_heist", "--option", "turn_limit=0"], "turn_limit takes a whole number from 1"),
        (["play", "dice_heist", "--option", "deck=nowhere.toml"], "nowhere.toml cannot be read"),
        (["play", "abraca_what", "--from", "x.txt"], "--from resumes a saved game"),
        (["play", "--from", "nowhere.txt"], "nowhere.txt cannot be read: no such file"),
        (["play", "abraca_what", "--seed", "x"], "'x' is not a valid integer"),
        (["replay", "nowhere.txt"], "nowhere.txt cannot be read"),
        (["verify", "."], "cannot be read: is a directory"),
        (["rules", "abracadabra"], "no game 'abracadabra'"),
        (["check", "nothing"], "no game 'nothing'"),
        (["check", "--games", "0"], "0 is not in the range"),
        (["warm", "nothing"], "no game 'nothing'"),
        (["deck", "chek", "x"], r"no command 'chek'\. Did you mean check\?"),
        (["deck", "check", "x", "--game", "abraca_what"], "has no deck"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence_with_exit_code_2(call, arguments, sentence):
    done = call(*arguments)
    assert done.exit_code == 2
    assert re.search(sentence, done.output)
    assert "Traceback" not in done.output


def test_a_deck_file_is_checked(call, tmp_path):
    deck = tmp_path / "deck.toml"
    good = (find("dice_heist").folder / "deck.toml").read_text()
    deck.write_text(good)
    assert "is a deck for Dice Heist" in call("deck", "check", deck).output
    deck.write_text(good.replace("45", "44"))
    for arguments in (["deck", "check", deck], ["deck", "check", deck, "--game", "dice_heist"]):
        done = call(*arguments)
        assert done.exit_code == 1
        assert "249" in done.output
    deck.write_text((find("spellcaster").folder / "deck.toml").read_text())
    assert "is a deck for Spellcaster" in call("deck", "check", deck).output


def test_a_damaged_record_makes_verify_exit_with_1(call, tmp_path):
    file = tmp_path / "game.txt"
    call("play", "dice_heist", "--seats", "random,random", "--seed", 5, "--record", file)
    file.write_text(file.read_text().replace("dice: seed 5", "dice: seed five"))
    done = call("verify", file, "--json")
    assert done.exit_code == 1
    assert json.loads(done.output)["holds"] is False


def test_a_false_record_makes_verify_exit_with_1(call, tmp_path):
    file = tmp_path / "game.txt"
    call("play", "dice_heist", "--seats", "random,random", "--seed", 5, "--record", file)
    file.write_text(file.read_text().replace("dice: seed 5", "dice: seed 6"))
    done = call("verify", file)
    assert done.exit_code == 1
    assert "The record does not hold. Line" in done.output
    assert call("verify", file, "--json").exit_code == 1


def test_a_record_that_cannot_be_written_is_refused_and_leaves_nothing_behind(call, tmp_path):
    done = call("play", "dice_heist", "--seats", "random,random", "--record", tmp_path / "no" / "such" / "game.txt")
    assert done.exit_code == 2
    assert "cannot be written: no such file" in done.output
    assert list(tmp_path.iterdir()) == []


def test_a_finished_game_cannot_go_on(call, tmp_path):
    file = tmp_path / "game.txt"
    call("play", "dice_heist", "--seats", "random,random", "--record", file)
    done = call("play", "--from", file)
    assert done.exit_code == 2
    assert "is over" in done.output
