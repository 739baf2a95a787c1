"""Messages and entries: each stands in one place, and everything else is made from there."""

import ast
import inspect
from pathlib import Path

import msgspec
import protocol_page
import pytest

from spellheist.core.refused import Refused
from spellheist.server.table import actions
from spellheist.server.table.messages import Message, Request

SERVER = Path(actions.__file__).parents[2]


def test_the_tables_of_messages_in_the_protocol_are_those_of_the_classes():
    page = protocol_page.PAGE.read_text(encoding="utf-8")
    assert protocol_page.SECTION.findall(page), "the marks are there"
    assert page == protocol_page.written(page), "make golden writes them anew"


@pytest.mark.parametrize("kind", actions.MESSAGES + actions.OUTS + actions.ENTRIES, ids=lambda kind: kind.__name__)
def test_every_message_and_every_entry_says_what_it_is(kind):
    assert kind.__doc__ and kind.__doc__ not in (Message.__doc__, Request.__doc__)


@pytest.mark.parametrize("kind", actions.MESSAGES, ids=lambda kind: kind.__name__)
def test_every_message_says_what_it_does(kind):
    assert kind.carry_out not in (Message.carry_out, Request.carry_out) or kind.decide is not Request.decide


@pytest.mark.parametrize("kind", actions.ENTRIES, ids=lambda kind: kind.__name__)
def test_every_entry_says_what_it_does_and_what_is_told_of_it(kind):
    assert kind.apply is not actions.Entry.apply
    assert set(kind.tells) <= {"plies", "window", "table", "views"}
    moves_on = "plies" in kind.__struct_fields__
    assert moves_on == ("ahead" in inspect.signature(kind.apply).parameters)


def test_no_two_messages_or_entries_have_the_same_tag():
    for kinds in (actions.MESSAGES, actions.OUTS, actions.ENTRIES):
        tags = [kind.__struct_config__.tag for kind in kinds]
        assert len(set(tags)) == len(tags) > 9


def test_the_classes_that_messages_share_are_no_messages():
    for tag in ("Message", "Request", "Out"):
        with pytest.raises(Refused, match="not understood"):
            actions.read_message(msgspec.json.encode({"t": tag, "id": 1}))


def test_everything_that_is_told_of_a_table_leaves_by_one_exit():
    """Only `Connection.send` calls what writes to a socket."""
    callers = []
    for file in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for call in ast.walk(node):
                    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "say":
                        callers.append((file.stem, node.name, ast.unparse(call.func.value)))
    assert [caller for caller in callers if caller[2] not in ("table", "self")] == []
    assert ("connections", "send", "self") in callers
    assert {file for file, _, whose in callers if whose == "self"} == {"connections", "bot_turns"}  # its own `say` is chat
