"""The table of Abraca...What? in a terminal: a pure function of the view."""

from itertools import groupby

from rich.console import Group
from rich.table import Table
from rich.text import Text

from spellheist.core.state import HIDDEN
from spellheist.games.abraca_what.rules import GOAL, LIVES
from spellheist.games.abraca_what.words import EFFECTS, SPELLS, knows

COLOURS = ("", "red", "magenta", "bright_magenta", "blue", "yellow", "cyan", "bright_red", "green")


def draw(s, seat, names):
    """What one seat sees."""
    head = Text(f"Round {s.stage + 1}", "bold")
    head.append(f"   pile {s.pile}   secret stones {s.secrets}", "not bold dim")
    return Group(head, board(s), seats(s, seat, names))


def board(s):
    rows = Table.grid(padding=(0, 2))
    for kind in range(1, 9):
        marks = Text("●" * s.board[kind], COLOURS[kind]) + Text("○" * (kind - s.board[kind]), "dim")
        rows.add_row(Text(f"{kind} {SPELLS[kind]}", COLOURS[kind]), marks, Text(EFFECTS[kind], "dim"))
    return rows


def seats(s, seat, names):
    rows = Table.grid(padding=(0, 2))
    for other in range(s.seats):
        marker = Text("▶" if other == s.caster else " ", "bold")
        lives = Text("♥" * s.lives[other], "red") + Text("♡" * (LIVES - s.lives[other]), "dim")
        stones = Text(" ").join(stone(kind) for kind in s.hand[other][: s.held[other]])
        if s.takes[other]:
            stones.append("   secret ", "dim")
            stones.append_text(Text(" ").join(stone(kind) for kind in s.taken[other][: s.takes[other]]))
        points = f"{s.points[other]} of {GOAL}"
        rows.add_row(marker, Text(names[other], "bold" if other == seat else ""), lives, points, stones)
    parts = [rows]
    if seat >= 0 and HIDDEN in s.hand[seat]:
        parts.append(hints(s, seat))
    return Group(*parts)


def stone(kind):
    return Text("[?]", "dim") if kind == HIDDEN else Text(f"[{kind}]", f"bold {COLOURS[kind]}")


def hints(s, seat):
    """What the seat's own stones can still be: what it has not seen, less what its calls ruled out."""
    line = Text("Your stones, from the one held longest, can be: ", "dim")
    for kinds, group in groupby(knows(s, seat)):
        several = len(list(group))
        line.append(" ".join(map(str, kinds)), "not dim")
        line.append(f" (x{several})   " if several > 1 else "   ")
    return line
