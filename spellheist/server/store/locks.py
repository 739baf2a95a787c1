"""The files of a store in SQLite: who may read them, and who may write them now."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from spellheist.core.refused import Refused

with suppress(ImportError):  # not on Windows, where a server has one process
    import fcntl

OURS = ("", "-wal", "-shm", "-lock", "-server")  # what the names of a store's files end in


class Lock:
    """Lets one process after the other write. SQLite alone would let them sleep and look again; a lock on a file wakes
    the next at once, and is free again when its holder dies."""

    def __init__(self, path: Path) -> None:
        self.file = own_file(path, "-lock")

    def __enter__(self) -> None:
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        fcntl.flock(self.file, fcntl.LOCK_UN)


def hold(url: str) -> BinaryIO | None:
    """Be the one server of a store in SQLite as long as what is returned is kept, or this process lives. Its workers and
    `spellheist tables` need not ask."""
    if not url.startswith("sqlite:///") or "fcntl" not in globals():
        return None
    path = Path(url.removeprefix("sqlite:///"))
    try:
        make_private(path)
        file = own_file(path, "-server")
    except OSError as error:
        raise Refused(f"The store {path} cannot be opened: {error.strerror or error}.") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise Refused(f"The store {path} is in use by another server: stop that one, or name another store.") from None
    except OSError:  # a file system without locks
        file.close()
        return None
    return file


def make_private(path: Path) -> None:
    """Make the file and its folder where there are none, and let nobody but their owner read what is there. SQLite gives
    the files beside it the same mode."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    for end in OURS:
        file = path.with_name(path.name + end)
        with suppress(FileNotFoundError, PermissionError):  # another owner's, who lets us write
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)


def own_file(path: Path, end: str) -> BinaryIO:
    return os.fdopen(os.open(path.with_name(path.name + end), os.O_RDWR | os.O_CREAT, 0o600), "r+b")
