"""Refusals: what a person is told when something cannot be done."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class Refused(ValueError):
    """What somebody asked for cannot be done; the message is one sentence that says why."""

    def __init__(self, sentence: str, rule: str | None = None) -> None:
        super().__init__(sentence if rule is None else f"{sentence} ({rule})")
        self.rule = rule


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """' Did you mean x?', or nothing."""
    near = difflib.get_close_matches(word, list(known), 1, 0.5)
    return f" Did you mean {near[0]}?" if near else ""
