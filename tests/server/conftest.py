"""A server for the tests of a module, and people who speak with it."""

import pytest
from people import Person, Server


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Server(f"sqlite:///{tmp_path_factory.mktemp('store')}/tables.db").start()
    yield running
    running.stop()


@pytest.fixture
def person(server):
    made = []

    def new():
        made.append(Person(server.base))
        return made[-1]

    yield new
    for one in made:
        one.http.close()
