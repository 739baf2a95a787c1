"""A small storm: while everything breaks, nothing that was answered is lost or doubled, and everybody is told the truth."""

import shutil
from pathlib import Path

import pytest
from storm import printed, storm

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the processes in /proc")


@pytest.mark.parametrize(("workers", "seed"), [(1, 12), (2, 2)])
def test_in_a_storm_everybody_is_told_what_the_journal_says_and_every_table_goes_on(workers, seed):
    holds(storm("sqlite", workers, seed, 15, 300, tables=8))


def test_in_a_storm_that_takes_the_database_down_as_well_too(postgres):
    holds(storm("postgres", 1, 1, 15, 300, tables=8))


@pytest.fixture
def postgres():
    pytest.importorskip("psycopg")
    found = shutil.which("postgres") or list(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if not found:
        pytest.skip("PostgreSQL is not installed here")


def holds(tally):
    assert tally.findings == [], printed(tally)
    assert tally.faults.total() == 15 and tally.moves >= 300
