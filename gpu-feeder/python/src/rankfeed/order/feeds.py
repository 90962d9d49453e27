"""Reads one member of ``feeds``. Format 1 is read as an order of one member, which stores as many lanes as it has."""

from __future__ import annotations

import re
from typing import Any

from rankfeed.order.json_members import LIMIT, items, number, numbers, one_of, require_members, text
from rankfeed.order.segments import parse_segments
from rankfeed.order.sequential import SequentialOrder
from rankfeed.order.train import TrainOrder
from rankfeed.order.values import LIST, LIST_FIRST, SHUFFLED, Member, OrderError, Segment, Stratum

_FEED_NAME = re.compile(r"[a-z][a-z0-9_-]{0,30}")
_ID = re.compile("[0-9a-f]{16}")
_TRAIN = "name kind seed lanes batch epochs mode order window segments".split()
_SEQUENTIAL = "name kind lanes batch rows steps".split()
_MEMBER = "name lanes cycles strata".split()
_PLACE = ("dataset", "version", "feed")
_INT_LIMIT = 1 << 31
_MAX_LANES = 1 << 16
_MAX_BATCH = 1 << 24
_MAX_COUNTERS = 1 << 22
_MAX_EPOCH_STARTS = 1 << 16


def parse_feed(feed: dict[str, Any], version: int = 1) -> TrainOrder | SequentialOrder:
    """Returns the order of one member of ``feeds``, in a document of this format version."""
    kind = feed.get("kind") if isinstance(feed, dict) else None
    if kind == "sequential":
        return _sequential(feed)
    if kind == "train":
        return _train(feed, version)
    raise OrderError(f"a feed of kind {kind!r}: known are train and sequential")


