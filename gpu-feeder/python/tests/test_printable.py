"""Tests that printed text has no secrets and no control characters, and is otherwise unchanged."""

from __future__ import annotations

import json
import random
import string
from pathlib import Path

import pytest

from rankfeed.errors import FeederError, NoColumn, RankfeedError
from rankfeed_cli.printable import printable, redacted

PROJECT = Path(__file__).resolve().parents[3]
CASES = json.loads(
    (PROJECT / "schema/src/test/resources/io/rankfeed/schema/config/secrets-cases.json").read_text("utf-8")
)
WORD = string.ascii_letters + string.digits + "_~.+-"
BASE64 = string.ascii_letters + string.digits + "+/="
ALPHABETS = {
    "url-user": WORD + "!$*%@",
    "url-slash": BASE64,
    "query": string.ascii_letters + string.digits + "%-._~",
    "sql": WORD + " /&;,=:@()[]{}",
    "quoted": WORD + " /&;,=:@()[]{}",
    "word": WORD + "/=:@!?",
    "pem": BASE64 + "\n",
}
NAMES = ["pwd:", "token=", "secret=", "password:", "key=", "sig:", "://", "hf_A1"]
PREFIXES = {
    "hf": "hf_",
    "aws": "AKIA",
    "gh": "ghp_",
    "pat": "github_pat_",
    "sk": "sk-",
    "jwt": "eyJhbGciOiJI.eyJzdWIi.",
}


def secret(kind: str, dice: random.Random) -> str:
    """Draws a secret of a kind; it begins and ends with letters, and no text around it has it."""
    drawn = "".join(dice.choice(ALPHABETS.get(kind, string.ascii_letters + string.digits)) for _ in range(20))
    if kind == "aws":
        drawn = drawn.upper()
    if kind == "letters":
        return "zq" + "".join(dice.choice(string.ascii_lowercase) for _ in range(20))
    return PREFIXES.get(kind, "") + f"Zq7{drawn}7Z" if kind != "aws" else f"AKIA7Q{drawn}"


@pytest.mark.parametrize("case", CASES["hidden"], ids=lambda case: case["text"])
def test_no_secret_is_printed(case):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    dice = random.Random(seed)
    for _ in range(50):
        hidden = secret(case["kind"], dice)
        if case["kind"] in ("word", "sql", "quoted") and dice.random() < 0.5:
            at = dice.randrange(3, len(hidden) - 3)
            hidden = hidden[:at] + dice.choice(NAMES) + hidden[at:]
        text = redacted(case["text"].replace("{S}", hidden))
        assert hidden[:6] not in text
        assert hidden[-6:] not in text
        expected = case["text"].replace("{S}", "<redacted>")
        # Of an address the user may go too, and after a name in a secret more than the secret.
        if "@" not in hidden and not case["kind"].startswith("url") and redacted(hidden) == hidden:
            assert text == expected
        assert redacted(text) == text


@pytest.mark.parametrize("text", CASES["kept"])
def test_other_text_stays(text):
    assert redacted(text) == text


def test_control_characters_are_escaped():
    hostile = [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
    for code in hostile:
        text = printable(f"a{chr(code)}b")
        assert text.isprintable()
        assert json.loads(f'"{text}"') == f"a{chr(code)}b"
    assert printable("Ä … 漢 🙂") == "Ä … 漢 🙂"


@pytest.mark.parametrize("error", [RankfeedError, NoColumn, FeederError])
def test_errors_of_the_client_are_printable(error):
    assert str(error("s3a://key:hunter2@b: \x1b[31m\nred")) == "s3a://<redacted>@b: \\u001b[31m\\nred"


@pytest.mark.parametrize(
    "hidden", ["\xad", "\u061c", "\u200b", "\u200e", "\u200f", "\u2060", "\ufeff", "\U000e0001", "\U000e007f"]
)
def test_direction_marks_and_invisible_characters_are_escaped(hidden):
    shown = printable(f"a{hidden}b")
    assert shown.isascii()
    assert json.loads(f'"{shown}"') == f"a{hidden}b"
