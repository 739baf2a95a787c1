"""What a seat sees of Spellcaster, for type checkers. Written by `make golden` from the State in `rules.py`."""

from typing import Protocol


class View(Protocol):
    """A view, or the whole truth: whole numbers, and lists of them."""

    seats: int  # how many play
    may_stop: int
    solo_cards: int
    solo_energy: int
    solo_sapphires: int
    card_effect: list[list[int]]  # the deck: four times a word and an amount, or NOTHING,
    enchantments: list[int]  # which cards are enchantments,
    deck_mark: list[int]  # and a hash, by which words know the names
    turn: int  # the seat to act, or CHANCE, or OVER
    phase: int  # what is being asked
    mage: int  # whose turn it is at the table
    turns: int  # turns over
    actions: int  # actions left in this turn
    ending: int  # SC-6: the game ends after this turn
    energy: list[int]
    sapphires: list[int]
    deck: list[int]  # cards in the deck, whose order is nowhere; in a view, all that the seat cannot see
    left: int  # how many are in the deck
    discards: list[int]
    height: list[int]  # cards in each pile
    pile: list[list[int]]  # from the bottom up; 0 above the top
    facing: list[int]  # cards of the piles that face side 1; the others face side 0
    used: list[int]  # cards activated in this turn
    waiting: int  # bit k: the enchantment on pile k has yet to go off in this turn
    card: int  # the card whose effect is under way, or NONE
    step: int  # how many of its clauses have been read
    outer: int  # the card that uses it, or NONE
    outer_step: int
    nth: int  # who draws or discards: so many places after the mage in turn order
    count: int  # how many more cards are to be drawn, discarded, taken, or pointed at
    held: list[int]  # cards in each hand
    hand: list[list[int]]  # in a view, those the seat knows
    shown: list[int]  # cards in hands that all have seen come there
    known: list[list[int]]  # cards, not shown, that this seat has seen in the hands they are in
    knows: list[list[int]]  # how many those are, in the hand of each seat
