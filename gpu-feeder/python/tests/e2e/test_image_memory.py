"""Small files of huge images through table, job and feeder: memory, refusals, and what decoders print."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import jobs
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from launch import House, made, made_once, rankfeed
from nodes import Feeder
from PIL import Image

import rankfeed as client

pytestmark = pytest.mark.nightly

ROWS, BATCH, SIDE, HUGE_SIDE = 16, 8, 32, 8192
HUGE = range(0, ROWS, 2)
MIB = 1 << 20
JOB = """
dataset: huge
root: {root}
sources:
  pictures: {{parquet: {table}}}
prepare: {{select: {{from: pictures, columns: [id, image]}}, key: [id]}}
sample:
  train: {{batch: {batch}, lanes: 1, epochs: 2, seed: 3}}
export: {{columns: [id, image]}}
"""
FEED = """
feeds:
  train:
    columns:
      - {{name: id}}
      - {{name: pixels, from: image, steps: [decode, {{resize: {{height: {side}, width: {side}}}}}], broken: {broken}}}
"""


def file(number: int) -> bytes:
    out = io.BytesIO()
    if number in HUGE:
        Image.new("RGB", (HUGE_SIDE, HUGE_SIDE), (number, 9, 200)).save(out, "png")
        assert len(out.getvalue()) < MIB
        return out.getvalue()
    Image.new("RGB", (64, 64), (number, 9, 200)).save(out, "jpeg", quality=95)
    # Bytes between the last scan and the end marker: libjpeg says how many.
    return out.getvalue()[:-2] + b"\x11" * (20 + number) + out.getvalue()[-2:]


@pytest.fixture(scope="module")
def huge(work) -> House:
    root = work / "huge"
    with made_once(root) as mine:
        if mine:
            table, job = work / "huge.parquet", work / "huge.yaml"
            files = [file(number) for number in range(ROWS)]
            pq.write_table(pa.table({"id": pa.array(range(ROWS), pa.int64()), "image": files}), table)
            job.write_text(JOB.format(root=root, table=table, batch=BATCH), "utf-8")
            jobs.job("pipeline", job, "--run-id", "huge")
    return made(root, "huge", "huge")


def peak_bytes(up: Feeder) -> int:
    status = Path(f"/proc/{json.loads((up.folder / 'feeder.json').read_text())['pid']}/status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024


@pytest.mark.parametrize(("memory", "decodes"), [("64 MiB", False), ("256 MiB", True)])
def test_huge_images_fit_the_memory_or_are_refused_with_remedy(huge, tmp_path, monkeypatch, memory, decodes):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
    # The Java heap is not part of --memory; files and code of the virtual machine count too.
    monkeypatch.setenv("RANKFEED_JAVA_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx64m")
    config = tmp_path / "feed.yaml"
    config.write_text(FEED.format(side=SIDE, broken="zeros"))
    words = ("--in-place", "--config", config, "--memory", memory, "--workers", 7)
    with Feeder(huge.path, tmp_path / "rt", "huge", *words) as up:
        seen = 0
        with client.Feed("huge", output="numpy") as feed:
            for _ in range(feed.epochs):
                for batch in feed:
                    for number, pixels, valid in zip(
                        batch["id"].tolist(), batch["pixels"], batch["pixels.valid"].tolist(), strict=True
                    ):
                        assert valid == (decodes or number not in HUGE)
                        expected = (number, 9, 200) if valid else (0, 0, 0)
                        assert np.abs(pixels.astype(int) - expected).max() <= 3
                        seen += 1
        assert seen == 2 * ROWS
        assert peak_bytes(up) < 400 * MIB
    log = up.log.read_text()
    assert log.count("pixels; decoding needs") == (0 if decodes else 1), log
    assert ("raise --memory" in log) != decodes
    assert log.count("Corrupt JPEG data") == 2, log
    assert f"Corrupt JPEG data: N extraneous bytes before marker N, {ROWS} times" in log


def test_refused_image_ends_strict_feed_with_3(huge, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
    config = tmp_path / "feed.yaml"
    config.write_text(FEED.format(side=SIDE, broken="fail"))
    words = ("--in-place", "--config", config, "--memory", "64 MiB")
    with (
        Feeder(huge.path, tmp_path / "rt", "strict", *words),
        client.Feed("strict", output="numpy") as feed,
        pytest.raises(client.CorruptBatch, match=r"8192 × 8192 pixels; decoding needs .* raise --memory"),
    ):
        list(feed)


def test_memory_without_room_for_images_is_refused_at_start(huge, tmp_path):
    config = tmp_path / "feed.yaml"
    config.write_text(FEED.format(side=SIDE, broken="zeros"))
    env = {"XDG_RUNTIME_DIR": str(tmp_path / "rt"), "RANKFEED_BUILD": "never"}
    (tmp_path / "rt").mkdir(mode=0o700)
    done = rankfeed(
        "feed", huge.path, "--in-place", "--run", "r", "--config", config, "--memory", "4 MiB", check=False,
        env=os.environ | env,
    )  # fmt: skip
    assert done.returncode == 4, done.stderr
    assert "image steps at least 16.0 MiB, --memory is 4.0 MiB; raise it" in done.stderr
