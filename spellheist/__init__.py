"""Spellheist: five tabletop games of spells and thieves, to play, to study and to train on.

    import spellheist

    game = spellheist.new("abraca_what", seats=3)
    game.roll_all(spellheist.Luck(7))
    game.play("call 8 Magic Drink")

What is here is imported when it is first used, so that `import spellheist` costs nothing.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "new": "play", "Play": "play", "find": "game", "names": "game", "Game": "game", "Refused": "game",
    "Luck": "dice", "Fair": "dice", "check": "check", "record": "record",
    **dict.fromkeys(("CHANCE", "OVER", "ANYONE", "WATCHER", "JUDGE", "HIDDEN", "NONE"), "state"),
}  # fmt: skip

__all__ = ["__version__", "review", *_HOMES]


def __getattr__(name: str) -> Any:
    if name == "review":  # a package that can be called
        return import_module("spellheist.review")
    if name not in _HOMES:
        raise AttributeError(f"spellheist has no {name!r}")
    module = import_module(f"spellheist.core.{_HOMES[name]}")
    return module if name in ("check", "record") else getattr(module, name)


def __dir__() -> list[str]:
    return __all__
