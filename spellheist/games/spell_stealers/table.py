"""The table of Spell Stealers in a terminal: a pure function of the view."""

from rich.console import Group
from rich.table import Table
from rich.text import Text

from spellheist.core.speech import count
from spellheist.core.state import HIDDEN, NONE
from spellheist.games.spell_stealers.rules import ASK, DONE, GOAL, MISSED, NO, ORB, PYRAMID, READY, SIDES, YES
from spellheist.games.spell_stealers.words import COLOURS, NAMES, SYMBOLS, chance_of, colour_of, matches

SHAPES = ("", "▲", "◆", "⬢")  # pyramid, diamond, orb
PAINT = ("", "green", "yellow", "red")


def draw(s, seat, names):
    """What one seat sees."""
    return Group(head(s), seats(s, seat, names), Text(""), roll(s, names), Text(""), dice(s))


def head(s):
    if s.phase == DONE:
        return Text(f"The end, after {count(s.turns, 'turn')}", "bold")
    line = Text(f"Round {s.stage + 1}", "bold")
    line.append(f"   turn {s.turns + 1}" if s.current != NONE else "   who begins?", "not bold dim")
    if s.last:
        who = "those tied" if sum(s.playing) < s.seats else "all"
        line.append(f"   the last round: the deepest of {who} wins", "bold yellow")
    return line


def seats(s, seat, names):
    rows = Table.grid(padding=(0, 1))
    for _ in range(6):
        rows.add_column(no_wrap=True)
    for other in range(s.seats):
        marker = Text("▶" if other == s.current else " ", "bold")
        out = s.current != NONE and not s.playing[other]
        name = Text(names[other], "dim" if out else "bold" if other == seat else "")
        name.truncate(14, overflow="ellipsis")
        ready = s.token[other] == READY
        token = Text("◉ ready" if ready else "○ spent", "cyan" if ready else "dim")
        depth = Text(f"{s.pawn[other]:>2}/{GOAL}", "bold" if s.pawn[other] >= GOAL else "")
        rows.add_row(marker, name, token, track(s, other), depth, doing(s, other))
    return rows


def track(s, seat):
    """The way to the spell; past it the pawn stands on its end. A + shows where banking would lead."""
    at = min(s.pawn[seat], GOAL)
    to = min(s.pawn[seat] + s.points, GOAL) if seat == s.current and s.phase != MISSED else at
    line = Text("").join([Text("·" * GOAL, "dim"), Text("★", "dim yellow")])
    if to > at:
        line = Text("").join([line[:to], Text("+", "green"), line[to + 1 :]])
    return Text("").join([line[:at], Text("♟", "bold"), line[at + 1 :]])


def doing(s, seat):
    """What a seat did about the artifact on the table."""
    if s.phase == ASK and s.turn == seat:
        return Text("steal?", "bold")
    if s.shows[seat]:
        die = s.threw[seat] or ORB
        won = " stole" if s.taker == seat and s.rolled else ""
        return Text(f"{SHAPES[die]} {s.shows[seat]}{won}", "bold green" if won else "")
    if s.threw[seat]:
        return Text(f"{SHAPES[s.threw[seat]]} thrown", "dim")
    return Text({HIDDEN: "decided", NO: "declines", YES: "tries"}.get(s.tries[seat], ""), "dim")


def roll(s, names):
    if not s.die:
        return Text("Nothing has been rolled.", "dim")
    line = Text("Roll  " if s.rolled else "Last roll  ", "" if s.rolled else "dim")
    line.append("a die picked in secret " if s.die == HIDDEN else f"{SHAPES[s.die]} {NAMES[s.die]} ")
    if not s.face:
        return line.append("?", "bold")
    paint = colour_of(s.die, s.face)
    line.append(f"{s.face} {COLOURS[paint]}", f"bold {PAINT[paint]}").append("   success die ")
    if not s.symbol:
        return line.append("?", "bold")
    line.append(SYMBOLS[s.symbol], f"bold {PAINT[s.symbol]}")
    if not matches(paint, s.symbol):
        return line.append("   ✗ no match", "bold" if s.rolled else "dim")
    line.append("   ✓ match", "bold")
    if s.taker != NONE:
        line.append(f", for {names[s.taker]}" if names[s.taker] != "You" else ", for you")
    elif s.rolled:
        sides = SIDES[s.die]
        line.append(f"   a thief needs {s.face} or more: {sides - s.face + 1} of {sides}", "dim")
    return line


def dice(s):
    """The points of this turn, and what each die promises."""
    rows = Table.grid(padding=(0, 2))
    rows.add_row(Text("Artifact points"), Text(str(s.points), "bold"))
    for die in range(PYRAMID, ORB + 1):
        hits, of = chance_of(s, die)
        rows.add_row(f"{SHAPES[die]} {NAMES[die]}", colours(die), Text(f"matches {100 * hits / of:.0f} %", "dim"))
    shares = zip(s.success_faces, SYMBOLS[1:], strict=True)
    rows.add_row("success die", Text(", ".join(f"{faces} {symbol}" for faces, symbol in shares), "dim"))
    return rows


def colours(die):
    """The numbers of a die by colour."""
    line = Text()
    for paint in (3, 2, 1):
        of = [face for face in range(1, SIDES[die] + 1) if colour_of(die, face) == paint]
        if of:
            line.append(f"{of[0]}-{of[-1]} {COLOURS[paint]}  ", PAINT[paint])
    return line
