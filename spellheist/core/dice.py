"""Chance: fast seeded luck for simulations, and dice that can be proved fair for tables.

`seed`, `word` and `below` are xoshiro256** on a row of `rngs`, compiled or plain with the same
numbers. `Luck` and `Fair` are sources of chance for one game in Python: both answer
`outcome(ply, odds)`.

Fair dice: the house draws a secret and shows its SHA-256 before anyone sits down. Every person
adds a nonce, words of their own. The key is the HMAC-SHA256 of all nonces under the secret, and the
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


class Rng:
    """A generator as four integers: the plain form of a row of `rngs`."""

    __slots__ = ("a", "b", "c", "d")


def plain_seed(rng, number):
    """Start a generator from a number (splitmix64)."""
    words = []
    z = number & MASK
    for _ in range(4):
        z = (z + 0x9E3779B97F4A7C15) & MASK
        x = z
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
        words.append(x ^ (x >> 31))
    rng.a, rng.b, rng.c, rng.d = words


def plain_word(rng):
    """The next 64 bits (xoshiro256**)."""
    a, b, c, d = rng.a, rng.b, rng.c, rng.d
    x = (b * 5) & MASK
    x = (((x << 7) | (x >> 57)) * 9) & MASK
    c ^= a
    d ^= b
    rng.a = a ^ d
    rng.b = b ^ c
    rng.c = c ^ ((b << 17) & MASK)
    rng.d = ((d << 45) | (d >> 19)) & MASK
    return x


def plain_below(rng, n):
    """A uniform number from 0 to n - 1, without bias (Lemire's method on 32 bits)."""
    product = (plain_word(rng) >> 32) * n
    low = product & 0xFFFF_FFFF
    if low < n:
        least = (0x1_0000_0000 - n) % n
        while low < least:
            product = (plain_word(rng) >> 32) * n
            low = product & 0xFFFF_FFFF
    return product >> 32


UNIT = 1.0 / (1 << 53)

if PLAIN:
    seed, word, below = plain_seed, plain_word, plain_below

    def real(rng):
        """A real number from 0 up to 1."""
        return (word(rng) >> 11) * UNIT

    def rngs(count):
        """Room for this many generators."""
        return [Rng() for _ in range(count)]

else:
    import numpy as np
    from numpy import uint64

    U5, U7, U9, U11, U17, U19, U32, U45, U57 = (uint64(k) for k in (5, 7, 9, 11, 17, 19, 32, 45, 57))
    LOW = uint64(0xFFFF_FFFF)

    def rngs(count):
        return np.zeros(count, np.dtype([(name, uint64) for name in Rng.__slots__]))

    @kernel
    def splitmix(z):
        x = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> uint64(27))) * uint64(0x94D049BB133111EB)
        return x ^ (x >> uint64(31))

    @kernel
    def seed(rng, number):
        z, step = uint64(number), uint64(0x9E3779B97F4A7C15)
        rng.a = splitmix(z + step)
        rng.b = splitmix(z + uint64(2) * step)
        rng.c = splitmix(z + uint64(3) * step)
        rng.d = splitmix(z + uint64(4) * step)

    @kernel
    def word(rng):
        a, b, c, d = rng.a, rng.b, rng.c, rng.d
        x = b * U5
        x = ((x << U7) | (x >> U57)) * U9
        c ^= a
        d ^= b
        rng.a = a ^ d
        rng.b = b ^ c
        rng.c = c ^ (b << U17)
        rng.d = (d << U45) | (d >> U19)
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

    @kernel
    def real(rng):
        return (word(rng) >> U11) * UNIT


@kernel
def start(rngs, i, number):
    """Start the generator in row i from a number."""
    seed(rngs[i], number)


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
        self.rng = Rng()
        plain_seed(self.rng, number)

    def below(self, n: int) -> int:
        """A uniform number from 0 to n - 1."""
        return plain_below(self.rng, n)

    def outcome(self, ply: int, odds: Sequence[int]) -> int:
        return at(self.below(sum(odds)), odds)


class Fair:
    """Dice that can be proved fair: a secret shown as its hash, and a nonce from every person."""

    def __init__(self, secret: bytes | None = None, nonces: Sequence[str] = ()) -> None:
        self.secret = secrets.token_bytes(32) if secret is None else secret
        self.nonces = list(nonces)
        contributions = b"".join(len(n.encode()).to_bytes(4, "big") + n.encode() for n in self.nonces)
        self.key = hmac.digest(self.secret, contributions, "sha256")
        self.keyed = hmac.new(self.key, digestmod="sha256")

    @property
    def commitment(self) -> str:
        return hashlib.sha256(self.secret).hexdigest()

    def outcome(self, ply: int, odds: Sequence[int]) -> int:
        total = sum(odds)
        span = 1 << 64
        attempt = 0
        while True:
            message = ply.to_bytes(8, "big") + attempt.to_bytes(8, "big")
            drawn = self.keyed.copy()
            drawn.update(message)
            number = int.from_bytes(drawn.digest()[:8], "big")
            if number < span - span % total:
                return at(number % total, odds)
            attempt += 1
