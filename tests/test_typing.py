"""The front door for type checkers: what they accept and find in programs that use it, and views whose fields they know."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import spellheist
from spellheist.core.game import find, names
from spellheist.core.view_types import view_types

PROGRAMS = Path(__file__).parent / "typing"
STUB = Path(spellheist.__file__).with_suffix(".pyi")
CHECKERS = {
    "mypy": ["mypy", "--strict", "--follow-imports=silent", "--python-version=3.11", "--config-file="],
    "pyright": ["pyright", "--pythonversion=3.11"],
}


def found_by(checker, program):
    """The lines of a program in which a type checker finds an error, and what it said."""
    if find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed here.")
    command = [sys.executable, "-m", *CHECKERS[checker], str(PROGRAMS / program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PROGRAMS, timeout=600)
    if checker == "pyright" and "error" not in done.stdout and done.returncode not in (0, 1):
        pytest.skip("pyright cannot run here: it needs node.")
    found = re.findall(rf"{re.escape(program)}:(\d+):(?:\d+ -)? error", done.stdout)
    return {int(line) for line in found}, done.stdout + done.stderr


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_program_that_is_right_passes_under_strict_types(checker):
    lines, said = found_by(checker, "good.py")
    assert not lines, said
    assert "error" not in said.replace("0 errors", ""), said


@pytest.mark.parametrize("checker", CHECKERS)
def test_every_mistake_in_a_program_is_found(checker):
    text = (PROGRAMS / "bad.py").read_text(encoding="utf-8")
    wrong = {n for n, line in enumerate(text.splitlines(), 1) if line.endswith("# error")}
    lines, said = found_by(checker, "bad.py")
    assert lines == wrong, said


def test_the_program_that_is_right_runs(run):
    done = run(str(PROGRAMS / "good.py"))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", names())
def test_the_types_of_a_view_are_what_make_golden_would_write(name):
    assert (find(name).folder / "view.py").read_text(encoding="utf-8") == view_types(find(name))


def test_the_door_gives_each_game_the_type_of_its_own_views():
    text = STUB.read_text(encoding="utf-8")
    views = dict(re.findall(r"from spellheist\.games\.(\w+)\.view import View as (\w+)", text))
    assert dict(re.findall(r'Literal\["(\w+)"\].*?-> Play\[(\w+)\]', text, re.S)) == views
    assert sorted(views) == names()


def test_types_are_given_for_everything_that_the_package_has():
    text = STUB.read_text(encoding="utf-8")
    told = {*re.findall(r" as (\w+)$|^def (\w+)|^(\w+): ", text, re.M)}
    views = set(re.findall(r"import View as (\w+)", text))
    assert {"".join(name) for name in told} - views == set(spellheist.__all__)
    for name in spellheist.__all__:
        assert getattr(spellheist, name) is not None
