"""The rules page of each game: every id proved by a test, every option in the table."""

import ast
import re

import pytest

from spellheist.core.game import find, names

GAMES = [find(name) for name in names()]


def cited(game):
    """The ids that the tests in a game's folder are marked with."""
    ids = set()
    for path in game.folder.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                assert not node.name.startswith("test_") or ast.get_docstring(node) is None or node.body[1:], path
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) in ("rule", "pytest.mark.rule"):
                        ids |= {argument.value for argument in mark.args if isinstance(argument, ast.Constant)}
    return ids


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_id_on_the_page_is_proved_by_a_test_and_every_test_names_an_id_of_the_page(game):
    on_page = set(game.rule)
    assert len(on_page) >= 10
    assert on_page - cited(game) == set(), "on the page but in no test"
    assert cited(game) - on_page == set(), "in a test but not on the page"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_ids_in_rules_and_words_exist_on_the_page(game):
    for file in ("rules.py", "words.py", "__init__.py"):
        text = (game.folder / file).read_text(encoding="utf-8")
        prefix = next(iter(game.rule))[:3]
        assert set(re.findall(rf"\b{prefix}\w+", text)) <= set(game.rule), file


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_ids_stand_on_the_page_once(game):
    ids = re.findall(r"^\| ([A-Z]{2}-\w+) \|", game.page, re.M)
    assert len(ids) == len(set(ids)) == len(game.rule)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_page_has_one_table_of_all_options(game):
    rows = [
        f"| `{o.name}` | {o.kind} | {o.show(o.default)} | {o.range} | {o.sentence} |" for o in game.options
    ]  # fmt: skip
    table = game.page.split("## Options")[1]
    assert [line for line in table.splitlines() if line.startswith("| `")] == rows


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_page_says_what_is_ours_and_what_is_secret(game):
    assert "## What is ours" in game.page
    assert "not affiliated" in game.page
    assert any(re.fullmatch(r"[A-Z]{2}-s\d", rule) for rule in game.rule)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_an_option_has_a_field_of_its_name_that_holds_all_its_values(game):
    fields = game.rules.State.fields
    for seats in game.seats:
        for option in game.options:
            for value in option.samples(seats):
                if option.kind != "deck":
                    given = option.numbers(option.read(value, seats))
                    for number in given if isinstance(given, list) else [given]:
                        assert fields[option.name].low <= number <= fields[option.name].high
