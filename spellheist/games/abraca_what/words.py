"""The words of Abraca...What?: labels of moves, the news, the question, and why a move is refused.

Everything here is made from a view, so no word can tell more than its reader may know.
"""

from spellheist.core.kernel import plain
from spellheist.core.speech import count, does, listed, whom
from spellheist.core.state import CHANCE, HIDDEN, NONE, OVER
from spellheist.games.abraca_what import rules
from spellheist.games.abraca_what.rules import (
    BACKFIRE,
    CALL,
    DEAL,
    GO_ON,
    GOAL,
    KINDS,
    REFILL,
    ROLL,
    SHOW,
    SINGER,
    START,
    STOP,
    TAKE,
)

dealt_to = plain(rules.dealt_to)

SPELLS = (
    "", "Ancient Dragon", "Dark Wanderer", "Sweet Dream", "Night Singer",
    "Lightning Tempest", "Blizzard", "Fireball", "Magic Drink",
)  # fmt: skip

EFFECTS = (
    "",
    "roll the die: all others lose that many",
    "all others lose 1 life, you gain 1",
    "roll the die: you gain that many",
    "a secret stone: 1 point if you survive",
    "both neighbours lose 1 life",
    "left neighbour (next to play) loses 1",
    "right neighbour loses 1 life",
    "you gain 1 life",
)

QUIET = (DEAL,)  # phases whose news a terminal need not tell one by one: the table shows it
TURN_RULE = "AW-8"


def label(s, move):
    """The words of a legal move or a possible outcome."""
    if s.turn == CHANCE:
        return {
            START: f"seat {move} begins",
            DEAL: f"stone {move} set aside" if dealt_to(s) == NONE else f"stone {move} to seat {dealt_to(s)}",
            REFILL: f"stone {move} to seat {s.caster}",
            TAKE: f"secret stone {move}",
            ROLL: f"die {move}",
            BACKFIRE: f"die {move}",
            SHOW: "next round",
        }[s.phase]
    return "stop" if move == STOP else f"call {move} {SPELLS[move]}"


def key(s, move):
    """What to type for a move: the number of the spell, or 0 to stop."""
    return str(move)


def question(s, names):
    """What is being asked, of whom."""
    if s.turn == OVER:
        return "The game is over."
    if s.turn == CHANCE:
        return {ROLL: "The die is rolled.", BACKFIRE: "The die is rolled.", SHOW: "The next round is dealt."}.get(
            s.phase, "A stone is drawn."
        )
    if s.phase == CALL:
        return f"{does(names[s.turn], 'call')} a spell."
    return f"{does(names[s.turn], 'call')} again or {does(names[s.turn], 'stop').split()[-1]}."


def rules_now(s):
    """The ids of the rules that explain the present question."""
    if s.phase == GO_ON:
        return ["AW-6", "AW-15" if s.easy else "AW-a" if s.strict_calls else "AW-4", "AW-8", "AW-9"]
    return ["AW-3", "AW-4", "AW-5", "AW-j"]


def why_not(s, move):
    """The rule that stands in the way of a move, and a sentence."""
    if not 0 <= move < KINDS:
        return "AW-3", f"There is no move {move}: spells are called by their numbers, 1 to 8."
    if s.phase == CALL and move == STOP:
        return "AW-3", "The first call of a turn is obligatory."
    return "AW-6", f"After {s.spell} {SPELLS[s.spell]} only {s.spell} or higher may be called."


def news(before, move, after, names):
    """The sentence on what just happened, from the views before and after; `move` may be HIDDEN."""
    if before.phase == START:
        return f"{does(names[after.caster], 'begin')}."
    if before.phase == DEAL:
        return dealt_news(before, move, names)
    if before.phase == SHOW:
        return f"Round {after.stage + 1}: all stones are shuffled and dealt again. {does(names[after.caster], 'begin')}."
    name = names[before.caster]
    if before.phase == REFILL:
        return f"{does(name, 'draw')} a stone{'' if move == HIDDEN else f': {move}'}."
    if before.phase == TAKE:
        said = f"{does(name, 'take')} a secret stone{'' if move == HIDDEN else f': {move}'}."
    elif before.phase == ROLL or before.phase == BACKFIRE:
        said = f"The die shows {move}."
    elif move == STOP:
        return f"{does(name, 'stop')}."
    elif move < before.spell and not before.easy:
        said = f"{does(name, 'call')} {move} {SPELLS[move]}, which is lower than {before.spell}: the turn is lost."
    elif after.board == before.board:
        said = f"{does(name, 'call')} {move} {SPELLS[move]}: no such stone."
    else:
        said = f"{does(name, 'cast')} {move} {SPELLS[move]}."
        if move == SINGER and not before.secrets:
            said += " No secret stone is left."
    return " ".join([said, *lives_news(before, after, names), *round_news(after, names)])


def dealt_news(before, move, names):
    if dealt_to(before) == NONE:
        return f"{'An' if move == 8 else 'A'} {move} is set aside."
    return f"A stone{'' if move == HIDDEN else f' {move}'} for {whom(names[dealt_to(before)])}."


def lives_news(before, after, names):
    if after.lives == before.lives:
        return []
    said = []
    for seat in range(before.seats):
        change = after.lives[seat] - before.lives[seat]
        if change > 0:
            said.append(f"{does(names[seat], 'gain')} {count(change, 'life')}.")
        elif change < 0 and after.lives[seat]:
            said.append(f"{does(names[seat], 'lose')} {count(-change, 'life')}.")
        elif change < 0:
            said.append(f"{does(names[seat], 'lose')} the last {'life' if change == -1 else f'{-change} lives'}.")
    return said


def round_news(after, names):
    if after.phase != SHOW:
        return []
    gains = [f"{does(names[seat], 'score')} {after.gain[seat]}" for seat in range(after.seats) if after.gain[seat]]
    return [f"The round is over: {listed(gains)}."]


def standings(s):
    """What each seat has at the end; where several have the points that end the game, also what decides (AW-14)."""
    several = sum(points >= GOAL for points in s.points) > 1
    return [standing(s, seat, several and s.points[seat] >= GOAL) for seat in range(s.seats)]


def standing(s, seat, whole):
    points = count(s.points[seat], "point")
    return f"{points} ({s.gain[seat]} in the last round, {count(s.lives[seat], 'life')})" if whole else points


def chances(s, seat):
    """The exact chance that each number is among the seat's own stones, from its view. What a stone can be only
    grows from one to the next, so the ways to hold no k are counted stone by stone."""
    found = {}
    for kind in range(1, KINDS):
        without = 1.0
        for slot in range(s.held[seat]):
            can_be = sum(s.deck[k] for k in range(1, KINDS) if not s.never[seat][slot] >> k & 1) - slot
            of_kind = 0 if s.never[seat][slot] >> kind & 1 else s.deck[kind]
            without *= max(0, can_be - of_kind) / can_be
        found[kind] = 1 - without
    return found


def hints(s, seat):
    """The exact odds of every call."""
    odds = sorted(chances(s, seat).items(), key=lambda item: -item[1])
    return ["Exact chance to hold: " + ", ".join(f"{kind} {100 * chance:.0f} %" for kind, chance in odds)]


def knows(s, seat):
    """For each stone of a seat, the numbers that it can still be, from that seat's view."""
    return [
        [kind for kind in range(1, KINDS) if s.deck[kind] and not s.never[seat][slot] >> kind & 1]
        for slot in range(s.held[seat])
    ]
