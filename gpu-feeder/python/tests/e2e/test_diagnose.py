"""``rankfeed diagnose``: what limits a feed is named, over feeds that are limited by something known."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from glob import glob
from pathlib import Path

import numpy as np
import pytest
from launch import HERE, PROJECT, answer, rankfeed
from pictures import FEED, SIDE

from waiting import wait_until

TRAINER = """
import sys, time
import rankfeed

def compute():
    end = time.perf_counter() + 0.03
    while time.perf_counter() < end:
        pass

def slow(batch, rng):
    compute()
    return batch

with rankfeed.Feed(feed="plain", transform=slow if sys.argv[1] == "transform" else None) as feed:
    for _ in range(feed.epochs):
        for batch in feed:
            if sys.argv[1] == "trainer":
                compute()
"""

IN_WORKERS = """
import time
import rankfeed

def slow(batch, rng):
    time.sleep(0.05)
    return batch

if __name__ == "__main__":
    with rankfeed.Feed(feed="plain", transform=slow, workers=2) as feed:
        for _ in range(feed.epochs):
            for batch in feed:
                pass
"""

WAITING = """
import os, signal
import rankfeed

feed = rankfeed.Feed(feed="plain")
batch = next(iter(feed))
open(f"{folder}/{{os.getpid()}}.pid", "w").close()
signal.pause()
"""


def diagnosed(*words: object) -> dict:
    done = rankfeed("diagnose", "--in-place", "--json", "--python", sys.executable, *words)
    return answer(done.stdout)


@pytest.mark.parametrize("limit", ["trainer", pytest.param("transform", marks=pytest.mark.nightly)])
def test_a_slow_side_of_the_trainer_is_named(house, tmp_path, limit):
    script = tmp_path / "train.py"
    script.write_text(TRAINER)
    found = diagnosed("--feeds", "plain", "--batches", 60, house.path, "--", sys.executable, script, limit)
    assert found["bottleneck"] == limit
    assert found["batches"] >= 40
    assert found[{"trainer": "computeSeconds", "transform": "transformSeconds"}[limit]] >= 0.03
    assert found["predictedRowsPerSecond"] == min(found["loadRowsPerSecond"], found["consumeRowsPerSecond"])
    assert 2 <= found["recommendedDepth"] <= 9
    assert found["isShort"] == "no"
    step = found["seconds"] * found["ranks"] / found["batches"]
    assert found["utilization"] == pytest.approx(min(1, found["computeSeconds"] / step), rel=1e-6)
    assert 1 <= found["prefetchSpeedup"] <= 2


@pytest.mark.nightly
def test_workers_of_a_transform_are_part_of_the_prediction(house, tmp_path):
    script = tmp_path / "train.py"
    script.write_text(IN_WORKERS)
    found = diagnosed("--feeds", "plain", "--batches", 60, house.path, "--", sys.executable, script)
    assert (found["bottleneck"], found["transformWorkers"]) == ("transform", 2)
    assert found["predictedRowsPerSecond"] == found["transformRowsPerSecond"] < found["consumeRowsPerSecond"]
    assert found["transformRowsPerSecond"] <= 2 * 36 / 0.05
    assert found["predictionError"] < 0.5, found  # a machine that tests share
    assert found["recommendedDepth"] >= 4


def test_decoding_is_named_without_a_trainer(pictures, tmp_path):
    config = tmp_path / "feed.yaml"
    config.write_text(FEED.format(side=SIDE, broken="zeros"))
    found = diagnosed("--config", config, "--pictures", tmp_path / "drawn", pictures.path)
    assert found["bottleneck"] == "decode"
    assert {"stage", "count", "meanMillis", "seconds"} <= found["stages"][0].keys()
    assert {"check": "torch", "level": "ok"}.items() <= next(
        one for one in found["findings"] if one["check"] == "torch"
    ).items()
    assert (tmp_path / "drawn" / "diagnosis.svg").read_text().startswith("<svg")


def diagnosed_on_a_slow_disk(folder: Path, disk: Path, *words: object) -> dict:
    """Returns the diagnosis of a feed whose files in ``folder`` are read at 6 MB/s through the folder ``disk``."""
    disk.mkdir()
    slow = ["unshare", "-rm", sys.executable, "-P", HERE / "slow_disk.py", folder, disk, 6e6]
    if subprocess.run([*map(str, slow), "true"], capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount a file system of its own")
    words = ("diagnose", "--in-place", "--json", "--verify", "off", "--batches", 40, "--python", sys.executable, *words)
    done = subprocess.run(
        list(map(str, [*slow, PROJECT / "rankfeed", *words])), capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = answer(done.stdout)
    seconds = {stage["stage"]: stage["seconds"] for stage in found["stages"]}
    assert (found["bottleneck"], found["isShort"]) == ("disk", "no"), found
    assert seconds["read"] > 2 * seconds["assemble"]
    return found


@pytest.mark.nightly
def test_a_slow_disk_is_named_though_the_kernel_reads_ahead(large_house, tmp_path):
    disk = tmp_path / "disk"
    version = disk / "versions" / large_house.version
    assert diagnosed_on_a_slow_disk(large_house.root, disk, "--feeds", "plain", version)["formats"] == ""


@pytest.mark.nightly
def test_the_format_of_files_on_a_slow_disk_is_named(tmp_path):
    files = tmp_path / "files"
    files.mkdir()
    np.save(files / "features.npy", np.random.default_rng(3).random((1_600, 2048)))
    words = ("--as", "floats", "--root", tmp_path / "root", "--lanes", 2, "--batch", 16)
    rankfeed("import", files, *words)
    disk = tmp_path / "disk"
    version = tmp_path / "root" / "floats@latest"
    found = diagnosed_on_a_slow_disk(files, disk, "--external", f"floats={disk}", version)
    assert found["formats"] == "npy"


@pytest.mark.parametrize(
    ("fixed", "runs"), [(["--workers", 1, "--depth", 2], 1), pytest.param([], 20, marks=pytest.mark.nightly)]
)
def test_a_sweep_writes_its_files_and_the_best_setting(house, tmp_path, fixed, runs):
    config = tmp_path / "feed.yaml"
    config.write_text("depth: 4\ngrace: 5 s\n")
    words = [
        "--in-place",
        "--feeds",
        "plain",
        "--batches",
        10,
        "--config",
        config,
        "--python",
        sys.executable,
        "--json",
    ]
    found = answer(rankfeed("bench", house.path, "--out", tmp_path / "out", *words, *fixed).stdout)
    table = (tmp_path / "out" / "sweep.csv").read_text().splitlines()
    assert len(table) == len(found["settings"]) + 1 == runs + 1
    best = max(found["settings"], key=lambda one: one["rowsPerSecond"])
    assert found["bestRowsPerSecond"] >= 0.97 * best["rowsPerSecond"]
    chosen = f"workers: {found['bestWorkers']}\ndepth: {found['bestDepth']}\ngrace: 5 s\n"
    assert (tmp_path / "out" / "feed.yaml").read_text() == chosen
    assert rankfeed("check", tmp_path / "out" / "feed.yaml").returncode == 0
    assert all((tmp_path / "out" / f"{name}.svg").read_text().startswith("<svg") for name in ("curve", "heat-map"))


def test_a_shared_memory_that_is_full_is_named_first(house):
    small = 'mount -t tmpfs -o size=64k tmpfs /dev/shm && exec "$@"'
    command = ["unshare", "-rm", "sh", "-c", small, "sh"]
    if subprocess.run([*command, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount in a namespace of its own")
    words = [PROJECT / "rankfeed", "diagnose", "--in-place", house.path, "--feeds", "plain"]
    done = subprocess.run([*command, *map(str, words)], capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 4
    assert "/dev/shm" in done.stderr.splitlines()[0]
    assert "--shm-size" in done.stderr


@pytest.mark.parametrize("number", [pytest.param(signal.SIGTERM, marks=pytest.mark.nightly), signal.SIGKILL])
def test_a_signal_ends_all_processes_without_an_answer(house, tmp_path, number):
    script = tmp_path / "train.py"
    script.write_text(WAITING.format(folder=str(tmp_path)))
    line = f"{sys.executable} {script}; true"  # this shell does not pass a signal on
    words = [PROJECT / "rankfeed", "diagnose", "--in-place", "--feeds", "plain", house.path, "--", "sh", "-c", line]
    running = subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    found = wait_until(lambda: list(tmp_path.glob("*.pid")), "the trainer", process=running)
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    folder = Path(runtime, "rankfeed") if runtime else Path(f"/tmp/rankfeed-{os.getuid()}")
    sockets, rings = folder / f"measure-{running.pid}", f"/dev/shm/rankfeed-*-plain-{running.pid}-*"
    assert sockets.exists()
    assert glob(rings)
    running.send_signal(number)
    said, _ = running.communicate(timeout=300)
    assert running.returncode == (143 if number == signal.SIGTERM else -number)
    assert "bottleneck" not in said
    wait_until(lambda: not Path(f"/proc/{found[0].stem}").exists(), "the trainer's end", seconds=60)
    wait_until(lambda: not (sockets.exists() or glob(rings)), "the end of sockets and rings", seconds=60)


def test_trainers_that_take_nothing_are_an_error(house):
    done = rankfeed("diagnose", "--in-place", "--feeds", "plain", house.path, "--", "sh", "-c", "exit 7", check=False)
    assert done.returncode == 2
    assert "the trainers ended with 7 before each of them took two batches of feed 'plain'" in done.stderr


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--batches", 0], "--batches 0: measure 1 or more"),
        (["--python", "/nosuch"], "--python: no file /nosuch"),
        (["--", "nosuchprogram"], "the command after --: no 'nosuchprogram' on the PATH"),
    ],
)
def test_what_cannot_be_measured_is_refused_before_a_copy(house, tmp_path, words, error):
    done = rankfeed("diagnose", "--cache", tmp_path / "cache", "--feeds", "plain", house.path, *words, check=False)
    assert done.returncode == 2
    assert error in done.stderr
    assert not (tmp_path / "cache").exists()


def test_a_sweep_that_is_refused_leaves_the_one_before(house, tmp_path):
    (tmp_path / "sweep.csv").write_text("before\n")
    words = ["--in-place", "--feeds", "plain", "--workers", 1, "--depth", 1]
    done = rankfeed("bench", house.path, "--out", tmp_path, *words, check=False)
    assert done.returncode == 2
    assert [file.name for file in tmp_path.iterdir()] == ["sweep.csv"]
    assert (tmp_path / "sweep.csv").read_text() == "before\n"
