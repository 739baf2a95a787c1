"""What several tests need: a process in another mode, and finished games."""

import os
import subprocess
import sys

import pytest

from spellheist.core.dice import Luck
from spellheist.core.play import new
from spellheist.core.state import CHANCE


@pytest.fixture
def run():
    """Run Python in a process of its own; `mode` is that of its rules."""

    def runner(*arguments, mode="plain", text="", **environment):
        return subprocess.run(
            [sys.executable, *arguments], input=text, capture_output=True, text=True, check=False, timeout=300,
            env={**os.environ, "SPELLHEIST_KERNEL": mode, "COLUMNS": "100", **environment},
        )  # fmt: skip

    return runner


@pytest.fixture
def random_play():
    """A random game, played until it is over or for so many plies."""

    def player(game, seats, seed=1, options=None, plies=100_000):
        play, luck = new(game, seats, options), Luck(seed)
        while not play.over and play.ply < plies:
            if play.turn == CHANCE:
                play.roll(luck)
            else:
                moves = play.legal()
                play.play(moves[luck.below(len(moves))])
        return play

    return player
