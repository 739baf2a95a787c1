"""Spellheist: five tabletop games of spells and thieves, to play, to study and to train on.

    import spellheist

    game = spellheist.new("./examples/pig", seats=3)
    game.play("roll")
    game.roll_all(spellheist.Luck(7))

What is here is imported when it is first used, so that `import spellheist` costs nothing. Its types are in `__init__.pyi`.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "new": "core.play", "Play": "core.play", "Ply": "core.memory", "Past": "core.memory", "Legend": "core.observation",
    "find": "core.game", "names": "core.game", "Game": "core.game", "Refused": "core.refused",
    "Luck": "core.dice", "Fair": "core.dice", "Dice": "core.dice", "record": "core", "check": "laws",
    "bot": "bots", "Bot": "bots", "batch": "lab.batch", "Batch": "lab.batch",
    **dict.fromkeys(("CHANCE", "OVER", "ANYONE", "WATCHER", "JUDGE", "HIDDEN", "NONE"), "core.state"),
}  # fmt: skip
_MODULES = ("record", "check")

__all__ = ["__version__", "review", *_HOMES]


def __getattr__(name: str) -> Any:
    if name == "review":  # a package that can be called
        return import_module("spellheist.review")
    if name not in _HOMES:
        raise AttributeError(f"spellheist has no {name!r}")
    home = f"spellheist.{_HOMES[name]}"
    return import_module(f"{home}.{name}") if name in _MODULES else getattr(import_module(home), name)


def __dir__() -> list[str]:
    return __all__
