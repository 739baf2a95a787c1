"""The examples in docstrings run."""

import doctest
from importlib import import_module

import pytest

HOMES = ["core.play", "core.sight", "core.copies", "core.observation", "lab.batch"]


@pytest.mark.parametrize("home", HOMES)
def test_the_examples_of_a_module_run(home):
    done = doctest.testmod(import_module(f"spellheist.{home}"))
    assert done.attempted and not done.failed
