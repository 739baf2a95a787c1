"""One number a game for its behaviour: it changes when the rules do, on purpose (`tests/regenerate.py`)."""

import pytest

from spellheist.core.game import find, names
from spellheist.laws import check


@pytest.mark.parametrize("name", names())
def test_the_signature_is_that_of_the_rules(name):
    assert check.signature(find(name)) == find(name).signature
