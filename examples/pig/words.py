"""The words of Pig: labels of moves, the news, the question, and why a move is refused."""

from spellheist.core.speech import count, does, listed
from spellheist.core.state import CHANCE, OVER

from .rules import DIE, HOLD, MOVES, ROLL

TURN_RULE = "PG-1"


def label(s, move):
    """The words of a legal move or a possible outcome."""
    if s.turn == CHANCE:
        return f"die {move}"
    return "roll" if move == ROLL else "hold"


def question(s, names):
    """What is being asked, of whom."""
    if s.turn == OVER:
        return "The game is over."
    if s.phase == DIE:
        return f"{does(names[s.roller], 'roll')} the die."
    if s.points[s.roller] + s.total >= s.target:
        return f"{does(names[s.roller], 'hold')} and {verb(names[s.roller], 'win')}."
    return f"{does(names[s.roller], 'roll')} or {verb(names[s.roller], 'hold')} {s.total}."


def verb(name, word):
    """The verb alone, as it goes with a name."""
    return does(name, word).rsplit(" ", 1)[-1]


def rules_now(s):
    """The ids of the rules that explain the present question."""
    if s.turn == OVER:
        return ["PG-6", "PG-7"]
    if s.phase == DIE:
        return ["PG-3", "PG-4"]
    return ["PG-2", "PG-3", "PG-4", "PG-5", "PG-6"]


def why_not(s, move):
    """The rule that stands in the way of a move, and a sentence."""
    if move == ROLL:
        return "PG-b", "There is nothing left to roll for: holding wins."
    return "PG-2", f"There is no move {move}: roll is {ROLL} and hold is {HOLD}, {MOVES} in all."


def news(before, move, after, names):
    """The sentence on what just happened, from the views before and after."""
    name = names[before.roller]
    if before.phase == DIE:
        said = f"{does(name, 'roll')} a {move}"
        said += f": {after.total} so far." if move > 1 else f" and {verb(name, 'lose')} {before.total}."
    elif move == ROLL:
        return f"{does(name, 'take')} the die."
    else:
        said = f"{does(name, 'hold')} {before.total} and now {verb(name, 'have')} {after.points[before.roller]}."
    return " ".join([said, *end_news(after, names)])


def end_news(s, names):
    if s.turn != OVER:
        return []
    best = [names[seat] for seat in range(s.seats) if s.points[seat] == max(s.points)]
    won = does(best[0], "win") if len(best) == 1 else f"{listed(best)} share the win"
    if max(s.points) >= s.target:
        return [f"{won}."]
    return [f"The limit of {count(s.turn_limit, 'turn')} is reached: {won}."]


def standings(s):
    """What each seat has at the end."""
    return [count(s.points[seat], "point") for seat in range(s.seats)]
