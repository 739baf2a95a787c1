"""Records: written, read, replayed, proved; and what happens to damaged ones."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spellheist.core import record
from spellheist.core.dice import Fair, Luck
from spellheist.core.game import GAMES, find, names
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, OVER, WATCHER

GOLDEN = sorted(GAMES.glob("*/records/*.txt"))


def recorded(name="abraca_what", seats=2, dice=None, plies=100_000, options=None, position=None):
    play = new(name, seats, options, position=position)
    dice, luck = dice or Luck(4), Luck(9)
    while not play.over and play.ply < plies:
        if play.turn == CHANCE:
            play.roll(dice)
        else:
            play.play(play.legal()[luck.below(len(play.legal()))])
    return play, dice


SHORT = record.write(*recorded(plies=40))
TEXTS = {name: record.write(*recorded(name, find(name).seats[0], plies=60)) for name in names()}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_golden_records_replay_prove_and_are_written_again_to_the_letter(path):
    text = path.read_text(encoding="utf-8")
    loaded = record.read(text)
    assert len(record.verify(loaded)) == 3
    assert record.write(loaded.replay(), loaded.source(), players=loaded.players) == text


@pytest.mark.parametrize("name", names())
def test_every_game_has_golden_records_of_every_seat_count(name):
    seats = {re.search(r"^seats: (\d)$", p.read_text(), re.M)[1] for p in GOLDEN if p.parent.parent.name == name}
    assert seats == set(map(str, find(name).seats))


def test_a_record_of_a_running_game_tells_a_seat_only_what_it_saw():
    play, _ = recorded(seats=3, plies=40)
    seen = record.write(play, seat=1)
    assert "seen by: seat 1" in seen
    assert re.search(r"chance: stone \d to seat 0", seen)
    assert not re.search(r"chance: stone \d to seat 1", seen)
    assert not re.search(r"chance: stone \d to seat", record.write(play, seat=WATCHER))
    with pytest.raises(Refused, match="only what seat 1 saw"):
        record.read(seen).replay()


@pytest.mark.parametrize("name", names())
def test_any_position_can_start_a_record(name):
    for plies in (25, 45, 70):
        play, _ = recorded(name, find(name).seats[-1], plies=plies)
        again = new(name, play.seats, position=record.position_of(play))
        assert again.bytes == play.bytes
        on, dice = recorded(name, play.seats, position=record.position_of(play))
        assert record.read(record.write(on, dice)).replay().bytes == on.bytes


@pytest.mark.parametrize("name", names())
def test_a_finished_position_can_be_loaded_scored_and_recorded(name):
    play, _ = recorded(name, find(name).seats[-1])
    again = new(name, play.seats, position=record.position_of(play))
    assert again.over and again.bytes == play.bytes and again.score() == play.score()
    assert again.legal() == []
    with pytest.raises(Refused, match="The game is over"):
        again.play(0)
    loaded = record.read(record.write(again)).replay()
    assert loaded.over and loaded.bytes == play.bytes


def test_fair_dice_are_proved_from_the_file_alone():
    play, dice = recorded(dice=Fair(b"0123456789abcdef0123456789abcdef", ["ann", "bob"]))
    text = record.write(play, dice)
    assert record.verify(record.read(text))[-1].endswith("follow from the secret promised before the game.")


def test_the_secret_of_fair_dice_is_not_told_before_the_game_is_over():
    play, dice = recorded(dice=Fair(b"0123456789abcdef0123456789abcdef", ["ann"]), plies=30)
    text = record.write(play, dice)
    assert "secret" not in text
    assert "not told until" in record.verify(record.read(text))[-1]


def test_a_record_of_fair_dice_without_their_secret_has_no_dice_to_go_on_with():
    play, dice = recorded(dice=Fair(b"0123456789abcdef0123456789abcdef", ["ann"]), plies=30)
    assert record.read(record.write(play, dice)).source() is None
    assert record.read(record.write(play, dice, reveal=True)).source().key == dice.key


def test_what_is_wrong_in_a_record_is_told_with_its_line():
    play, dice = recorded(plies=30)
    lines = record.write(play, dice).splitlines()
    at = lines.index("") + 10
    for wrong in ("nonsense", f"{play.ply} chance: nonsense"):
        text = "\n".join([*lines[:at], wrong, *lines[at + 1 :]])
        with pytest.raises(Refused, match=rf"^Line {at + 1}: "):
            record.read(text)
    with pytest.raises(Refused, match=rf"^Line {at + 1}: "):
        record.read("\n".join([*lines[:at], lines[at].split(": ")[0] + ": nonsense", *lines[at + 1 :]])).replay()


def test_a_changed_roll_a_false_secret_and_other_words_are_found_out():
    play, dice = recorded(dice=Fair(b"0123456789abcdef0123456789abcdef", ["ann"]))
    text = record.write(play, dice)
    with pytest.raises(Refused, match="not the one that was promised"):
        record.verify(record.read(text.replace("secret: 30", "secret: 31")))
    with pytest.raises(Refused, match=r"Line \d+: the dice did not give"):
        record.verify(record.read(text.replace("words: ann", "words: eve")))
    play, dice = recorded(plies=30)
    changed = swap_two_stones(record.write(play, dice))
    with pytest.raises(Refused, match=r"Line \d+: the dice did not give"):
        record.verify(record.read(changed))


def swap_two_stones(text):
    lines = text.split("\n")
    stones = [n for n, line in enumerate(lines) if "set aside" in line]
    a, b = stones[0], next(n for n in stones if lines[n].split(": ")[1] != lines[stones[0]].split(": ")[1])
    (na, wa), (nb, wb) = lines[a].split(": "), lines[b].split(": ")
    lines[a], lines[b] = f"{na}: {wb}", f"{nb}: {wa}"
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("spellheist record 1", "spellheist record 9"), "first line"),
        (("game: abraca_what", "game: abraca_wat"), "no game 'abraca_wat'"),
        (("game: abraca_what", "game: /etc"), "must name its game exactly once"),
        (("seats: 2", "seats: 9"), r"Line 4: .*seats 2 to 5"),
        (("seats: 2\n", ""), "the number of seats"),
        (("seats: 2", "seats: 2\nseats: 2"), "Line 5: 'seats' is in the header twice"),
        (("seats: 2", "seats 2"), "Line 4: 'seats 2' is not a line"),
        (("seats: 2", "seats: 2\noption easi: true"), "Line 5: .*no option 'easi'"),
        (("seats: 2", "seats: 2\noption easy: 7"), "easy takes true or false"),
        (("seats: 2", "seats: 2\ncolour: red"), "Line 5: 'colour: red' is not a line"),
        (("seats: 2", "seats: 2\nposition lives: 9 9 9 9 9"), "position's lives is not possible"),
        (("seats: 2", "seats: 2\nposition lives: 6 6"), "position's lives does not have the shape"),
        (("seats: 2", "seats: 2\nposition mana: 1"), "no field 'mana'"),
        (("seats: 2", "seats: 2\nposition lives: a"), "Line 5: 'a' is not a row of numbers"),
        (("seats: 2", "seats: 2\nposition pile: 3"), "counts do not fit"),
        (("seats: 2", "seats: 2\nposition stage: 97"), "counts do not fit"),
        (("names: Seat 0 | Seat 1", "names: Ann"), "2 seats but 1 names"),
        (("dice: seed 4", "dice: loaded"), "Line 6: 'dice: loaded' is not a line"),
        (("1 chance: ", "1 chance "), "is not a ply"),
        (("2 chance: ", "7 chance: "), "this is ply 7, but ply 2 comes next"),
        (("1 chance: seat 0 begins", "1 chance: seat 5 begins"), "'seat 5 begins' is not a move here"),
        (("seat 0: call", "seat 1: call"), "It is Seat 0's turn, not Seat 1's"),
        (("seat 0: call", "seat 7: call"), "no seat 7 in a game of 2"),
        (("seat 0: call", "judge: call"), "It is Seat 0's turn, not the judge's"),
    ],
)
def test_a_damaged_record_is_refused_with_what_and_where(change, sentence):
    assert change[0] in SHORT
    with pytest.raises(Refused, match=sentence):
        record.read(SHORT.replace(*change, 1)).replay()


def test_a_record_cut_in_the_middle_replays_as_far_as_it_goes_or_is_refused():
    for length in range(0, len(SHORT), 7):
        try:
            play = record.read(SHORT[:length]).replay()
        except Refused:
            continue
        assert play.ply <= 40


def test_a_false_end_is_found_out(random_play):
    text = record.write(*recorded())
    assert re.search(r"^end: [01] [01]$", text, re.M)
    with pytest.raises(Refused, match="it did not"):
        record.read(re.sub(r"^end: .*$", "end: 0.5 0.5", text, flags=re.M)).replay()
    with pytest.raises(Refused, match="nothing may follow the end"):
        record.read(text + "999 seat 0: stop\n")


def test_files_that_are_not_there_not_text_or_enormous_are_refused(tmp_path):
    path = tmp_path / "record.txt"
    with pytest.raises(Refused, match="cannot be read: no such file"):
        record.load(path)
    with pytest.raises(Refused, match="cannot be read: is a directory"):
        record.load(tmp_path)
    path.write_bytes(b"spellheist record 1\n\xff\xfe")
    with pytest.raises(Refused, match="is not text: byte 20"):
        record.load(path)
    path.write_bytes(b"x" * (record.LARGEST + 1))
    with pytest.raises(Refused, match="larger than 8192 KiB"):
        record.load(path)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_whatever_is_done_to_a_record_it_replays_or_is_refused(data):
    text = TEXTS[data.draw(st.sampled_from(sorted(TEXTS)))]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        to = min(len(text), at + data.draw(st.integers(0, 12)))
        some = st.text(max_size=8) | st.sampled_from([text[to : to + 30], "\n", "9", "-1", ": "])
        text = text[:at] + data.draw(some) + text[to:]
    try:
        record.read(text).replay()
    except Refused as refusal:
        assert "\n" not in str(refusal)


@settings(max_examples=250, deadline=None)
@given(st.data())
def test_whatever_a_position_says_it_is_refused_or_played_to_the_end_within_all_ranges(data):
    name = data.draw(st.sampled_from(names()))
    game = find(name)
    seats = data.draw(st.sampled_from(list(game.seats)))
    play, _ = recorded(name, seats, plies=data.draw(st.integers(0, 120)), dice=Luck(data.draw(st.integers(0, 50))))
    position = record.position_of(play)
    schema = game.rules.State
    for _ in range(data.draw(st.integers(1, 3))):
        field = data.draw(st.sampled_from(sorted(position)))
        value, kind = position[field], schema.fields[field]
        near = st.integers(kind.low, min(kind.high, seats))
        new_value = data.draw(near | st.integers(kind.low, kind.high) | st.integers(-9, 40))
        if isinstance(value, list):
            row = data.draw(st.integers(0, len(value) - 1))
            if isinstance(value[row], list):
                value[row][data.draw(st.integers(0, len(value[row]) - 1))] = new_value
            else:
                value[row] = new_value
        else:
            position[field] = new_value
    try:
        play = new(name, seats, position=position)
    except Refused:
        return
    luck = Luck(1)
    for _ in range(400):
        assert schema.outside(play.state) is None
        if play.turn == OVER:
            assert sum(play.score()) == pytest.approx(1)
            return
        if play.turn == CHANCE:
            play.roll(luck)
        else:
            play.play(play.legal()[luck.below(len(play.legal()))])
