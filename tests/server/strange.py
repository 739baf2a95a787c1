"""Strange messages, frames and requests, made from a seed: each is a right one with something wrong in it, or wrong from
the start, or now and then right after all."""

from __future__ import annotations

import json

from spellheist.server.table.actions import MESSAGES

VALUES = [
    "-1", "0", "1", "7", "-0", "1.5", "1e400", "-1e9", "1e-400", "9007199254740993", "9" * 400, "true", "false",
    "null", '""', '"x"', '"\\ud800"', '"\\u0000"', '"\\u202e\\u0301"', '"' + "y" * 600 + '"', "[]", "{}", "[[]]",
    "[" * 600 + "]" * 600, "NaN", "Infinity", '"0"', '"-1"', "[0]", '{"t":"move"}', "0x10", "01", "+1", '"\\', "'a'",
    "\x00", "1e5", "1000000", "1000001", "-2147483649",
]  # fmt: skip
KINDS = {kind.__struct_config__.tag: kind.__struct_fields__ for kind in MESSAGES}
KINDS |= {"propose": ("id", "what"), "nonsense": ("id",)}  # which are no messages
RARE = ("rematch", "resign", "close", "kick", "pause", "undo")  # mostly with something wrong in them, so that games go on
JUNK = [
    b"\x00", b"\xff", b"\xed\xa0\x80", b"\xf0\x9f\xa7\x99", b"{", b"}", b'"', b",", b"\\u", b"[" * 50, b"9" * 50,
    b" " * 50, b"\n",
]  # fmt: skip


def message(luck, number, ply=0, moves=()):
    """A message of a page, in bytes."""
    kind = luck.choice(list(KINDS))
    right = {
        "id": number, "ply": ply, "move": luck.choice(moves) if moves else 0, "seat": luck.randrange(4),
        "words": "some words", "reaction": 300, "text": "hello", "yes": luck.random() < 0.5, "on": False, "n": 3,
        "what": "pause",
    }  # fmt: skip
    fields = [("t", json.dumps(kind))] + [(name, json.dumps(right[name])) for name in KINDS[kind]]
    wrong = luck.random() < (0.98 if kind in RARE else 0.7)
    if wrong and luck.random() < 0.7:
        mistake(luck, fields)
    text = ("{" + ",".join(f'"{name}":{value}' for name, value in fields) + "}").encode("utf-8", "surrogatepass")
    return spoil(luck, text) if wrong and luck.random() < 0.5 else text


def mistake(luck, fields):
    """Something wrong in a field."""
    for _ in range(luck.choice((1, 1, 1, 2, 3))):
        k = luck.randrange(len(fields))
        name, value = fields[k]
        way = luck.randrange(5)
        if way < 2:
            fields[k] = name, luck.choice(VALUES)
        elif way == 2 and len(fields) > 1:
            del fields[k]
        elif way == 3:
            fields.insert(luck.randrange(len(fields) + 1), (name, luck.choice((value, luck.choice(VALUES)))))
        else:
            fields.append((luck.choice(("x", "", "seat", "T", "id", "ply")), luck.choice(VALUES)))


def spoil(luck, text):
    """Something wrong with the bytes."""
    for _ in range(luck.choice((1, 1, 2, 5))):
        at = luck.randrange(len(text) + 1)
        way = luck.randrange(5)
        if way == 0:
            text = text[:at] + luck.choice(JUNK) + text[at:]
        elif way == 1:
            text = text[:at] + text[at + luck.randrange(1, 9) :]
        elif way == 2:
            text = text[:at]
        elif way == 3:
            text = text[:at] + bytes((luck.randrange(256),)) + text[at + 1 :]
        else:
            text = text + text[at:]
    return text


def frame(payload=b"", first=0x81, masked=True, size=None):
    """A frame of a WebSocket, with a mask of zeros."""
    size = len(payload) if size is None else size
    longer = b"\x7e" + size.to_bytes(2, "big") if size < 65536 else b"\x7f" + size.to_bytes(8, "big")
    wide = bytes((size,)) if size < 126 else longer
    wide = bytes((wide[0] | (0x80 if masked else 0),)) + wide[1:]
    return bytes((first,)) + wide + (b"\0\0\0\0" if masked else b"") + payload


