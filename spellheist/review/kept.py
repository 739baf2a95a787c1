"""Reviews that were made before: kept under the digest of all that they depend on."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from spellheist.core import kernel, record
from spellheist.core.files import read_text, write_text
from spellheist.core.play import Play
from spellheist.core.refused import Refused
from spellheist.review.account import Review
from spellheist.review.judge import Settings

MOST = 500  # reviews that are kept
LARGEST = 64 * 1024 * 1024
SOURCES = ("core", "bots", "review")


def digest(play: Play, settings: Settings) -> str:
    """Of the game as it was played, of how it is looked at, and of everything that looks."""
    found = hashlib.blake2b(digest_size=16)
    found.update(json.dumps([record.write(play), asdict(settings)]).encode())
    package = Path(__file__).parent.parent
    files = [path for room in SOURCES for path in (package / room).rglob("*.py")]
    for path in sorted([*files, *play.game.folder.glob("*.py")]):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()


def folder() -> Path:
    return kernel.cache_folder() / "reviews"


def recall(key: str) -> Review | None:
    """The review of this digest, if there is one that can be read."""
    with suppress(Refused, ValueError, KeyError, TypeError):
        return Review.from_json(json.loads(read_text(folder() / f"{key}.json", LARGEST)))
    return None


def keep(key: str, review: Review) -> None:
    """Write a review down, and let go of the oldest. Where nothing can be written, nothing is kept."""
    with suppress(Refused, OSError):
        folder().mkdir(exist_ok=True)
        write_text(folder() / f"{key}.json", json.dumps(review.json()))
        old = sorted(folder().glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in old[:-MOST]:
            path.unlink(missing_ok=True)
