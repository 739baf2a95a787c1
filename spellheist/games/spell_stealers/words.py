"""The words of Spell Stealers: labels of moves, the news, the question, and why a move is refused.

Everything here is made from a view, so no word can tell more than its reader may know.
"""

from spellheist.core.speech import count, does, listed, whom, whose
from spellheist.core.state import CHANCE, HIDDEN, OVER
from spellheist.games.spell_stealers.rules import (
    ARTIFACT,
    ASK,
    ATTEMPT,
    BANK,
    CHOOSE,
    CLOSE,
    DECLINE,
    DICE,
    EITHER,
    GREEN,
    GREEN_FROM,
    LIVE,
    MISSED,
    MOVES,
    ORDER,
    PASS,
    POLITE,
    PUNISH,
    RACE,
    READY,
    RED,
    RESET,
    ROLL,
    SIDES,
    START,
    STEAL,
    STEAL_BY,
    SUCCESS,
    UNCLEAR,
    VOID,
    WINDOW,
    YELLOW,
    YELLOW_FROM,
    YES,
)

NAMES = ("nothing", "pyramid", "diamond", "orb")
COLOURS = ("", "green", "yellow", "red")
SYMBOLS = ("", "green", "green or yellow", "red")

TURN_RULE = "SS-6"


def label(s, move):
    """The words of a legal move or a possible outcome."""
    if s.turn == CHANCE:
        return {
            START: f"seat {s.roller} rolls orb {move}",
            ARTIFACT: f"{NAMES[s.die]} {move} {COLOURS[colour_of(s.die, move)]}",
            SUCCESS: SYMBOLS[move] if move <= RED else "",
            ORDER: f"seat {move} is next",
        }.get(s.phase) or f"seat {s.roller} rolls {NAMES[s.threw[s.roller]]} {move}"
    if move < BANK:
        return f"roll {NAMES[move - ROLL + 1]}"
    if move < STEAL_BY:
        return {BANK: "bank", RESET: "reset", CLOSE: "close", PASS: "pass", STEAL: "steal", DECLINE: "decline"}[move]
    kind, seat, die = parts(move)
    return f"seat {seat} {'steals' if kind == STEAL_BY else 'void' if kind == VOID else 'unclear'} with {NAMES[die]}"


def colour_of(die, face):
    """The colour in which a number is printed on an artifact die."""
    return GREEN if face >= GREEN_FROM[die] else YELLOW if face >= YELLOW_FROM[die] else RED


def matches(colour, symbol):
    """Does a number of this colour succeed with this symbol?"""
    return colour == symbol or (symbol == EITHER and colour == GREEN)


def parts(move):
    """Of a move in live: STEAL_BY, VOID or UNCLEAR, the seat, and the die."""
    kind = STEAL_BY if move < VOID else VOID if move < UNCLEAR else UNCLEAR
    return kind, (move - kind) // DICE, (move - kind) % DICE + 1


def artifact(s):
    """'the yellow 7 on the orb'."""
    return f"the {COLOURS[colour_of(s.die, s.face)]} {s.face} on the {NAMES[s.die]}"


def question(s, names):
    """What is being asked, of whom."""
    if s.turn == OVER:
        return "The game is over."
    if s.turn == CHANCE:
        return {
            START: "The orbs are rolled: the highest begins.",
            ORDER: "Which of those who try is first?",
            ARTIFACT: "The artifact die is rolled.",
            SUCCESS: "The success die is rolled.",
        }.get(s.phase, "The stealing die is rolled.")
    name = names[s.current]
    if s.phase == ASK:
        return f"{names[s.turn]} may steal {artifact(s)}."
    if s.phase == WINDOW:
        return f"{does(name, 'move')} the marker and {verb(name, 'let')} go. Until then {artifact(s)} can be stolen."
    if s.phase == MISSED:
        return f"{does(name, 'pass')} the dice on."
    if s.rolled:
        return f"{does(name, 'roll')} again, or {verb(name, 'bank')} {count(s.points, 'point')}."
    return f"{does(name, 'pick')} an artifact die and {verb(name, 'roll')} it."


def verb(name, word):
    """The verb alone in its form for this name."""
    return does(name, word)[len(name) + 1 :]


