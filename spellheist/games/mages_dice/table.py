"""The table of Mage's Dice in a terminal: a pure function of the view."""

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from spellheist.core.state import NONE, OVER
from spellheist.games.mages_dice.rules import ACT, AGAIN, DICE, FACES, FOCUS_DICE, SHOW, SPELL_DICE
from spellheist.games.mages_dice.words import ELEMENTS, roller, spell

SIGNS = ("▲", "▼", "■", "○")
COLOURS = ("bright_red", "bright_blue", "green", "bright_white")
DIE = " ⚀⚁⚂⚃⚄⚅"


def draw(s, seat, names):
    """What one seat sees."""
    parts = [head(s), places(s, seat, names)]
    if any(kind != NONE for kind in s.played):
        parts.append(battle(s, names))
    if s.phase == ACT:
        parts.append(numbers(s, names))
    return Group(*parts)


def head(s):
    done = s.phase == SHOW  # then the round that just ended is counted already
    line = Text(f"Round {s.stage if done else s.stage + 1}", "bold")
    line.append(" is the last" if s.turn == OVER else " is over" if done else " begins again" if s.phase == AGAIN else "")
    line.append(f"   action {s.actions} of {s.turn_limit}   ", "not bold dim")
    line.append_text(element(0) + Text(" ✕ ") + element(1) + Text("   ") + element(2) + Text(" ✕ ") + element(3))
    line.append("  nullify each other", "not bold dim")
    return line


def places(s, seat, names):
    """Where the dice are: the pool, each arsenal and the ether box, an element a column."""
    rows = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    rows.add_column("")
    rows.add_column("", max_width=16, no_wrap=True, overflow="ellipsis")
    rows.add_column("focus", justify="center")
    for k in range(len(ELEMENTS)):
        rows.add_column(element(k), min_width=2 * DICE - 1)
    rows.add_column("points", no_wrap=True)
    rows.add_row("", Text("mana pool", "italic"), "", *(dice(s.pool, k, s.rolling[k]) for k in range(len(ELEMENTS))))
    for other in range(s.seats):
        marker = Text("▶" if other == active(s) else " ", "bold")
        name = Text(names[other], "bold" if other == seat else "")
        cells = [dice(s.arsenal[other], k) for k in range(len(ELEMENTS))]
        rows.add_row(marker, name, focus(s, other), *cells, points(s, other))
    gone = (Text("✕" * s.ether[k], "dim") for k in range(len(ELEMENTS)))
    rows.add_row("", Text("ether box", "italic dim"), "", *gone)
    return rows


def active(s):
    """The seat that is asked or rolls; the dice of a new round are nobody's."""
    if s.phase == FOCUS_DICE:
        return roller(s)
    return s.mage if s.turn < 0 and s.phase not in (SPELL_DICE, AGAIN) else s.turn


def element(k):
    return Text(f"{SIGNS[k]} {ELEMENTS[k]}", f"bold {COLOURS[k]}")


def dice(counts, k, waiting=0):
    """The numbers on the dice of one element, the highest first, and a dot for each that waits to be rolled."""
    shown = [str(power + 1) for power in reversed(range(FACES)) for _ in range(counts[k * FACES + power])]
    return Text(" ".join(shown + ["·"] * waiting), COLOURS[k])


def focus(s, seat):
    number = s.focus[seat]
    if not number:
        return Text("-", "dim")
    shared = s.focus[: s.seats].count(number) > 1
    return Text(f"{DIE[number]} {number}", "bold") + Text(" shared" if shared else "", "not bold dim")


def points(s, seat):
    if s.target > 10:
        made = Text(f"{s.points[seat]} of {s.target}", "bold")
    else:
        made = Text(f"{s.points[seat]} ", "bold").append("●" * s.points[seat], "yellow")
        made.append("○" * (s.target - s.points[seat]), "not bold dim")
    if s.gain[seat]:
        made.append(f" +{s.gain[seat]}", "not bold dim")
    return made


def battle(s, names):
    """The spells cast so far, the attack first."""
    line = Text("Battle  ", "bold")
    for step in range(s.seats):
        seat = (s.mage + step) % s.seats
        if s.played[seat] != NONE:
            k = s.played[seat] // FACES
            line.append("  answered by " if step else "")
            line.append(f"{names[seat]}: ")
            line.append(f"{SIGNS[k]} {spell(s.played[seat])}", f"bold {COLOURS[k]}")
    return line


def numbers(s, names):
    """What a new focus would find: how many dice in play show each number, and whose number it is now."""
    line = Text("In play by number  ", "dim")
    for power in range(1, FACES + 1):
        found = sum(row[power - 1 :: FACES][k] for row in (s.pool, *s.arsenal) for k in range(len(ELEMENTS)))
        owners = [names[seat] for seat in range(s.seats) if s.focus[seat] == power]
        line.append(f" {power}", "bold").append(f"x{found}")
        line.append(f" ({', '.join(owners)})" if owners else "", "italic dim").append(" ")
    return line
