"""What a page knows after each message of the server: `web/visit/messages.js`, run by Node."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from spellheist.server.table.actions import OUTS

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="the page's modules outside a browser need node")

TABLE = {"t": "table", "chairs": [{"here": True}, {"here": False}], "watching": 0, "proposal": None, "state": "playing"}
VIEW = {
    "t": "view", "ply": 4, "view": {"turn": 1, "hand": [[5, 6], [7, 8]]}, "news": [[0, 3, "Ann draws.", 4]],
    "moves": [[3, "draw"]],
}  # fmt: skip


def told(*sent):
    """What comes of these messages."""
    run = subprocess.run(
        ["node", str(Path(__file__).with_name("messages.mjs"))],
        input=json.dumps(sent), capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_every_message_that_the_server_sends_has_its_function_on_the_page():
    sent = {kind.__struct_config__.tag for kind in OUTS}
    assert set(told()["received"]) == sent


def test_plies_change_only_the_numbers_that_they_name():
    change = {"t": "plies", "base": 4, "ply": 5, "change": [0, 1, 0, 3, 2, 9, 10], "news": [[1, 2, "Bob plays."]]}
    before, after = told(VIEW, change)["story"]
    assert after["view"] == {"turn": 0, "hand": [[5, 6], [9, 10]]}
    assert after["before"] == before["view"]
    assert (after["ply"], after["turn"], after["asked"]) == (5, 0, [0])
    assert after["news"] == [[0, 3, "Ann draws.", 4], [1, 2, "Bob plays.", 5]]


def test_a_page_that_has_missed_a_ply_asks_for_the_whole_view_and_keeps_what_it_has():
    outcome = told(VIEW, {"t": "plies", "base": 5, "ply": 6, "change": [0, 1, 0]})
    assert outcome["said"] == [{"t": "whole"}]
    assert outcome["story"][1] == outcome["story"][0]


def test_a_whole_view_forgets_the_moves_of_the_one_before():
    after = told(VIEW, {"t": "view", "ply": 5, "view": {"turn": 0}})["story"][-1]
    assert (after["moves"], after["news"], after["before"]) == ([], [], None)


def test_a_refusal_is_an_answer_and_is_forgotten_at_the_next_ply():
    refused = {"t": "refused", "id": 17, "sentence": "Not now.", "rule": None}
    outcome = told(VIEW, refused, {"t": "plies", "base": 4, "ply": 5, "change": []})
    assert outcome["answered"] == [17]
    assert outcome["story"][1]["refusal"]["sentence"] == "Not now."
    assert outcome["story"][2]["refusal"] is None


def test_what_was_said_before_the_page_was_opened_is_not_fresh():
    earlier = {"t": "chat", "lines": [[0, "Ann", "Hello", 100]]}
    later = {"t": "chat", "lines": [[0, "Ann", "Hello", 100], [1, "Bob", "Hi", 200]]}
    _, first, second = told(TABLE, earlier, later)["story"]
    assert (len(first["chat"]), first["fresh"]) == (1, [])
    assert [line["text"] for line in second["fresh"]] == ["Hi"]


def test_on_a_new_connection_the_chat_is_told_again_from_its_beginning():
    line = {"t": "chat", "lines": [[0, "Ann", "Hello", 100]]}
    assert [len(known["chat"]) for known in told(TABLE, line, TABLE)["story"]] == [0, 1, 1]
    assert [len(known["chat"]) for known in told(line, TABLE)["story"]] == [1, 0]


def test_whoever_comes_or_goes_changes_nothing_else_of_the_table():
    before, after = told(TABLE, {"t": "here", "here": [True, True], "watching": 2})["story"]
    assert (before["here"], before["watching"]) == ([True, False], 0)
    assert (after["here"], after["watching"], after["table"]) == ([True, True], 2, before["table"])


def test_a_window_that_goes_on_after_failed_presses_keeps_their_ruling_in_sight():
    ruling = [{"seat": 1, "move": 3, "reaction": 200, "lag": 10, "score": 210, "verdict": "failed"}]
    opened = {"t": "window", "ply": 4, "open": True}
    ruled = {"t": "window", "ply": 4, "ruling": ruling}
    story = told(VIEW, opened, ruled, opened)["story"]
    assert [known["window"]["open"] for known in story] == [False, True, False, True]
    assert story[-1]["window"]["ruling"] == ruling
    later = told(VIEW, opened, ruled, {**VIEW, "ply": 5}, {**opened, "ply": 5})["story"]
    assert later[-1]["window"]["ruling"] == []
