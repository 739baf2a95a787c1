"""Spellheist: five tabletop games of spells and thieves, to play, to study and to train on.

    import spellheist

    game = spellheist.new("./examples/pig", seats=3)
    game.play("roll")
    game.roll_all(spellheist.Luck(7))

What is here is imported when it is first used, so that `import spellheist` costs nothing.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "new": "core.play", "Play": "core.play", "find": "core.game", "names": "core.game", "Game": "core.game",
    "Refused": "core.refused", "Luck": "core.dice", "Fair": "core.dice", "check": "laws.check", "record": "core.record",
    **dict.fromkeys(("CHANCE", "OVER", "ANYONE", "WATCHER", "JUDGE", "HIDDEN", "NONE"), "core.state"),
}  # fmt: skip

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"spellheist has no {name!r}")
    module = import_module(f"spellheist.{_HOMES[name]}")
    return module if name in ("check", "record") else getattr(module, name)


def __dir__() -> list[str]:
    return __all__
