"""Executes the documentation: every block of a page in its order, as a reader would in an empty folder.

````
```bash                        runs, and must exit with 0
```python                      runs as a script
```yaml title="job.yaml"       is written to that file; so is any block with a title
```yaml title="job.yaml, added"  is merged into that file: mappings by their keys, all else replaced
```python title="excerpt"        is a part of a program, and must compile
````

Other languages (text, json, sql, console) show something and run nowhere.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from launch import PROJECT, SHORT_LIVED

DOCS = PROJECT / "docs"
FENCE = re.compile(r'^```(\w*)(?: title="([^"]*)")?[^\n]*\n(.*?)^```$', re.MULTILINE | re.DOTALL)
ADDED = ", added"
EXCERPT = "excerpt"
SECONDS = 900


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
    """The fenced blocks of a page."""
    text = page.read_text()
    return [
        Block(match[1], match[2] or "", match[3], text[: match.start()].count("\n") + 1)
        for match in FENCE.finditer(text)
    ]


def merged(base: Any, more: Any) -> Any:
    if not isinstance(base, dict) or not isinstance(more, dict):
        return more
    return {**base, **{key: merged(base.get(key), value) for key, value in more.items()}}


class Reader:
    """Who follows a page: a folder to work in, and the commands of this checkout in PATH.

    replaced: words of the page that another machine has, and what they are here.
    """

    def __init__(self, work: Path, replaced: dict[str, str] | None = None, **variables: str):
        self.work = work
        self.replaced = replaced or {}
        tools = work.with_name(f"{work.name}-tools")
        tools.mkdir()
        work.mkdir(exist_ok=True)
        (tools / "rankfeed").symlink_to(PROJECT / "rankfeed")
        # What a page installs is here.
        self._tool(tools / "pip", "exit 0")
        # One node of Slurm, which starts a task here.
        self._tool(tools / "srun", 'shift 2; SLURM_NNODES=1 SLURM_NODEID=0 SLURM_TASKS_PER_NODE=2 exec "$@"')
        self.variables = {
            **os.environ,
            "PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "RANKFEED_BUILD": "never",
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
        """Does everything that a page says; what was said on the way."""
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
        """A script that the page wrote, in the background."""
        return subprocess.Popen(
            ["bash", "-euo", "pipefail", script],
            cwd=self.work,
            env={**self.variables, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _write(self, block: Block, text: str) -> None:
        file = self.work / block.title.removesuffix(ADDED)
        file.parent.mkdir(parents=True, exist_ok=True)
        if block.title.endswith(ADDED):
            text = yaml.safe_dump(merged(yaml.safe_load(file.read_text()), yaml.safe_load(text)), sort_keys=False)
        file.write_text(text)

    def _run(self, page: Path, block: Block, text: str) -> str:
        program = ["bash", "-euo", "pipefail", "-c"] if block.language == "bash" else [sys.executable, "-c"]
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
