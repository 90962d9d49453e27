"""The project's folder, its launcher, and what a committed version is to the end-to-end tests."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[3]


@dataclass(frozen=True)
class House:
    """A committed version and the plan behind it."""

    root: Path  # <root>/<dataset>
    version: str
    plan: str
    prepared: str

    @property
    def path(self) -> Path:
        return self.root / "versions" / self.version


def rankfeed(*words: object, timeout: float = 600, check: bool = True, **more) -> subprocess.CompletedProcess:
    """Runs ./rankfeed and returns the finished process; a failure shows what it said."""
    done = subprocess.run(
        [str(PROJECT / "rankfeed"), *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
        **more,
    )
    if check:
        assert done.returncode == 0, (
            f"rankfeed {words[0]} ended with {done.returncode}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        )
    return done
