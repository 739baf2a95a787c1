"""The laws are able to fail: for each, a game that breaks it is found out and the law is named."""

import pytest

from spellheist.core.game import find, names
from spellheist.core.state import CHANCE, HIDDEN, OVER
from spellheist.laws import check

GAME = "abraca_what"
PLAIN = {"plain": 500}


def broken(monkeypatch, **verbs):
    """The law that breaks when verbs of Abraca...What? are replaced by faulty ones, in plain mode."""
    game = find(GAME)
    laws = game.bound(check.LAWS)
    for name, verb in verbs.items():
        monkeypatch.setattr(laws, name, verb(getattr(laws, name)))
    walker = check.Walker(game)
    walker.begin(check.Variant(3, (("starter", "0"),)))
    for seed in range(30):
        law, _, _ = walker.walk(seed)
        if law:
            return laws.LAWS[law]
    return None


def test_the_true_game_breaks_no_law(monkeypatch):
    assert broken(monkeypatch) is None


def test_a_game_that_never_ends_is_found_out(monkeypatch):
    def deaf(play):
        return lambda s, move: None

    monkeypatch.setattr(find(GAME).bound(check.LAWS), "LONGEST", 2000)
    assert broken(monkeypatch, play=deaf) == "every game ends"


def test_a_seat_without_a_move_is_found_out(monkeypatch):
    assert broken(monkeypatch, legal=lambda legal: lambda s, moves: 0) == "some move is legal until the end"


def test_the_same_move_twice_is_found_out(monkeypatch):
    def twice(legal):
        def doubled(s, moves):
            n = legal(s, moves)
            moves[1] = moves[0]
            return n

        return doubled

    assert broken(monkeypatch, legal=twice) == "legal moves are in range and all different"


@pytest.mark.parametrize("fault", [lambda n: n + 1, lambda n: 0, lambda n: -n])
def test_odds_that_do_not_add_up_are_found_out(monkeypatch, fault):
    found = broken(monkeypatch, chance=lambda chance: lambda s, odds: fault(chance(s, odds)))
    assert found == "odds are never negative and add up to the total, which is positive"


def test_a_sample_that_draws_otherwise_is_found_out(monkeypatch):
    assert broken(monkeypatch, sample=lambda sample: lambda s, rng: 8) == "sample draws what chance says"


def test_play_that_depends_on_anything_but_the_state_is_found_out(monkeypatch):
    calls = []

    def moody(play):
        def moodily(s, move):
            play(s, move)
            calls.append(move)
            if s.turn >= 0 and len(calls) % 2:
                s.lives[0] = max(1, s.lives[0] - 1)

        return moodily

    assert broken(monkeypatch, play=moody) == "play is deterministic"


def test_a_number_out_of_its_range_is_found_out(monkeypatch):
    def generous(play):
        def wild(s, move):
            play(s, move)
            if s.turn >= 0:
                s.lives[0] = 7

        return wild

    assert broken(monkeypatch, play=generous) == "every number stays in its range"


def test_a_lost_piece_is_found_out(monkeypatch):
    def careless(play):
        def losing(s, move):
            play(s, move)
            if s.turn >= 0 and s.board[8]:
                s.board[8] -= 1

        return losing

    assert broken(monkeypatch, play=careless) == "pieces are conserved"


def test_an_unsound_position_is_found_out(monkeypatch):
    def confused(play):
        def confusing(s, move):
            play(s, move)
            if s.turn == 1:
                s.caster = 0

        return confusing

    assert broken(monkeypatch, play=confused) == "every position that is reached is sound"


def test_hiding_more_at_the_second_time_is_found_out(monkeypatch):
    def forgetful(hide):
        def hiding(s, seat):
            if s.turn >= 0 and s.hand[0][0] == HIDDEN:
                s.points[0] = 0
            hide(s, seat)

        return hiding

    found = broken(monkeypatch, hide=forgetful)
    assert found in ("hiding twice is hiding once", "hiding an imagined world gives the view it was imagined from")


