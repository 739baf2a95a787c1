"""What a seat sees of Spell Stealers, for type checkers. Written by `make golden` from the State in `rules.py`."""

from typing import Protocol


class View(Protocol):
    """A view, or the whole truth: whole numbers, and lists of them."""

    seats: int  # how many play
    stealing: int
    forgiving: int
    forgiving_window: int
    reset_by_hand: int
    success_faces: list[int]  # faces of the success die: green, green or yellow, red
    turn_limit: int
    turn: int  # who is asked
    phase: int  # what is being asked
    starter: int  # the seat from which rounds are counted; NONE at START
    current: int  # whose turn it is at the table; NONE at START
    stage: int  # rounds over
    turns: int  # turns over
    last: int  # has a pawn reached the spell? Then this round is the last
    playing: list[int]  # who plays in this round; at START who still rolls
    pawn: list[int]
    token: list[int]
    points: int  # artifact points of this turn
    rolled: int  # has the current seat rolled in this turn?
    die: int  # the artifact die rolled last, until the next is picked; or HIDDEN
    face: int  # its number, or 0: not yet rolled
    symbol: int  # what the success die shows, or 0: not yet rolled
    taker: int  # who got that artifact, or NONE: nobody, or nobody yet
    roller: int  # the seat that now rolls a stealing die
    tries: list[int]  # what each seat answered about this artifact: UNASKED, NO, YES or HIDDEN
    threw: list[int]  # the stealing die each seat threw since the roll (in live: or since the turn began)
    shows: list[int]  # what its stealing die shows, or 0: not rolled
