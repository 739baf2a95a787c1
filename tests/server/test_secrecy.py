"""Nothing secret leaves: two worlds that differ only in what a seat may not know send it the same bytes.

`worlds.py` plays games in twin worlds, `wires.py` does so over real sockets: here one of each game and option for a while,
in `twin_soak.py` hundreds of whole ones.
"""

import pytest
import wires
import worlds

from spellheist.core import kernel
from spellheist.core.game import find, names
from spellheist.core.state import WATCHER
from spellheist.laws.twins import leaky
from spellheist.server.http import visitors
from spellheist.server.table import views

PLIES = 50  # of each game
LEAKS = {"abraca_what": ("hand", "deck", "taken"), "spellcaster": ("hand", "deck", "known"), "spell_stealers": ("tries",)}


@pytest.fixture
def scripted():
    with worlds.scripted():
        yield


@pytest.mark.parametrize("name", names())
def test_twin_worlds_send_a_seat_the_same_bytes(name, scripted):
    found = 0
    for seed, setting in enumerate(worlds.settings(name)):
        seats, looker = worlds.round_the_table(setting, seed)
        compared = worlds.compare(setting, seats, seed, looker, 1, PLIES)
        assert compared.leak is None
        assert compared.decisions
        found += compared.twins
    assert (found > 0) == (name in LEAKS)


@pytest.mark.parametrize(("name", "options"), [
    ("abraca_what", {}), ("spellcaster", worlds.caster.SPIED), ("spell_stealers", {"stealing": "race"}),
    ("spell_stealers", {"stealing": "live"}),
])  # fmt: skip
def test_twin_worlds_send_a_seat_the_same_bytes_over_real_sockets(name, options, scripted):
    setting, found = worlds.Setting(name, tuple(options.items()), (3,)), []
    for looker in (1, WATCHER):
        found.append(worlds.compare(setting, 3, 6, looker, 1, PLIES, wires.told))
    assert [compared.leak for compared in found] == [None, None]
    assert all(compared.decisions for compared in found)
    assert (sum(compared.twins for compared in found) > 0) == (options != {"stealing": "live"})


def leaks(setting, seats, tell=worlds.told):
    """The first leak to a seat and the first to a watcher that some games show."""
    for looker in (0, WATCHER):
        games = (worlds.compare(setting, seats, seed, looker, 6, PLIES, tell) for seed in range(5, 20))
        yield next((compared.leak for compared in games if compared.leak), None)


@pytest.mark.skipif(not kernel.PLAIN, reason="replaces a verb, which only plain rules allow")
@pytest.mark.parametrize(("name", "field"), [(name, field) for name, fields in LEAKS.items() for field in fields])
def test_a_hide_that_leaks_any_one_field_is_found_out_on_the_wire(name, field, scripted, monkeypatch):
    options = {"spellcaster": worlds.caster.SPIED, "spell_stealers": {"stealing": "race"}}.get(name, {})
    setting = worlds.Setting(name, tuple(options.items()), (3,))
    game = find(name)
    monkeypatch.setattr(views.Views, "look_for", lambda *_: iter(()))  # no world fits such a view, so none can be imagined,
    monkeypatch.setattr(worlds, "ASKED", ("why", "connect"))  # and no hint be given
    monkeypatch.setattr(game.verbs, "_hide", leaky(game.rules.State, game.rules.hide, field))
    assert all(leaks(setting, 3))
    if field == "hand":
        assert all(leaks(setting, 3, wires.told)), "over sockets too"


def test_neither_tokens_nor_table_names_nor_words_are_logged(person, server, caplog):
    caplog.set_level("DEBUG")
    ann = person()
    table = ann.make("abraca_what", "me", "random")
    ann.get(f"/api/tables/{table}/cards")
    with ann.at(table, 0) as a:
        a.start()
        a.do("chat", text="a secret plan")
    token = ann.http.cookies[visitors.COOKIE]
    ann.get(f"/me/{token}")
    from spellheist.server.process.serve import JsonLines

    said = "\n".join(JsonLines().format(record) for record in caplog.records if record.name.startswith("spellheist"))
    assert '"route": "/me/{key}"' in said
    for secret in (token, visitors.hashed(token), table, "a secret plan", "words of seat"):
        assert secret not in said


def test_what_a_page_is_sent_names_no_token(person):
    ann, bob = person(), person()
    table = ann.make("abraca_what", "me", "open")
    bob.sit(table, 1, "Bob")
    with ann.at(table, 0) as a, bob.at(table, 1) as b:
        a.start(b)
        texts = "\n".join(b.texts)
        token = ann.http.cookies[visitors.COOKIE]
        assert token not in texts and visitors.hashed(token) not in texts
        assert bob.http.cookies[visitors.COOKIE] not in texts, "not even its own: what a page has, another can read"
