"""Checks the promises of a plan against the rows that trainers read.

A log is one list per rank of (epoch, step in the epoch, row ids as a tuple), in the order of delivery.
"""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from math import ceil, floor
from pathlib import Path

import pyarrow.parquet as pq
from launch import House

Log = list[list[tuple[int, int, tuple[int, ...]]]]


class Plan:
    """One feed of a committed version: its default order and, from the plan's own table, the stratum of each row id."""

    def __init__(self, root: Path, version: str, feed: str):
        commits = (json.loads(file.read_text()) for file in sorted((root / "commits").glob("*.json")))
        commit = next(commit for commit in commits if commit["version"] == version)
        order = json.loads((root / "orders" / commit["order"] / "order.json").read_text())
        self.feed = next(f for f in order["feeds"] if f["name"] == feed)
        files = sorted((root / "plans" / commit["plan"] / "rows").glob(f"{feed}-*.parquet"))
        table = pq.ParquetDataset([str(f) for f in files]).read(columns=["stratum", "index", "row_id"])
        self.stratum = dict(zip(table["row_id"].to_pylist(), table["stratum"].to_pylist(), strict=True))
        self.by_index = dict(
            zip(
                zip(table["stratum"].to_pylist(), table["index"].to_pylist(), strict=True),
                table["row_id"].to_pylist(),
                strict=True,
            )
        )
        assert len(self.stratum) == table.num_rows, "row ids of the plan are not distinct"

    @property
    def strata(self) -> list[dict]:
        return self.feed.get("strata") or next(iter(self.feed.get("members", [])), {}).get("strata", [])


def global_steps(plan: Plan, log: Log) -> dict[int, list[tuple[int, ...]]]:
    """Global step → the ranks' batches, after checking that every rank was given the same steps in order."""
    per_epoch = plan.feed["stepsPerEpoch"]
    expected = [(t // per_epoch, t % per_epoch) for t in range(plan.feed["epochs"] * per_epoch)]
    for rank, steps in enumerate(log):
        assert [(e, s) for e, s, _ in steps] == expected, f"rank {rank} was not given every step once and in order"
    return {t: [steps[t][2] for steps in log] for t in range(len(expected))}


def assert_train_claims(plan: Plan, log: Log) -> None:
    feed, world = plan.feed, len(log)
    steps = global_steps(plan, log)
    lanes, batch = feed["lanes"], feed["batch"]
    visits: Counter[int] = Counter()
    for segment in feed["segments"]:
        drawn: Counter[int] = Counter()
        for t in range(segment["step"], segment["step"] + segment["steps"]):
            everything = [row for rows in steps[t] for row in rows]
            assert len(everything) == batch
            assert {len(rows) for rows in steps[t]} == {batch // world}
            for rows, width in [(everything, 1), *[(rows, world) for rows in steps[t]]]:
                counts = Counter(plan.stratum[row] for row in rows)
                for s, quota in enumerate(segment["quotas"]):
                    share = Fraction(quota * lanes, segment["steps"] * width)
                    assert floor(share) <= counts[s] <= ceil(share), (
                        f"step {t}, stratum {s}: {counts[s]} rows, share {share}"
                    )
            drawn.update(plan.stratum[row] for row in everything)
            visits.update(everything)
        for s, quota in enumerate(segment["quotas"]):
            assert drawn[s] == quota * lanes, (
                f"stage from step {segment['step']}, stratum {s}: {drawn[s]} rows of quota {quota * lanes}"
            )
        assert_even_visits(plan, visits)
    if feed["mode"] == "pass":
        assert_epochs_are_the_pool(plan, log)


def assert_even_visits(plan: Plan, visits: Counter[int]) -> None:
    """At the end of every stage the rows of a stratum have been seen equally often, give or take one."""
    by_stratum: dict[int, list[int]] = {}
    for row, s in plan.stratum.items():
        by_stratum.setdefault(s, []).append(visits[row])
    for s, seen in by_stratum.items():
        assert len(seen) == plan.strata[s]["rows"]
        assert max(seen) - min(seen) <= 1, f"stratum {s}: visits from {min(seen)} to {max(seen)}"


def assert_epochs_are_the_pool(plan: Plan, log: Log) -> None:
    """Each epoch has as many rows of the pool as fill its batches, each once; and so do any epochs in turn."""
    pool = set(plan.stratum)
    visits: Counter[int] = Counter()
    for epoch in range(plan.feed["epochs"]):
        ranks = [[row for e, _, rows in steps if e == epoch for row in rows] for steps in log]
        everything = [row for rows in ranks for row in rows]
        left = len(pool) - len(everything)
        assert 0 <= left < plan.feed["batch"] and set(everything) <= pool, f"epoch {epoch} is not of the pool"
        assert len(set(everything)) == len(everything), f"epoch {epoch} repeats rows"
        visits.update(everything)
        counts = [visits[row] for row in pool]
        assert max(counts) - min(counts) <= 1, f"visits differ after epoch {epoch}"
        for a in range(len(ranks)):
            for b in range(a):
                assert not set(ranks[a]) & set(ranks[b]), f"ranks {a} and {b} share rows in epoch {epoch}"


def assert_sequential_claims(plan: Plan, log: Log) -> None:
    """Every row once, in the list's order when the ranks' batches are woven together; every rank the same steps."""
    world, batch, rows = len(log), plan.feed["batch"], plan.feed["rows"]
    assert {len(steps) for steps in log} == {plan.feed["steps"]}
    assert plan.feed["steps"] == -(-rows // batch)
    for t in range(plan.feed["steps"]):
        for r, steps in enumerate(log):
            wanted = [plan.by_index[(0, i)] for i in range(t * batch, min((t + 1) * batch, rows)) if i % world == r]
            assert list(steps[t][2]) == wanted, f"rank {r}, step {t}"


def multisets(plan: Plan, log: Log) -> list[Counter[int]]:
    return [Counter(row for rows in ranks for row in rows) for _, ranks in sorted(global_steps(plan, log).items())]


def assert_same_plan(one: House, other: House) -> None:
    """Selection, lists and lanes follow from the keys, so they are equal wherever the rows are."""
    for feed in ("curriculum", "plain"):
        assert Plan(one.root, one.version, feed).by_index == Plan(other.root, other.version, feed).by_index
    # A sequential feed keeps its source's order, and sources differ here.
    assert set(Plan(one.root, one.version, "valid").stratum) == set(Plan(other.root, other.version, "valid").stratum)
