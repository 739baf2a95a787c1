"""Letters: what people type, made fit to be shown beside what others type."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

MARKS = 3  # above, below and around one letter; more would run into other lines
JOINER = "\u200d"  # joins emoji to one
SELECTORS = "\ufe0e\ufe0f"  # shown as text, or as a picture
BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # letters that cannot be seen
TONES = range(0x1F3FB, 0x1F400)
FLAGS = range(0x1F1E6, 0x1F200)  # letters of which two are a flag


def tidy(text: str) -> str:
    """One line without anything that cannot be seen, turns the direction of writing, or piles up on a letter."""
    return re.sub(r"\s+", " ", "".join(clusters(unicodedata.normalize("NFC", text)))).strip()


def cut(text: str, most: int) -> str:
    """As many whole letters as have so many code points together."""
    kept = ""
    for cluster in clusters(text):
        if len(kept) + len(cluster) > most:
            return (kept or cluster[:most].rstrip(JOINER)).strip()
        kept += cluster
    return kept


def clusters(text: str) -> Iterator[str]:
    """The letters as people see them, each with its marks."""
    cluster = ""
    for k, letter in enumerate(text):
        if belongs(letter, cluster, text[k + 1 : k + 2]):
            if fits(letter, cluster):
                cluster += letter
        elif letter.isspace() or (letter.isprintable() and letter not in BLANK and not is_mark(letter)):
            if cluster:
                yield cluster
            cluster = letter
    if cluster:
        yield cluster


def belongs(letter: str, cluster: str, following: str) -> bool:
    """Does this go with the letter before it?"""
    if not cluster or cluster.isspace():
        return False
    if letter == JOINER:
        return is_picture(cluster) and is_picture(following)
    if cluster.endswith(JOINER) or is_mark(letter):
        return True
    if ord(letter) in FLAGS:
        return len(cluster) == 1 and ord(cluster) in FLAGS
    return ord(letter) in TONES and is_picture(cluster)


def fits(letter: str, cluster: str) -> bool:
    """Has the letter before room for this mark?"""
    return not is_mark(letter) or sum(map(is_mark, cluster.rpartition(JOINER)[2])) < MARKS


def is_mark(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me", "Mc")


def is_picture(text: str) -> bool:
    """Is this an emoji, or the beginning of one?"""
    last = text.rstrip(SELECTORS)[-1:]
    return bool(last) and (unicodedata.category(last) == "So" or ord(last) in TONES)
