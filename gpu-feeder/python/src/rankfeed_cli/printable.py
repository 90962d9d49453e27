"""Makes text printable: without secrets, and without characters that control a terminal."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

BLOT = "<redacted>"
# Controls of ASCII and Latin-1, ends of lines and paragraphs, what turns the direction of text, and the invisible.
_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def printable(text: str) -> str:
    """Returns one line for users: without secrets, control characters escaped as in JSON."""
    return escaped(redacted(text))


def escaped(text: str) -> str:
    """Escapes control characters as in JSON, such as ``\\u001b``."""
    return _CONTROL.sub(lambda found: _NAMED.get(found[0]) or json.dumps(found[0])[1:-1], text)


def redacted(text: str) -> str:
    """Returns the text without the secrets that ``secrets.json`` describes."""
    lower = text.lower()
    for words, pattern in _patterns():
        if any(word in lower for word in words):
            text = pattern.sub(_blotted, text)
    return text


def _blotted(found: re.Match[str]) -> str:
    text, end = "", found.start()
    for group in range(1, found.re.groups + 1):
        if found[group]:
            text += found.string[end : found.start(group)] + BLOT
            end = found.end(group)
    return text + found.string[end : found.end()]


@cache
def _patterns() -> list[tuple[list[str], re.Pattern[str]]]:
    secrets = json.loads((Path(__file__).parent / "secrets.json").read_text("utf-8"))
    parts = re.compile("<([A-Z]+)>")
    return [
        (find["in"], re.compile(parts.sub(lambda part: secrets["parts"][part[1]], find["find"]), re.ASCII))
        for find in secrets["finds"]
    ]
