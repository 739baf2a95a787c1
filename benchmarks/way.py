"""The way of a move: what is called between the socket on which it arrives and the sockets on which everybody hears of it.

    python benchmarks/way.py [--game dice_heist] [--seats 3] [--moves 41] [--depth 12] [--of CHECKOUT]

A real server runs in this process, with a person in each seat. While a move is on its way, every call of a Python function
in the server's own thread is noted. Printed are, of the move with the median number of calls: the tree of calls, to be read
aloud, then calls, different functions, their modules, and crossings, which are calls from one module into another. Only our
own code counts, without the rules of the game, the same whichever way a move comes. SPELLHEIST_KERNEL says how they
run. `--of` looks at the server of another checkout.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CODE = "/spellheist/"  # the folder of our own code
RULES = "/spellheist/games/"
PATIENCE = 600.0  # seconds for an answer: rules may have to be compiled first


@dataclass
class Call:
    """A call of a function, and what it called."""

    module: str
    function: str
    calls: list[Call] = field(default_factory=list)

    def all(self) -> Iterator[Call]:
        for call in self.calls:
            yield call
            yield from call.all()

    def crossings(self) -> int:
        return sum((call.module != self.module) + call.crossings() for call in self.calls)


class Noted:
    """Notes the calls in one thread."""

    def __init__(self, root: str) -> None:
        self.root = root + CODE
        self.top = Call("", "the loop")
        self.stack: list[tuple[Any, Call]] = []

    def begin(self) -> None:
        sys.setprofile(self.note)

    def end(self) -> Call:
        sys.setprofile(None)
        return self.top

    def note(self, frame: Any, event: str, _: Any) -> None:
        if event == "call" and self.ours(frame.f_code.co_filename):
            caller = self.stack[-1][1] if self.stack else self.top
            call = Call(named(frame.f_code.co_filename, self.root), frame.f_code.co_qualname)
            caller.calls.append(call)
            self.stack.append((frame, call))
        elif event == "return" and self.stack and self.stack[-1][0] is frame:
            self.stack.pop()

    def ours(self, file: str) -> bool:
        return file.startswith(self.root) and RULES not in file


def named(file: str, root: str) -> str:
    return file.removeprefix(root).removesuffix(".py").replace("/", ".")


def noted(server: Any, root: str, work: Any) -> Call:
    """What the server's loop calls while something is done."""
    notes = Noted(root)

    async def switch(do: Any) -> Any:
        return do()

    server.ask(switch(notes.begin))
    work()
    return server.ask(switch(notes.end))


def moves(game: str, seats: int, count: int, root: str) -> list[Call]:
    """So many moves of a game at a server, each with what it called."""
    sys.path[:0] = [root, f"{root}/tests/server"]
    from people import Person, Server  # type: ignore[import-not-found]

    found: list[Call] = []
    with tempfile.TemporaryDirectory() as folder:
        server = Server(f"sqlite:///{folder}/tables.db").start()
        person = Person(server.base)
        person.http.timeout = PATIENCE
        try:
            for number in range(10_000):
                table = person.make(game, *["me"] * seats)
                sockets = [person.at(table, seat) for seat in range(seats)]
                sockets[0].start(*sockets[1:])
                calls = list(game_of(server, root, sockets))
                found += calls if number else []  # in the first game words are learned that are remembered from then on
                for socket in sockets:
                    socket.__exit__(None, None, None)
                if len(found) >= count:
                    break
        finally:
            server.stop()
            person.http.close()
    return found[:count]


def game_of(server: Any, root: str, sockets: list[Any]) -> Iterator[Call]:
    """The moves of one game. Bytes have arrived everywhere before the next move is made."""
    for number in range(10_000):
        mover = next((socket for socket in sockets if socket.moves), None)
        if mover is None or mover.over:
            return

        def move(mover: Any = mover, number: int = number) -> None:
            mover.move(lambda moves: moves[number % len(moves)][0])
            for socket in sockets:
                socket.until(lambda socket: socket.ply == mover.ply)

        yield noted(server, root, move)


def shown(call: Call, depth: int, level: int = 0) -> Iterator[str]:
    """The tree of calls; the same several times in a row is one line."""
    last, times = None, 0
    for each in [*call.calls, None]:
        this = each and (each.module, each.function, [*shown(each, depth, level + 1)] if level < depth else [])
        if last and this != last:
            yield f"{'  ' * level}{last[0]}: {last[1]}" + (f"  ({times} times)" if times > 1 else "")
            yield from last[2]
        times = times + 1 if this == last else 1
        last = this


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="dice_heist")
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--moves", type=int, default=41)
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--of", default=str(HERE.parent))
    given = parser.parse_args()
    found = moves(given.game, given.seats, given.moves, str(Path(given.of).resolve()))
    middle = sorted(found, key=lambda call: sum(1 for _ in call.all()))[len(found) // 2]
    calls = list(middle.all())
    functions = {(call.module, call.function) for call in calls}
    modules = {call.module for call in calls}
    print(*shown(middle, given.depth), sep="\n")
    print(f"\n{len(calls)} calls, {len(functions)} functions, {len(modules)} modules, {middle.crossings()} crossings"
          f" between modules: the median of {len(found)} moves, {given.game} with {given.seats} seats.")  # fmt: skip


if __name__ == "__main__":
    main()
