"""A server and a browser for all tests of the page, and the people who sit at it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of our own, whose bots answer at once."""
    store = tmp_path_factory.mktemp("tables") / "tables.db"
    command = [
        sys.executable, "-m", "spellheist", "serve", "--port", "0", "--pace", "0", "--rate", "0", "--thinkers", "1",
        "--bots", "plain", "--store", f"sqlite:///{store}",
    ]  # fmt: skip
    surroundings = {**os.environ, "SPELLHEIST_KERNEL": "plain", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, "the server did not say where it is"
        yield found[0]
        process.terminate()


@pytest.fixture(scope="module")  # not longer: while it is open, no other test of this process can run an event loop
def browser() -> Iterator[Any]:
    from browsers import CHROMIUM, QUIET, playwright

    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield chromium
        chromium.close()


@pytest.fixture
def person(browser: Any, server: str) -> Iterator[Callable[..., Any]]:
    """Makes people; afterwards nothing may have gone wrong in their pages."""
    from browsers import Person

    made: list[Person] = []

    def new(name: str = "Ann", at: str = server) -> Person:
        made.append(Person(browser, at, name))
        return made[-1]

    yield new
    for one in made:
        one.context.close()
    assert [one.wrong for one in made] == [[] for _ in made]
