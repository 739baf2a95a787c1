"""Files that people give and get: read with a sentence on what is wrong, written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from spellheist.core.refused import Refused


def read_text(path: str | Path, largest: int) -> str:
    """The text of a file of at most so many bytes."""
    try:
        with open(path, "rb") as file:
            data = file.read(largest + 1)
    except (OSError, ValueError) as error:
        raise Refused(f"{path} cannot be read: {reason(error)}.") from None
    if len(data) > largest:
        raise Refused(f"{path} is larger than {largest // 1024} KiB, the limit for such a file.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(f"{path} is not text: byte {error.start} is not UTF-8.") from None


def write_text(path: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    beside = None
    try:
        number, beside = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        with open(number, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(beside, mode_of(path))
        os.replace(beside, path)
    except (OSError, ValueError) as error:
        if beside:
            Path(beside).unlink(missing_ok=True)
        raise Refused(f"{path} cannot be written: {reason(error)}.") from None


def mode_of(path: Path) -> int:
    """Who may read and write a file: as it is, or as any new file."""
    if os.path.exists(path):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def check_writable(path: Path) -> None:
    """Refuses what `write_text` could not write. Nothing is changed by asking."""
    if os.path.exists(path) and not path.is_file():
        raise Refused(f"{path} cannot be written: it is not a file.")
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name):
            pass
        if os.path.exists(path):
            with open(path, "r+b"):
                pass
    except (OSError, ValueError) as error:
        raise Refused(f"{path} cannot be written: {reason(error)}.") from None


def reason(error: OSError | ValueError) -> str:
    return (getattr(error, "strerror", None) or "its name is not a file name").lower()


def worded(value: Any) -> str:
    """A value of a data file for a sentence, however odd or long the value is."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**9 else "a huge number"
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:40] + "...")
    if isinstance(value, list):
        return "a list"
    return "a table" if isinstance(value, dict) else str(value)