def _sequential(feed: dict[str, Any]) -> SequentialOrder:
    where = _name(feed, _SEQUENTIAL)
    lanes, batch = _lanes_and_batch(feed, where)
    rows, steps = number(feed, "rows", where, 0), number(feed, "steps", where, 0)
    if steps != -(-rows // batch):
        raise OrderError(f"{where}: {steps} steps for {rows} rows in batches of {batch}")
    return SequentialOrder(feed["name"], lanes, batch, rows, steps)


def _train(feed: dict[str, Any], version: int) -> TrainOrder:
    if version == 1:
        where = _name(feed, [*_TRAIN, "stepsPerEpoch", "strata"])
    else:
        where = _name(feed, [*_TRAIN, "members"], ("stepsPerEpoch", "epochStarts"))
    lanes, batch = _lanes_and_batch(feed, where)
    mode = one_of(feed, "mode", where, ("pass", "stream", "padded"))
    order = one_of(feed, "order", where, ("global", "planned"))
    epochs, window = number(feed, "epochs", where, 1, _INT_LIMIT), number(feed, "window", where, 1)
    seed = number(feed, "seed", where, 0)
    members = (_single(feed, where, lanes, order),) if version == 1 else _several(feed, where, lanes)
    if sum(member.lanes * len(member.strata) for member in members) > _MAX_COUNTERS:
        raise OrderError(f"{where}: lanes times strata exceed {_MAX_COUNTERS}")
    segments = parse_segments(feed, where, lanes, batch, mode, members)
    steps = segments[-1].step + segments[-1].steps
    largest = max(stratum.rows for member in members for stratum in member.strata)
    # A pool of format 1 is drawn to its end, so it is no larger than what the run draws.
    if steps * batch + (0 if version == 1 else largest + _MAX_LANES) >= LIMIT:
        raise OrderError(f"{where}: {steps} steps of {batch} rows from a pool of {largest} are out of bounds")
    per_epoch, starts = _epochs(feed, where, epochs, steps)
    if version == 1 and steps != epochs * per_epoch:
        raise OrderError(f"{where}: segments cover {steps} of {epochs * per_epoch} steps")
    if window > (1 if starts else per_epoch) or (starts and mode != "stream"):
        raise OrderError(f"{where}: window {window} and mode {mode} do not fit its epochs")
    if not starts and any(segment.batch for segment in segments):
        raise OrderError(f"{where}: a segment has a batch of its own, which requires epochStarts")
    if mode != "stream":
        _require_whole_epochs(where, mode, epochs, per_epoch * batch, members, segments)
    name = feed["name"]
    return TrainOrder(name, seed, lanes, batch, epochs, per_epoch, mode, order, window, members, segments, starts)


def _require_whole_epochs(
    where: str, mode: str, epochs: int, rows: int, members: tuple[Member, ...], segments: tuple[Segment, ...]
) -> None:
    """Each epoch of these modes is one segment of the same length, over one stratum."""
    if len(members) != 1 or len(members[0].strata) != 1:
        raise OrderError(f"{where}: mode {mode} takes one stratum")
    same = all(segment.number == epoch and segment.steps == segments[0].steps for epoch, segment in enumerate(segments))
    if len(segments) != epochs or not same:
        raise OrderError(f"{where}: mode {mode} requires one segment for each of {epochs} epochs, of equal length")
    pool, stored = members[0].strata[0].rows, members[0].lanes
    if mode == "pass" and rows > pool - pool % stored:
        raise OrderError(f"{where}: {rows} rows in an epoch of a pass over {pool} rows in {stored} lanes")


def _epochs(feed: dict[str, Any], where: str, epochs: int, steps: int) -> tuple[int, tuple[int, ...]]:
    """Returns ``stepsPerEpoch``, or 0, and ``epochStarts``, or nothing."""
    if ("stepsPerEpoch" in feed) == ("epochStarts" in feed):
        raise OrderError(f"{where}: expected either stepsPerEpoch or epochStarts")
    if "stepsPerEpoch" in feed:
        per_epoch = number(feed, "stepsPerEpoch", where, 1, _INT_LIMIT)
        if not (epochs - 1) * per_epoch < steps <= epochs * per_epoch:
            raise OrderError(f"{where}: {epochs} epochs with stepsPerEpoch {per_epoch} do not fit {steps} steps")
        return per_epoch, ()
    starts = numbers(feed, "epochStarts", where)
    ascend = all(low < high for low, high in zip(starts, (*starts[1:], steps), strict=True))
    if len(starts) != epochs or epochs > _MAX_EPOCH_STARTS or starts[0] or not ascend:
        raise OrderError(
            f"{where}: epochStarts must have one step for each of {epochs} epochs (at most {_MAX_EPOCH_STARTS}), "
            f"ascend from 0 and stay below {steps}"
        )
    return 0, starts


def _single(feed: dict[str, Any], where: str, lanes: int, order: str) -> Member:
    strata = _strata(feed, where, ("name", "available", "rows"))
    return Member(feed["name"], lanes, LIST if order == "planned" else LIST_FIRST, strata)


def _several(feed: dict[str, Any], where: str, lanes: int) -> tuple[Member, ...]:
    members = []
    for member in items(feed, "members", where):
        own = not any(name in member for name in _PLACE) if isinstance(member, dict) else False
        require_members(member, f"{where}: member", _MEMBER if own else [*_MEMBER, *_PLACE])
        at = f"{where}: member {text(member, 'name', f'{where}: member')!r}"
        if not _FEED_NAME.fullmatch(member["name"]):
            raise OrderError(f"{at}: the name must match {_FEED_NAME.pattern}")
        stored = number(member, "lanes", at, 1, _MAX_LANES + 1)
        if stored % lanes:
            raise OrderError(f"{at}: {stored} stored lanes are not a multiple of the {lanes} lanes of the feed")
        if not own and not _ID.fullmatch(text(member, "version", at)):
            raise OrderError(f"{at}: version is {member['version']!r}, expected 16 hexadecimal digits")
        cycles = one_of(member, "cycles", at, (LIST, LIST_FIRST, SHUFFLED))
        strata = _strata(member, at, ("name", "available", "rows") if own else ("name", "rows"))
        place = ("", "", "") if own else tuple(text(member, name, at) for name in _PLACE)
        members.append(Member(member["name"], stored, cycles, strata, *place))
    _require_sorted([member.name for member in members], f"{where}: members")
    if len(members) > 1 and not all(member.version for member in members):
        raise OrderError(f"{where}: all members must name their versions")
    return tuple(members)


def _strata(owner: dict[str, Any], where: str, names: tuple[str, ...]) -> tuple[Stratum, ...]:
    strata = []
    for stratum in items(owner, "strata", where):
        require_members(stratum, f"{where}: stratum", [*names])
        at = f"{where}: stratum {text(stratum, 'name', f'{where}: stratum')!r}"
        rows = number(stratum, "rows", at, 0)
        if "available" in names and rows > number(stratum, "available", at, 0):
            raise OrderError(f"{at} has {rows} rows of {stratum['available']} available")
        strata.append(Stratum(stratum["name"], rows))
    _require_sorted([stratum.name for stratum in strata], f"{where}: strata")
    return tuple(strata)


def _require_sorted(names: list[str], what: str) -> None:
    encoded = [name.encode() for name in names]
    if not names or encoded != sorted(set(encoded)):
        raise OrderError(f"{what} are missing, are listed twice or are not sorted by name")


def _name(feed: dict[str, Any], required: list[str], optional: tuple[str, ...] = ()) -> str:
    require_members(feed, "feed", required, optional)
    name = feed["name"]
    if not isinstance(name, str) or not _FEED_NAME.fullmatch(name):
        raise OrderError(f"feed name {name!r} must match {_FEED_NAME.pattern}")
    return f"feed {name!r}"


def _lanes_and_batch(feed: dict[str, Any], where: str) -> tuple[int, int]:
    lanes, batch = number(feed, "lanes", where, 1, _MAX_LANES + 1), number(feed, "batch", where, 1, _MAX_BATCH + 1)
    if batch % lanes:
        raise OrderError(f"{where}: batch {batch} is not a multiple of {lanes} lanes")
    return lanes, batch
