"""Real feeders, real trainers: what every rank was given, against what the plan promises."""

from __future__ import annotations

import subprocess
import sys

import pytest
from claims import Plan, assert_sequential_claims, assert_train_claims, multisets
from cluster import free_ports
from nodes import HERE, Feeder, environment, finish, log_rows, read_log, trainers

WORLDS = {"curriculum": (1, 2, 4), "plain": (1, 2, 3, 4), "valid": (1, 2, 4)}


@pytest.fixture(scope="module")
def logs(house, tmp_path_factory):
    """What every world size was given of every feed, from one export and one cache."""
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


@pytest.mark.parametrize(("feed", "world"), [(f, world) for f in ("curriculum", "plain") for world in WORLDS[f]])
def test_every_promise_of_the_plan_holds(house, logs, feed, world):
    assert_train_claims(Plan(house.root, house.version, feed), logs[feed, world])


@pytest.mark.parametrize("world", WORLDS["valid"])
def test_validation_gives_every_row_once_and_keeps_the_short_batch(house, logs, world):
    assert_sequential_claims(Plan(house.root, house.version, "valid"), logs["valid", world])


@pytest.mark.parametrize("feed", ["curriculum", "plain"])
def test_global_batches_are_the_same_at_every_world_size(house, logs, feed):
    plan = Plan(house.root, house.version, feed)
    alone = multisets(plan, logs[feed, 1])
    assert [world for world in WORLDS[feed] if multisets(plan, logs[feed, world]) != alone] == []


def test_a_world_that_does_not_divide_the_lanes_is_refused_with_those_that_do(house, runtime, tmp_path):
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
