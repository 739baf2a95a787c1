"""The pictures of docs/page.md, made anew: each page on a desktop in light beside a phone in dark. Not part of the tests.

    python tests/web/pictures.py [lobby GAME ...]

The dice fall anew each time, so look at what was made before you keep it.
"""

from __future__ import annotations

import base64
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "server")]
os.environ.setdefault("SPELLHEIST_KERNEL", "plain")

PICTURES = HERE.parent.parent / "docs" / "pictures"
DESKTOP, PHONE, HIGH = (1280, 900, "light"), (390, 842, "dark"), 540
MOVES = {"abraca_what": 9, "dice_heist": 14, "mages_dice": 8, "spell_stealers": 12, "spellcaster": 12}  # before the picture
BESIDE = """<style>body {{ margin: 0; display: flex; gap: 14px; background: #fff }} img {{ height: {high}px }}</style>
<img src="data:image/png;base64,{desktop}"><img src="data:image/png;base64,{phone}">"""


def main() -> None:
    from browsers import CHROMIUM, QUIET, Person, playwright
    from people import Server

    with tempfile.TemporaryDirectory() as folder, playwright.sync_playwright() as driver:
        server = Server(f"sqlite:///{folder}/tables.db").start()
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        try:
            for name in sys.argv[1:] or ["lobby", *MOVES]:
                ann = Person(browser, server.base, "Ann")
                come_to(ann, name)
                (PICTURES / f"{name}.jpg").write_bytes(pictured(ann.page))
                ann.context.close()
        finally:
            browser.close()
            server.stop()


def come_to(ann: Any, name: str) -> None:
    """The page that is to be pictured: the lobby, or the middle of a game when Ann is asked."""
    page = ann.page
    page.goto("/settings")
    page.get_by_label("Your name at tables").fill(ann.name)
    page.get_by_label("Your name at tables").blur()
    page.goto("/")
    page.wait_for_selector(".games li")
    if name == "lobby":
        return
    page.locator(f".games li:has(a[href='/rules/{name}'])").get_by_role("button", name="Play against bots").click()
    luck = random.Random(name)
    for _ in range(MOVES[name]):
        page.wait_for_selector("[data-move]:not([disabled]), [data-go-on]")
        ann.click_some_move(luck)
    page.wait_for_selector("[data-move]:not([disabled])")


def pictured(page: Any) -> bytes:
    """A page as a desktop and as a phone shows it, side by side."""
    shots = {}
    for device, (width, height, theme) in {"desktop": DESKTOP, "phone": PHONE}.items():
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme)
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_load_state("networkidle")
        shots[device] = base64.b64encode(page.screenshot()).decode()
    both = page.context.new_page()
    wide = sum(round(width * HIGH / height) for width, height, _ in (DESKTOP, PHONE)) + 14
    both.set_viewport_size({"width": wide, "height": HIGH})
    both.set_content(BESIDE.format(high=HIGH, **shots))
    picture: bytes = both.screenshot(type="jpeg", quality=88)
    return picture


if __name__ == "__main__":
    main()
