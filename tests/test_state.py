"""Packed states: bytes, ranges, rotation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spellheist.core.game import find, names
from spellheist.core.state import CHANCE, a_seat, each_seat, number, numbers, packed

State = packed(
    3,
    seats=number(2, 3),
    turn=a_seat(CHANCE),
    row=numbers(-5, 9, 4),
    hand=each_seat(0, 7, 2),
    lives=each_seat(0, 6),
)


@given(st.lists(st.integers(-32768, 32767), min_size=State.size, max_size=State.size))
def test_packing_and_unpacking_gives_the_same_state(flat):
    plain = State.unflatten(flat)
    assert State.flatten(plain) == flat
    assert State.unpack(State.pack(plain)) == plain


def test_fields_lie_in_the_order_in_which_they_are_declared_as_little_endian_int16():
    plain = State.blank()
    plain.seats, plain.turn, plain.row[3] = 3, -1, 258
    assert State.pack(plain)[:12] == b"\x03\x00\xff\xff\x00\x00\x00\x00\x00\x00\x02\x01"


def test_a_value_outside_its_range_is_named():
    plain = State.blank()
    plain.seats = 2
    assert State.outside(plain) is None
    plain.row[2] = 10
    assert State.outside(plain) == "row"
    plain.row[2], plain.turn = 0, 2
    assert State.outside(plain) == "turn", "a seat that nobody sits on"


def test_below_zero_only_the_sentinels_of_a_field_name_no_seat():
    schema = packed(3, seats=number(2, 3), turn=a_seat(-1, -9))
    for turn, wrong in ((-1, None), (-9, None), (-5, "turn"), (1, None), (2, "turn")):
        assert schema.outside(schema.unflatten([2, turn])) == wrong


@given(st.integers(2, 3), st.integers(0, 2), st.integers(0, 5))
def test_rotating_all_the_way_round_changes_nothing(seats, turn, by):
    plain = State.unflatten([seats, turn % seats, *range(4), *range(6), *range(3)])
    once = State.rotate(plain, by)
    assert once.turn == (plain.turn + by) % seats
    assert once.lives[(1 + by) % seats] == plain.lives[1]
    assert State.rotate(once, seats - by % seats) == plain


def test_a_field_must_fit_an_int16_and_two_axes():
    with pytest.raises(ValueError, match="wide"):
        packed(2, wide=number(0, 40_000))
    with pytest.raises(ValueError, match="deep"):
        packed(2, deep=numbers(0, 1, 2, 2, 2))


@pytest.mark.parametrize("name", names())
def test_no_field_of_a_game_has_a_name_that_numpy_records_use(name):
    assert [field for field in find(name).rules.State.fields if hasattr(np.record, field)] == []