def frames(luck, text):
    """A text as frames that are odd, or wrong."""
    way = luck.randrange(12)
    if way < 3 and len(text) > 2:  # in parts, perhaps with a ping in between
        at = luck.randrange(1, len(text))
        between = luck.choice((b"", frame(b"hi", 0x89), frame(b"", 0x00)))
        return frame(text[:at], 0x01) + between + frame(text[at:], 0x80)
    if way == 3:
        return frame(text, luck.choice((0x83, 0x8B, 0xC1, 0xA1, 0x91, 0x80, 0x00, 0x02, 0x0F)))
    if way == 4:
        return frame(text, masked=False)
    if way == 5:
        return frame(b"", luck.choice((0x89, 0x8A, 0x82, 0x01, 0x08, 0x88))) * luck.choice((1, 3, 300))
    if way == 6:
        return frame(text, size=luck.choice((0, 1, 125, 126, 65535, 65536, 2**40)))
    if way == 7:
        return frame(luck.choice((b"\x03", b"\x00\x00", b"\x03\xe8" + b"x" * 123, b"\x03\xe8\xff", b"\x13\x88")), 0x88)
    if way == 8:
        return spoil(luck, frame(text))
    return frame(text, luck.choice((0x81, 0x82)))


PATHS = [
    "/", "/api/games", "/api/games/dice_heist", "/api/tables", "/api/mine", "/api/tables/{t}/cards",
    "/api/tables/{t}/frames", "/api/tables/{t}/record", "/healthz", "/metrics", "/me/{k}", "/api/tables/{t}/sit",
    "/api/tables/{t}/rise", "/ws/{t}", "/t/{t}", "/static/x/shell.js", "/api/openapi.json", "/api", "/nothing",
    "/readyz", "/replay/{t}",
]  # fmt: skip
PARTS = [
    "%00", "%ff", "\xe4", "..", "%2e%2e", "x" * 300, "?seat=00", "?from=" + "9" * 5000, "?seat=0&seat=1",
    "?from=1e3", "?from=-1", "?seat=open", "?seat=%D9%A0", "#", ";", "%", "%zz", "//", "\\", "?" + "a=b&" * 50,
    "?from=5&seat=0",
]  # fmt: skip
ORIGINS = [
    "http://[", "null", "", "http://evil.example", "http://[::1", "\xff", "://", "http://a:99999999", "http://a:b",
]  # fmt: skip
HEADS = [
    "Host: ", "Host: a\r\nHost: b", "Cookie: spellheist=a; spellheist=b;;=", "Cookie: \xff",
    "Content-Length: 99999999999", "Content-Length: -1", "Content-Length: 1\r\nContent-Length: 2",
    "Transfer-Encoding: chunked", "Transfer-Encoding: x", "A: " + "b" * 9000, "Upgrade: websocket",
    "Connection: upgrade\r\nUpgrade: h2c", "Expect: 100-continue", "X-Forwarded-For: x, 1.2.3.4,,", "A" * 300,
    "X-Forwarded-Proto: gopher", ": ", "A:b\r\n c", "\x00: a", "Accept: text/html", "Authorization: Bearer \xff",
    "Range: bytes=0-",
]  # fmt: skip
LINES = ["GET /", "GET / HTTP/9.9", " / HTTP/1.1", "GET  / HTTP/1.1", "GET / HTTP/1.0", "\x16\x03\x01", "PRI * HTTP/2.0"]
BODIES = [
    b"", b"{}", b"[]", b"null", b"[" * 5000, b"\xff\xfe", b'{"seat": 0, "name": "Zo\xc3\xab"}',
    b'{"seat": 1e9, "name": "a"}', b'{"seat": 0}', b'{"game": "dice_heist", "chairs": [{"kind": "me"}]}',
    b'{"game": "chess", "chairs": [{"kind": "me"}, {"kind": "me"}]}',
    b'{"game": "dice_heist", "chairs": [{"kind": "me"}, {"kind": "bot", "level": "\\ud800"}]}',
    b'{"game": "dice_heist", "chairs": [{"kind": "me"}, {"kind": "me"}], "options": {"turn_limit": 1e999}}',
]  # fmt: skip


def request(luck, base, table, cookie):
    """An HTTP request in bytes."""
    method = luck.choice(("GET", "GET", "GET", "POST", "POST", "HEAD", "OPTIONS", "PUT", "BREW", "get"))
    path = luck.choice(PATHS).replace("{t}", table if luck.random() < 0.7 else "x" * 16).replace("{k}", "k" * 43)
    if luck.random() < 0.5:
        path += luck.choice(PARTS)
    body = luck.choice(BODIES) if method in ("POST", "PUT") else b""
    if body and luck.random() < 0.3:
        body = spoil(luck, body)
    origin = base if luck.random() < 0.7 else luck.choice(ORIGINS)
    head = [f"{method} {path} HTTP/1.1", f"Host: {base[7:]}", f"Origin: {origin}", f"Cookie: {cookie}"]
    head.append(f"Content-Length: {len(body)}")
    if luck.random() < 0.15:
        head.insert(luck.randrange(1, len(head) + 1), luck.choice(HEADS))
    if luck.random() < 0.02:
        head[0] = luck.choice(LINES)
    whole = "\r\n".join(head).encode("latin1", "replace") + b"\r\n\r\n" + body
    return spoil(luck, whole) if luck.random() < 0.04 else whole
