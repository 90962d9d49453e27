"""Names of runs, which become folders; the same rules as in ``io.rankfeed.schema.run.RunName``."""

from __future__ import annotations

import re

from rankfeed.errors import RankfeedError

LATEST = "latest"
"""Names the last committed version in ``ROOT/DATASET@latest``; no run may have it."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+:-]{0,199}")
_FED = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")
_SHOWN_CHARS = 80


def require_id(run: str) -> str:
    """Checks the id of a job's run (``--run-id``). Raises ``RankfeedError`` if it is invalid."""
    return _require("run id", run, _ID)


def require_fed(run: str) -> str:
    """Checks the name by which trainers find a feeder (``--run``). Raises ``RankfeedError`` if it is invalid."""
    return _require("run name", run, _FED)


def is_fed(run: str) -> bool:
    return run != LATEST and _FED.fullmatch(run) is not None


def folder(run: str) -> str:
    """Returns the folder of a run: ``:`` and ``+``, which no Hadoop path may contain, become ``-``."""
    return run.replace(":", "-").replace("+", "-")


def _require(what: str, run: str, pattern: re.Pattern[str]) -> str:
    if run == LATEST:
        raise RankfeedError(
            f"{what} 'latest' is reserved: @latest names the version that was committed last; choose another"
        )
    if not pattern.fullmatch(run):
        shown = repr(run) if len(run) <= _SHOWN_CHARS else f"{run[:_SHOWN_CHARS]!r}… ({len(run):,} characters)"
        raise RankfeedError(f"{what} {shown} must match {pattern.pattern}; choose another")
    return run
