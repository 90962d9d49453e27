"""The output of commands about versions as data, for plots, tables and checks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from rankfeed.errors import RankfeedError
from rankfeed.version_names import folder_of


def inspect(version: str | os.PathLike[str]) -> dict[str, Any]:
    """Returns the output of ``rankfeed inspect`` for a version: rows, bytes, columns, lanes, stages and strata of its
    feeds.

    Tables are lists of dicts, as ``pandas.DataFrame`` takes them.

    Args:
        version: a folder, ``ROOT/DATASET@latest`` or ``ROOT/DATASET@RUN-ID``.

    Raises:
        RankfeedError: it cannot be read; the command's message.
    """
    return _asked("inspect", version)


def simulate(version: str | os.PathLike[str], feed: str | None = None) -> dict[str, Any]:
    """Returns the output of ``rankfeed simulate``: the planned run of one feed, or of all training feeds, without
    rows::

        drawn = rankfeed.simulate("shop@latest", feed="train")["drawn by train"]
        pandas.DataFrame(drawn).set_index("firstStep").plot.area()

    ``drawn by FEED`` has rows by stratum in the steps, ``epochs of FEED`` the part of the pool that was seen (0 … 1),
    ``visits of FEED`` how often rows of a stratum come. Takes 60 ns and 8 bytes per row of the run.

    Args:
        version: a folder, ``ROOT/DATASET@latest`` or ``ROOT/DATASET@RUN-ID``.
        feed: its name; None: every feed that trains.

    Raises:
        RankfeedError: it cannot be read; the command's message.
    """
    return _asked("simulate", version, *(["--feed", feed] if feed else []))


def plan(
    version: str | os.PathLike[str] | None = None,
    *,
    mixture: str | os.PathLike[str] | None = None,
    feed: str | None = None,
    name: str | None = None,
    out: str | os.PathLike[str] | None = None,
    **numbers: Any,
) -> dict[str, Any]:
    """Plans over a version with ``rankfeed plan``: other numbers for the rows that it stores, without a new export::

        for seed in range(3):
            rankfeed.plan("shop@latest", name=f"seed{seed}", seed=seed, epochs=10)

    With ``mixture`` it plans one feed over several versions, as ``rankfeed.plan(mixture="mix.yaml", seed=1)``.

    Returns the feeds, stages and strata of the plan as :func:`inspect` does, its id as ``plan`` and its folder as
    ``path``. The bytes are those that the command writes.

    Args:
        version: a folder, ``ROOT/DATASET@latest`` or ``ROOT/DATASET@RUN-ID``.
        mixture: the file of a mixture, in place of a version; ``numbers`` are its keys.
        feed: the feed to plan; None: the only one that trains.
        name: what ``plan=`` of :func:`serve` and ``--plan`` of commands call it; None: its id alone.
        out: a folder for the plan; None: ``orders`` next to the versions of the dataset.
        numbers: keys of ``sample.FEED`` of a job file, with ``_`` for ``-``, as ``batch=512`` or
            ``weights={"hard": 2}``; a number with decimals exactly as in a job file is a string.

    Raises:
        RankfeedError: the version cannot be planned over so; the command's message.
    """
    words = [f"--set={key.replace('_', '-')}={json.dumps(value)}" for key, value in numbers.items()]
    for option, value in (("--mixture", mixture), ("--feed", feed), ("--name", name), ("--out", out)):
        words += [option, os.fspath(value)] if value is not None else []
    return _asked("plan", version, *words)


def _asked(command: str, version: str | os.PathLike[str] | None, *more: str) -> dict[str, Any]:
    named = [] if version is None else [os.fspath(version)]
    if named:
        folder_of(named[0])  # a run that made no version is an error of this process
    words = [sys.executable, "-P", "-m", "rankfeed_cli", command, *named, "--json", *more]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise RankfeedError(lines[-1].removeprefix("rankfeed: ") if lines else f"{command} ended without a message")
    # A JVM writes its own warnings before the answer, as of an archive of classes that does not fit.
    answer: dict[str, Any] = json.loads(done.stdout[done.stdout.index("{\n") :])
    return answer
