"""Chance: the generator, its draws without bias, and dice that can be proved fair."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from spellheist.core.dice import Fair, Luck, Rng, at, plain_below, plain_seed, plain_word

NUMBERS = """
import spellheist.core.dice as d
from spellheist.core.kernel import MODE, kernel
print(MODE)
@kernel
def draw(rngs, n):
    return d.below(rngs[0], n)
@kernel
def real(rngs):
    return d.real(rngs[0])
r = d.rngs(1)
for seed in (0, 1, 7, 2**63, 2**64 - 1):
    d.start(r, 0, seed if d.PLAIN else d.uint64(seed))
    print([int(draw(r, n)) for n in (1, 2, 3, 6, 8, 36, 52, 1000, 2**31 - 1)])
    print([float(real(r)).hex() for _ in range(5)])
"""


def generator(*words):
    rng = Rng()
    rng.a, rng.b, rng.c, rng.d = words
    return rng


def test_the_generator_is_xoshiro256_starstar():
    rng = generator(1, 2, 3, 4)
    assert [plain_word(rng) for _ in range(4)] == [11520, 0, 1509978240, 1215971899390074240]


def test_it_is_started_by_splitmix64():
    rng = Rng()
    plain_seed(rng, 0)
    assert (rng.a, rng.b) == (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4)
    assert (rng.c, rng.d) == (0x06C45D188009454F, 0xF88BB8A8724C81EC)


def test_compiled_and_plain_draw_the_same_numbers(run, tmp_path):
    script = tmp_path / "draws.py"  # under a name that hides no module: Numba imports `numbers`
    script.write_text(NUMBERS)
    plain, fast = (run(str(script), mode=mode) for mode in ("plain", "fast"))
    assert plain.stdout.splitlines()[1:] == fast.stdout.splitlines()[1:], fast.stderr
    assert [done.stdout.splitlines()[0] for done in (plain, fast)] == ["plain", "fast"]


def test_a_draw_that_would_be_biased_is_drawn_again():
    n = 3 * 2**30  # a quarter of all 32-bit words must be rejected
    luck = Luck(5)
    thirds = Counter(luck.below(n) // 2**30 for _ in range(6000))
    assert chisquare([thirds[k] for k in range(3)]).pvalue > 1e-4


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**31))
def test_a_draw_is_below_its_bound(number, n):
    rng = Rng()
    plain_seed(rng, number)
    assert 0 <= plain_below(rng, n) < n


def test_outcomes_come_in_proportion_to_their_odds():
    luck, odds = Luck(2), [0, 1, 2, 0, 5]
    found = Counter(luck.outcome(0, odds) for _ in range(8000))
    assert set(found) == {1, 2, 4}
    assert chisquare([found[1], found[2], found[4]], [1000, 2000, 5000]).pvalue > 1e-4


def test_a_number_falls_in_the_part_of_its_outcome():
    assert [at(n, [2, 0, 3]) for n in range(5)] == [0, 0, 2, 2, 2]
    with pytest.raises(ValueError, match="not below"):
        at(5, [2, 0, 3])


def test_fair_dice_can_be_computed_again_from_the_secret_and_the_words():
    secret = bytes(range(32))
    dice = Fair(secret, ["swordfish", "xyzzy"])
    assert dice.commitment == hashlib.sha256(secret).hexdigest()
    words = b"\x00\x00\x00\x09swordfish\x00\x00\x00\x05xyzzy"
    key = hmac.new(secret, words, "sha256").digest()
    for ply in (0, 1, 77):
        number = int.from_bytes(hmac.new(key, ply.to_bytes(8, "big") + bytes(8), "sha256").digest()[:8], "big")
        assert dice.outcome(ply, [1] * 6) == number % 6


def test_words_cannot_be_moved_from_one_person_to_another():
    assert Fair(b"s", ["ab", "c"]).key != Fair(b"s", ["a", "bc"]).key


def test_fair_dice_are_even_and_every_ply_has_its_own_roll():
    dice = Fair(b"secret", ["ann"])
    found = Counter(dice.outcome(ply, [1] * 6) for ply in range(6000))
    assert chisquare([found[k] for k in range(6)]).pvalue > 1e-4
    assert dice.outcome(3, [1] * 6) == dice.outcome(3, [1] * 6)


def test_each_new_game_has_a_secret_of_its_own():
    assert Fair().commitment != Fair().commitment
