"""What random play looks like, pinned with intervals: a change of a rule that nobody meant shows here."""

import json
from pathlib import Path

import pytest

from spellheist.core.game import names

PINNED = json.loads((Path(__file__).parent / "statistics.json").read_text())
GAMES = 20_000
WIDE = 4.5  # standard errors of the difference


@pytest.mark.parametrize("name", names())
def test_random_play_has_the_length_the_rounds_and_the_win_shares_that_were_measured(name, run):
    done = run(str(Path(__file__).with_name("random_statistics.py")), name, str(GAMES), "20261", mode="fast")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.keys() == PINNED[name].keys()
    for variant, was in PINNED[name].items():
        now = found[variant]
        for figure in ("decisions", "rounds"):
            (mean, error), (pinned, pinned_error) = now[figure], was[figure]
            assert abs(mean - pinned) <= WIDE * (error**2 + pinned_error**2) ** 0.5 + 1e-4, f"{variant}: {figure}"
        for share, pinned in zip(now["shares"], was["shares"], strict=True):
            error = (pinned * (1 - pinned) * (1 / GAMES + 1 / was["games"])) ** 0.5
            assert abs(share - pinned) <= WIDE * error + 1e-4, f"{variant}: shares"
        assert abs(now["limited"] - was["limited"]) < 0.01
