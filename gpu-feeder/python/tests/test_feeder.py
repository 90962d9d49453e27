"""The client against the real feeder over the golden version, checked row by row with the order and pyarrow."""

from __future__ import annotations

import contextlib
import datetime
import fcntl
import functools
import hashlib
import json
import os
import pty
import re
import signal
import subprocess
import tempfile
import termios
from pathlib import Path

import pyarrow as pa
import pytest
import torch

import rankfeed
from processes import DEADLINE_SECONDS, child, wait_until
from rankfeed.ring import frames

PROJECT = Path(__file__).resolve().parents[3]
VERSION = PROJECT / "schema/src/test/resources/golden/version"
JAR = PROJECT / "gpu-feeder/target/rankfeed-gpu-feeder.jar"
ORDER = rankfeed.Order.load(VERSION / "order.json")
SHARD_ROWS = json.loads((VERSION / "order.json").read_text())["storage"]["shardRows"]

pytestmark = pytest.mark.feeder


class Feeder:
    def __init__(self, runtime: Path, *words: object):
        self.runtime, self.words = runtime, words
        self.directory = runtime / "rankfeed" / "golden"
        self.start()

    def start(self) -> None:
        command = [PROJECT / "rankfeed", "feed", VERSION, "--run", "golden", "--in-place", *self.words]
        environment = {**os.environ, "RANKFEED_BUILD": "never", "XDG_RUNTIME_DIR": str(self.runtime)}
        with (self.runtime / "feeder.log").open("a") as log:
            self.process = subprocess.Popen(list(map(str, command)), env=environment, stdout=log, stderr=log)
        wait_until(lambda: self.pid() == self.process.pid or self.process.poll() is not None, "the feeder")
        assert self.process.poll() is None, (self.runtime / "feeder.log").read_text()

    def pid(self) -> int:
        path = self.directory / "feeder.json"
        return json.loads(path.read_text())["pid"] if path.exists() else 0

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(20)


@pytest.fixture(scope="module")
def runtime(tmp_path_factory):
    """The rendezvous of the feeder that serves all tests without a feeder of their own."""
    path = tmp_path_factory.mktemp("runtime")
    with leaving_nothing(path) as start:
        start()
        yield path


@pytest.fixture
def served(runtime, monkeypatch):
    """Returns a feeder of the golden version that tests share; its clients connect one after another."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    monkeypatch.setenv("RANKFEED_RUN", "golden")


@pytest.fixture
def golden(tmp_path, monkeypatch):
    """Starts feeders of the golden version for this test alone."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("RANKFEED_RUN", "golden")
    with leaving_nothing(tmp_path) as start:
        yield start


@contextlib.contextmanager
def leaving_nothing(runtime: Path):
    """Yields a function that starts feeders; the last one must end with 0 and leave no files."""
    assert JAR.exists(), f"no {JAR}; mvn -q -DskipTests package -pl gpu-feeder -am, or pytest -m 'not feeder'"
    started = []

    def start(*words) -> Feeder:
        started.append(Feeder(runtime, *words))
        return started[-1]

    try:
        yield start
    finally:
        ends = [feeder.stop() for feeder in started if feeder.process.poll() is None]
    assert set(ends) <= {143}, (runtime / "feeder.log").read_text()
    mark = f"-{hashlib.sha256(str(runtime / 'rankfeed/golden').encode()).hexdigest()[:8]}-"
    assert not [name for name in os.listdir("/dev/shm") if mark in name]
    assert not list((runtime / "rankfeed").glob("golden/*.sock"))


@functools.cache
def lane(feed: str, number: int) -> list[dict]:
    """Returns the rows of a lane (-1: the shared file) by ordinal."""
    name = "shared" if number < 0 else f"lane-{number:05d}"
    rows = []
    for shard in range(len(list((VERSION / f"lanes/{feed}").glob(f"{name}-*.arrow")))):
        with pa.memory_map(str(VERSION / f"lanes/{feed}/{name}-{shard:05d}.arrow")) as source:
            assert len(rows) == shard * SHARD_ROWS
            rows += pa.ipc.open_file(source).read_all().to_pylist()
    return rows


def expected(feed: str, step: int, rank: int, world: int) -> list[dict]:
    drawn = ORDER[feed].batch(step, rank, world)
    return [lane(feed, n)[at] for n, at in zip(drawn.lane.tolist(), drawn.ordinal.tolist(), strict=True)]


