"""The words of Spellcaster: labels of moves, the news, the question, and why a move is refused.

Everything here is made from a view, so no word can tell more than its reader may know. The names of the
cards come from the deck that the state was made with, what they say from their numbers.
"""

from spellheist.core.kernel import plain
from spellheist.core.speech import count, does, listed, whom, whose
from spellheist.core.state import CHANCE, HIDDEN, NONE, OVER
from spellheist.games.spellcaster import deck, language, rules
from spellheist.games.spellcaster.rules import (
    ACT,
    ACT_MORE,
    ANSWER,
    ANY_CARD,
    CARDS,
    CHOOSE,
    DAMAGE,
    DAMAGE_PER_CARD,
    DAMAGE_PER_PILE,
    DEAL,
    DISPEL,
    DONE,
    DRAIN,
    DRAW,
    DROP_ANY,
    DROP_CHOSEN,
    EACH,
    EITHER,
    ENERGY_PER_CARD,
    ENERGY_PER_PILE,
    FIRST,
    GAIN_ENERGY,
    GIVE_UP,
    GOAL,
    LOSE_ENERGY,
    MOVES,
    NO,
    OF_CARDS,
    OFFER,
    OR,
    PICK,
    PILE,
    PLAY,
    POINT,
    RECALL,
    RECEIVE,
    REPEAT,
    RIVAL_ENERGY,
    SET_OFF,
    START,
    STOP,
    TURN,
    UNLESS,
    USE,
    YES,
)

following, in_order, dealt_to = plain(rules.following), plain(rules.in_order), plain(rules.dealt_to)
top, faces, leader, anyone_won = plain(rules.top), plain(rules.faces), plain(rules.leader), plain(rules.anyone_won)

QUIET = (DEAL,)  # phases whose news a terminal need not tell one by one: the table shows it
TURN_RULE = "SC-2"


def name(s, card):
    return deck.names(s.deck_mark)[card]


def text(s, card):
    """What a card says."""
    return language.sentence(s.card_effect[card], s.seats)


