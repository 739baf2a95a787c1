"""What a seat sees of Mage's Dice, for type checkers. Written by `make golden` from the State in `rules.py`."""

from typing import Protocol


class View(Protocol):
    """A view, or the whole truth: whole numbers, and lists of them."""

    seats: int  # how many play
    literal_collect: int
    unopposed_scores: int
    target: int
    turn_limit: int
    turn: int  # the seat to act, or CHANCE, or OVER
    phase: int  # what is being asked
    mage: int  # whose turn it is at the table; before the first round's MD-3, who rolls first
    stage: int  # rounds over
    actions: int  # actions resolved in the whole game
    points: list[int]
    gain: list[int]  # points made in this round, or at its end in the one that ended
    focus: list[int]  # 0: still to be rolled
    rolling: list[int]  # spell dice of the pool that wait to be rolled; the first element goes first
    pool: list[int]  # all other dice in the pool
    arsenal: list[list[int]]
    played: list[int]  # the spell cast in the battle that runs, or NONE
    ether: list[int]  # dice in the ether box: their numbers no longer matter
