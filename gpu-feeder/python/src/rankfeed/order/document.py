"""Reads ``order.json`` (plan.md section 10); checks its size and all values before they are used."""

from __future__ import annotations

import json
import math
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankfeed.order.sequential import SequentialOrder
from rankfeed.order.train import TrainOrder
from rankfeed.order.values import OrderError, Segment, Stratum

_MAX_BYTES = 256 << 20
_FEED_NAME = re.compile(r"[a-z][a-z0-9_-]{0,30}")
_TRAIN = "name kind seed lanes batch epochs stepsPerEpoch mode order window strata segments".split()
_SEQUENTIAL = "name kind lanes batch rows steps".split()
_LIMIT = 1 << 63
_STEPS_LIMIT = 1 << 31
_MAX_LANES = 1 << 16
_MAX_BATCH = 1 << 24


@dataclass(frozen=True)
class Order:
    """One ``order.json``: the plan's id and the order of each feed by name.

    ``Order.load("order.json")["train"].batch(step, rank, world)`` gives the rows of a batch as int64 arrays of one
    length: stratum, index (in the stratum's list), lane (-1: the shared file), ordinal (in the lane).
    ``.batches(first, last, rank, world)`` of a train feed gives those of many steps at once, [steps, rows], and with
    rank None those of every rank, [steps, world, rows]. What the plan does not have raises ``OrderError``.
    """

    dataset: str
    plan: str
    feeds: dict[str, TrainOrder | SequentialOrder]

    def __getitem__(self, feed: str) -> TrainOrder | SequentialOrder:
        if feed not in self.feeds:
            raise OrderError(f"no feed {feed!r} in plan {self.plan}; it has {', '.join(sorted(self.feeds))}")
        return self.feeds[feed]

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Order:
        """Reads and checks an ``order.json`` of a plan or a version. Raises ``OrderError`` if it breaks its format."""
        path = Path(path)
        length = path.stat().st_size
        if length > _MAX_BYTES:
            raise OrderError(f"{path}: {length} bytes, an order.json has at most {_MAX_BYTES}")
        try:
            return Order.parse(json.loads(path.read_bytes(), object_pairs_hook=_reject_duplicates))
        except (ValueError, RecursionError) as e:
            raise OrderError(f"{path}: not valid JSON: {e}") from None
        except OrderError as e:
            raise OrderError(f"{path}: {e}") from None

    @staticmethod
    def parse(document: dict[str, Any]) -> Order:
        """Returns the order that a parsed ``order.json`` states."""
        _members(document, "order.json", "format formatVersion dataset plan feeds".split(), ("storage",))
        if document["format"] != "rankfeed.order" or document["formatVersion"] != 1:
            raise OrderError(
                f"format {document['format']!r} version {document['formatVersion']!r}: known is rankfeed.order 1"
            )
        feeds = {}
        for feed in _list(document["feeds"], "feeds"):
            order = parse_feed(feed)
            if order.name in feeds:
                raise OrderError(f"feed {order.name!r} is listed twice")
            feeds[order.name] = order
        return Order(_text(document["dataset"], "dataset"), _text(document["plan"], "plan"), feeds)


def parse_feed(feed: dict[str, Any]) -> TrainOrder | SequentialOrder:
    """Returns the order of one member of ``feeds``."""
    kind = feed.get("kind") if isinstance(feed, dict) else None
    if kind == "sequential":
        return _sequential(feed)
    if kind == "train":
        return _train(feed)
    raise OrderError(f"a feed of kind {kind!r}: known are train and sequential")


