"""An adapter whose library is not installed says so, and what to install."""

import pytest


@pytest.mark.parametrize(
    ("adapter", "package", "title"),
    [
        ("pettingzoo", "pettingzoo", "PettingZoo"),
        ("gymnasium", "gymnasium", "Gymnasium"),
        ("openspiel", "pyspiel", "OpenSpiel"),
    ],
)
def test_what_is_missing_is_named_in_a_sentence(run, adapter, package, title):
    code = f"import sys; sys.modules[{package!r}] = None; import spellheist.adapters.{adapter}"
    done = run("-c", code)
    assert f"ImportError: This adapter needs {title}: pip install spellheist[{adapter}]" in done.stderr
    assert "During handling" not in done.stderr
