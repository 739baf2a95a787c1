"""What can be done at a table, a module for each feature. A module holds the messages by which pages ask for it, the
decisions on them, the entries that they make, what those do to a table, and what pages are told of it.

All tables of messages and entries are made from these classes: whoever adds one adds it here and nowhere else.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, TypeVar, Union

import msgspec

from spellheist.core.refused import Refused
from spellheist.server.table import messages
from spellheist.server.table.journal import Damaged, Entry, unsealed
from spellheist.server.table.messages import Message, Out

MODULES = [import_module(f"{__name__}.{name}") for name in sorted(module.name for module in iter_modules(__path__))]
T = TypeVar("T")


def classes(kind: type[T], *modules: ModuleType) -> list[type[T]]:
    """The classes of a kind that these modules define, in their order."""
    return [
        found for module in modules for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, kind) and found.__module__ == module.__name__ and found is not kind
    ]  # fmt: skip


ENTRIES = classes(Entry, *MODULES)
MESSAGES = classes(Message, *MODULES)
OUTS = classes(Out, messages, *MODULES)

_entries: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Union[tuple(ENTRIES)])  # noqa: UP007
_messages: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Union[tuple(MESSAGES)])  # noqa: UP007


def read_entry(body: bytes) -> Entry:
    """An entry as it was stored."""
    text, sealed = unsealed(body)
    try:
        entry: Entry = _entries.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Damaged("is not understood by this version" if sealed else "is damaged") from None
    return entry


def read_message(text: str | bytes) -> Message:
    """A message from a page. Refuses what is none with a sentence."""
    if len(text) > messages.LARGEST:
        raise Refused(f"A message may have at most {messages.LARGEST} bytes.")
    try:
        message: Message = _messages.decode(text)
    except msgspec.ValidationError as error:
        raise Refused(f"This message is not understood: {messages.said(error)}.") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Refused("This message is not JSON.") from None
    return message
