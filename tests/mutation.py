"""Small changes of a source file that its tests should notice: mutants, made over the syntax tree. No part of the tests."""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
SAID = {"note", "log", "print", "Refused", "NotYours", "NoTable", "Quicker"}  # whoever is called so is told a sentence
TRUTHS = (ast.Compare, ast.BoolOp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
TEXTS = (ast.Constant, ast.JoinedStr, ast.List)  # what is added to one is not a number
NAMED = (*FUNCTIONS, ast.ClassDef)


@dataclass(frozen=True)
class Mutant:
    path: str  # of the file, from the root of the project
    function: str  # its name with those around it; "" at the level of the module
    distance: int  # from the first line of the function
    line: int
    kind: str
    before: str
    after: str
    place: tuple[int, int]  # where in the bytes of the file
    nth: int = 0  # of several that look alike in their function

    @property
    def key(self) -> str:
        """A name that holds while other lines of the file are edited."""
        number = f" ({self.nth + 1})" if self.nth else ""
        return f"{self.path} {self.function or 'module'}: `{short(self.before)}` -> `{short(self.after)}`{number}"

    def apply(self, source: bytes) -> bytes:
        first, end = self.place
        return source[:first] + self.after.encode() + source[end:]


def mutants(root: Path, path: str) -> list[Mutant]:
    """All mutants of a file, in order."""
    found: list[Mutant] = []
    counts: dict[str, int] = {}
    for mutant in Finder(path, (root / path).read_bytes()).found():
        nth = counts[mutant.key] = counts.get(mutant.key, -1) + 1
        found.append(replace(mutant, nth=nth))
    return found


def is_python(root: Path, mutant: Mutant) -> bool:
    """A change can leave something that does not even compile."""
    try:
        with warnings.catch_warnings(action="ignore"):
            compile(mutant.apply((root / mutant.path).read_bytes()), mutant.path, "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def lines(root: Path, path: str) -> int:
    """Executable lines of a file, near enough: those on which a statement begins."""
    tree = ast.parse((root / path).read_bytes())
    return len({node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt)})


def functions(tree: ast.AST, around: str = "") -> Iterator[tuple[str, int, int]]:
    """Name, first line (that of a decorator, if it has one) and last line of every function; those around others first."""
    for node in ast.iter_child_nodes(tree):
        name = f"{around}.{node.name}".lstrip(".") if isinstance(node, NAMED) else around
        if isinstance(node, FUNCTIONS):
            yield name, min(part.lineno for part in (node, *node.decorator_list)), node.end_lineno or 0
        yield from functions(node, name)


def function_at(spans: list[tuple[str, int, int]], line: int) -> tuple[str, int]:
    """The innermost function around a line, and the distance from its first line."""
    name, first = next(((name, first) for name, first, last in reversed(spans) if first <= line <= last), ("", 1))
    return name, line - first


class Finder:
    """Goes through a file and leaves out what nobody could notice: types, docstrings, sentences, logs."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.tree = path, ast.parse(source)
        self.source = source
        self.spans = list(functions(self.tree))
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def found(self, node: ast.AST | None = None) -> Iterator[Mutant]:
        for child in self.children(node or self.tree):
            in_function = hasattr(child, "lineno") and bool(function_at(self.spans, child.lineno)[0])
            for kind, place, after in self.changes(child, in_function):
                line = self.source.count(b"\n", 0, place[0]) + 1
                before = self.source[slice(*place)].decode()
                yield Mutant(self.path, *function_at(self.spans, line), line, kind, before, after, place)
            yield from self.found(child)

    def children(self, node: ast.AST) -> Iterator[ast.AST]:
        """The parts of a node that a test could notice."""
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list") or (name == "orelse" and self.compiled(node)):
                continue
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST) and not self.silent(part):
                    yield part

    def compiled(self, node: ast.AST) -> bool:
        """The half of `kernel.py` that only compiled code runs: `spellheist check` compares it with the other."""
        return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "PLAIN"

    def silent(self, node: ast.AST) -> bool:
        if isinstance(node, ast.JoinedStr | ast.Assert | ast.alias | ast.Import | ast.ImportFrom):
            return True
        if isinstance(node, ast.FunctionDef):
            return node.name in ("__repr__", "__str__")
        if isinstance(node, ast.If):
            return "TYPE_CHECKING" in ast.unparse(node.test) or "__name__" in ast.unparse(node.test)
        if isinstance(node, ast.Call):
            said = node.func.value if isinstance(node.func, ast.Attribute) else node.func
            return isinstance(said, ast.Name) and said.id in SAID
        return isinstance(node, ast.Expr) and (isinstance(node.value, ast.Constant) or self.silent(node.value))

    def place(self, first: ast.AST, last: ast.AST | None = None) -> tuple[int, int]:
        last = last or first
        return self.starts[first.lineno - 1] + first.col_offset, self.starts[last.end_lineno - 1] + last.end_col_offset

    def changes(self, node: ast.AST, in_function: bool) -> Iterator[tuple[str, tuple[int, int], str]]:
        """Kind, place and new text of every change of this one node."""
        match node:
            case ast.Compare():
                for i, op in enumerate(node.ops):
                    ops = [*node.ops[:i], COMPARISONS[type(op)](), *node.ops[i + 1 :]]
                    yield "comparison", self.place(node), text(node, ops=ops)
            case ast.BinOp() if type(node.op) in ARITHMETIC and not isinstance(node.left, TEXTS):
                yield "arithmetic", self.place(node), f"({text(node, op=ARITHMETIC[type(node.op)]())})"
            case ast.AugAssign() if type(node.op) in ARITHMETIC:
                yield "arithmetic", self.place(node), text(node, op=ARITHMETIC[type(node.op)]())
                if in_function:
                    yield "statement", self.place(node), "pass"
            case ast.BoolOp():
                other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
                yield "boolean", self.place(node), f"({text(node, op=other)})"
            case ast.UnaryOp(op=ast.Not()):
                yield "not", self.place(node), f"({ast.unparse(node.operand)})"
            case ast.IfExp():
                yield "branches", self.place(node), f"({text(node, body=node.orelse, orelse=node.body)})"
            case ast.If():
                yield "not", self.place(node.test), f"not ({ast.unparse(node.test)})"
                yield from self.otherwise(node)
            case ast.While():
                if not isinstance(node.test, ast.Constant):
                    yield "not", self.place(node.test), f"not ({ast.unparse(node.test)})"
            case ast.Constant():
                if isinstance(node.value, bool) or (isinstance(node.value, int) and node.value in (0, 1)):
                    yield "constant", self.place(node), str(type(node.value)(1 - node.value))
            case ast.Return() if node.value is not None:
                yield "return", self.place(node.value), other_value(node.value)
            case ast.Call(func=ast.Name(id="range")):
                yield from self.ranges(node)
            case ast.Expr(value=ast.Call() | ast.Await()) if in_function:
                yield "statement", self.place(node), "pass"
            case ast.Assign() if in_function and not all(isinstance(target, ast.Name) for target in node.targets):
                yield "statement", self.place(node), "pass"  # without that of a name the next line would fail

    def otherwise(self, node: ast.If) -> Iterator[tuple[str, tuple[int, int], str]]:
        """Without its `else`."""
        if node.orelse:
            place = self.place(node.orelse[0], node.orelse[-1])
            is_elif = self.source[place[0] :].startswith(b"elif")
            yield "else", place, "else: pass" if is_elif else "pass"

    def ranges(self, node: ast.Call) -> Iterator[tuple[str, tuple[int, int], str]]:
        if node.args and len(node.args) < 3 and not any(isinstance(argument, ast.Starred) for argument in node.args):
            *start, end = node.args
            yield "range", self.place(end), f"{ast.unparse(end)} - 1"
            if start:
                yield "range", self.place(start[0]), f"{ast.unparse(start[0])} + 1"


def text(node: ast.AST, **changed: object) -> str:
    other = copy.copy(node)
    for name, value in changed.items():
        setattr(other, name, value)
    return ast.unparse(other)


def other_value(value: ast.expr) -> str:
    if isinstance(value, ast.Constant) and isinstance(value.value, bool):
        return str(not value.value)
    if isinstance(value, TRUTHS) or (isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)):
        return f"not ({ast.unparse(value)})"
    if isinstance(value, ast.Constant) and isinstance(value.value, int):
        return str(value.value + 1)
    return "0" if isinstance(value, ast.Constant) and value.value is None else "None"


def short(code: str) -> str:
    """On one line, as it is named in lists."""
    code = " ".join(code.split())
    return code if len(code) <= 100 else f"{code[:60]} ... {code[-36:]}"
