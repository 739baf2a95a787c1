"""The three modes: what they import, what they agree on, and what happens when one cannot be had."""

import ast
from pathlib import Path

import pytest

import spellheist

PACKAGE = Path(spellheist.__file__).parent
LAYERS = [{"core"}, {"games"}, {"laws"}, {"bots"}, {"review"}, {"lab"}, {"server", "terminal"}, {"cli", "__main__"}]
WHOLE_GAME = """
import sys, spellheist
play, luck = spellheist.new("abraca_what", 2), spellheist.Luck(3)
while not play.over:
    play.roll_all(luck)
    if not play.over:
        play.play(play.legal()[-1])
"""


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def layer(name):
    return next((n for n, group in enumerate(LAYERS) if name in group), None)


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


def test_only_the_kernel_knows_numba():
    knowing = {path.name for path in PACKAGE.rglob("*.py") if any(name.split(".")[0] == "numba" for name in imports(path))}
    assert knowing == {"kernel.py"}


def test_listing_the_games_imports_neither_numba_nor_numpy(run):
    code = "import sys; from click.testing import CliRunner; from spellheist.cli import main; "
    code += "assert CliRunner().invoke(main, ['games']).exit_code == 0; "
    code += "assert not {'numba', 'numpy', 'rich'} & set(sys.modules)"
    done = run("-c", code, mode="fast")
    assert done.returncode == 0, done.stderr


def test_plain_rules_play_a_whole_game_without_numpy(run):
    done = run("-c", WHOLE_GAME + "assert not {'numba', 'numpy'} & set(sys.modules)")
    assert done.returncode == 0, done.stderr


def test_a_mode_that_does_not_exist_is_answered_with_a_note(run):
    done = run("-c", "import spellheist.core.kernel as k; print(k.MODE)", mode="quick")
    assert done.stdout.strip() == "fast"
    assert "not one of fast, checked, plain" in done.stderr


def test_without_numba_the_rules_run_plain_with_a_note(run):
    done = run("-c", "import sys; sys.modules['numba'] = None\n" + WHOLE_GAME + "print(play.ply > 0)", mode="fast")
    assert done.stdout.strip() == "True"
    assert "Numba cannot be imported" in done.stderr


def test_a_cache_that_cannot_be_written_is_replaced_with_a_note(run, tmp_path):
    (tmp_path / "file").write_text("in the way")
    code = "import spellheist.core.dice as d; r = d.rngs(1); d.start(r, 0, 5); print(int(r[0].a) > 0)"
    done = run("-c", code.replace("r[0].a", "r[0]['a']"), mode="fast", SPELLHEIST_CACHE=str(tmp_path / "file"))
    assert done.stdout.strip() == "True"
    assert "cannot be written" in done.stderr


CALLED = """from spellheist.core.kernel import kernel

@kernel
def called(x):
    return x + {}
"""
CALLS = """from types import ModuleType
from spellheist.core.kernel import kernel
{}

@kernel
def calls(x):
    return called(x)
"""


@pytest.mark.parametrize("way", ["from other import called", "other: ModuleType\ncalled = other.called"])
def test_an_edit_of_what_a_kernel_calls_in_another_file_is_noticed(run, tmp_path, way):
    (tmp_path / "template.py").write_text(CALLS.format(way))
    code = "import other, pathlib; from spellheist.core import game, kernel; "
    code += "template, rules = pathlib.Path('template.py').absolute(), game.find('dice_heist').rules; "
    code += "print(kernel.bind(template, rules, other=other).calls(0))"
    for number in (1, 2):
        (tmp_path / "other.py").write_text(CALLED.format(number))
        done = run("-c", f"import os; os.chdir({str(tmp_path)!r}); " + code, mode="fast", PYTHONPATH=str(tmp_path),
                   SPELLHEIST_CACHE=str(tmp_path / "cache"))  # fmt: skip
        assert done.stdout.strip() == str(number), done.stderr


def test_words_read_plain_states_whatever_the_mode(run):
    code = "import spellheist; p = spellheist.new('abraca_what', 2, {'starter': 1}); "
    code += "print(p.outcomes()[8], p.view(0).seats)"
    plain, fast = (run("-c", code, mode=mode) for mode in ("plain", "fast"))
    assert plain.stdout == fast.stdout == "stone 8 to seat 1 2\n", fast.stderr
