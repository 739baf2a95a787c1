"""What a seat sees of Dice Heist, for type checkers. Written by `make golden` from the State in `rules.py`."""

from typing import Protocol


class View(Protocol):
    """A view, or the whole truth: whole numbers, and lists of them."""

    seats: int  # how many play
    targeted_raid: int
    recruit_from_richest_other: int
    turn_limit: int
    kind_museum: list[int]  # the deck: where a card of each kind belongs,
    kind_what: list[int]  # what it shows,
    kind_worth: list[int]  # artifacts on it, or the painting's value; 0 for a gem,
    kind_count: list[int]  # and how many there are; 0 for a kind that the deck does not have
    turn: int  # the seat to act, or CHANCE, or OVER
    phase: int  # what is being asked
    thief: int  # whose turn it is at the table; at START, who rolls
    turns: int  # turns over
    opening: list[int]  # the rolls for the start: 0 still to come, below 0 beaten
    left: list[int]  # cards in the deck, whose order is nowhere
    shown: list[int]  # cards lying open in their museums
    stolen: list[list[int]]  # cards each seat took
    supply: int  # sidekicks nobody has
    sidekicks: list[int]
    target: int  # the heist or raid that is on, or was the last action: its move; or NONE
    dice: list[int]  # its dice, the thief's first: a face, TO_ROLL or NO_DIE