def together(names):
    """'You, Bob and Cy', wherever "You" stands."""
    said = listed([whom(name) for name in names])
    return said[0].upper() + said[1:] if names[0] == "You" else said


def rules_now(s):
    """The ids of the rules that explain the present question."""
    if s.phase == ASK:
        return ["SS-8", "SS-9", "SS-10", "SS-k", "SS-s1"] if s.stealing == RACE else ["SS-8", "SS-9", "SS-17", "SS-k"]
    if s.phase == WINDOW:
        return ["SS-5", "SS-8", "SS-9", "SS-11", "SS-12", "SS-g"]
    if s.phase == MISSED:
        return ["SS-7", "SS-11", "SS-g"]
    if s.phase == START:
        return ["SS-1"]
    last = ["SS-14", "SS-16"] if s.last else []
    if s.rolled:
        return ["SS-4", "SS-6", "SS-7", *last]
    return ["SS-3", "SS-4", *(["SS-20"] if s.reset_by_hand else ["SS-2"]), *last]


def why_not(s, move):
    """The rule that stands in the way of a move, and a sentence."""
    if not 0 <= move < MOVES:
        return "SS-3", f"There is no move {move}."
    if s.turn == OVER:
        return "SS-15", "The game is over."
    if s.turn == CHANCE:
        return "SS-j", "The dice are rolled first: nobody can act in between."
    if move >= STEAL_BY:
        return why_no_press(s, move)
    if move in (STEAL, DECLINE) and s.stealing == LIVE:
        return "SS-g", "In live nobody is asked: throw a stealing die."
    if move in (STEAL, DECLINE):
        return "SS-k", "There is no artifact to steal now."
    if move in (CLOSE, PASS) and s.stealing != LIVE:
        return "SS-17", "Here the marker moves and the dice are passed on automatically."
    if s.phase == ASK:
        return "SS-17", "First steal or decline."
    if move == CLOSE and s.phase != WINDOW:
        return "SS-12", "There is no open window to close."
    if move == PASS and s.phase != MISSED:
        return "SS-7", "The dice are passed on after a roll without a match, or by banking."
    if s.phase == WINDOW and move != CLOSE:
        return "SS-12", "First let go of the marker."
    if s.phase == MISSED and move != PASS:
        return "SS-7", "There was no match, so the turn is over: pass the dice on."
    if move == BANK and not s.rolled:
        return "SS-3", "A turn has at least one roll."
    if move == RESET and not s.reset_by_hand:
        return "SS-2", "The token becomes ready by itself when the turn begins."
    if move == RESET and s.rolled:
        return "SS-20", "The token can be reset only before the first roll of the turn."
    if move == RESET and s.token[s.current] == READY:
        return "SS-20", "The token is already on its ready side."
    return TURN_RULE, f"Only seat {s.current}, whose turn it is, can do that."


def why_no_press(s, move):
    kind, seat, die = parts(move)
    if s.stealing != LIVE:
        return "SS-k", "Here everyone who may steal is asked; nobody presses."
    if seat >= s.seats:
        return "SS-g", f"There is no seat {seat}; the seats are 0 to {s.seats - 1}."
    if seat == s.current:
        return "SS-a", "Nobody can steal on their own turn."
    if not s.playing[seat]:
        return "SS-16", "Only the tied players play and steal in this round."
    if s.threw[seat]:
        return "SS-g", f"Seat {seat} has already thrown a stealing die at this roll."
    if kind != STEAL_BY:
        return "SS-h", "Only the judge can say so."
    return "SS-g", f"Only seat {seat} can throw that {NAMES[die]}."


def news(before, move, after, names):
    """The sentence on what just happened, from the views before and after; `move` may be HIDDEN."""
    if before.phase == START:
        return start_news(before, move, after, names)
    if before.turn == CHANCE:
        said = chance_news(before, move, after, names)
    elif before.phase == ASK:
        said = answer_news(before, move, after, names)
    elif move >= STEAL_BY:
        said = press_news(before, move, after, names)
    else:
        said = turn_news(before, move, after, names)
    return " ".join([said, *round_news(before, after, names)])


