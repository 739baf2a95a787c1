"""The balance of a deck: what the study finds in games whose answer is known."""

import random
import xml.etree.ElementTree as ElementTree

import pytest
from click.testing import CliRunner

from spellheist.bots import bot
from spellheist.cli import main
from spellheist.core import kernel
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import NONE
from spellheist.lab import balance
from spellheist.lab.deck import Story, arena_of, effects, endings, middle_half, play_games, side_share, starters_share

GAME = find("spellcaster")
CARDS = 60


def stories(games, worth, begins=0.0):
    """Games in which every card adds its worth to the chance of the side that draws it, and so does beginning."""
    chance = random.Random(1)
    for _ in range(games):
        drawn = [chance.choice((0, 1, NONE)) for _ in range(CARDS)]
        starter = chance.randrange(2)
        lead = sum(worth.get(card, 0.0) * (1, -1, 0)[side] for card, side in enumerate(drawn) if side != NONE)
        share = float(chance.random() < 0.5 + lead + (begins if starter == 0 else -begins))
        yield Story(starter, share, chance.choice(["energy", "empty deck"]), chance.randrange(8, 31), tuple(drawn))


def test_a_card_that_is_better_than_the_others_is_found_with_its_size():
    found = effects(list(stories(20_000, {7: 0.1, 8: -0.05})))
    assert (found[0].card, found[-1].card) == (7, 8)
    mean = (0.1 - 0.05) / CARDS
    assert found[0].share == pytest.approx(0.1 - mean, abs=3 * found[0].half)
    assert found[-1].share == pytest.approx(-0.05 - mean, abs=3 * found[-1].half)
    assert found[0].outside > 0.05
    covered = sum(abs(effect.share + mean) <= effect.half for effect in found[1:-1])
    assert covered >= 50  # of 58 intervals of 95 %


def test_that_all_cards_are_good_to_have_is_no_merit_of_one():
    found = effects(list(stories(4_000, dict.fromkeys(range(CARDS), 0.02))))
    assert sum(effect.share for effect in found) == pytest.approx(0)
    assert max(effect.outside for effect in found) < 0.02


def test_shares_endings_and_turns_are_counted():
    games = [Story(1, 0.0, "energy", turns, ()) for turns in range(1, 9)] + [Story(0, 0.0, "sapphires", 9, ())] * 2
    assert starters_share(games).value == 0.8
    assert side_share(games, 1).value == 1.0
    assert {name: share.value for name, share in endings(games).items()} == {"energy": 0.8, "sapphires": 0.2}
    assert middle_half(games) == (3, 6, 8)


@pytest.mark.parametrize("bot", ["random", "greedy"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_are_told_as_they_were(seats, bot):
    told = play_games("spellcaster", seats, bot, {}, 6)
    assert len(told) == 6
    assert told == play_games("spellcaster", seats, bot, {}, 6)
    assert len(set(told)) == 6
    for story in told:
        assert len(story.drawn) == CARDS
        assert sum(side != NONE for side in story.drawn) >= 3 * seats
        assert {0, 1} <= set(story.drawn)
        assert story.ending in ("energy", "sapphires", "empty deck")
        assert story.share in (0.0, 0.5, 1.0)
        assert seats != 3 or story.starter == 0


def test_the_arena_moves_as_greedy_bots_do():
    arena, player, luck = arena_of(GAME), bot("greedy", GAME), Luck(1)
    moves, weights = kernel.shorts(GAME.rules.MOVES), kernel.reals(GAME.rules.MOVES)
    play, generators = new(GAME, 2), rngs(1)
    start(generators, 0, 1)
    asked = 0
    while not play.over:
        play.roll_all(luck)
        if play.over:
            break
        seat, view, past = play.turn, play.view(play.turn), play.past(play.turn)
        likely = {player.choose(view, seat, past, luck) for _ in range(20)}  # several, if the advice is equal
        rows = kernel.rows(GAME.rules.State, 1)
        kernel.load(GAME.rules.State, rows, 0, play.bytes)
        count = GAME.verbs.legal(rows, 0, moves)
        move = int(moves[arena.best_advised(rows[0], seat, moves, count, weights, generators[0])])
        assert move in likely
        asked += 1
        play.play(move)
    assert asked > 20


def test_only_games_that_tell_who_draws_can_be_studied():
    with pytest.raises(Refused, match="Dice Heist has no deck whose balance can be studied"):
        play_games("dice_heist", 2, "random", {}, 2)


def test_of_a_few_games_nothing_is_said_about_cards(tmp_path):
    page = tmp_path / "balance.md"
    asked = ["deck", "balance", "--seats", "2", "--games", "4", "--bot", "random", "--card-games", "20"]
    result = CliRunner().invoke(main, [*asked, "--card-bot", "random", "--write", str(page)])
    assert "20 games are too few to say what each card does." in result.output
    assert "20 games are too few" in page.read_text(encoding="utf-8")
    assert not page.with_suffix(".svg").exists()


def test_the_command_writes_a_page_and_a_picture(tmp_path, monkeypatch):
    monkeypatch.setattr(balance, "A_CARD", 0)
    page = tmp_path / "balance.md"
    asked = ["deck", "balance", "--seats", "2,3", "--games", "4", "--bot", "random", "--card-games", "20"]
    result = CliRunner().invoke(main, [*asked, "--card-bot", "random", "--write", str(page)])
    assert result.exit_code == 0, result.output
    text = page.read_text(encoding="utf-8")
    assert "the side of one wins" in text and "the side that begins wins" in text
    assert "![What each card brings](balance.svg)" in text
    assert all(f"| {name} |" in text for name, _ in GAME.deck.faces("standard"))
    drawn = ElementTree.parse(page.with_suffix(".svg"))
    assert len(drawn.findall(".//{http://www.w3.org/2000/svg}circle")) == CARDS


def test_seats_that_are_no_numbers_are_refused():
    result = CliRunner().invoke(main, ["deck", "balance", "--seats", "two"])
    assert result.exit_code != 0
    assert "not 'two'" in result.output + str(result.exception)
