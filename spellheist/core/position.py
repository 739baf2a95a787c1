"""Positions that somebody wrote down: what fits a game's fields."""

from __future__ import annotations

from typing import Any

from spellheist.core.game import Game
from spellheist.core.refused import Refused


def check_field(game: Game, name: str, value: Any) -> None:
    """Refuses a field of a position that the game does not have, or that has another shape."""
    field = game.rules.State.fields.get(name)
    if field is None:
        raise Refused(f"{game.title} has no field {name!r} in its positions.")

    def fits(value: Any, shape: tuple[int, ...]) -> bool:
        if not shape:
            return isinstance(value, int) and not isinstance(value, bool) and -32768 <= value <= 32767
        return isinstance(value, list) and len(value) == shape[0] and all(fits(v, shape[1:]) for v in value)

    if not fits(value, field.shape):
        raise Refused(f"The position's {name} does not have the shape that {game.title} needs.")