def start_news(before, move, after, names):
    name = names[before.roller]
    said = f"{does(name, 'roll')} {move} on the orb."
    if after.phase != START:
        return f"{said} {does(names[after.starter], 'begin')}."
    if after.shows[before.roller] and after.playing[before.roller]:
        return said
    tied = [names[seat] for seat in range(after.seats) if after.playing[seat]]
    return f"{said} {together(tied)} are tied for the highest and roll again."


def chance_news(before, move, after, names):
    name = names[before.current]
    if before.phase == ARTIFACT:  # SS-s5: only now is the die seen
        return f"The {NAMES[after.die]} shows a {COLOURS[colour_of(after.die, move)]} {move}."
    if before.phase == ORDER:
        return f"{does(names[move], 'be')} {'first' if not any(before.threw) else 'next'} to roll."
    if before.phase == SUCCESS:
        said = f"The success die shows {SYMBOLS[move]}: "
        if not matches(colour_of(before.die, before.face), move):
            lost = f"{whose(name)} {count(before.points, 'point')} {'is' if before.points == 1 else 'are'} lost."
            return said + ("no match." if after.phase == MISSED or not before.points else f"no match, {lost}")
        return said + "a match." + (f" {kept(before, after, names)}" if after.phase == CHOOSE else "")
    thief, die = names[before.roller], NAMES[before.threw[before.roller]]
    at = after.pawn[before.roller]
    said = f"{does(thief, 'roll')} {move} on the {die}"
    if before.phase == ATTEMPT and move >= before.face:
        return f"{said}, {verb(thief, 'steal')} the {before.face} and {verb(thief, 'move')} to {at}."
    said += f"{', too low' if before.phase == ATTEMPT else ''}, and {verb(thief, 'go')} back "
    said += f"to {at}." if at else "to the entrance."
    return said + (f" {kept(before, after, names)}" if after.taker == before.current != before.taker else "")


def kept(before, after, names):
    """The artifact stays with the current player."""
    name = names[before.current]
    return f"{does(name, 'get')} {after.face} and {verb(name, 'have')} {count(after.points, 'point')}."


def answer_news(before, move, after, names):
    name = names[before.turn]
    if before.stealing != RACE:
        if move == STEAL:
            return f"{does(name, 'throw')} a stealing {NAMES[before.die]}."
        said = f"{does(name, 'decline')}."
    elif move == HIDDEN:
        said = f"{does(name, 'have')} decided."
    else:
        said = f"{does(name, 'decide')} {'to steal' if move == STEAL else 'not to steal'}."
    if before.stealing == RACE and after.phase != ASK:
        trying = [names[seat] for seat in range(after.seats) if after.tries[seat] == YES]
        if trying:
            tries = verb(trying[0], "try") if len(trying) == 1 else "try"
            said += f" {together(trying)} {tries} to steal."
        else:
            said += " Nobody tries to steal."
    return said + (f" {kept(before, after, names)}" if after.phase == CHOOSE else "")


def press_news(before, move, after, names):
    kind, seat, die = parts(move)
    said = f"{does(names[seat], 'throw')} a stealing {NAMES[die]}"
    wrong = faults(before, kind, seat, die)
    if after.phase == ATTEMPT:
        return f"{said}."
    if after.phase == PUNISH:
        return f"{said}, in vain: {listed(wrong)}."
    return f"{said}, but {listed(wrong)}. The token is spent, the pawn stays."


def faults(s, kind, seat, die):
    """What is wrong with an attempt in live, in words."""
    said = []
    if kind == VOID:
        said.append("it is judged to fail")
    if s.token[seat] != READY:
        said.append("the token is spent")
    if s.phase == CHOOSE and s.rolled and s.taker != s.current:
        said.append("the artifact was stolen before")
    elif s.phase == CHOOSE and (kind == STEAL_BY or not s.rolled):
        said.append("the window is closed")
    elif kind == UNCLEAR:
        said.append("nobody can tell whether it was in time")
    if s.rolled and s.phase == MISSED:
        said.append("there is no artifact to steal")
    if s.rolled and die != s.die:
        said.append("it is the wrong die")
    return said


