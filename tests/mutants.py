"""Are the tests awake? Breaks the package in small ways, one at a time, and asks whether a test fails.

    python tests/mutants.py --count 300 --seed 13 --kept mutants.json

Mutants are chosen by a hash of the seed and of what they change, so that most of them stay the same while the package
is edited; rules, core, laws, server and bots have as many as they have lines. Each is written into a scratch copy of the
project, never into the project, and meets the tests that run its line, the quickest first, until one fails. What is
known so far is kept in a file, and begun again with it this goes on from there. Those that live are listed in
`survivors.md` with the reason; those that are not are news.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from mutation import Mutant, function_at, functions, is_python, lines, mutants, short

ROOT = Path(__file__).parents[1]
AREAS = {
    "rules": "games/*/rules.py", "core": "core/**/*.py", "laws": "laws/**/*.py", "server": "server/**/*.py",
    "bots": "bots/**/*.py",
}  # fmt: skip
COPIED = ("spellheist", "tests", "examples", "benchmarks", "docs")
# Too slow for every mutant, or without a say: browsers, storms, kills, and those who need a machine for themselves.
LEFT_OUT = (
    "tests/web/", "tests/server/test_storm.py", "tests/server/test_kills.py", "tests/server/test_fuzz.py",
)  # fmt: skip
TRACED = "import sys; sys.path.append({!r}); import traces; traces.begin(); sys.path.pop()\n{}"
LISTED = ROOT / "tests" / "survivors.md"


# Which mutants.


def files_of(area: str) -> list[str]:
    found = sorted((ROOT / "spellheist").glob(AREAS[area]))
    return [str(path.relative_to(ROOT)) for path in found if not path.name.startswith("test_")]


def chosen(count: int, seed: int, only: str) -> list[Mutant]:
    """So many mutants, the areas by turns."""
    sizes = {area: sum(lines(ROOT, path) for path in files_of(area)) for area in AREAS}
    shares = {area: round(count * size / sum(sizes.values())) for area, size in sizes.items()}
    places: list[tuple[float, Mutant]] = []
    for area, share in shares.items():
        ranked = sorted((mutant for path in files_of(area) for mutant in mutants(ROOT, path)), key=lambda m: rank(m, seed))
        taken = islice((mutant for mutant in ranked if is_python(ROOT, mutant)), share)
        places += [((n + 0.5) / share, mutant) for n, mutant in enumerate(taken)]
    return [mutant for _, mutant in sorted(places, key=lambda place: place[0]) if mutant.path.startswith(only)]


def rank(mutant: Mutant, seed: int) -> bytes:
    return hashlib.blake2b(f"{seed} {mutant.key}".encode()).digest()


def area_of(key: str) -> str:
    path = key.split(" ")[0]
    return next(area for area in AREAS if path in files_of(area))


# A scratch copy of the project.


@contextmanager
def copied() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        there = Path(folder) / "project"
        for name in COPIED:
            shutil.copytree(ROOT / name, there / name, ignore=shutil.ignore_patterns("__pycache__", "build"))
        for path in ROOT.iterdir():
            if path.is_file():
                shutil.copy2(path, there)
        yield there


def surroundings(there: Path, **more: str) -> dict[str, str]:
    return {
        **os.environ, "SPELLHEIST_KERNEL": "plain", "PYTHONPATH": f"{there}:{there / 'tests'}",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(there.parent / "hypothesis"), **more,
    }  # fmt: skip


def ran(there: Path, command: list[str], seconds: int, most: float, **more: str) -> tuple[int | None, str]:
    """Run a command, for so many seconds of processor time a process; how it ended, None if it was stopped."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    process = subprocess.Popen(
        command, cwd=there, env=surroundings(there, **more), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True, preexec_fn=limit, errors="replace",
    )  # fmt: skip
    _running.add(process.pid)
    try:
        said, _ = process.communicate(timeout=most)
        ended = process.returncode
    except subprocess.TimeoutExpired:
        ended, said = None, ""
    stop(process.pid)  # whatever the tests have left running
    process.wait()
    return (ended if ended is not None and ended >= 0 else None), said


_running: set[int] = set()  # groups of processes


def stop(group: int) -> None:
    _running.discard(group)
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def stop_all(*_: object) -> None:
    for group in list(_running):
        stop(group)
    sys.exit("Stopped; begun again, it goes on from here.")


# Which tests run which lines.


