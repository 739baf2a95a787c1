"""Which lines of the package each test runs: what `mutants.py` chooses tests by. No part of the tests.

The package of a scratch copy imports this module first, so every process that a test starts is traced, too. A function
that is called often in a test is looked at line by line for a while only, so of the rare lines of busy functions some are
missed.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
import threading
import time
from inspect import CO_OPTIMIZED
from pathlib import Path
from typing import Any

PACKAGE = f"{os.sep}spellheist{os.sep}"
OFTEN = 60  # calls of a function in one test whose lines are looked at
Seen = dict[str, list[int]]  # by path: the lines that ran

_functions: dict[Any, list[Any]] = {}  # by code: the calls that are still looked at, and its lines


def trace(frame: Any, event: str, _: Any) -> Any:
    code = frame.f_code
    known = _functions.get(code)
    if known is None:
        function = PACKAGE in code.co_filename and code.co_flags & CO_OPTIMIZED  # and not the body of a module or a class
        known = _functions[code] = [OFTEN if function else 0, set()]
    if not known[0]:
        return None
    known[0] -= 1
    add = known[1].add

    def line(frame: Any, event: str, _: Any) -> Any:
        add(frame.f_lineno)
        return line

    return line


def seen() -> Seen:
    """What ran since it was asked last."""
    ran: dict[str, set[int]] = {}
    for code, (_, lines) in list(_functions.items()):
        if lines:
            path = code.co_filename[code.co_filename.rindex(PACKAGE) + 1 :]
            ran.setdefault(path, set()).update(lines)
    _functions.clear()
    return {path: sorted(lines) for path, lines in ran.items()}


def begin() -> None:
    """Trace this process. One that a test started leaves what it ran in a file when it ends."""
    threading.settrace(trace)
    sys.settrace(trace)
    me = os.getpid()
    folder = Path(os.environ["SPELLHEIST_TRACES"])
    if os.environ["SPELLHEIST_TRACER"] != str(me):

        @atexit.register
        def leave() -> None:
            if os.getpid() == me and folder.is_dir():
                told = {"ran": seen(), "compiles": "numba" in sys.modules}
                (folder / f"{me}-{time.monotonic_ns()}.json").write_text(json.dumps(told))


def plugin(folder: Path, tests: dict[str, dict[str, Any]]) -> Any:
    """What pytest tells of each test: its lines and how long it took."""
    import pytest  # not above: the processes that tests start do without it

    class Plugin:
        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_protocol(self, item: Any) -> Any:
            began = time.monotonic()
            answer = yield
            ran, compiles = seen(), "numba" in sys.modules
            for file in folder.glob("*.json"):
                told = json.loads(file.read_text())
                compiles |= told["compiles"]
                for path, lines in told["ran"].items():
                    ran[path] = sorted({*ran.get(path, ()), *lines})
                file.unlink()
            test = tests.setdefault(item.nodeid, {"outcome": "passed"})
            test.update(seconds=round(time.monotonic() - began, 3), compiles=compiles, ran=ran)
            return answer

        def pytest_runtest_logreport(self, report: Any) -> None:
            if not report.passed:
                tests.setdefault(report.nodeid, {})["outcome"] = report.outcome

    return Plugin()


def main() -> None:
    """Run tests of one file and write what each of them ran."""
    out, *arguments = sys.argv[1:]
    folder = Path(os.environ["SPELLHEIST_TRACES"])
    os.environ["SPELLHEIST_TRACER"] = str(os.getpid())
    import pytest

    tests: dict[str, dict[str, Any]] = {}
    pytest.main(["-q", "-p", "no:cacheprovider", *arguments], plugins=[plugin(folder, tests)])
    Path(out).write_text(json.dumps(tests))


if __name__ == "__main__":
    import traces  # the one that the package imports

    traces.main()
