"""`DATASET@latest` on several nodes: real feeders under their launchers, torchrun, and an export in between."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cluster import free_ports
from launch import HERE, PROJECT, House
from nodes import environment

from waiting import wait_until

TRAINER = HERE.parent / "agreeing.py"


@pytest.fixture
def dataset(house, tmp_path) -> Path:
    """One real version, which is committed."""
    return house.copied(tmp_path / "house").root


def commit(dataset: Path, made: House) -> None:
    """Commits the version of another root as the next commit of this root."""
    shutil.copytree(made.path, dataset / "versions" / made.version)
    shutil.copytree(made.root / "orders", dataset / "orders", dirs_exist_ok=True)
    (last,) = sorted((made.root / "commits").iterdir())[-1:]
    number = len(list((dataset / "commits").iterdir())) + 1
    shutil.copy(last, dataset / "commits" / f"{number:010}.json")
    assert json.loads(last.read_text())["version"] == made.version


def node(dataset: Path, folder: Path, words: list[object], trainer: list[object], **more: str) -> subprocess.Popen:
    """Runs `rankfeed feed DATASET@latest … -- …` as one node, with its own rendezvous and cache."""
    folder.mkdir(mode=0o700)
    env = {name: value for name, value in environment(folder, "").items() if name != "RANKFEED_RUN"}
    command = [PROJECT / "rankfeed", "feed", f"{dataset}@latest", "--cache", folder / "cache", *words, "--", *trainer]
    with (folder / "log").open("w") as log:
        return subprocess.Popen(
            [str(word) for word in command], env=env | {"FEED": "plain"} | more, stdout=log, stderr=subprocess.STDOUT
        )


def torchrun(rank: int, port: int) -> list[object]:
    return [
        sys.executable, "-m", "torch.distributed.run", "--nnodes", 2, "--node-rank", rank, "--master-addr", "127.0.0.1",
        "--master-port", port, "--nproc-per-node", 2, TRAINER, 1, "gloo",
    ]  # fmt: skip


def ranks(of: int) -> list[object]:
    return ["--ranks", f"{2 * of}-{2 * of + 1}", "--world", 4]


def said(folder: Path) -> str:
    return (folder / "log").read_text()


def wait_until_fed(folder: Path, process: subprocess.Popen) -> None:
    wait_until(lambda: "feeding version" in said(folder), "the version", 90, process, lambda: said(folder))


@pytest.mark.nightly
@pytest.mark.parametrize("between", [False, True], ids=["before", "between"])
def test_nodes_with_latest_train_on_one_version_or_are_refused(dataset, house, house_with_more_feeds, runtime, between):
    """The second export is committed before both nodes resolve their words, or between."""
    (port,) = free_ports(1)
    if not between:
        commit(dataset, house_with_more_feeds)
    started = []
    try:
        for number in range(2):
            started.append(node(dataset, runtime / str(number), ranks(number), torchrun(number, port)))
            wait_until_fed(runtime / str(number), started[-1])
            if between and number == 0:
                commit(dataset, house_with_more_feeds)
        codes = [process.wait(180) for process in started]
    finally:
        for process in started:
            process.kill()
    logs = [said(runtime / str(number)) for number in range(2)]
    if not between:
        assert codes == [0, 0], logs
        assert all(log.count(f"took {house_with_more_feeds.version} ") == 2 for log in logs), logs
        return
    assert all(codes), logs
    for log in logs:
        assert "took" not in log
        assert log.count("VersionMismatch: the ranks of feed 'plain' would train on different data: ranks 0-1 on ") == 2
        assert f": version {house.version}, plan {house.order}, feed file none, protocol 2; ranks 2-3 on " in log
        assert f": version {house_with_more_feeds.version}, plan {house_with_more_feeds.order}, feed file" in log


@pytest.mark.nightly
def test_failed_worker_is_restarted_and_compares_again(dataset, runtime):
    """In the store of torchrun's agent, which has the answers of the first start. (Gloo alone may hang in it.)"""
    trainer = [
        sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", 2, "--max-restarts", 1,
        TRAINER, 1, "fake",
    ]  # fmt: skip
    process = node(dataset, runtime / "0", ["--world", 2], trainer, FAILS_IN_START="0")
    assert process.wait(180) == 0, said(runtime / "0")
    assert said(runtime / "0").count("took") >= 3


@pytest.mark.nightly
def test_latest_without_process_group_is_for_one_node(dataset, house, runtime):
    trainer = [sys.executable, TRAINER, 1, "none"]
    rank = {"RANK": "0", "LOCAL_RANK": "0", "LOCAL_WORLD_SIZE": "2"}
    of_two = node(dataset, runtime / "2", ranks(0), trainer, WORLD_SIZE="4", **rank)
    assert of_two.wait(120) == 1
    assert f"VersionMismatch: rank 0 of 4 is fed version {house.version}, which was @latest on" in said(runtime / "2")
    # Each of two nodes may be started as if all ranks were on it.
    unknown = node(dataset, runtime / "3", ["--world", 2], trainer, WORLD_SIZE="2", RANK="0")
    assert unknown.wait(120) == 1
    assert "VersionMismatch: rank 0 of 2 is fed version" in said(runtime / "3")
    alone = node(dataset, runtime / "1", ["--world", 2], trainer, WORLD_SIZE="2", **rank)
    assert alone.wait(120) == 0, said(runtime / "1")
    assert f"took {house.version} {house.order} 0" in said(runtime / "1")


def test_truncated_commit_is_ignored_with_a_warning(dataset, house, runtime):
    (dataset / "commits" / "0000000002.json").write_bytes(b"")
    trainer = [sys.executable, TRAINER, 1, "none"]
    process = node(dataset, runtime / "0", [], trainer)
    assert process.wait(120) == 0, said(runtime / "0")
    assert "0000000002.json" in said(runtime / "0") and "this commit is ignored" in said(runtime / "0")
    assert f"took {house.version}" in said(runtime / "0")
