"""Chance: fast seeded luck for simulations, and dice that can be proved fair for tables.

`seed`, `word` and `below` are xoshiro256** on a row of four words, compiled or plain with the
same numbers. `Luck` and `Fair` are sources of chance for one game in Python: both answer
`outcome(ply, odds)`.

Fair dice: the house draws a secret and shows its SHA-256 before anyone sits down. Every person
adds words of their own. The key is the HMAC-SHA256 of all those words under the secret, and the
outcome at ply n is drawn from HMAC-SHA256(key, n, try) by rejection. Nobody can steer the dice:
the house is bound by what it showed, the players cannot know the secret. When the game is over
the secret is published, and anyone can compute every roll again.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Protocol

from spellheist.core.kernel import MASK, PLAIN, kernel

if PLAIN:

    def rngs(count):
        """Room for this many generators."""
        return [[0, 0, 0, 0] for _ in range(count)]

    def seed(rng, number):
        """Start a generator from a number (splitmix64)."""
        z = number & MASK
        for i in range(4):
            z = (z + 0x9E3779B97F4A7C15) & MASK
            x = z
            x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
            rng[i] = x ^ (x >> 31)

    def word(rng):
        """The next 64 bits."""
        w0, w1, w2, w3 = rng
        x = (w1 * 5) & MASK
        x = (((x << 7) | (x >> 57)) * 9) & MASK
        w2 ^= w0
        w3 ^= w1
        rng[1] = w1 ^ w2
        rng[0] = w0 ^ w3
        rng[2] = w2 ^ ((w1 << 17) & MASK)
        rng[3] = ((w3 << 45) | (w3 >> 19)) & MASK
        return x

    def below(rng, n):
        """A uniform number from 0 to n - 1, without bias (Lemire's method on 32 bits)."""
        product = (word(rng) >> 32) * n
        low = product & 0xFFFF_FFFF
        if low < n:
            least = (0x1_0000_0000 - n) % n
            while low < least:
                product = (word(rng) >> 32) * n
                low = product & 0xFFFF_FFFF
        return product >> 32

else:
    import numpy as np
    from numpy import uint64

    U5, U7, U9, U17, U19, U32, U45, U57 = (uint64(k) for k in (5, 7, 9, 17, 19, 32, 45, 57))
    LOW = uint64(0xFFFF_FFFF)

    def rngs(count):
        return np.zeros((count, 4), uint64)

    @kernel
    def seed(rng, number):
        z = uint64(number)
        for i in range(4):
            z += uint64(0x9E3779B97F4A7C15)
            x = z
            x = (x ^ (x >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
            x = (x ^ (x >> uint64(27))) * uint64(0x94D049BB133111EB)
            rng[i] = x ^ (x >> uint64(31))

    @kernel
    def word(rng):
        w0, w1, w2, w3 = rng[0], rng[1], rng[2], rng[3]
        x = w1 * U5
        x = ((x << U7) | (x >> U57)) * U9
        w2 ^= w0
        w3 ^= w1
        rng[1] = w1 ^ w2
        rng[0] = w0 ^ w3
        rng[2] = w2 ^ (w1 << U17)
        rng[3] = (w3 << U45) | (w3 >> U19)
        return x

    @kernel
    def below(rng, n):
        count = uint64(n)
        product = (word(rng) >> U32) * count
        low = product & LOW
        if low < count:
            least = (uint64(0x1_0000_0000) - count) % count
            while low < least:
                product = (word(rng) >> U32) * count
                low = product & LOW
        return np.int64(product >> U32)


class Dice(Protocol):
    """A source of chance."""

    def outcome(self, ply: int, odds: Sequence[int]) -> int:
        """The outcome at this ply, drawn in proportion to the odds."""
        ...


def at(number: int, odds: Sequence[int]) -> int:
    """The outcome in whose part of the odds this number falls."""
    for outcome, weight in enumerate(odds):
        number -= weight
        if number < 0:
            return outcome
    raise ValueError("the number is not below the sum of the odds")


class Luck:
    """Fast seeded chance: the same seed gives the same games on every machine."""

    def __init__(self, number: int) -> None:
        self.seed = number
        self.rng = rngs(1)[0]
        seed(self.rng, number)

    def below(self, n: int) -> int:
        return int(below(self.rng, n))

    def outcome(self, ply: int, odds: Sequence[int]) -> int:
        return at(self.below(sum(odds)), odds)


class Fair:
    """Dice that can be proved fair: a secret shown as its hash, and words from every person."""

    def __init__(self, secret: bytes | None = None, words: Sequence[str] = ()) -> None:
        self.secret = secrets.token_bytes(32) if secret is None else secret
        self.words = list(words)
        contributions = b"".join(len(w.encode()).to_bytes(4, "big") + w.encode() for w in self.words)
        self.key = hmac.digest(self.secret, contributions, "sha256")

    @property
    def commitment(self) -> str:
        return hashlib.sha256(self.secret).hexdigest()

    def outcome(self, ply: int, odds: Sequence[int]) -> int:
        total = sum(odds)
        span = 1 << 64
        attempt = 0
        while True:
            message = ply.to_bytes(8, "big") + attempt.to_bytes(8, "big")
            number = int.from_bytes(hmac.digest(self.key, message, "sha256")[:8], "big")
            if number < span - span % total:
                return at(number % total, odds)
            attempt += 1
