"""Abraca...What? and its twin by hand in C are the same game: their statistics agree with one pinned table.

Two programs that share no line would hardly share a mistake. Seeds are fixed, so the answer is always the same.
"""

import json
import os
import subprocess
import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GAMES = 40_000
PINNED_GAMES = 1_000_000

# Of so many of our games, seat 0 beginning: decisions and rounds a game, the share of each seat; their variances.
PINNED = {
    2: ([84.6052, 6.2189, 0.4947, 0.5053], [753.8, 3.527, 0.25, 0.25]),
    3: ([86.9363, 5.3834, 0.3273, 0.3349, 0.3378], [573.1, 1.774, 0.2202, 0.2227, 0.2237]),
    4: ([98.6441, 5.1767, 0.2461, 0.2483, 0.2524, 0.2532], [611.6, 1.281, 0.1855, 0.1866, 0.1887, 0.1891]),
    5: ([110.5972, 5.1251, 0.197, 0.2004, 0.2005, 0.201, 0.2011], [694.4, 1.053, 0.1582, 0.1602, 0.1603, 0.1606, 0.1607]),
}

OURS = """
import json
from spellheist.core.game import find
from spellheist.lab.speed import RandomGames
means = {}
for seats in (2, 3, 4, 5):
    run = RandomGames(find("abraca_what"), seats, {"starter": 0}, seed=seats)
    run.play(%d)
    means[seats] = [run.mean("DECISIONS"), run.mean("STAGES"), *run.shares]
print(json.dumps(means))
"""


def peer():
    """benchmarks/c_abraca.py, which is no part of the package."""
    spec = spec_from_file_location("c_abraca", ROOT / "benchmarks" / "c_abraca.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


c_abraca = peer()


def apart(seats, means):
    """How far these means are from the pinned ones, in standard errors."""
    pinned, variances = PINNED[seats]
    return c_abraca.errors_apart(means, GAMES, pinned, PINNED_GAMES, variances)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return c_abraca.build(tmp_path_factory.mktemp("c"))


@pytest.fixture(scope="module")
def ours():
    """Our compiled games, in a process of their own: this one may run plain."""
    environment = {**os.environ, "SPELLHEIST_KERNEL": "fast"}
    command = [sys.executable, "-c", OURS % GAMES]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.skipif(not c_abraca.compiler(), reason="there is no C compiler")
@pytest.mark.parametrize("seats", PINNED)
def test_the_c_program_agrees(program, seats):
    run = c_abraca.CGames(program, seats)
    assert run.play(GAMES) > 0
    assert apart(seats, run.means) <= c_abraca.BOUND


@pytest.mark.skipif(not find_spec("numba"), reason="there is no Numba")
@pytest.mark.parametrize("seats", PINNED)
def test_our_rules_agree(ours, seats):
    assert apart(seats, ours[str(seats)]) <= 4


@pytest.mark.parametrize("seats", PINNED)
def test_a_difference_of_one_decision_in_a_hundred_would_be_seen(seats):
    means = list(PINNED[seats][0])
    means[0] *= 1.01
    assert apart(seats, means) > c_abraca.BOUND
