"""The tables of messages in `docs/protocol.md`, made from the classes of the messages themselves.

    python tests/server/protocol_page.py

writes them anew. `make golden` does so, too; a test says whether they are up to date.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

os.environ.setdefault("SPELLHEIST_KERNEL", "plain")

from spellheist.server.table.actions import MESSAGES, OUTS

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
SECTION = re.compile(r"(<!-- made from the classes: (.*?) -->\n).*?(<!-- end -->)", re.DOTALL)


def heard() -> Iterator[str]:
    """What a page can say."""
    yield "| message | from | counts as | does |\n|---|---|---|---|"
    for kind in MESSAGES:
        said = ", ".join([f't: "{kind.__struct_config__.tag}"', *fields(kind)])
        yield f"| `{{{said}}}` | {kind.who.value} | {kind.cost:g} | {sentence(kind)} |"


def told() -> Iterator[str]:
    """What the server can say."""
    yield "| message | holds | tells |\n|---|---|---|"
    for kind in OUTS:
        yield f"| `{kind.__struct_config__.tag}` | `{', '.join(fields(kind))}` | {sentence(kind)} |"


def fields(kind: Any) -> list[str]:
    """Their names; one that may be missing has a question mark."""
    return [field.encode_name + ("" if field.required else "?") for field in msgspec.structs.fields(kind)]


def sentence(kind: Any) -> str:
    return " ".join((kind.__doc__ or "").split()).replace("|", "\\|")


TABLES = {"messages from the page": heard, "messages from the server": told}


def written(page: str) -> str:
    """The page with its tables as they should be."""
    return SECTION.sub(lambda found: found[1] + "\n".join(TABLES[found[2]]()) + "\n" + found[3], page)


def write() -> None:
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    write()