class Map:
    """By test file: its hash, and of each test how long it takes and what it runs. Made once, kept beside the results.
    Lines are kept as function and distance, which stay true while other functions are edited."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.files: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}

    def complete(self) -> None:
        """Run the tests of all files that are new or were edited."""
        found = [*(ROOT / "spellheist").rglob("test_*.py"), *(ROOT / "tests").rglob("test_*.py")]
        paths = sorted(str(path.relative_to(ROOT)) for path in found)
        paths = [path for path in paths if not path.startswith(LEFT_OUT)]
        self.files = {path: kept for path, kept in self.files.items() if path in paths}
        wanted = [path for path in paths if self.files.get(path, {}).get("hash") != digest(path)]
        if not wanted:
            return
        with copied() as there:
            package = there / "spellheist" / "__init__.py"
            package.write_text(TRACED.format(str(there / "tests"), package.read_text()))
            for path in wanted:
                self.files[path] = {"hash": digest(path), "tests": self.of_file(there, path)}
                self.file.write_text(json.dumps(self.files))
                print(f"{path}: {len(self.files[path]['tests'])} tests", flush=True)

    def of_file(self, there: Path, path: str) -> dict[str, Any]:
        traces, out = there.parent / "traces", there.parent / "traced.json"
        traces.mkdir(exist_ok=True)
        command = [sys.executable, "tests/traces.py", str(out), path]
        ended, said = ran(there, command, 1800, 3600, SPELLHEIST_TRACES=str(traces))
        if ended != 0:
            sys.exit(f"{path} could not be run:\n{said[-2000:]}")
        told = json.loads(out.read_text())
        failed = [name for name, test in told.items() if test["outcome"] == "failed"]
        if failed:
            print(f"Left out, because they fail without any mutant: {', '.join(failed)}")
        ours = {file for area in AREAS for file in files_of(area)}
        kept = {}
        for name, test in told.items():
            if test["outcome"] == "passed" and not test["compiles"]:  # which would compile every mutant of the core
                where = {file: placed(file, at) for file, at in test["ran"].items() if file in ours}
                kept[name] = {"seconds": test["seconds"], "ran": where}
        return kept

    def tests_for(self, mutant: Mutant, most: float) -> tuple[list[str], float]:
        """Tests that could notice a mutant, for so many seconds at most, and how long they take: those that run its line
        before those of its function. What a module says when it is imported concerns all who use it."""
        line, function, whole = [], [], mutant.function == ""
        for path, kept in self.files.items():
            for name, test in kept["tests"].items():
                mine = test["ran"].get(mutant.path)
                if mine is not None and (whole or mutant.distance in mine.get(mutant.function, ())):
                    line.append((test["seconds"], path, name))
                elif mine is not None and mutant.function in mine:
                    function.append((test["seconds"], path, name))
        taken: list[tuple[float, str, str]] = []
        for test in [*sorted(line), *sorted(function)]:
            if sum(seconds for seconds, _, _ in taken) < most:
                taken.append(test)
        return in_files(taken), sum(seconds for seconds, _, _ in taken)


def in_files(tests: list[tuple[float, str, str]]) -> list[str]:
    """The tests of a file after each other, because they share a server; the file that takes least time first."""
    total: Counter[str] = Counter()
    for seconds, path, _ in tests:
        total[path] += seconds + 1  # what it takes to begin
    return [name for seconds, path, name in sorted(tests, key=lambda test: (total[test[1]], test[1], test[0]))]


def digest(path: str) -> str:
    return hashlib.blake2b((ROOT / path).read_bytes(), digest_size=8).hexdigest()


def placed(path: str, at: list[int]) -> dict[str, list[int]]:
    """Lines of a file as those of its functions."""
    if path not in _spans:
        _spans[path] = list(functions(ast.parse((ROOT / path).read_bytes())))
    found: dict[str, list[int]] = {}
    for line in at:
        name, distance = function_at(_spans[path], line)
        if name:
            found.setdefault(name, []).append(distance)
    return found


_spans: dict[str, list[tuple[str, int, int]]] = {}


# Trying them.


def tried(mutant: Mutant, there: Path, tests: list[str], seconds: float) -> dict[str, Any]:
    """Does a test notice it?"""
    if not tests:
        return {"killed": False, "by": "no test runs it"}
    file, original = there / mutant.path, ROOT / mutant.path
    file.write_bytes(mutant.apply(original.read_bytes()))
    later = original.stat().st_mtime + 2 + mutant.line  # so that the compiled file of another one is not taken for it
    os.utime(file, (later, later))
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider", *tests]
    ended, said = ran(there, command, int(30 + 5 * seconds), 90 + 15 * seconds)
    shutil.copy2(original, file)
    if ended is None:
        return {"killed": True, "by": "it does not end"}
    failed = [line.split(" ", 1)[1].split(" - ")[0] for line in said.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return {"killed": ended != 0, "by": failed[0] if failed else "it cannot be run" if ended else f"{len(tests)} tests"}


def try_all(wanted: list[Mutant], map: Map, asked: argparse.Namespace, results: dict[str, Any]) -> None:
    with ThreadPoolExecutor(asked.threads) as pool:
        trees: SimpleQueue[Path] = SimpleQueue()
        scratch = [copied() for _ in range(asked.threads)]
        for one in scratch:
            trees.put(one.__enter__())

        def work(mutant: Mutant) -> dict[str, Any]:
            there = trees.get()
            try:
                return tried(mutant, there, *map.tests_for(mutant, asked.seconds))
            finally:
                trees.put(there)

        try:
            trying = {pool.submit(work, mutant): mutant for mutant in wanted}
            for done in as_completed(trying):
                mutant, result = trying[done], done.result()
                results[mutant.key] = {"kind": mutant.kind, "line": mutant.line, **result}
                asked.kept.write_text(json.dumps({"seed": asked.seed, "results": results}, indent=1))
                print(row(mutant.key, results[mutant.key], {}), flush=True)
        finally:
            pool.shutdown(cancel_futures=True)
            for one in scratch:
                one.__exit__(None, None, None)


# What came of it.


def reasons() -> dict[str, str]:
    """Mutants that are known to live, by key: the heading under which `survivors.md` lists them."""
    heading, found = "", {}
    for line in LISTED.read_text(encoding="utf-8").splitlines() if LISTED.exists() else []:
        if line.startswith("## "):
            heading = line[3:].lower()
        elif line.startswith("- "):
            found[line[2:]] = heading
    return found


def verdict(key: str, result: dict[str, Any], known: dict[str, str]) -> str:
    return "killed" if result["killed"] else known.get(key, "survived")


def row(key: str, result: dict[str, Any], known: dict[str, str]) -> str:
    where, change = key.split(": `", 1)
    path, function = where.split(" ", 1)
    place = f"{path.removeprefix('spellheist/')}:{result['line']} {function}"
    return f"{verdict(key, result, known):10} {result['kind']:10} {place}: `{short(change)}; {result['by']}"


def report(results: dict[str, Any]) -> bool:
    """Prints the table; are there enough who were noticed?"""
    known = reasons()
    for key, result in sorted(results.items(), key=lambda item: (verdict(*item, known), item[0])):
        print(row(key, result, known))
    counts = Counter((area_of(key), verdict(key, result, known)) for key, result in results.items())
    kinds = ["killed", "equivalent", *sorted({kind for _, kind in counts} - {"killed", "equivalent"})]
    print(f"\n{'area':10}" + "".join(f"{kind:>12}" for kind in kinds) + f"{'noticed':>12}")
    share = 0.0
    for area in (*AREAS, "all"):
        of = AREAS if area == "all" else [area]
        each = [sum(counts[one, kind] for one in of) for kind in kinds]
        share = each[0] / max(1, sum(each) - each[1])
        print(f"{area:10}" + "".join(f"{count:12}" for count in each) + f"{share:12.1%}")
    return share >= 0.95


def main() -> None:
    parser = argparse.ArgumentParser(description="Break the package in small ways and ask whether a test fails.")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--seconds", type=float, default=120, help="of tests that a mutant meets at most")
    parser.add_argument("--threads", type=int, default=1, help="how many are tried at a time, two at most")
    parser.add_argument("--only", default="", help="those whose path begins so")
    parser.add_argument("--again", action="store_true", help="try those again that survived")
    parser.add_argument("--kept", type=Path, default=ROOT / ".prove" / "mutants.json", help="what is known so far")
    asked = parser.parse_args()
    asked.threads = min(2, asked.threads)
    for way in (signal.SIGINT, signal.SIGTERM):
        signal.signal(way, stop_all)
    asked.kept.parent.mkdir(exist_ok=True)
    kept = json.loads(asked.kept.read_text()) if asked.kept.exists() else {}
    if kept.get("seed", asked.seed) != asked.seed:
        sys.exit(f"{asked.kept} is of the seed {kept['seed']}.")
    picked = chosen(asked.count, asked.seed, asked.only)
    results = {mutant.key: kept["results"][mutant.key] for mutant in picked if mutant.key in kept.get("results", {})}
    map = Map(asked.kept.with_name(f"{asked.kept.stem}-map.json"))
    map.complete()
    done = {key for key, result in results.items() if result["killed"] or not (asked.again and key not in reasons())}
    try_all([mutant for mutant in picked if mutant.key not in done], map, asked, results)
    sys.exit(not report(results))


if __name__ == "__main__":
    main()
