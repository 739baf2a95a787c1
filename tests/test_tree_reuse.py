"""What a search keeps for its next decision: the part of its tree below its own moves, if nothing else has happened."""

from types import SimpleNamespace

import pytest

from spellheist.bots.search import Bot as Search
from spellheist.bots.tree_reuse import Last
from spellheist.core import kernel
from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.state import CHANCE


def walk(name, search, decisions, seed=1):
    """Let a search decide in a game of two; before each decision what happened since the last of the same seat, and
    then how many iterations it took over."""
    play, luck, since = new(name, 2), Luck(seed), {}
    while not play.over and decisions:
        if play.turn == CHANCE:
            since = {seat: {*kinds, "chance"} for seat, kinds in since.items()}
            play.roll(luck)
            continue
        seat = play.turn
        if len(play.legal()) > 1:
            decisions -= 1
            thoughts = search.think(play.view(seat), seat, play.recall(seat), luck)
            assert {thought.move for thought in thoughts} == set(play.legal())
            assert sum(thought.share for thought in thoughts) == pytest.approx(1)
            yield since.get(seat, {"first"}), search.visits - search.done
            since[seat] = set()
            play.play(thoughts[0].move)
        else:
            play.play(play.legal()[0])
        since = {other: kinds if other == seat else {*kinds, "rival"} for other, kinds in since.items()}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["spellcaster", "mages_dice"])
def test_a_search_by_time_keeps_what_it_thought_of_its_own_moves_and_nothing_after_others_or_chance(name, threads):
    decisions = (30 if name == "spellcaster" else 60) // threads
    found = list(walk(name, Search(find(name), seconds=1e-4, threads=threads), decisions))
    assert any(kept > 0 for since, kept in found if not since)
    assert all(kept == 0 for since, kept in found if since)


@pytest.mark.parametrize("name", ["spellcaster", "mages_dice"])
def test_a_search_by_iterations_keeps_nothing(name):
    assert all(kept == 0 for _, kept in walk(name, Search(find(name), iterations=20), 40))


def test_a_move_that_tells_something_hidden_makes_old_worlds_worthless():
    """A call in Abraca...What? tells whether the stone is there; a card of Spellcaster that draws nothing tells nothing."""
    told = {}
    for name in ("abraca_what", "spellcaster"):
        last = Last(find(name))
        for seed in range(8):
            play = new(name, 2)
            play.roll_all(Luck(seed))
            seat, before = play.turn, play.view(play.turn)
            last.seat = seat
            for move in play.legal():
                after = new(name, 2)
                after.roll_all(Luck(seed))
                after.play(move)
                if after.turn == seat:
                    seen = (last.game.rules.State.pack(view) for view in (before, after.view(seat)))
                    told.setdefault(name, set()).add(last.expected(next(seen), move, next(seen)))
    assert told == {"abraca_what": {False}, "spellcaster": {True}}


def test_after_a_look_at_one_move_alone_nothing_is_kept():
    search = Search(find("spellcaster"), seconds=1e-4)
    play, luck = new("spellcaster", 2), Luck(1)
    play.roll_all(luck)
    for _ in range(2):
        seat = play.turn
        asked = play.view(seat), seat, play.recall(seat)
        move = search.think(*asked, luck)[0].move
        search.worth(*asked, luck, move)
        assert search.trees[0].root == 0
        play.play(move)
        play.roll_all(luck)
    search.think(play.view(play.turn), play.turn, play.recall(play.turn), luck)
    assert search.trees[0].root == 0


def test_a_tree_without_room_for_more_is_grown_anew(monkeypatch):
    monkeypatch.setattr("spellheist.bots.search.NODES", 40)  # of which a decision takes 32
    assert all(kept == 0 for _, kept in walk("spellcaster", Search(find("spellcaster"), seconds=1e-4), 40))


def test_a_tree_is_kept_until_more_than_half_of_it_is_used(monkeypatch):
    search = Search(find("spellcaster"), seconds=1e-4)
    tree = search.trees[0]
    monkeypatch.setattr(search, "search", SimpleNamespace(known_child=lambda *_: 7))
    tree.used = len(tree.nodes.visits) // 2
    assert search.reached(tree, 0, [1]) == 7
    tree.used += 1
    assert search.reached(tree, 0, [1]) == 0


@pytest.mark.parametrize("name", ["spellcaster", "mages_dice"])
def test_only_own_moves_lead_from_one_decision_to_the_next(name):
    last, play, luck, found = Last(find(name)), new(name, 2), Luck(2), {}
    views = kernel.rows(last.game.rules.State, 1)
    since, seat = None, None
    for _ in range(300):
        play.roll_all(luck)
        if play.over:
            break
        if seat is None or play.turn == seat:
            seat = play.turn
            kernel.load(last.game.rules.State, views, 0, last.game.rules.State.pack(play.view(seat)))
            moves = last.since(views, seat, play.recall(seat))
            if since is not None:
                alone = all(ply.who == seat for ply in play.plies[since:])
                found.setdefault(alone, []).append(moves in ([], [ply.move for ply in play.plies[since:]]) and bool(moves))
            since = play.ply
        play.play(play.legal()[luck.below(len(play.legal()))])
    assert any(found[True]) and not any(found[False])