def given(batch) -> list[dict]:
    """Returns a batch of padded ids as rows of the lane."""
    ids, lengths = batch["ids"].tolist(), batch["ids.lengths"].tolist()
    ends, blob = batch["blob.offsets"].tolist(), batch["blob"].tobytes()
    return [
        {
            "_row_id": batch["row_id"][i].item(),
            "label": batch["label"][i].item(),
            "box": batch["box"][i].ravel().tolist(),
            "ids": ids[i][: lengths[i]],
            "text": text,
            "blob": blob[ends[i] : ends[i + 1]],
            "score": batch["score"][i].item(),
            "score.valid": batch["score.valid"][i].item(),
            "good": int(batch["good"][i]),
        }
        for i, text in enumerate(batch.text("text"))
    ]


def check(feed: str, batch, rank: int, world: int) -> None:
    rows = expected(feed, batch.global_step, rank, world)
    assert batch.valid_rows == len(rows)
    assert given(batch) == [{name: row[name] for name in found} for row, found in zip(rows, given(batch), strict=True)]


@pytest.mark.parametrize("world", [1, 2])
@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.usefixtures("served")
def test_every_value_of_every_batch(world, copy):
    feeds = [rankfeed.Feed(output="numpy", rank=rank, world=world, copy=copy) for rank in range(world)]
    valids = [rankfeed.Feed(feed="valid", output="numpy", rank=rank, world=world) for rank in range(world)]
    assert (len(feeds[0]), feeds[0].epochs, len(valids[0])) == (5, 2, 3)
    for _ in range(2):
        for rank, feed in enumerate(feeds):
            steps = 0
            for batch in feed:
                check("train", batch, rank, world)
                steps += 1
            assert steps == 5
        for rank, valid in enumerate(valids):
            assert sum(check("valid", batch, rank, world) is None for batch in valid) == 3
    assert [list(feed) for feed in feeds] == [[]] * world
    for feed in feeds + valids:
        feed.close()


def test_torch_tensors_ragged_columns_and_pad_values(golden):
    golden("--depth", "3")
    with rankfeed.Feed(columns=["ids", "good"], pad_values={"ids": -1}, device="cpu") as feed:
        batch = next(iter(feed))
        assert list(batch) == ["row_id", "ids", "ids.lengths", "good"]
        assert batch["good"].dtype == torch.bool
        rows = expected("train", 0, 0, 1)
        width = max(len(row["ids"]) for row in rows)
        assert batch["ids"].tolist() == [row["ids"] + [-1] * (width - len(row["ids"])) for row in rows]
        del batch
    with rankfeed.Feed(columns=["ids"], layouts={"ids": "ragged"}, row_id=False, output="numpy") as feed:
        batch = next(iter(feed))
        assert list(batch) == ["ids", "ids.offsets"]
        assert batch["ids"].tolist() == [value for row in rows for value in row["ids"]]
        del batch
    with rankfeed.Feed(output="numpy") as feed, pytest.raises(rankfeed.RingExhausted, match="all 3 slots"):
        list(feed)


