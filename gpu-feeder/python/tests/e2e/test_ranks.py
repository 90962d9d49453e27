"""Real feeders, real trainers: what every rank was given, against what the plan promises."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter

import pyarrow.parquet as pq
import pytest
from claims import Plan, assert_sequential_claims, assert_train_claims, multisets
from cluster import free_ports
from nodes import HERE, Feeder, environment, finish, log_rows, read_log, trainers

WORLDS = {"curriculum": (1, 2, 4), "plain": (1, 2, 3, 4), "valid": (1, 2, 4), "shaped": (1, 4), "listed": (2,)}
TRAINING = ("curriculum", "plain", "shaped", "listed")


@pytest.fixture(scope="module")
def house(house_with_more_feeds):
    return house_with_more_feeds


@pytest.fixture(scope="module")
def logs(house, tmp_path_factory):
    """Returns the rows that each world size reads of each feed, from one export and one cache."""
    folder = tmp_path_factory.mktemp("logs")
    runtime = tmp_path_factory.mktemp("rt")
    given = {}
    for world in (1, 2, 3, 4):
        feeds = [feed for feed, worlds in WORLDS.items() if world in worlds]
        words = ["--cache", folder / "cache", "--world", world, "--feeds", ",".join(feeds)]
        with Feeder(house.path, runtime, f"world-{world}", *words) as feeder:
            for feed in feeds:
                given[feed, world] = log_rows(feeder.env, world, folder / f"{feed}-{world}", feed)
    return given


@pytest.mark.parametrize(("feed", "world"), [(f, world) for f in TRAINING for world in WORLDS[f]])
def test_every_promise_of_the_plan_holds(house, logs, feed, world):
    assert_train_claims(Plan(house.root, house.version, feed), logs[feed, world])


@pytest.mark.parametrize("world", WORLDS["valid"])
def test_validation_gives_every_row_once_with_short_batch(house, logs, world):
    assert_sequential_claims(Plan(house.root, house.version, "valid"), logs["valid", world])


@pytest.mark.parametrize("feed", ["curriculum", "plain", "shaped"])
def test_global_batches_are_equal_at_every_world_size(house, logs, feed):
    plan = Plan(house.root, house.version, feed)
    alone = multisets(plan, logs[feed, 1])
    assert [world for world in WORLDS[feed] if multisets(plan, logs[feed, world]) != alone] == []


@pytest.fixture(scope="module")
def prepared(house):
    """Returns the key and the length by row id, from the prepared table."""
    table = pq.read_table(house.root / "prepared" / house.prepared / "data", columns=["_row_id", "task_id", "length"])
    return {row["_row_id"]: row for row in table.to_pylist()}


def test_stages_end_as_set_and_keep_margins_floors_caps(house, logs):
    plan = Plan(house.root, house.version, "shaped")
    names = [stratum["name"] for stratum in plan.strata]
    segments = plan.feed["segments"]
    assert [(s["step"], s["steps"]) for s in segments] == [(0, 8), (8, 10), (18, 12), (30, 10)]
    for segment, correct in zip(segments, (1 / 2, 3 / 4, None, 1 / 4), strict=True):
        steps = range(segment["step"], segment["step"] + segment["steps"])
        rows = [row for e, s, batch in logs["shaped", 1][0] if e * 20 + s in steps for row in batch]
        drawn = Counter(names[plan.stratum[row]] for row in rows)
        assert drawn["false/low"] >= 0.1 * len(rows)
        assert drawn["true/med"] <= 0.55 * len(rows)
        if correct is not None:
            assert sum(drawn[name] for name in names if name.startswith("true/")) == correct * len(rows)
        if segment["step"] == 0:
            assert drawn["true/low"] + drawn["false/low"] == 3 / 4 * len(rows)


def test_stage_sorts_by_length_in_every_stratum_and_lane(house, logs, prepared):
    plan = Plan(house.root, house.version, "shaped")
    compared = 0
    for lane in logs["shaped", 4]:
        lengths: dict[int, list[int]] = {}
        for _, _, rows in lane[8:18]:
            # Within a batch the rows of a rank are shuffled, so steps are compared and not rows.
            for s in {plan.stratum[row] for row in rows}:
                own = [prepared[row]["length"] for row in rows if plan.stratum[row] == s]
                lengths.setdefault(s, []).append(sum(own) / len(own))
        for means in lengths.values():
            if len(means) >= 6:
                assert max(means[: len(means) // 3]) < min(means[-(len(means) // 3) :])
                compared += 1
    assert compared >= 8


def test_version_states_the_key_of_its_rows(house):
    manifest = json.loads((house.path / "manifest.json").read_text())
    assert manifest["origin"] == {"key": ["task_id"], "tables": {}}


def test_external_list_is_fed_in_its_order(house, logs, prepared):
    listed = (house.root.parents[1] / "listed.txt").read_text().split("\n")
    for rank, steps in enumerate(logs["listed", 2]):
        fed = [prepared[row]["task_id"] for _, _, rows in steps for row in rows]
        assert fed == listed[rank:320:2]


def test_world_not_dividing_lanes_is_refused_with_valid_ones(house, runtime, tmp_path):
    with Feeder(house.path, runtime, "three", "--in-place") as feeder:
        words = [HERE / "log_rows.py", "--out", tmp_path, "--feed", "curriculum"]
        (process,) = trainers(feeder.env, 3, *words, ranks=range(1))
        said, _ = process.communicate(timeout=60)
        assert process.returncode != 0
        assert "WrongWorld" in said
        assert "1, 2, 4" in said


def test_two_nodes_with_torchrun(house, tmp_path, tmp_path_factory):
    """Two feeders with caches and rendezvous folders of their own; torchrun over two nodes of two ranks."""
    (port,) = free_ports(1)
    nodes = []
    feeders = []
    try:
        for node in range(2):
            runtime = tmp_path_factory.mktemp(f"node{node}")
            ranks = f"{2 * node}-{2 * node + 1}"
            feeders.append(
                Feeder(
                    house.path, runtime, "two", "--cache", tmp_path / f"cache-{node}", "--ranks", ranks, "--world", 4
                ).start()
            )
        for node, feeder in enumerate(feeders):
            command = [
                sys.executable, "-m", "torch.distributed.run", "--nnodes", "2", "--nproc-per-node", "2",
                "--node-rank", str(node), "--master-addr", "127.0.0.1", "--master-port", str(port),
                HERE / "log_rows.py", "--out", tmp_path / "log", "--feed", "curriculum",
            ]  # fmt: skip
            nodes.append(
                subprocess.Popen(
                    command,
                    env=environment(feeder.runtime, "two"),
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                )
            )
        finish(nodes, 180)
    finally:
        for feeder in feeders:
            feeder.stop()
    assert_train_claims(Plan(house.root, house.version, "curriculum"), read_log(tmp_path / "log", 4))
    for node in range(2):
        mine = sorted(p.name for p in (tmp_path / f"cache-{node}").rglob("lane-*.arrow"))
        assert mine and all(int(name.split("-")[1]) % 4 in (2 * node, 2 * node + 1) for name in mine), (
            "a node synced lanes of other nodes"
        )
