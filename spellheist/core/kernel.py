"""Kernels: functions that run compiled or plain, with the same bytes as result.

Three modes, chosen once for a process by SPELLHEIST_KERNEL:

- `fast` (the default): compiled by Numba and kept on disk;
- `checked`: the same with bounds checks, for tests;
- `plain`: ordinary Python on lists. No NumPy, no Numba, starts at once, debugs like any code.

This is the only file that knows Numba. Compiled code is kept under SPELLHEIST_CACHE in a folder
named by a hash of all the sources that it depends on, one for each game and mode, because Numba
itself notices neither edits in other files nor a change of its flags.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from spellheist.core.state import Schema

MODES = ("fast", "checked", "plain")
CORE = Path(__file__).parent
MASK = 0xFFFF_FFFF_FFFF_FFFF


def note(sentence: str) -> None:
    print(f"spellheist: {sentence}", file=sys.stderr)


def _mode() -> str:
    mode = os.environ.get("SPELLHEIST_KERNEL", "fast")
    if mode not in MODES:
        note(f"SPELLHEIST_KERNEL is {mode!r}, which is not one of {', '.join(MODES)}; using fast.")
        mode = "fast"
    if mode != "plain":
        try:
            import numba  # noqa: F401
        except ImportError:
            note("Numba cannot be imported here, so the rules run plain: slower, with the same results.")
            return "plain"
    return mode


MODE = _mode()
PLAIN = MODE == "plain"


@cache
def cache_folder() -> Path:
    """Where compiled code is kept: where SPELLHEIST_CACHE says, else in the virtual environment, else in the home. A folder
    for this process alone if none can be written."""
    given = os.environ.get("SPELLHEIST_CACHE")
    own = [Path(sys.prefix) / "kernels"] if sys.prefix != sys.base_prefix else []
    for folder in [Path(given)] if given else [*own, Path.home() / ".cache" / "spellheist"]:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    note(f"{folder} cannot be written, so code compiled now will not be kept. Set SPELLHEIST_CACHE to another folder.")
    return Path(tempfile.mkdtemp(prefix="spellheist-"))


_sources: dict[str, frozenset[Path]] = {}  # by the name of a module: its file, and those of all kernels that it can call


def _sources_of(function: Callable[..., Any]) -> frozenset[Path]:
    """The files that a kernel is compiled from: its own, and those of the kernels that its module imported or, as a
    template, was given."""
    module = function.__module__
    if module not in _sources:
        found = {Path(function.__code__.co_filename)}
        for value in function.__globals__.values():
            for other in vars(value).values() if isinstance(value, ModuleType) else (value,):
                if hasattr(other, "py_func"):
                    found |= _sources.get(other.__module__, frozenset())
        _sources[module] = frozenset(found)
    return _sources[module]


@cache
def _digest(sources: frozenset[Path], folder: Path) -> str:
    """A hash of the core, these files, and the rules (and what bots know and have learned) of the game in a folder."""
    digest = hashlib.blake2b(digest_size=8)
    of_game = (path for path in (folder / "rules.py", folder / "bot.py", folder / "learned.py") if path.is_file())
    for path in sorted({*CORE.rglob("*.py"), *sources, *of_game}):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _room(function: Callable[..., Any]) -> Path:
    """The cache folder of one function: that of the game whose rules it is part of or bound to."""
    file = Path(function.__code__.co_filename)
    rules = function.__globals__.get("rules")
    owner = Path(rules.__file__) if isinstance(rules, ModuleType) and rules.__file__ else file
    return cache_folder() / MODE / owner.parent.name / _digest(_sources_of(function), owner.parent)


def bind(template: Path, rules: ModuleType, **more: Any) -> ModuleType:
    """Run a template module for one game: the file is executed with `rules`, and more, as its globals."""
    name = f"{rules.__name__}:{template.stem}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, template)
    assert spec and spec.loader
    module = module_from_spec(spec)
    module.__dict__.update(rules=rules, **more)
    sys.modules[name] = module  # compiled code is looked up by this name when it is loaded again
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


_twin_of: str | None = None  # the rules module that is being executed a second time, plain


@cache
def _plain_twin(name: str) -> ModuleType:
    global _twin_of
    spec = spec_from_file_location(f"{name}:plain", sys.modules[name].__file__)
    assert spec and spec.loader
    module = sys.modules[spec.name] = module_from_spec(spec)
    before, _twin_of = _twin_of, name
    try:
        spec.loader.exec_module(module)
    finally:
        _twin_of = before
    return module


def plain(function: Any) -> Any:
    """The same function of a rules file for plain states, whatever the mode: for words and tables."""
    if PLAIN:
        return function
    return getattr(_plain_twin(function.__module__), function.__name__)


if PLAIN:

    def kernel(function: Any) -> Any:
        """A function of the rules."""
        return function

    def rows(schema: Schema, count: int) -> Any:
        """Room for this many states."""
        return [schema.blank() for _ in range(count)]

    def cells(schema: Schema, states: Any) -> Any:
        """The same states as rows of numbers."""
        return states

    def dump(schema: Schema, states: Any, i: int) -> bytes:
        """The bytes of one state."""
        return schema.pack(states[i])

    def load(schema: Schema, states: Any, i: int, data: bytes) -> None:
        """Write a state from its bytes."""
        schema.copy(states[i], schema.unpack(data))

    class Row:
        """One of many states, to be written and read as bytes."""

        def __init__(self, schema: Schema, states: Any, i: int) -> None:
            self.schema, self.states, self.i = schema, states, i

        def load(self, data: bytes) -> None:
            load(self.schema, self.states, self.i, data)

        def dump(self) -> bytes:
            return dump(self.schema, self.states, self.i)

    class Numbers:
        """Room for all numbers of a state, to be read by kernels."""

        def __init__(self, schema: Schema) -> None:
            self.schema = schema

        def load(self, data: bytes) -> Any:
            return self.schema.numbers(data)

    def shorts(n: int) -> Any:
        """Room for n small numbers."""
        return [0] * n

    def reals(n: int) -> Any:
        """Room for n real numbers."""
        return [0.0] * n

    def constants(numbers: Iterable[float]) -> Any:
        """Real numbers that never change, for kernels to look up."""
        return list(numbers)

    def first(numbers: Any, count: int) -> list[int]:
        """So many of the numbers, as a list."""
        return list(numbers[:count])

    def bounds(schema: Schema) -> Any:
        return schema.bounds()

    def copy(states: Any, i: int, others: Any, j: int) -> None:
        """states[i] becomes others[j]. Rows of generators can be copied too."""
        target, source = states[i], others[j]
        for name in target.__slots__:
            value = getattr(source, name)
            if isinstance(value, list):
                value = [list(row) for row in value] if isinstance(value[0], list) else list(value)
            setattr(target, name, value)

    def _flat(plain: Any) -> list[int]:
        flat: list[int] = []
        for name in plain.__slots__:
            value = getattr(plain, name)
            if not isinstance(value, list):
                flat.append(value)
            elif isinstance(value[0], list):
                for row in value:
                    flat.extend(row)
            else:
                flat.extend(value)
        return flat

    def row(cells: Any, i: int) -> Any:
        """All numbers of a state."""
        return _flat(cells[i])

    def same(cells: Any, i: int, others: Any, j: int) -> bool:
        """Are two states equal, byte for byte?"""
        return bool(cells[i] == others[j])

    def within(cells: Any, i: int, lows: Any, highs: Any) -> bool:
        """Is every number of a state in its range?"""
        return all(low <= value <= high for low, value, high in zip(lows, _flat(cells[i]), highs, strict=True))

    def mix(digest: int, cells: Any, i: int) -> int:
        """A running 64-bit digest of states (FNV-1a over their numbers)."""
        for value in _flat(cells[i]):
            digest = ((digest ^ (value & 0xFFFF)) * 0x100000001B3) & MASK
        return digest

    def mix_number(digest: int, value: int) -> int:
        """The same digest, with one more number."""
        return ((digest ^ (value & 0xFFFF)) * 0x100000001B3) & MASK

    def slot(digest: int, size: int) -> int:
        """A place for a digest in a table of so many slots, a power of two."""
        return ((digest * 0x9E3779B97F4A7C15) & MASK) >> 33 & (size - 1)

    EMPTY_DIGEST: Any = 0xCBF29CE484222325

else:
    import numba
    import numpy as np

    def kernel(function: Any) -> Any:
        """A function of the rules: compiled when first called, kept on disk."""
        if _twin_of:
            return function
        settings: Any = numba.config
        before, settings.CACHE_DIR = settings.CACHE_DIR, str(_room(function))
        try:
            return numba.njit(cache=True, nogil=True, error_model="numpy", boundscheck=MODE == "checked")(function)
        finally:
            settings.CACHE_DIR = before

    @cache
    def _dtype(schema: Schema) -> np.dtype:
        clash = [name for name in schema.fields if hasattr(np.record, name)]
        assert not clash, f"np.record has attributes of these names: {clash}"
        return np.dtype((np.record, np.dtype([(name, "<i2", field.shape) for name, field in schema.fields.items()])))

    def rows(schema: Schema, count: int) -> Any:
        return np.zeros(count, _dtype(schema))

    def cells(schema: Schema, states: Any) -> Any:
        return states.view("<i2").reshape(len(states), schema.size)

    def dump(schema: Schema, states: Any, i: int) -> bytes:
        return bytes(states[i : i + 1].tobytes())

    def load(schema: Schema, states: Any, i: int, data: bytes) -> None:
        cells(schema, states)[i] = np.frombuffer(data, "<i2")

    class Row:  # type: ignore[no-redef]
        def __init__(self, schema: Schema, states: Any, i: int) -> None:
            self.memory = memoryview(cells(schema, states)[i]).cast("B")

        def load(self, data: bytes) -> None:
            self.memory[:] = data

        def dump(self) -> bytes:
            return bytes(self.memory)

    class Numbers:  # type: ignore[no-redef]
        def __init__(self, schema: Schema) -> None:
            self.numbers = shorts(schema.size)
            self.memory = memoryview(self.numbers).cast("B")

        def load(self, data: bytes) -> Any:
            self.memory[:] = data
            return self.numbers

    @kernel
    def shorts(n):
        return np.zeros(n, np.int16)

    @kernel
    def reals(n):
        return np.zeros(n, np.float64)

    def constants(numbers: Iterable[float]) -> Any:
        return list(numbers) if _twin_of else np.array(list(numbers), np.float64)

    def first(numbers: Any, count: int) -> list[int]:
        found: list[int] = numbers[:count].tolist()
        return found

    def bounds(schema: Schema) -> Any:
        lows, highs = schema.bounds()
        return np.array(lows, np.int16), np.array(highs, np.int16)

    @kernel
    def copy(states, i, others, j):
        states[i] = others[j]

    @kernel
    def row(cells, i):
        return cells[i]

    @kernel
    def same(cells, i, others, j):
        for k in range(cells.shape[1]):
            if cells[i, k] != others[j, k]:
                return False
        return True

    @kernel
    def within(cells, i, lows, highs):
        for k in range(cells.shape[1]):
            if cells[i, k] < lows[k] or cells[i, k] > highs[k]:
                return False
        return True

    @kernel
    def mix_number(digest, value):
        return (digest ^ (np.uint64(value) & np.uint64(0xFFFF))) * np.uint64(0x100000001B3)

    @kernel
    def mix(digest, cells, i):
        for k in range(cells.shape[1]):
            digest = mix_number(digest, np.int64(cells[i, k]))
        return digest

    @kernel
    def slot(digest, size):
        return np.int64((digest * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(33)) & (size - 1)

    EMPTY_DIGEST = np.uint64(0xCBF29CE484222325)


@kernel
def change(old, new, out):
    """Writes runs of numbers that changed: the place of the first, how many they are, and the numbers. Up to two that
    did not change are told along, which is shorter than another run. Answers how much was written."""
    size = 0
    run = -1  # where the present run began in `out`
    same = 0
    for k in range(len(new)):
        if old[k] != new[k]:
            if run < 0 or same > 2:
                run = size
                out[run] = k
                size += 2
            else:
                for between in range(k - same, k):
                    out[size] = new[between]
                    size += 1
            out[size] = new[k]
            size += 1
            out[run + 1] = size - run - 2
            same = 0
        else:
            same += 1
    return size
