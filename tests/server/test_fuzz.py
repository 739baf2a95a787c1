"""Strange messages, frames and requests: a little of what `fuzz.py` does without end."""

import random

import fuzz
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def test_two_thousand_strange_things_fail_nothing_and_change_nothing():
    done, _ = fuzz.run(2000, seed=1)
    assert all(done["count"][kind] for kind in ("refused", "did", "cut", "HTTP 400", "HTTP 404")), done


@pytest.fixture(scope="module")
def fuzzing(tmp_path_factory):
    served = fuzz.Served(tmp_path_factory.mktemp("fuzz"))
    made = fuzz.Fuzz(served, 0)
    yield made
    made.close()
    made.look_after()
    assert "Traceback" not in served.stop()


often = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
luck = st.integers(0, 2**32).map(random.Random)
seats = st.tuples(st.sampled_from(fuzz.GAMES), st.integers(0, 2))


def at(fuzzing, seat):
    game, number = seat
    found = fuzzing.tables[game][number]
    if fuzzing.settle(found)[0]["state"] not in ("playing", "paused"):
        fuzzing.sit_down(game)
    return fuzzing.tables[game][number]


@often
@given(luck, seats)
def test_messages_that_are_refused_change_nothing(fuzzing, luck, seat):
    fuzzing.messages(luck, at(fuzzing, seat))


@often
@given(luck, seats)
def test_frames_are_heard_or_end_the_line(fuzzing, luck, seat):
    fuzzing.frames(luck, at(fuzzing, seat))


@often
@given(luck, seats)
def test_requests_are_answered_below_500(fuzzing, luck, seat):
    fuzzing.requests(luck, at(fuzzing, seat))
