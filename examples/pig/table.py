"""The table of Pig in a terminal: a pure function of the view."""

from rich.console import Group
from rich.table import Table
from rich.text import Text

WIDTH = 40  # of a bar that reaches the target


def draw(s, seat, names):
    """What one seat sees."""
    head = Text(f"First to {s.target}", "bold")
    head.append(f"   turns over: {s.turns} of {s.turn_limit}", "not bold dim")
    rows = Table.grid(padding=(0, 2))
    for other in range(s.seats):
        mine = other == s.roller
        name = Text(names[other], "bold" if other == seat else "", overflow="ellipsis")
        rows.add_row("▶" if mine else " ", name, bar(s, s.points[other], s.total if mine else 0))
    return Group(head, rows)


def bar(s, points, total):
    """What is banked, and after it what is at stake."""
    banked, staked = (min(WIDTH, amount * WIDTH // s.target) for amount in (points, points + total))
    line = Text("█" * banked, "green") + Text("▒" * (staked - banked), "yellow") + Text("·" * (WIDTH - staked), "dim")
    line.append(f" {points}", "bold")
    return line.append(f" +{total}", "yellow") if total else line
