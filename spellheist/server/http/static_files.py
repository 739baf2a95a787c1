"""Pages: the files of the page, read once at the start, and the headers they are sent with.

Everything but `index.html` is under `/static/{version}/`, where the version is a hash of all files: a browser may
keep such a file for ever. In `index.html` every `{v}` stands for the version.
"""

from __future__ import annotations

import base64
import hashlib
import mimetypes
import re
from pathlib import Path

from spellheist.core.game import GAMES

WEB = Path(__file__).parents[2] / "web"
OF_GAMES = ("*.js", "*.css", "cover.svg")
TYPES = {".js": "text/javascript", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json"}
NOT_SERVED = (".py", ".pyc", ".md", ".ts", ".json")
EMPTY = "<!doctype html><title>Spellheist</title><p>The server runs; its page is not installed here."


class Pages:
    """All files of the page in memory."""

    def __init__(self, web: Path = WEB, games: Path = GAMES) -> None:
        self.files: dict[str, tuple[bytes, str]] = {}
        if web.is_dir():
            for path in sorted(web.rglob("*")):
                if path.is_file() and path.name != "index.html" and path.suffix not in NOT_SERVED:
                    self.files[path.relative_to(web).as_posix()] = path.read_bytes(), kind(path)
        for folder in sorted(games.iterdir()):
            for path in sorted(path for pattern in OF_GAMES for path in folder.glob(pattern)):
                self.files[f"games/{folder.name}/{path.name}"] = path.read_bytes(), kind(path)
        index = web / "index.html"
        text = index.read_text(encoding="utf-8") if index.is_file() else EMPTY
        digest = hashlib.sha256(text.encode())
        for name, (data, _) in self.files.items():
            digest.update(name.encode() + hashlib.sha256(data).digest())
        self.version = digest.hexdigest()[:12]
        self.index = text.replace("{v}", self.version)
        self.policy = policy(self.index)


def kind(path: Path) -> str:
    """The content type of a file."""
    found = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return f"{found}; charset=utf-8" if found.startswith("text/") else found


def policy(index: str) -> str:
    """The content security policy of a page: our own files, and its import map by hash."""
    inline = re.findall(r"<script[^>]*type=\"importmap\"[^>]*>(.*?)</script>", index, re.S)
    hashes = "".join(f" 'sha256-{base64.b64encode(hashlib.sha256(m.encode()).digest()).decode()}'" for m in inline)
    return (
        f"default-src 'self'; script-src 'self'{hashes}; style-src 'self'; "
        "img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
