"""Executes the documentation: every block of a page in its order, as a reader would in an empty folder.

````
```bash                            runs, and must exit with 0
```python                          runs as a script
```yaml title="job.yaml"           is written to that file; so is any block with a title
```yaml title="job.yaml, changed"  has keys that change in that file: mappings are merged, all else is replaced
```python title="excerpt"          is a part of a program, and must compile
````

Other languages (text, json, sql, console) show something and run nowhere.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from launch import PROJECT, SHORT_LIVED

DOCS = PROJECT / "docs"
FENCE = re.compile(r'^( *)```(\w*)(?: title="([^"]*)")?[^\n]*\n(.*?)^\1```$', re.MULTILINE | re.DOTALL)
CHANGED = ", changed"
EXCERPT = "excerpt"
SECONDS = 900
# Where a machine has its own commands.
SYSTEM = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True)
class Block:
    language: str
    title: str
    text: str
    line: int

    @property
    def runs(self) -> bool:
        return self.language in ("bash", "python") or bool(self.title)


def blocks(page: Path) -> list[Block]:
    """Yields the fenced blocks of a page, also those in lists."""
    text = page.read_text()
    return [
        Block(match[2], match[3] or "", textwrap.dedent(match[4]), text[: match.start()].count("\n") + 1)
        for match in FENCE.finditer(text)
    ]


def installed(page: Path) -> list[str]:
    """Returns what the install line of a page installs: requirements, and no options. A page has at most one such line.

    A line with an option installs what its page builds; test_wheels.py does that.
    """
    commands = [shlex.split(line, comments=True) for block in blocks(page)
                for line in block.text.replace("\\\n", "").splitlines()
                if block.language == "bash" and line.startswith("pip install ")]  # fmt: skip
    lines = [words[2:] for words in commands if not any(word.startswith("-") for word in words)]
    assert len(lines) <= 1, f"{page} has {len(lines)} install lines"
    return lines[0] if lines else []


def merged(base: Any, more: Any) -> Any:
    if not isinstance(base, dict) or not isinstance(more, dict):
        return more
    return {**base, **{key: merged(base.get(key), value) for key, value in more.items()}}


def jdk() -> Path:
    """Returns the JDK of this machine, which the page requires."""
    java = subprocess.run([PROJECT / "rankfeed", "java"], capture_output=True, text=True, check=True).stdout
    return Path(java.strip()).parents[1]


class Reader:
    """Follows a page: has a folder to work in, and the command ``rankfeed`` in PATH.

    replaced: words of the page that another machine has, and what they are here.
    environment: what the page's install line made, of which the commands and Python are; the test environment and the
    command of this checkout without it.
    """

    def __init__(
        self,
        work: Path,
        replaced: dict[str, str] | None = None,
        environment: Path | None = None,
        **variables: str,
    ):
        self.work = work
        self.replaced = replaced or {}
        tools = work.with_name(f"{work.name}-tools")
        tools.mkdir()
        work.mkdir(exist_ok=True)
        self.python = environment / "bin" / "python" if environment else Path(sys.executable)
        # What a page installs is here.
        self._tool(tools / "pip", "exit 0")
        # One node of Slurm, which starts a task here.
        self._tool(tools / "srun", 'shift 2; SLURM_NNODES=1 SLURM_NODEID=0 SLURM_TASKS_PER_NODE=2 exec "$@"')
        if environment:  # nothing of the test environment: neither packages nor settings of Spark
            inherited = {"HOME": str(tools), "PATH": SYSTEM, "JAVA_HOME": str(jdk()), "RANKFEED_AOT": "off"}
        else:
            inherited = {**os.environ, "RANKFEED_BUILD": "never"}
            (tools / "rankfeed").symlink_to(PROJECT / "rankfeed")
        self.variables = {
            **inherited,
            "PATH": f"{tools}:{self.python.parent}:{inherited['PATH']}",
            "OMP_NUM_THREADS": "1",
            "MPLBACKEND": "agg",
            "RANKFEED_JAVA_OPTS": SHORT_LIVED,
            **variables,
        }

    @staticmethod
    def _tool(file: Path, body: str) -> None:
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)

    def follow(self, page: Path) -> str:
        """Executes all blocks of a page; returns what they printed."""
        said = []
        for block in blocks(page):
            text = block.text
            for words, here in self.replaced.items():
                text = text.replace(words, here)
            if block.title == EXCERPT:
                compile(text, f"{page}:{block.line}", "exec")
            elif block.title:
                self._write(block, text)
            elif block.language in ("bash", "python"):
                said.append(self._run(page, block, text))
        return "".join(said)

    def start(self, script: str, **variables: str) -> subprocess.Popen[str]:
        """Starts a script that the page wrote, in the background."""
        return subprocess.Popen(
            ["bash", "-euo", "pipefail", script],
            cwd=self.work,
            env={**self.variables, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _write(self, block: Block, text: str) -> None:
        file = self.work / block.title.removesuffix(CHANGED)
        file.parent.mkdir(parents=True, exist_ok=True)
        if block.title.endswith(CHANGED):
            text = yaml.safe_dump(merged(yaml.safe_load(file.read_text()), yaml.safe_load(text)), sort_keys=False)
        file.write_text(text)

    def _run(self, page: Path, block: Block, text: str) -> str:
        program = ["bash", "-euo", "pipefail", "-c"] if block.language == "bash" else [self.python, "-c"]
        done = subprocess.run(
            [*program, text],
            cwd=self.work,
            env=self.variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        assert done.returncode == 0, f"{page}:{block.line} ended with {done.returncode}:\n{done.stdout[-4000:]}"
        return done.stdout
