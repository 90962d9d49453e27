"""Checks every claim of the page on one order, by reading all of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from math import ceil, floor
from typing import Any

from .reader import Reader, Row


def worlds(lanes: int) -> list[int]:
    return [w for w in range(1, lanes + 1) if lanes % w == 0]


def epochs_of(order: dict[str, Any], steps: int) -> list[tuple[int, int]]:
    starts = order.get("epochStarts") or list(range(0, steps, order["stepsPerEpoch"]))
    return list(zip(starts, [*starts[1:], steps], strict=True))


def check(order: dict[str, Any]) -> None:
    reader = Reader(order)
    checked = [check_numbers, check_worlds, check_draws, check_cycles]
    if order["mode"] == "pass":
        checked.append(check_pass)
    for one in checked:
        one(order, reader)


def check_numbers(order: dict[str, Any], reader: Reader) -> None:
    at, base = 0, [0] * len(reader.pools)
    for segment in order["segments"]:
        assert segment["step"] == at and segment["steps"] > 0
        assert sum(segment["quotas"]) * order["lanes"] == segment["steps"] * segment.get("batch", order["batch"])
        assert segment["base"] == base
        if order["mode"] != "padded":
            base = [x + q for x, q in zip(base, segment["quotas"], strict=True)]
        at += segment["steps"]
    spans = epochs_of(order, reader.steps)
    assert len(spans) == order["epochs"] and all(begin < end for begin, end in spans)


def check_worlds(order: dict[str, Any], reader: Reader) -> None:
    """Batches hold floor or ceil of each share, of members and of strata, the same rows at each world size, and every
    row is in a lane of its rank."""
    for t in range(reader.steps):
        segment = order["segments"][reader.segment(t)]
        size = reader.batch_rows(t)
        units = sum(segment["quotas"])
        whole = None
        for world in worlds(order["lanes"]):
            union: Counter[Row] = Counter()
            for rank in range(world):
                rows = reader.batch(t, rank, world)
                assert len(rows) == size // world
                union.update(rows)
                for row in rows:
                    lane = reader.place(row).lane
                    assert lane < 0 or lane % world == rank
                if order["window"] == 1:
                    strata = Counter(row.stratum for row in rows)
                    members = Counter(reader.member_of[row.stratum] for row in rows)
                    shares: dict[int, int] = defaultdict(int)
                    for s, q in enumerate(segment["quotas"]):
                        shares[reader.member_of[s]] += q
                        share = Fraction(size // world * q, units)
                        assert floor(share) <= strata[s] <= ceil(share)
                    for m, q in shares.items():
                        share = Fraction(size // world * q, units)
                        assert floor(share) <= members[m] <= ceil(share)
            assert whole is None or whole == union
            whole = union


def check_draws(order: dict[str, Any], reader: Reader) -> None:
    """A jump gives the number that counting gives, and lanes have their quotas in each segment."""
    counts: Counter[tuple[int, int]] = Counter()
    for t in range(reader.steps):
        segment = order["segments"][reader.segment(t)]
        if order["mode"] == "padded" and segment["step"] == t:
            counts.clear()
        for lane in range(order["lanes"]):
            if order["window"] == 1:
                for s in range(len(reader.pools)):
                    assert reader.drawn(s, lane, t) == counts[lane, s]
            for j in range(reader.batch_rows(t) // order["lanes"]):
                s, number = reader.draw(t, lane, j)
                assert order["window"] > 1 or number == counts[lane, s]
                counts[lane, s] += 1
        if segment["step"] + segment["steps"] == t + 1:
            for lane in range(order["lanes"]):
                for s, q in enumerate(segment["quotas"]):
                    assert counts[lane, s] == segment["base"][s] + q


def check_cycles(order: dict[str, Any], reader: Reader) -> None:
    """Visits of a stratum's rows differ by at most one at each segment's end; padded: within each epoch."""
    visits: list[Counter[int]] = [Counter() for _ in reader.pools]
    for segment in order["segments"]:
        if order["mode"] == "padded":
            visits = [Counter() for _ in reader.pools]
        for t in range(segment["step"], segment["step"] + segment["steps"]):
            for row in reader.batch(t, 0, 1):
                assert 0 <= row.index < reader.pools[row.stratum]
                visits[row.stratum][row.index] += 1
        if order["mode"] == "pass" and order["members"][0]["cycles"] == "list":
            continue
        for s, pool in enumerate(reader.pools):
            if visits[s]:
                few = min(visits[s].values()) if len(visits[s]) == pool else 0
                assert max(visits[s].values()) - few <= 1


def check_pass(order: dict[str, Any], reader: Reader) -> None:
    for begin, end in epochs_of(order, reader.steps):
        rows = [row for t in range(begin, end) for row in reader.batch(t, 0, 1)]
        assert len(set(rows)) == len(rows) == (end - begin) * order["batch"]
        if order["members"][0]["cycles"] == "list":
            assert {row.index for row in rows} == set(range(len(rows)))