def _sequential(feed: dict[str, Any]) -> SequentialOrder:
    where = _name(feed, _SEQUENTIAL)
    lanes, batch = _lanes_and_batch(feed, where)
    rows, steps = _number(feed, "rows", where, 0), _number(feed, "steps", where, 0)
    if steps != -(-rows // batch):
        raise OrderError(f"{where}: {steps} steps for {rows} rows in batches of {batch}")
    return SequentialOrder(feed["name"], lanes, batch, rows, steps)


def _train(feed: dict[str, Any]) -> TrainOrder:
    where = _name(feed, _TRAIN)
    lanes, batch = _lanes_and_batch(feed, where)
    mode = _one_of(feed, "mode", where, ("pass", "stream", "padded"))
    order = _one_of(feed, "order", where, ("global", "planned"))
    epochs, steps = (_number(feed, name, where, 1, _STEPS_LIMIT) for name in ("epochs", "stepsPerEpoch"))
    window = _number(feed, "window", where, 1)
    if window > steps or epochs * steps * batch >= _LIMIT:
        raise OrderError(
            f"{where}: window {window}, {epochs} epochs of {steps} steps of {batch} rows are out of bounds"
        )
    strata = tuple(_stratum(s, where) for s in _list(feed["strata"], f"{where}: strata"))
    names = [s.name.encode() for s in strata]
    if not strata or names != sorted(set(names)):
        raise OrderError(f"{where}: strata are missing, are listed twice or are not sorted by name")
    segments = tuple(_segment(s, where, strata, batch // lanes) for s in _list(feed["segments"], f"{where}: segments"))
    at = 0
    for segment in segments:
        if segment.step != at:
            raise OrderError(f"{where}: a segment starts at step {segment.step}, expected {at}")
        at += segment.steps
    if at != epochs * steps:
        raise OrderError(f"{where}: segments cover {at} of {epochs * steps} steps")
    seed = _number(feed, "seed", where, 0)
    return TrainOrder(feed["name"], seed, lanes, batch, epochs, steps, mode, order, window, strata, segments)


def _stratum(stratum: dict[str, Any], where: str) -> Stratum:
    _members(stratum, f"{where}: stratum", ["name", "available", "rows"])
    available, rows = _number(stratum, "available", where, 0), _number(stratum, "rows", where, 0)
    if rows > available:
        raise OrderError(f"{where}: stratum {stratum['name']!r} has {rows} rows of {available} available")
    return Stratum(_text(stratum["name"], f"{where}: stratum"), available, rows)


def _segment(segment: dict[str, Any], where: str, strata: tuple[Stratum, ...], slots: int) -> Segment:
    where = f"{where}: segment"
    _members(segment, where, "step steps number quotas base m c".split(), ("stage",))
    if "stage" in segment:  # of the job; says nothing of the order
        _number(segment, "stage", where, 0)
    step, steps, number = (
        _number(segment, name, where, low) for name, low in (("step", 0), ("steps", 1), ("number", 0))
    )
    m, c = _number(segment, "m", where, 0), _number(segment, "c", where, 0)
    quotas, base = _numbers(segment, "quotas", where), _numbers(segment, "base", where)
    where = f"{where} at step {step}"
    if steps * (steps + slots + 3) >= _LIMIT:
        raise OrderError(f"{where}: {steps} steps are too many")
    if len(quotas) != len(strata) or len(base) != len(strata) or sum(quotas) != steps * slots:
        raise OrderError(f"{where}: quotas must have one number per stratum and add up to {steps * slots}")
    if not (m < max(steps, 2) and c < steps and math.gcd(m, steps) == 1):
        raise OrderError(f"{where}: m {m} and c {c} do not fit {steps} steps")
    if any(q and not s.rows for q, s in zip(quotas, strata, strict=True)):
        raise OrderError(f"{where}: a quota of a stratum without rows")
    return Segment(step, steps, number, quotas, base, m, c)


def _name(feed: dict[str, Any], members: list[str]) -> str:
    _members(feed, "feed", members)
    name = feed["name"]
    if not isinstance(name, str) or not _FEED_NAME.fullmatch(name):
        raise OrderError(f"feed name {name!r} must match {_FEED_NAME.pattern}")
    return f"feed {name!r}"


def _lanes_and_batch(feed: dict[str, Any], where: str) -> tuple[int, int]:
    lanes, batch = _number(feed, "lanes", where, 1, _MAX_LANES + 1), _number(feed, "batch", where, 1, _MAX_BATCH + 1)
    if batch % lanes:
        raise OrderError(f"{where}: batch {batch} is not a multiple of {lanes} lanes")
    return lanes, batch


def _members(value: object, where: str, required: list[str], optional: tuple[str, ...] = ()) -> None:
    if not isinstance(value, dict):
        raise OrderError(f"{where}: expected an object")
    missing = [name for name in required if name not in value]
    unknown = sorted(set(value) - set(required) - set(optional))
    if missing or unknown:
        raise OrderError(f"{where}: missing members {missing}, unknown members {unknown}")


def _number(value: dict[str, Any], name: str, where: str, minimum: int, limit: int = _LIMIT) -> int:
    number = value[name]
    if type(number) is not int or not minimum <= number < limit:
        raise OrderError(f"{where}: {name} is {number!r}, expected an integer from {minimum} to {limit - 1}")
    return number


def _numbers(value: dict[str, Any], name: str, where: str) -> tuple[int, ...]:
    return tuple(_number({name: item}, name, where, 0) for item in _list(value[name], f"{where}: {name}"))


def _one_of(value: dict[str, Any], name: str, where: str, words: tuple[str, ...]) -> str:
    word = value[name]
    if not isinstance(word, str) or word not in words:
        raise OrderError(f"{where}: {name} is {word!r}, expected one of {', '.join(words)}")
    return word


def _list(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise OrderError(f"{where}: expected a list")
    return value


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise OrderError(f"{where}: expected a string, found {value!r}")
    return value


def _reject_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is listed twice in one object")
    return members
