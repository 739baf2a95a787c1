"""The contract: what a game's folder lacks is said in a sentence, and what it need not say is answered for it."""

import re
import shutil
from importlib import import_module
from pathlib import Path

import pytest

import spellheist
from spellheist.core import contract
from spellheist.core.game import find, names
from spellheist.core.refused import Refused

PACKAGE = Path(spellheist.__file__).parent
PIG = Path(__file__).parent.parent / "examples" / "pig"
FILES = [path.stem for path in sorted((PACKAGE / "core" / "contract").glob("*.py")) if path.stem != "__init__"]
NEEDED = [
    (file, name) for file in ("rules", "words", "table")
    for name in import_module(f"spellheist.core.contract.{file}").NEEDED
]  # fmt: skip


@pytest.fixture
def folder(tmp_path, request):
    """A copy of the example under a name of its own."""
    copy = tmp_path / re.sub(r"\W", "_", request.node.name)
    shutil.copytree(PIG, copy, ignore=shutil.ignore_patterns("test_*", "__pycache__"))
    return copy


@pytest.mark.parametrize(("file", "name"), NEEDED)
def test_a_file_that_lacks_something_is_refused_with_what_it_lacks(folder, file, name):
    path, word = folder / f"{file}.py", name.partition("(")[0]
    path.write_text(path.read_text(encoding="utf-8") + f"\ndel {word}\n", encoding="utf-8")
    with pytest.raises(Refused, match=rf"The file {file}.py of Pig lacks {re.escape(name)}: .*\."):
        getattr(find(str(folder)), file)


@pytest.mark.parametrize("file", ["rules", "words", "table"])
def test_a_folder_without_one_of_its_three_files_is_refused(folder, file):
    (folder / f"{file}.py").unlink()
    with pytest.raises(Refused, match=f"The folder of Pig lacks the file {file}.py."):
        getattr(find(str(folder)), file)


@pytest.mark.parametrize("file", FILES)
def test_whatever_a_game_leaves_out_is_answered_for_it(folder, file):
    module, path = getattr(find(str(folder)), file), folder / f"{file}.py"
    source = path.read_text(encoding="utf-8") if path.is_file() else ""
    for name, default in contract.defaults(import_module(f"spellheist.core.contract.{file}")):
        own = re.search(rf"^(def )?{name}\b", source, re.M)
        assert own or getattr(module, name) is default


@pytest.mark.parametrize("name", names())
def test_every_game_keeps_the_contract(name):
    game = find(name)
    for file in FILES:
        assert getattr(game, file).__name__ == f"{game.package}.{file}"


def test_a_live_window_lacks_nothing(folder):
    (folder / "window.py").write_text("LIVE = ('pace', 'quick')\n", encoding="utf-8")
    with pytest.raises(Refused, match=r"The file window.py of Pig lacks ONE_PRESS: "):
        _ = find(str(folder)).window


def test_nobody_else_asks_whether_a_game_has_something():
    asks = re.compile(r"(hasattr\(|getattr\((?=[^()]*,[^()]*,))[\w.]*\b(rules|words|table|bot|known|deck|window)\b,")
    for path in PACKAGE.rglob("*.py"):
        assert not asks.search(path.read_text(encoding="utf-8")), path
