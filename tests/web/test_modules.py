"""The page's modules: they know no game, and none has grown too long to read."""

import re
from pathlib import Path

import pytest

from spellheist.core.game import find, names

WEB = Path(__file__).parent.parent.parent / "spellheist" / "web"
OURS = sorted(path for path in WEB.rglob("*") if path.suffix in {".js", ".css", ".html"} and "vendor" not in path.parts)
LONGEST = 400  # lines


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.relative_to(WEB).as_posix())
def test_the_page_names_no_game_and_no_rule(path):
    text = path.read_text(encoding="utf-8")
    for name in names():
        game = find(name)
        named = [*game.rule, name, game.title]
        found = re.findall("|".join(rf"\b{re.escape(word)}\b" for word in named), text, re.I)
        assert found == [], f"{path.name} speaks of {game.title}"


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.relative_to(WEB).as_posix())
def test_no_module_of_the_page_is_too_long_to_read(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST
