"""The README's first command as a new user runs it: stopped in Spark, stopped in the training, then left to end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from launch import PROJECT, rankfeed
from nodes import Feeder

import rankfeed as client

RANKS = range(2)
CATALOG = PROJECT.parent / "shared" / "data" / "products"


def segments(said: list[str]) -> set[Path]:
    """Returns the shared memory of the trainers that the feeder reports as attached."""
    found = set()
    for pid in re.findall(r"attached \(pid (\d+)", "".join(said)):
        maps = Path("/proc", pid, "maps").read_text()
        found.update(Path(line) for line in re.findall(r"/dev/shm/rankfeed-\S+", maps))
    return found


class Quickstart:
    """One run of the command, its words in order."""

    def __init__(self, folder: Path, runtime: Path):
        # A build in the background of a shell ignores SIGINT, and its children inherit that.
        words = ["env", "--default-signal=INT", PROJECT / "rankfeed", "quickstart", "--rows", "4000", "--dir", folder]
        environment = {**os.environ, "XDG_RUNTIME_DIR": str(runtime)}
        self.said: list[str] = []
        self.process = subprocess.Popen(
            words,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def until(self, words: str) -> None:
        for line in self.process.stdout:
            self.said.append(line)
            if words in line:
                return
        raise AssertionError(f"never said {words!r}:\n{''.join(self.said)}")

    def end(self) -> tuple[int, str]:
        self.said.extend(self.process.stdout)  # ends when the last process that holds the pipe is gone
        return self.process.wait(60), "".join(self.said)

    def stop(self, number: int) -> int:
        self.process.send_signal(number)
        return self.end()[0]


@pytest.mark.nightly
def test_launcher_builds_every_missing_jar(tmp_path):
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    files = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, check=True).stdout
    packed = subprocess.run(
        ["tar", "-c", "--null", "-T", "-"], cwd=PROJECT, input=files, capture_output=True, check=True
    )
    subprocess.run(["tar", "-x"], cwd=checkout, input=packed.stdout, check=True)
    (checkout / ".envs").mkdir()
    (checkout / ".envs" / "spark").symlink_to(PROJECT / ".envs" / "spark")
    feed = checkout / "feed.yaml"
    feed.write_text("feeds: {train: {columns: [{name: pixels, from: image, steps: [decode]}]}}")
    environment = {name: value for name, value in os.environ.items() if name != "RANKFEED_BUILD"}
    for words in (["prepare", "--help"], ["feed", "--help"], ["feed", tmp_path, "--config", feed, "--dry-run"]):
        command = [checkout / "rankfeed", *words]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == (0 if "--help" in words else 2), done.stderr
    for jar in ("spark-jobs", "gpu-feeder", "images"):
        assert list(checkout.glob(f"**/target/**/rankfeed-{jar}.jar")), jar


@pytest.mark.nightly
def test_quickstart_stopped_anywhere_then_completes(tmp_path, runtime):
    in_spark = Quickstart(tmp_path, runtime)
    in_spark.until("2/3 pipeline")
    in_spark.until("prepare")
    assert in_spark.stop(signal.SIGTERM) == 143, in_spark.said

    in_training = Quickstart(tmp_path, runtime)
    in_training.until("epoch 1/1 step")
    shared = segments(in_training.said)
    assert shared
    assert in_training.stop(signal.SIGINT) == 130, in_training.said
    assert not any(segment.exists() for segment in shared)
    assert list(runtime.rglob("*.sock")) == []

    assert "codecontests 1/3 and 2/3: the version is there" in complete(tmp_path, runtime)


@pytest.mark.nightly
def test_the_quickstart_completes(tmp_path, runtime):
    complete(tmp_path, runtime)


@pytest.mark.nightly
@pytest.mark.skipif(not CATALOG.exists(), reason="needs the product catalog")
def test_catalog_trains_alike_at_every_world_size(tmp_path, runtime, monkeypatch):
    complete(tmp_path, runtime)
    (version,) = tmp_path.glob("data/products/versions/*")
    augmented = (PROJECT / "conf" / "feeds" / "products.yaml").read_text("utf-8")
    plain = re.sub(
        r"          - random-resized-crop:.*\n          - flip\n",
        "          - resize: {height: 32, width: 32, interpolation: area}\n",
        augmented,
    )
    assert plain != augmented
    config = tmp_path / "plain.yaml"
    config.write_text(plain, "utf-8")
    reports = tmp_path / "plain-reports"
    words = ["feed", version, "--run", "plain", "--config", config, "--in-place", "--"]
    words += [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", 2]
    words += [PROJECT / "gpu-feeder/python/examples/train_products.py", "--report", reports]
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    rankfeed(*words)
    last = json.loads((reports / "rank-0.json").read_text())["validation"][-1]
    assert last["recall"] >= 0.5, last

    batches: dict[int, list] = {}
    for world in (1, 2, 4):
        run = f"catalog-{world}"
        words = ["--config", PROJECT / "conf" / "feeds" / "products.yaml", "--in-place", "--world", world]
        with Feeder(version, runtime, run, *words):
            batches[world] = sorted(row for rank in range(world) for row in taken(run, rank, world))
    assert len(batches[1]) == 90 * 64
    assert batches[1] == batches[2] == batches[4]


def taken(run: str, rank: int, world: int) -> Iterator[tuple]:
    """Yields every row that a rank reads: global step, row id, title, category, pixels."""
    with client.Feed(run, rank=rank, world=world, output="numpy", normalize=False) as feed:
        for _ in range(feed.epochs):
            for batch in feed:
                for i, row_id in enumerate(batch["row_id"].tolist()):
                    title = batch["title_ids"][i, : batch["title_ids.lengths"][i]].tobytes()
                    yield batch.global_step, row_id, title, int(batch["category_id"][i]), batch["pixels"][i].tobytes()


def complete(folder: Path, runtime: Path) -> str:
    """Lets the command end, and checks what each rank was given; returns what it printed."""
    exit_code, said = Quickstart(folder, runtime).end()
    assert exit_code == 0, said
    parts = {"codecontests": 6 * 64} | ({"products": 90 * 64} if CATALOG.exists() else {})
    for part, rows in parts.items():
        report = said.split(f"{part}: what each rank got")[1]
        taken = [int(line.split()[2].replace(",", "")) for line in report.splitlines() if line.startswith("  train ")]
        assert taken[: len(RANKS)] == [rows // len(RANKS)] * len(RANKS)
        assert {file.name for file in (folder / "reports" / part).glob("rank-*")} == {f"rank-{r}.json" for r in RANKS}
    assert list(runtime.rglob("*.sock")) == []
    if CATALOG.exists():
        # Five categories: chance is 0.2.
        last = json.loads((folder / "reports" / "products" / "rank-0.json").read_text())["validation"][-1]
        assert last["recall"] >= 0.5, last
    return said
