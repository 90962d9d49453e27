"""Finds a version by its folder or by a run of its dataset, and the order by which it is read (manifest.md section
7)."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
import warnings
from pathlib import Path
from typing import Any

from rankfeed import names
from rankfeed.errors import RankfeedError
from rankfeed.order import Order
from rankfeed.order.json_members import reject_duplicates
from rankfeed.order.values import OrderError
from rankfeed_cli.printable import printable

_COMMIT = re.compile(r"[0-9]{10}\.json")
_ID = re.compile("[0-9a-f]{16}")
_ORDER = "order.json"
_MAX_COMMIT_BYTES = 1 << 10
_MAX_ORDER_BYTES = 64 << 20


class _DamagedError(RankfeedError):
    """A file is missing or invalid, as a file of a run that is committing can be."""


def folder_of(words: str) -> Path:
    """Returns the folder of a version, which may be named by its dataset and run."""
    return resolve(words)[0]


def resolve(words: str) -> tuple[Path, str | None]:
    """Returns the folder of a version and, for a version named by its run, the id of the run's order over it."""
    dataset, at, run = words.rstrip("/").rpartition("@")
    if not at or "/" in run or not dataset:
        return Path(words), None
    _require_dataset(words, Path(dataset), run)
    file, facts = _latest(words, Path(dataset)) if run == names.LATEST else _of_run(words, Path(dataset), run)
    order = _id(file, facts, "order") if "order" in facts else None
    return Path(dataset) / "versions" / _id(file, facts, "version"), order


def default_order(folder: Path, version: str, order: str | None) -> Order:
    """Returns an order over a version: the given one, else that of the version's first commit, else the only one."""
    dataset = Path(os.path.normpath(folder.absolute())).parent.parent
    if order is None:
        order = _first_commit(dataset, version).get("order")
    if order is not None:
        return _order(dataset / "orders" / order / _ORDER)[0]
    over, damaged = {}, []
    for file in sorted((dataset / "orders").glob(f"*/{_ORDER}")):
        if _ID.fullmatch(file.parent.name):
            try:
                found, versions = _order(file)
            except _DamagedError as e:
                damaged.append(f" ({e})")
                continue
            if version in versions:
                over[file.parent.name] = found
    if len(over) != 1:
        raise RankfeedError(
            f"{folder}: no commit of this dataset names version {version}, and the orders over it in"
            f" {dataset / 'orders'} are: {', '.join(over) or 'none'}{''.join(damaged)}; copy the folders commits and"
            " orders of the dataset with the version"
        )
    return next(iter(over.values()))


def _order(file: Path) -> tuple[Order, set[str]]:
    """Reads an order over versions, whose id is a digest of its bytes (plan.md section 10), and their ids."""
    data, document = _json(file, _MAX_ORDER_BYTES)
    try:
        order = Order.parse(document)
    except OrderError as e:
        raise _DamagedError(f"{file}: {e}") from None
    trains = [feed for feed in document["feeds"] if feed["kind"] == "train"]
    members = [member for feed in trains for member in feed.get("members", [])]
    places = [(member["name"], member.get("dataset")) for member in members]
    if order.dataset is None or "storage" in document or places != [(feed["name"], order.dataset) for feed in trains]:
        raise _DamagedError(f"{file} is the order of a plan or a version, and not a plan over a version")
    canonical = (json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()
    zeros = canonical.replace(b'\n  "plan": "%s"' % order.plan.encode(), b'\n  "plan": "0000000000000000"')
    if (
        data != canonical
        or document["formatVersion"] != (2 if trains else 1)
        or order.plan != file.parent.name
        or hashlib.sha256(zeros).hexdigest()[:16] != order.plan
    ):
        raise _DamagedError(f"{file} was changed after it was written; plan again")
    return order, {member["version"] for member in members}


def _first_commit(dataset: Path, version: str) -> dict[str, Any]:
    """Returns the first commit of a version, or an empty one; a file that has no end yet is ignored."""
    for file in _commits(dataset):
        try:
            commit = _commit(file)
        except _DamagedError:
            continue
        if commit["version"] == version:
            return commit
    return {}


def _commits(dataset: Path) -> list[Path]:
    return [file for file in sorted((dataset / "commits").glob("*.json")) if _COMMIT.fullmatch(file.name)]


def _commit(file: Path) -> dict[str, Any]:
    """Reads a commit (manifest.md section 7)."""
    commit = _json(file, _MAX_COMMIT_BYTES)[1]
    unknown = sorted(set(commit) - {"run", "version", "order", "plan"})
    if unknown or not isinstance(commit.get("run"), str):
        raise _DamagedError(f"{file} is not a commit: its run is {commit.get('run')!r}, unknown members are {unknown}")
    for name in ("version", *sorted(commit.keys() & {"order", "plan"})):
        _id(file, commit, name)
    return commit


def _latest(words: str, dataset: Path) -> tuple[Path, dict[str, Any]]:
    """Returns the commit with the greatest number; clocks are not compared."""
    for file in reversed(_commits(dataset)):
        try:
            return file, _commit(file)
        except _DamagedError as e:
            message = f"{e}; this commit is ignored, and {words} uses the one before it"
            warnings.warn(printable(message), stacklevel=4)
    raise RankfeedError(f"{words}: no committed run in {dataset} has made a version; run export or pipeline")


def _of_run(words: str, dataset: Path, run: str) -> tuple[Path, dict[str, Any]]:
    file = dataset / "runs" / names.folder(names.require_id(run)) / "run.json"
    facts = _json(file, _MAX_ORDER_BYTES)[1] if file.is_file() else {}
    if facts.get("state") != "committed" or "version" not in facts:
        known = ", ".join(sorted(run.name for run in (dataset / "runs").glob("*"))) or "none"
        raise RankfeedError(f"{words}: no committed run with this id has made a version; known runs: {known}")
    return file, facts


def _require_dataset(words: str, dataset: Path, run: str) -> None:
    if dataset.is_dir():
        return
    siblings = [folder.name for folder in dataset.parent.glob("*") if folder.is_dir()]
    near = difflib.get_close_matches(dataset.name, siblings, 1)
    hint = f"did you mean '{dataset.parent / near[0]}@{run}'?" if near else "check the path"
    raise RankfeedError(f"{words}: no dataset exists at {dataset}; {hint}")


def _id(file: Path, facts: dict[str, Any], name: str) -> str:
    found = facts.get(name)
    if not isinstance(found, str) or not _ID.fullmatch(found):
        raise _DamagedError(f"{file}: {name} {found!r} is not 16 hexadecimal digits")
    return found


def _json(file: Path, max_bytes: int) -> tuple[bytes, dict[str, Any]]:
    """Reads a JSON object; its length is checked first."""
    try:
        if file.is_symlink() or not file.is_file():
            raise _DamagedError(f"{file} is missing, not a file, or a symbolic link; copy it with the version")
        if file.stat().st_size > max_bytes:
            raise _DamagedError(f"{file} has {file.stat().st_size} bytes; at most {max_bytes} are read")
        data = file.read_bytes()
    except OSError as e:
        raise RankfeedError(f"{file} cannot be read ({e.strerror})") from e
    try:
        found = json.loads(data.decode(), object_pairs_hook=reject_duplicates)
    except (ValueError, RecursionError) as e:
        raise _DamagedError(f"{file} is not JSON: {e}") from e
    if not isinstance(found, dict):
        raise _DamagedError(f"{file} is not a JSON object")
    return data, found
