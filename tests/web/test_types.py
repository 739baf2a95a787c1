"""The page's modules say their types in comments; the TypeScript compiler checks them where it is installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent.parent / "spellheist"
TSC = shutil.which("tsc")


@pytest.mark.skipif(not TSC, reason="the TypeScript compiler is not installed")
@pytest.mark.parametrize("part", ["web", "games"])
def test_the_modules_of_the_page_and_of_the_tables_agree_with_their_types(part: str) -> None:
    assert TSC
    project = PACKAGE / part / "jsconfig.json"
    checked = subprocess.run([TSC, "--project", str(project)], capture_output=True, text=True, check=False)
    assert checked.stdout == ""
    assert checked.returncode == 0