@pytest.mark.usefixtures("served")
def test_a_resume_at_every_step_and_a_jump_back():
    with rankfeed.Feed(output="numpy") as feed:
        for stop in (7, 0, 9, 3, 10, 5):
            feed.load_state_dict({"plan": feed.plan, "feed": "train", "epoch": stop // 5, "step": stop % 5})
            steps = []
            for _ in range(2):
                for batch in feed:
                    check("train", batch, 0, 1)
                    steps.append(batch.global_step)
            assert steps == list(range(stop, 10))


@pytest.mark.parametrize("kills", [(1, 8), pytest.param((1, 3, 6, 8), marks=pytest.mark.nightly)])
def test_a_feeder_killed_between_steps_loses_nothing(golden, kills):
    feeder = golden("--depth", "2")
    seen = []
    with rankfeed.Feed(output="numpy") as feed:
        for _ in range(2):
            for batch in feed:
                check("train", batch, 0, 1)
                seen.append(batch.global_step)
                if batch.global_step in kills:
                    feeder.stop(signal.SIGKILL)
                    feeder.start()
    assert seen == list(range(10))


@pytest.mark.usefixtures("served")
def test_killed_trainers_give_their_slots_back():
    code = "import os, rankfeed, signal\nfeed = rankfeed.Feed(output='numpy')\nheld = next(iter(feed))\n"
    for _ in range(5):
        process = child(code + "print('held', flush=True)\nos.kill(os.getpid(), signal.SIGKILL)\n")
        assert process.communicate()[0] == "held\n"
    with rankfeed.Feed(output="numpy") as feed:
        check("train", next(iter(feed)), 0, 1)


def test_a_stopped_feeder_drains(golden):
    feeder = golden("--depth", "4")
    feed = rankfeed.Feed(output="numpy", grace_seconds=0)
    steps = []
    with pytest.raises(rankfeed.FeederGone, match=r"within 0 s .* resume at step \d"):
        for batch in feed:
            if not steps:
                assert feeder.stop() == 143
            check("train", batch, 0, 1)
            steps.append(batch.step)
    assert steps == list(range(len(steps)))
    assert 1 <= len(steps) <= 4
    assert feed.state_dict()["step"] == len(steps)
    feed.close()


@pytest.mark.usefixtures("served")
def test_refusals_say_what_is_wrong():
    for keywords, error, words in (
        ({"world": 3, "rank": 0}, rankfeed.WrongWorld, "3"),
        ({"world": 4, "rank": 2, "wait_seconds": 600}, rankfeed.WrongWorld, "feeds ranks 0-1, not rank 2"),
        ({"feed": "other"}, rankfeed.FeederError, "other"),
        ({"columns": ["lable"]}, rankfeed.FeederError, "label"),
        ({"columns": ["text"], "layouts": {"text": "padded"}}, rankfeed.FeederError, "text"),
        ({"columns": ["ids"], "pad_values": {"ids": 1 << 40}}, rankfeed.FeederError, "ids"),
    ):
        with pytest.raises(error, match=words) as caught:
            rankfeed.Feed(output="numpy", **keywords)
        assert "\n" not in str(caught.value)
    with rankfeed.Feed(output="numpy"):
        code = "import rankfeed\ntry: rankfeed.Feed(output='numpy')\nexcept rankfeed.FeederError as e: print(e)\n"
        reported = child(code).communicate()[0]
        assert "(busy)" in reported
        assert f"process {os.getpid()} holds it" in reported


@pytest.mark.usefixtures("served")
def test_client_of_another_protocol_gets_one_line(monkeypatch):
    for other in (1, 3):
        monkeypatch.setattr(frames, "PROTOCOL_VERSION", other)
        message = f"the client speaks protocol {other}, this feeder 2; install the same release of both"
        with pytest.raises(rankfeed.VersionMismatch, match=message) as caught:
            rankfeed.Feed(output="numpy")
        assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("served")
def test_stages_and_quotas_are_those_of_the_order():
    order = ORDER["train"]
    names = [f"quota_{stratum.name}" for stratum in order.strata]
    quotas = [dict(zip(names, (order.lanes * q for q in s.quotas), strict=True)) for s in order.segments]
    with rankfeed.Feed(output="numpy", rank=0, world=1) as feed:
        for _ in range(feed.epochs):
            for batch in feed:
                stage = int(batch.global_step >= order.segments[1].step)
                assert (batch.stage, batch.global_rows) == (stage, order.batch_at(batch.global_step))
                assert feed.batch_at(batch.global_step) == order.batch_rows
                assert quotas[stage].items() <= feed.stats().items()
    with rankfeed.Feed(feed="valid", output="numpy", rank=0, world=1) as feed:
        assert [(batch.stage, batch.global_rows) for batch in feed] == [(0, 4), (0, 4), (0, 3)]


def test_log_in_json_is_one_object_per_line(golden, tmp_path):
    feeder = golden("--log-format", "json", "--log-level", "debug", "--world", "1")
    with rankfeed.Feed(output="numpy", rank=0, world=1) as feed:
        rows = sum(batch.valid_rows for _ in range(feed.epochs) for batch in feed)
    with pytest.raises(rankfeed.WrongWorld):
        rankfeed.Feed(output="numpy", rank=0, world=2)
    assert feeder.stop() == 143
    events = [json.loads(line) for line in (tmp_path / "feeder.log").read_text().splitlines()]
    for event in events:
        assert list(event)[:3] == ["time", "level", "message"]
        assert datetime.datetime.fromisoformat(event["time"]).utcoffset() == datetime.timedelta(0)
        assert all(re.fullmatch("[a-z][a-z0-9_]*", name) for name in event)
    assert events[0]["message"].startswith("feeding version ") and events[0]["run"] == "golden"
    (attached,) = (event for event in events if " attached " in event["message"])
    assert (attached["feed"], attached["rank"], attached["world"], attached["pid"]) == ("train", 0, 1, os.getpid())
    stages = [[event[n] for n in ("feed", "stage", "step", "epoch", "batch")] for event in events if "stage" in event]
    assert stages == [["train", 0, 0, 0, 4], ["train", 1, 4, 0, 4]]
    (refused,) = (event for event in events if "wrong-world" in event["message"])
    assert (refused["level"], refused["rank"]) == ("warning", 0)
    total = events[-1]
    assert (total["level"], total["feed"], total["rows"]) == ("info", "train", rows)
    assert total["rows_per_second"] > 0 and 0 <= total["data_wait"] <= 1 and 0 <= total["slot_wait"] <= 1
    assert f"bottleneck {total['bottleneck']}" in total["message"]
    page = (PROJECT / "docs/reference/log.md").read_text()
    assert all(f"`{name}`" in page for event in events for name in event)


def test_log_in_json_of_a_failure(tmp_path):
    command = [PROJECT / "rankfeed", "feed", tmp_path / "none", "--log-format", "json"]
    environment = {**os.environ, "RANKFEED_BUILD": "never"}
    done = subprocess.run(list(map(str, command)), check=False, env=environment, capture_output=True, text=True)
    event = json.loads(done.stderr)
    assert done.returncode == 2 and done.stdout == ""
    assert (event["level"], event["exit_code"]) == ("error", 2) and "none" in event["message"]


def test_log_in_text_has_the_messages_of_the_page(golden, tmp_path):
    feeder = golden()
    with pytest.raises(rankfeed.WrongWorld):
        rankfeed.Feed(output="numpy", rank=0, world=3)
    with rankfeed.Feed(output="numpy", rank=0, world=1) as feed:
        rows = sum(batch.valid_rows for batch in feed)
    assert feeder.stop() == 143
    log = (tmp_path / "feeder.log").read_text()
    lines = [line.removeprefix("rankfeed feed: ") for line in log.splitlines() if line.startswith("rankfeed feed: ")]
    assert lines[0].startswith("feeding version ")
    assert any(re.fullmatch(r".*: wrong-world: world 3 does not divide the plan's 2 lanes; .*", line) for line in lines)
    assert "`does not divide the plan's … lanes`" in (PROJECT / "docs/troubleshooting.md").read_text()
    assert re.fullmatch(
        rf"train: {rows:,} rows in [0-9.]+ s, [0-9,]+ rows/s, data wait (< )?[0-9]+ %, bottleneck [a-z_]+", lines[-1]
    )
    assert re.search(rf"^train +0 +{rows:,} ", log, re.MULTILINE)


def test_a_block_of_python_has_a_feeder_of_its_own(tmp_path, short_folder, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short_folder))
    monkeypatch.setenv("RANKFEED_BUILD", "never")
    with rankfeed.serve(VERSION, world=2) as run:
        for rank in range(2):
            with rankfeed.Feed(run, rank=rank, world=2, output="numpy") as feed:
                assert len(next(iter(feed))["row_id"]) == ORDER["train"].batch_rows // 2
    assert not list((short_folder / "rankfeed").glob("*/*.sock"))
    wrong = tmp_path / "feed.yaml"
    wrong.write_text("feeds: {train: {columns: [{name: lable}]}}")
    with pytest.raises(rankfeed.RankfeedError, match="lable"), rankfeed.serve(VERSION, config=wrong):
        pass


NOTING = """
late() { echo $1 >> told; n=0; while [ $n -lt 50 ]; do n=$((n + 1)); sleep 0.01; done; exit; }
trap 'late INT' INT; trap 'late TERM' TERM
echo > started
while :; do sleep 0.05; done
"""
"""A command that takes its time to end, and notes every signal."""


@pytest.fixture
def short_folder():
    """Makes a folder with a short path for sockets; the folders of tests may have long paths."""
    with tempfile.TemporaryDirectory(prefix="rf-", dir="/tmp") as folder:
        yield Path(folder)


def _take_terminal(end):
    """A build in the background of a script ignores the interrupt, and its children would, too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    fcntl.ioctl(end, termios.TIOCSCTTY, 0)


def test_ctrl_c_at_the_terminal_reaches_the_command_once(tmp_path, short_folder):
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        [PROJECT / "rankfeed", "feed", VERSION, "--in-place", "--progress", "none", "--", "sh", "-c", NOTING],
        cwd=tmp_path,
        env={**os.environ, "RANKFEED_BUILD": "never", "XDG_RUNTIME_DIR": str(short_folder)},
        stdin=end,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=functools.partial(_take_terminal, end),  # noqa: PLW1509
    )
    try:
        wait_until(lambda: (tmp_path / "started").exists() or process.poll() is not None, "the command")
        os.write(terminal, b"\x03")
        reported = process.communicate(timeout=DEADLINE_SECONDS)[1]
    finally:
        process.kill()
        os.close(terminal)
        os.close(end)
    assert process.returncode == 130, reported
    assert (tmp_path / "told").read_text() == "INT\n"
    assert not list((short_folder / "rankfeed").iterdir())
