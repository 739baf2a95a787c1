"""What knows what: imports point downward, games know nothing of each other, and nothing outside a game's folder knows the
game."""

import ast
import re
from pathlib import Path

import pytest

import spellheist
from spellheist.core.game import find, names

PACKAGE = Path(spellheist.__file__).parent
LAYERS = [
    {"core"}, {"games"}, {"laws"}, {"bots"}, {"review"}, {"lab"}, {"server", "terminal", "adapters"}, {"cli", "__main__"}
]  # fmt: skip
OUTSIDE = [
    path for kind in ("*.py", "*.js", "*.css", "*.html") for path in sorted(PACKAGE.rglob(kind))
    if path.relative_to(PACKAGE).parts[0] != "games" and "vendor" not in path.parts
]  # fmt: skip


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def layer(name):
    return next((n for n, group in enumerate(LAYERS) if name in group), None)


def test_every_part_of_the_package_has_its_layer():
    parts = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in PACKAGE.rglob("*.py")}
    assert set().union(*LAYERS) == parts - {"__init__"}


def test_imports_point_downward_only():
    for path in PACKAGE.rglob("*.py"):
        here = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if layer(here) is None or path.name.startswith("test_"):
            continue
        for name in imports(path):
            if name.startswith("spellheist."):
                there = layer(name.split(".")[1])
                assert there is None or there <= layer(here), f"{path} imports {name}"


def test_games_do_not_import_each_other():
    for path in PACKAGE.glob("games/*/*.py"):
        for name in imports(path):
            if name.startswith("spellheist.games."):
                assert name.split(".")[2] == path.parent.name


def test_no_game_is_imported_from_outside_its_folder():
    for path in OUTSIDE:
        if path.suffix == ".py":
            assert not [name for name in imports(path) if name.startswith("spellheist.games")], path


def test_only_the_kernel_knows_numba():
    knowing = {path.name for path in PACKAGE.rglob("*.py") if any(name.split(".")[0] == "numba" for name in imports(path))}
    assert knowing == {"kernel.py"}


def signs_of(game):
    """What only somebody who knows the game would write: its name, its title, its rules."""
    letters = {rule.partition("-")[0] for rule in game.rule}
    words = [game.name, game.name.replace("_", ""), game.title]
    return re.compile("|".join([*map(re.escape, words), *(rf"\b{two}-[0-9a-z]" for two in letters)]), re.I)


def examples(path):
    """The numbers of the lines that are examples in docstrings: they have to play some game."""
    found = set()
    if path.suffix != ".py":
        return found
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        body = getattr(node, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            running = False
            for number, line in enumerate(first.value.value.splitlines(), first.lineno):
                indented = isinstance(node, ast.Module) and line.startswith("    ")
                running = line.strip().startswith(">>>") or (running and bool(line.strip()))
                if indented or running:
                    found.add(number)
    return found


@pytest.mark.parametrize("name", names())
def test_nothing_outside_its_folder_knows_a_game(name):
    signs = signs_of(find(name))
    for path in OUTSIDE:
        shown = examples(path)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert number in shown or not signs.search(line), f"{path.relative_to(PACKAGE)}:{number} {line.strip()}"


def test_only_examples_in_docstrings_may_name_a_game(tmp_path):
    path = tmp_path / "some.py"
    module = ['"""Text.', "", '    new("x")', "", 'More."""']
    function = ["def f():", '    """Does.', "", '    >>> new("x")', "    1", "", '    End."""']
    path.write_text("\n".join([*module, "", "", *function]))
    assert examples(path) == {3, 11, 12}


def test_the_signs_of_a_game_are_found_where_they_are():
    lines = ("# DH-3: a raid", "find('dice_heist')", "# as in Dice Heist", 'import "./diceheist.js"')
    assert all(signs_of(find("dice_heist")).search(line) for line in lines)
    assert not signs_of(find("dice_heist")).search("the dice of a heist")
