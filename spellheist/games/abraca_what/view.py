"""What a seat sees of Abraca...What?, for type checkers. Written by `make golden` from the State in `rules.py`."""

from typing import Protocol


class View(Protocol):
    """A view, or the whole truth: whole numbers, and lists of them."""

    seats: int  # how many play
    easy: int
    last_standing: int
    strict_calls: int
    knock_out_first: int
    die_faces: list[int]  # how many faces show 1, 2, 3
    starter: int  # the seat that begins, or NONE: a random one
    turn: int  # the seat to act, or CHANCE, or OVER
    phase: int  # what is being asked
    caster: int  # whose turn it is at the table
    spell: int  # the spell called last in this turn, or 0
    stage: int  # rounds over
    pile: int  # stones left to draw
    secrets: int  # secret stones left in the middle
    deck: list[int]  # stones nobody has been dealt; in a view, all that the seat cannot see
    board: list[int]  # stones cast or set aside
    lives: list[int]
    points: list[int]
    gain: list[int]  # points made in the round that ended last
    held: list[int]  # stones in each hand
    hand: list[list[int]]  # longest held first: 1 to 8, EMPTY or HIDDEN
    never: list[list[int]]  # bit k: the calls so far show that this stone is not a k
    takes: list[int]  # secret stones each seat took
    taken: list[list[int]]  # 1 to 8, EMPTY or HIDDEN
