"""The page's modules say their types in comments; the TypeScript compiler checks them where it is installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).parent.parent.parent / "spellheist" / "web"
TSC = shutil.which("tsc")


@pytest.mark.skipif(not TSC, reason="the TypeScript compiler is not installed")
def test_the_modules_of_the_page_agree_with_their_types() -> None:
    assert TSC
    checked = subprocess.run([TSC, "--project", str(WEB / "jsconfig.json")], capture_output=True, text=True, check=False)
    assert checked.stdout == ""
    assert checked.returncode == 0