def test_an_imagined_world_that_contradicts_the_view_is_found_out(monkeypatch):
    def dreaming(imagine):
        def dream(s, rng):
            imagine(s, rng)
            s.points[0] = (s.points[0] + 1) % 7

        return dream

    assert broken(monkeypatch, imagine=dreaming) == "hiding an imagined world gives the view it was imagined from"


def test_moves_that_depend_on_what_is_hidden_are_found_out(monkeypatch):
    def telling(legal):
        def tell(s, moves):
            n = legal(s, moves)
            return n - 1 if s.hand[s.caster][0] == HIDDEN else n

        return tell

    assert broken(monkeypatch, legal=telling).startswith("the legal moves are the same in the view")


def test_scores_that_do_not_sum_to_one_are_found_out(monkeypatch):
    def stingy(score):
        def scoring(s, out):
            score(s, out)
            out[0] /= 2
            out[1] /= 2
            out[2] /= 2

        return scoring

    assert broken(monkeypatch, score=stingy) == "scores are not negative and sum to 1"


def test_a_set_up_that_keeps_something_is_found_out(monkeypatch):
    def lazy(setup):
        def setting(s):
            was = s.stage
            setup(s)
            s.stage = was + 1 if s.turn in (CHANCE, OVER) else was

        return setting

    assert broken(monkeypatch, setup=lazy) == "setting up leaves nothing of an earlier game"


def test_words_that_are_not_unique_are_found_out(monkeypatch):
    monkeypatch.setattr(find(GAME).words, "label", lambda s, move: "something")
    with pytest.raises(check.Broken, match="words are unique"):
        check.read_along(find(GAME), check.Variant(2), 1, 20)


def test_rules_that_favour_a_seat_are_found_out(monkeypatch):
    def unfair(legal):
        def favouring(s, moves):
            return legal(s, moves) - (s.caster == 0)

        return favouring

    verbs = find(GAME).verbs
    monkeypatch.setattr(verbs, "_legal", unfair(verbs._legal))
    with pytest.raises(check.Broken, match="rotating the seats"):
        check.read_along(find(GAME), check.Variant(2), 1, 1)


def test_a_record_that_replays_otherwise_is_found_out(monkeypatch):
    from spellheist.core import record

    monkeypatch.setattr(record, "ply_lines", lambda play, seat=None: [])
    with pytest.raises(check.Broken, match="a record replays to the same bytes"):
        check.read_along(find(GAME), check.Variant(2), 1, 20)


def test_modes_that_disagree_are_found_out():
    one = check.Report("fast", 1, 1, {"2 seats": ["aa", "bb"]})
    other = check.Report("plain", 1, 1, {"2 seats": ["aa", "bc", "dd"]})
    with pytest.raises(check.Broken, match=r"fast and plain agree byte for byte: broken in game 1"):
        check.compare(GAME, [one, other])


@pytest.mark.parametrize("name", names())
def test_every_option_is_tried_at_each_of_its_samples_and_every_seat_count_occurs(name):
    game = find(name)
    found = list(check.variants(game))
    assert {variant.seats for variant in found} == set(game.seats)
    for option in game.options:
        for seats in game.seats:
            shown = {dict(v.options).get(option.name, option.show(option.default)) for v in found if v.seats == seats}
            assert {option.show(value) for value in option.samples(seats)} <= shown


def test_the_command_reports_and_exits_with_1_when_a_law_is_broken(run, tmp_path):
    folder = tmp_path / "faulty"
    folder.mkdir()
    source = find(GAME).folder
    for file in ("rules.py", "words.py", "rules.md"):
        text = (source / file).read_text().replace(f"games.{GAME}", "games.faulty").replace("1 / sharing", "2 / sharing")
        (folder / file).write_text(text)
    (folder / "__init__.py").write_text((source / "__init__.py").read_text())
    done = run("-m", "spellheist.laws.check", str(folder), "300", "1")
    assert "scores are not negative and sum to 1: broken" in done.stdout, done.stderr