def turn_news(before, move, after, names):
    name = names[before.current]
    if move == HIDDEN:
        return f"{does(name, 'pick')} a die in secret and {verb(name, 'roll')} it with the success die."
    if move < BANK:
        return f"{does(name, 'roll')} the {NAMES[move - ROLL + 1]} with the success die."
    if move == RESET:
        return f"{does(name, 'turn')} {'your' if name == 'You' else 'the'} steal token to its ready side."
    if move == CLOSE:
        return f"{does(name, 'let')} go of the marker. {kept(before, after, names)}"
    if move == PASS:
        return f"{does(name, 'lose')} {count(before.points, 'point')} and {verb(name, 'pass')} the dice on."
    at = after.pawn[before.current]
    return f"{does(name, 'bank')} {count(before.points, 'point')} and {verb(name, 'be')} at {at}."


def round_news(before, after, names):
    said = []
    if after.last and not before.last:
        seat = next(seat for seat in range(after.seats) if after.pawn[seat] > before.pawn[seat])
        said.append(f"{does(names[seat], 'reach')} the spell: this round is the last.")
    if after.turn == OVER:
        return [*said, *end_news(after, names)]
    if after.last and after.stage > before.stage:
        tied = [names[seat] for seat in range(after.seats) if after.playing[seat]]
        said.append(f"{together(tied)} are tied and play one more round.")
    if after.turns > before.turns:
        said.append(f"It is {whose(names[after.current])} turn.")
    return said


def end_news(s, names):
    best = max(s.pawn[seat] for seat in range(s.seats) if s.playing[seat])
    deepest = [names[seat] for seat in range(s.seats) if s.playing[seat] and s.pawn[seat] == best]
    if len(deepest) > 1:
        return ["The turn limit is reached.", f"{together(deepest)} are deepest, at {best}, and share the win."]
    return [f"{does(deepest[0], 'be')} deepest, at {best}, and {verb(deepest[0], 'win')}."]


def standings(s):
    """How deep each seat is at the end."""
    return [count(s.pawn[seat], "space") for seat in range(s.seats)]


def chance_of(s, die):
    """How many of all rolls of this die with the success die match, of how many."""
    sides = SIDES[die]
    hits = sum(
        s.success_faces[symbol - 1]
        for face in range(1, sides + 1)
        for symbol in range(1, 4)
        if matches(colour_of(die, face), symbol)
    )
    return hits, sides * sum(s.success_faces)


def hints(s, seat):
    """Exact odds: of each die, of a theft, and of the turn without thieves."""
    if s.phase == CHOOSE and seat == s.current:
        return [find_hint(s), turn_hint(s)]
    if s.phase in (ASK, WINDOW) and seat != s.current and s.token[seat] == READY:
        return [theft_hint(s)]
    return []


def find_hint(s):
    shares = {die: chance_of(s, die) for die in range(1, DICE + 1)}
    return "Exact chance to find an artifact: " + ", ".join(f"{NAMES[d]} {percent(*shares[d])}" for d in shares)


def theft_hint(s):
    sides, wins = SIDES[s.die], SIDES[s.die] - s.face + 1
    quick = " if nobody is quicker" if s.stealing != POLITE else ""
    said = f"Exact chance to steal the {s.face}: {wins} of {sides}, {percent(wins, sides)}{quick}"
    return said + (f"; otherwise {s.face / 2:.3g} back on average" if s.face > 1 else "")


def turn_hint(s):
    """What the best turn brings from here when nobody steals."""
    from spellheist.games.spell_stealers.solve import best_turn

    turn = best_turn(tuple(s.success_faces))
    move = turn.moves[s.points] if s.points < len(turn.moves) else BANK
    if move == BANK:
        return f"Without thieves it is best on average to bank {count(s.points, 'point')} now"
    worth = f"{turn.worth[s.points]:.2f} points on average"
    return f"Without thieves the turn is worth {worth} from here, and the {NAMES[move - ROLL + 1]} is best"


def percent(part, of):
    return f"{100 * part / of:.3g} %"


def cards(s):
    """What is printed on the dice, by die and face: the colours of the numbers; and the colours that each symbol takes."""
    return {
        "dice": [[0, *(colour_of(die, face) for face in range(1, SIDES[die] + 1))] for die in range(DICE + 1)],
        "symbols": [[c for c in (GREEN, YELLOW, RED) if matches(c, symbol)] for symbol in range(RED + 1)],
    }
