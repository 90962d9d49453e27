"""Finds a version by its folder or by a run of its dataset, and the order by which it is read (manifest.md section
7)."""

from __future__ import annotations

import hashlib
import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rankfeed import names
from rankfeed.errors import RankfeedError
from rankfeed.order import Order
from rankfeed_cli.printable import printable

_COMMIT = re.compile(r"[0-9]{10}\.json")
_ID = re.compile("[0-9a-f]{16}")


def folder_of(words: str) -> Path:
    """Returns the folder of a version, which may be named by its dataset and run."""
    return resolve(words)[0]


def resolve(words: str) -> tuple[Path, str | None]:
    """Returns the folder of a version and, for a version named by its run, the id of the run's order over it."""
    dataset, at, run = words.rstrip("/").rpartition("@")
    if not at or "/" in run or not dataset:
        return Path(words), None
    file, facts = _latest(words, Path(dataset)) if run == names.LATEST else _of_run(words, Path(dataset), run)
    order = _id(file, facts, "order") if "order" in facts else None
    return Path(dataset) / "versions" / _id(file, facts, "version"), order


def default_order(folder: Path, version: str, order: str | None) -> Order:
    """Returns an order over a version: the given one, else that of the version's first commit, else the only one."""
    dataset = folder.absolute().parent.parent
    if order is None:
        orders = (_id(file, found, "order") for file, found in _commits(dataset, version) if "order" in found)
        order = next(orders, None)
    if order is not None:
        return _order(dataset / "orders" / order / "order.json")
    files = [file for file in sorted((dataset / "orders").glob("*/order.json")) if _ID.fullmatch(file.parent.name)]
    over = [file for file in files if f'"version": "{version}"' in file.read_text()]
    if len(over) != 1:
        found = ", ".join(file.parent.name for file in over) or "none"
        raise RankfeedError(
            f"{folder}: no commit of this dataset names version {version}, and the orders over it in"
            f" {dataset / 'orders'} are: {found}; copy the folders commits and orders of the dataset with the version"
        )
    return _order(over[0])


def _order(file: Path) -> Order:
    """Reads an order over a version, whose id is a digest of its bytes (plan.md section 10)."""
    try:
        data = file.read_bytes()
    except OSError as e:
        raise RankfeedError(f"{file} cannot be read ({e.strerror}); plan again, or copy it with the version") from e
    order = Order.load(file)
    zeros = data.replace(b'"plan": "%s"' % order.plan.encode(), b'"plan": "0000000000000000"')
    if order.plan != file.parent.name or hashlib.sha256(zeros).hexdigest()[:16] != order.plan:
        raise RankfeedError(f"{file} was changed after it was written; plan again")
    return order


def _commits(dataset: Path, version: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Returns the commits of a version with their files, the first one first; a file that has no end yet is ignored."""
    for file in sorted((dataset / "commits").glob("*.json")):
        if _COMMIT.fullmatch(file.name):
            try:
                commit = _json(file)
            except RankfeedError:
                continue
            if commit.get("version") == version:
                yield file, commit


def _latest(words: str, dataset: Path) -> tuple[Path, dict[str, Any]]:
    """Returns the commit with the greatest number; clocks are not compared."""
    for file in sorted((dataset / "commits").glob("*.json"), reverse=True):
        if _COMMIT.fullmatch(file.name):
            try:
                commit = _json(file)
                _id(file, commit, "version")
                return file, commit
            except RankfeedError as e:
                message = f"{e}; this commit is ignored, and {words} uses the one before it"
                warnings.warn(printable(message), stacklevel=4)
    raise RankfeedError(f"{words}: no committed run in {dataset} has made a version; run export or pipeline")


def _of_run(words: str, dataset: Path, run: str) -> tuple[Path, dict[str, Any]]:
    file = dataset / "runs" / names.folder(names.require_id(run)) / "run.json"
    facts = _json(file) if file.is_file() else {}
    if facts.get("state") != "committed" or "version" not in facts:
        known = ", ".join(sorted(run.name for run in (dataset / "runs").glob("*"))) or "none"
        raise RankfeedError(f"{words}: no committed run with this id has made a version; known runs: {known}")
    return file, facts


def _id(file: Path, facts: dict[str, Any], name: str) -> str:
    found = facts.get(name)
    if not isinstance(found, str) or not _ID.fullmatch(found):
        raise RankfeedError(f"{file}: {name} {found!r} is not 16 hexadecimal digits")
    return found


def _json(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_bytes())
    except OSError as e:
        raise RankfeedError(f"{file} cannot be read ({e.strerror})") from e
    except ValueError as e:
        raise RankfeedError(f"{file} is not JSON: {e}") from e
    if not isinstance(found, dict):
        raise RankfeedError(f"{file} is no JSON object")
    return found