def cards(s):
    """What is printed on each card: its name, colour and kind, what it says, and the family of its first effect."""
    return [
        {
            "name": name(s, card),
            "colour": deck.COLOURS[card // EACH],
            "kind": "enchantment" if is_enchantment(s, card) else "incantation",
            "sentence": text(s, card),
            "family": family(s, card),
        }
        for card in range(CARDS)
    ]


def family(s, card):
    """'damage', 'energy', 'sapphires', 'actions', 'hand' or 'pile': what the first clause that is no price is about."""
    words = [word % OR for word in s.card_effect[card][::2]]
    word = next((word for word in words if word >= DAMAGE), DISPEL)  # a card may be nothing but a price
    if word in (DAMAGE, DAMAGE_PER_CARD, DAMAGE_PER_PILE):
        return "damage"
    if word in (DRAIN, GAIN_ENERGY, LOSE_ENERGY, RIVAL_ENERGY, ENERGY_PER_CARD, ENERGY_PER_PILE):
        return "energy"
    if word < ACT_MORE:
        return "sapphires"
    if word in (ACT_MORE, REPEAT):
        return "actions"
    return "hand" if word < DISPEL else "pile"


def cards_in(masks):
    """The cards of a set."""
    return [card for card in range(CARDS) if masks[card // EACH] >> card % EACH & 1]


def top_card(s, colour):
    return EACH * colour + top(s, colour)


def is_enchantment(s, card):
    return bool(s.enchantments[card // EACH] >> card % EACH & 1)


def clause(s, step):
    """The word and the amount of a clause of the card that is being read."""
    return s.card_effect[s.card][2 * step] % OR, s.card_effect[s.card][2 * step + 1]


def label(s, move):
    """The words of a legal move or a possible outcome."""
    if s.phase == START:
        return f"seat {move} begins"
    if s.turn == CHANCE:
        if s.phase == ANY_CARD:
            return f"{name(s, move)} from seat {following(s)}"
        return f"{name(s, move)} to seat {dealt_to(s) if s.phase == DEAL else in_order(s, s.nth)}"
    if move in (DRAW, STOP):
        return "draw" if move == DRAW else "stop"
    if s.phase == EITHER:
        return language.says(*clause(s, s.step + (move != FIRST)), s.seats)
    if s.phase == OFFER:
        return language.says(*clause(s, s.step - 1), s.seats).removeprefix("you may ") if move == YES else "do not pay"
    if s.phase == ANSWER:
        return fine(s) if move == YES else "refuse"
    if move < CHOOSE:
        return f"play {name(s, move - PLAY)}"
    if move < PILE:
        word = "discard" if s.phase == GIVE_UP or clause(s, s.step - 1)[0] == DROP_CHOSEN else "take"
        return f"{word} {name(s, move - CHOOSE)}"
    return f"{pointing(s)} {name(s, top_card(s, move - PILE))}"


def fine(s):
    """'discard 1 card', 'pay 2 energy': what a rival may do instead."""
    word, n = clause(s, s.step - 1)
    if word == UNLESS + OF_CARDS:
        return f"discard {count(n, 'card')}"
    return f"pay {n} energy" if word == UNLESS else f"pay {count(n, 'sapphire')}"


def pointing(s):
    """What is done to a top card that is pointed at."""
    if s.phase == ACT:
        return "activate"
    if s.phase == SET_OFF:
        return "set off"
    return {TURN: "turn", RECALL: "recall", USE: "use"}.get(clause(s, s.step - 1)[0], "remove")


def question(s, names):
    """What is being asked, of whom."""
    if s.turn == OVER:
        return "The game is over."
    if s.phase == START:
        return "Chance decides who begins."
    if s.turn == CHANCE:
        return "A card is taken at random." if s.phase == ANY_CARD else "A card is drawn."
    who = names[s.turn]
    if s.phase == ACT:
        return f"{does(who, 'have')} {count(s.actions, 'action')} left: draw, play a card or activate one."
    if s.phase == SET_OFF:
        return f"{does(who, 'choose')} which enchantment goes off{'' if s.waiting & s.waiting - 1 else ': one waits'}."
    of = f" ({name(s, s.card)})"
    if s.phase == EITHER:
        return f"{does(who, 'choose')} one of two{of}."
    if s.phase == OFFER:
        return f"{does(who, 'decide')} whether to {label(s, YES)}{of}."
    if s.phase == ANSWER:
        otherwise = language.says(*clause(s, s.step), s.seats)
        return f"{does(who, 'decide')} whether to {label(s, YES)}; if not: {otherwise}{of}."
    if s.phase == GIVE_UP:
        return f"{does(who, 'choose')} a card to discard, {s.count} to go{of}."
    if s.phase == PICK:
        return f"{does(who, 'choose')} a card of {whose(names[following(s)])} hand, {s.count} to go{of}."
    return f"{does(who, 'choose')} a top card to {pointing(s)}{of}."


def rules_now(s):
    """The ids of the rules that explain the present question."""
    if s.phase == START:
        return ["SC-1", "SC-h"]
    if s.phase == DEAL:
        return ["SC-1", *(["SC-8"] if s.seats == 3 else ["SC-9"] if s.seats == 4 else [])]
    teams = ["SC-i", "SC-10"] if s.seats > 2 else []
    return {
        RECEIVE: ["SC-2", "SC-6"], ANY_CARD: ["SC-l", *teams], SET_OFF: ["SC-2", "SC-b", "SC-q"],
        ACT: ["SC-3", "SC-4", "SC-5", "SC-c", "SC-o"], EITHER: ["SC-t", "SC-j"], OFFER: ["SC-t", "SC-7", "SC-o"],
        ANSWER: ["SC-g", "SC-7", *teams], GIVE_UP: ["SC-7", *teams], PICK: ["SC-k", "SC-l", *teams],
        POINT: ["SC-w", "SC-m", "SC-b"], DONE: ["SC-5", "SC-6", "SC-a"],
    }[s.phase]  # fmt: skip


def why_not(s, move):
    """The rule that stands in the way of a move, and a sentence."""
    if not 0 <= move < MOVES:
        return "SC-3", f"There is no move {move}."
    if s.phase == DONE:
        return "SC-5", "The game is over."
    if s.phase in (START, DEAL):
        return "SC-1", "The cards are dealt first."
    if s.phase in (RECEIVE, ANY_CARD):
        return "SC-2", "A card is drawn first."
    if s.phase == ACT:
        return why_no_action(s, move)
    if s.phase == SET_OFF:
        if move < PILE:
            return "SC-q", "The waiting enchantments go off first."
        return "SC-b", f"No enchantment waits on the {deck.COLOURS[move - PILE]} pile."
    if s.phase in (EITHER, OFFER, ANSWER):
        first = label(s, FIRST if s.phase == EITHER else YES)
        return "SC-t", f"{name(s, s.card)} asks for a decision first: {first}, or not."
    if s.phase == POINT:
        return why_not_point(s, move)
    if not CHOOSE <= move < PILE:
        return "SC-t", f"{name(s, s.card)} asks for a card first."
    if s.phase == GIVE_UP:
        return "SC-7", f"{name(s, move - CHOOSE)} is not in the hand that it must come from."
    return "SC-i", f"{name(s, move - CHOOSE)} is not in the next rival's hand."


def why_no_action(s, move):
    if move == DRAW:
        return "SC-d", "The deck is empty."
    if move == STOP:
        return "SC-c", "You must take every action you have left; only the option may_stop lets you stop."
    if PLAY <= move < CHOOSE:
        return "SC-3", f"{name(s, move - PLAY)} is not in your hand."
    if move < PILE:
        return "SC-3", "An action is to draw, to play a card or to activate one."
    colour = move - PILE
    if not s.height[colour]:
        return "SC-3", f"The {deck.COLOURS[colour]} pile is empty."
    card = top_card(s, colour)
    if not faces(s, colour, s.mage & 1):
        return "SC-3", f"{name(s, card)} does not face you."
    if is_enchantment(s, card):
        return "SC-q", f"{name(s, card)} is an enchantment: it goes off by itself when your turn starts."
    if s.used[colour] >> card % EACH & 1:
        return "SC-3", f"{name(s, card)} has already been activated this turn."
    return "SC-o", f"You cannot pay for {name(s, card)}."


def why_not_point(s, move):
    if move < PILE:
        return "SC-w", f"{name(s, s.card)} asks for a top card first."
    colour = move - PILE
    if not s.height[colour]:
        return "SC-w", f"The {deck.COLOURS[colour]} pile is empty."
    card = name(s, top_card(s, colour))
    if clause(s, s.step - 1)[0] == RECALL:
        return "SC-w", f"{card} does not face you."
    if faces(s, colour, s.mage & 1):
        return "SC-w", f"{card} already faces you."
    if clause(s, s.step - 1)[0] == USE:
        return "SC-m", f"{card} cannot be used now."
    return "SC-w", f"{card} is not an enchantment."


def news(before, move, after, names):
    """The sentence on what just happened, from the views before and after; `move` may be HIDDEN."""
    if before.phase == START:
        return f"{does(names[after.mage], 'begin')}."
    if before.phase == DEAL:
        return f"A card for {whom(names[dealt_to(before)])}{'' if move == HIDDEN else f': {name(before, move)}'}."
    said = [f"{told(before, move, names)}."]
    said += counters_news(before, after, names)
    said += look_news(before, after, names)
    if after.turn == OVER:
        said.append(end_news(after, names))
    else:
        if after.ending > before.ending:
            said.append("The deck runs out: the game ends after this turn.")
        if after.mage != before.mage:
            said.append(f"{language.upper(whose(names[after.mage]))} turn.")
    return " ".join(said)


def told(s, move, names):
    """What somebody did, or chance."""
    if s.phase == RECEIVE:
        return f"{does(names[in_order(s, s.nth)], 'draw')} {'a card' if move == HIDDEN else name(s, move)}"
    if s.phase == ANY_CARD:
        rival = names[following(s)]
        if clause(s, s.step - 1)[0] == DROP_ANY:
            return f"{does(rival, 'discard')} {name(s, move)}, at random"
        return f"{does(names[s.mage], 'take')} {name(s, move)} from {whom(rival)}, at random"
    who = names[s.turn]
    if s.phase == PICK:
        if clause(s, s.step - 1)[0] == DROP_CHOSEN:
            return f"{does(who, 'make')} {whom(names[following(s)])} discard {name(s, move - CHOOSE)}"
        return f"{does(who, 'take')} {name(s, move - CHOOSE)} from {whom(names[following(s)])}"
    if s.phase == EITHER:
        return f"{does(who, 'choose')}: {label(s, move)}"
    if move == NO:
        return f"{does(who, 'refuse')}" if s.phase == ANSWER else f"{does(who, 'pay')} nothing more"
    words = label(s, move)
    if words == "draw":
        words = "choose to draw"
    verb, _, rest = words.partition(" ")
    return f"{does(who, verb)} {rest}".rstrip()


def side_names(s, side, names):
    return [names[seat] for seat in range(s.seats) if seat & 1 == side]


def side_does(s, side, verb, names):
    """'Ann gains', 'Ann and Cy gain'."""
    team = side_names(s, side, names)
    return does(team[0], verb) if len(team) == 1 else f"{listed(team)} {'are' if verb == 'be' else verb}"


def counters_news(before, after, names):
    said = []
    for side in (0, 1):
        energy, gems = after.energy[side] - before.energy[side], after.sapphires[side] - before.sapphires[side]
        for verb, sign in (("gain", 1), ("lose", -1)):
            parts = [f"{abs(energy)} energy"] if energy * sign > 0 else []
            parts += [count(abs(gems), "sapphire")] if gems * sign > 0 else []
            if parts:
                said.append(f"{side_does(after, side, verb, names)} {listed(parts)}.")
    more = after.actions - before.actions + (before.phase == ACT)
    if more > 0 and after.mage == before.mage:
        said.append(f"{does(names[after.mage], 'have')} {count(more, 'more action')}.")
    return said


def look_news(before, after, names):
    mage, rival = before.mage, following(before)
    if after.knows[mage][rival] <= before.knows[mage][rival]:
        return []
    cards = [name(after, c) for c in cards_in(after.hand[rival]) if after.known[mage][c // EACH] >> c % EACH & 1]
    return [f"{does(names[mage], 'look')} at {whose(names[rival])} hand{': ' + listed(cards) if cards else ''}."]


def end_news(s, names):
    """How the game ended."""
    lead = leader(s)
    if not min(s.energy):
        why = f"{side_does(s, 1 if s.energy[0] else 0, 'have', names)} no energy left"
        why = why if any(s.energy) else "No energy is left on either side"
    elif max(s.sapphires) >= GOAL:
        why = f"{side_does(s, int(s.sapphires[1] > s.sapphires[0]), 'have', names)} {max(s.sapphires)} sapphires"
    else:
        gems, energy = (f"{values[0]} against {values[1]}" for values in (s.sapphires, s.energy))
        why = f"The deck is empty, with sapphires {gems} and energy {energy}"
    return f"{why}. {'It is a draw' if lead == NONE else side_does(s, lead, 'win', names)}."


def standings(s):
    """What each seat has at the end: what its side has."""
    return [f"{s.energy[seat & 1] or 'no'} energy, {count(s.sapphires[seat & 1], 'sapphire')}" for seat in range(s.seats)]
