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
    """Returns the text without the secrets that ``secrets.json`` describes.

    All finds read the original text, because one that replaced a part of a secret would hide the rest from the others.
    """
    lower = text.lower()
    secrets = [
        found.span(group)
        for words, pattern in _patterns()
        if any(word in lower for word in words)
        for found in pattern.finditer(text)
        for group in range(1, pattern.groups + 1)
        if found[group]
    ]
    shown, end = "", 0
    for start, stop in sorted(secrets):
        if not shown or start > end:
            shown += text[end:start] + BLOT
        end = max(end, stop)
    return shown + text[end:]


@cache
def _patterns() -> list[tuple[list[str], re.Pattern[str]]]:
    secrets = json.loads((Path(__file__).parent / "secrets.json").read_text("utf-8"))
    parts = re.compile("<([A-Z]+)>")
    return [
        (find["in"], re.compile(parts.sub(lambda part: secrets["parts"][part[1]], find["find"]), re.ASCII))
        for find in secrets["finds"]
    ]
