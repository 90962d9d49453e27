"""The completion script in a real bash."""

from __future__ import annotations

import subprocess

import pytest

from rankfeed_cli import completion
from rankfeed_cli.failure import Failure
from rankfeed_cli.main import COMMANDS

ASK = """
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rankfeed; printf '%s\\n' "${COMPREPLY[@]}"
"""


def offered(*words: str) -> list[str]:
    script = completion.script(["bash"]) + ASK
    done = subprocess.run(["bash", "-c", script, "bash", *words], capture_output=True, text=True, check=True)
    assert not done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["rankfeed", "pre"], ["prepare", "preview"]),
        (["rankfeed", "feed", "--ra"], ["--ranks"]),
        (["./rankfeed", "--spark", "--master local[2]", "sim"], ["simulate"]),
        (["rankfeed", "simulate", "V", "--len"], ["--lengths"]),
        (["rankfeed", "completion", "z"], ["zsh"]),
        (["rankfeed", "feed", "V", "--", "torchrun", "--ra"], []),
        (["rankfeed", "feed", "V"], []),
        (["rankfeed", "no-command", "--x"], []),
    ],
)
def test_commands_and_options_are_offered(words, expected):
    assert offered(*words) == expected


def test_every_command_is_known():
    assert set(offered("rankfeed", "")) - {"--spark", "--help", "--version"} == set(COMMANDS)


def test_a_shell_is_named():
    with pytest.raises(Failure, match="bash, or zsh"):
        completion.script(["fish"])
    assert "source <(rankfeed completion zsh)" in completion.script(["--help"])
