"""Image batches from real files: what arrives, against a computation of its own, at every world size, after a kill."""

from __future__ import annotations

import base64
import io
import json
import re
import signal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from launch import House, made, rankfeed
from nodes import Feeder
from PIL import Image

import rankfeed as client
from conftest import made_once

ROWS, BATCH, LANES, EPOCHS, SEED, SIDE = 96, 16, 4, 2, 7, 40
JOB = """
dataset: pictures
root: {root}
sources:
  pictures: {{parquet: {table}}}
prepare:
  select: {{from: pictures, columns: [id, image]}}
  key: [id]
sample:
  train: {{batch: {batch}, lanes: {lanes}, epochs: {epochs}, seed: {seed}}}
export:
  columns: [id, image]
  batch-rows: 16
"""
FEED = """
feeds:
  train:
    columns:
      - {{name: row_id}}
      - {{name: id}}
      - name: pixels
        from: image
        steps:
          - decode
          - random-crop: {{height: {side}, width: {side}}}
          - flip
        broken: {broken}
      - name: again
        from: image
        seed: 9
        layout: nchw
        steps: [decode, random-crop: {{height: {side}, width: {side}}}, flip: 0.5]
        broken: {broken}
"""
MISSING, EMPTY, TEXT, TRUNCATED = 5, 11, 17, 27
BROKEN = {MISSING, EMPTY, TEXT, TRUNCATED}
WORD = (1 << 64) - 1
GOLDEN_RATIO = 0x9E3779B97F4A7C15


def picture(number: int) -> Image.Image:
    random = np.random.default_rng(number)
    height, width = random.integers(SIDE, 3 * SIDE, 2)
    y, x = np.mgrid[0:height, 0:width].astype(float)
    waves = [np.sin(x / (3 + c) + number) * np.cos(y / (5 - c)) for c in range(3)]
    return Image.fromarray(((np.stack(waves, -1) + 1) * 127.5).astype(np.uint8))


def file(number: int) -> bytes | None:
    if number == MISSING:
        return None
    out = io.BytesIO()
    image = picture(number)
    if number % 7 == 3:
        image = image.convert("CMYK")
    elif number % 7 == 4:
        image = image.convert("L")
    image.save(out, {0: "png", 1: "webp", 2: "bmp", 5: "tiff"}.get(number % 7, "jpeg"))
    content = out.getvalue()
    return {EMPTY: b"", TEXT: b"no image", TRUNCATED: content[: len(content) // 2]}.get(number, content)


@pytest.fixture(scope="module")
def pictures(work) -> House:
    root = work / "pictures"
    with made_once(root) as mine:
        if mine:
            table, job = work / "pictures.parquet", work / "pictures.yaml"
            files = [file(number) for number in range(ROWS)]
            pq.write_table(pa.table({"id": pa.array(range(ROWS), pa.int64()), "image": files}), table)
            job.write_text(
                JOB.format(root=root, table=table, batch=BATCH, lanes=LANES, epochs=EPOCHS, seed=SEED), "utf-8"
            )
            rankfeed("pipeline", job, "--run-id", "pictures")
    return made(root, "pictures", "pictures")


@pytest.fixture
def feeder(pictures, tmp_path, monkeypatch):
    """Starts feeders of the pictures, each with its feed file; the client of this process finds them."""

    def start(name: str, *words: object, broken: str = "zeros") -> Feeder:
        config = tmp_path / f"{broken}.yaml"
        config.write_text(FEED.format(side=SIDE, broken=broken))
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
        return Feeder(pictures.path, tmp_path / "rt", name, "--in-place", "--config", config, *words)

    return start


def given(run: str, world: int = 1, **options) -> dict[tuple[int, int], dict[str, np.ndarray]]:
    """By epoch and id, everything that all ranks were given of a row."""
    rows = {}
    for rank in range(world):
        with client.Feed(run, rank=rank, world=world, output="numpy", **options) as feed:
            for epoch in range(feed.epochs):
                for batch in feed:
                    for i, number in enumerate(batch["id"].tolist()):
                        assert (epoch, number) not in rows
                        rows[epoch, number] = {name: batch[name][i].copy() for name in batch}
    return rows


def mix(z: int) -> int:
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & WORD
    return z ^ z >> 31


def uniform(seed: int, row_id: int, cycle: int, step: int, number: int) -> float:
    """docs/transforms.md, "Randomness": the number-th draw of a step, from 1."""
    key = seed
    for word in (6, row_id & WORD, cycle, step):
        key = mix(((key ^ word) + GOLDEN_RATIO) & WORD)
    return (mix((key + number * GOLDEN_RATIO) & WORD) >> 11) * 2.0**-53


def expected(number: int, seed: int, row_id: int, cycle: int) -> np.ndarray:
    image = np.asarray(Image.open(io.BytesIO(file(number))).convert("RGB"))
    x = int(uniform(seed, row_id, cycle, 1, 1) * (image.shape[1] - SIDE + 1))
    y = int(uniform(seed, row_id, cycle, 1, 2) * (image.shape[0] - SIDE + 1))
    cut = image[y : y + SIDE, x : x + SIDE]
    return cut[:, ::-1] if uniform(seed, row_id, cycle, 2, 1) < 0.5 else cut


@pytest.fixture
def alone(feeder):
    with feeder("alone"):
        return given("alone")


def test_pixels_are_those_of_a_computation_of_its_own(alone):
    assert len(alone) == ROWS * EPOCHS
    for (epoch, number), row in alone.items():
        for name, seed in (("pixels", SEED), ("again", 9)):
            assert row[f"{name}.valid"] == (number not in BROKEN)
            pixels = row[name] if name == "pixels" else row[name].transpose(1, 2, 0)
            if number in BROKEN:
                assert not pixels.any()
            else:
                wanted = expected(number, seed, int(row["row_id"]), epoch)
                assert np.abs(pixels.astype(int) - wanted).max() <= 1, (epoch, number, name)


def test_worlds_and_workers_change_no_value(feeder, alone):
    for world, workers in ((1, 0), (2, 7), (4, 1)):
        with feeder(f"world-{world}", "--world", world, "--workers", workers):
            rows = given(f"world-{world}", world)
        assert rows.keys() == alone.keys()
        assert [key for key, row in rows.items() if any((row[name] != alone[key][name]).any() for name in row)] == []


def test_a_row_that_is_drawn_again_looks_different(alone):
    same = [n for n in range(ROWS) if n not in BROKEN and (alone[0, n]["pixels"] == alone[1, n]["pixels"]).all()]
    assert len(same) <= 2


def test_a_killed_feeder_changes_no_value(feeder, alone):
    rows = {}
    first = feeder("killed").start()
    with client.Feed("killed", output="numpy", copy=True, grace_seconds=60) as feed:
        for epoch in range(feed.epochs):
            for batch in feed:
                rows |= {(epoch, n): batch["pixels"][i] for i, n in enumerate(batch["id"].tolist())}
                if batch.global_step == 3:
                    first.process.send_signal(signal.SIGKILL)
                    first.process.wait()
                    second = feeder("killed").start()
    assert second.stop() == 143
    assert [key for key in alone if (rows[key] != alone[key]["pixels"]).any()] == []


def test_a_preview_shows_the_pixels_of_the_batch(feeder, alone, pictures, tmp_path):
    feeder("unused")  # writes the feed file
    words = ["preview", pictures.path, "--config", tmp_path / "zeros.yaml", "--step", 7, "--rank", 1, "--world", 2]
    for out in (tmp_path / "sheet.html", tmp_path / "sheet.png"):
        assert "8 of 8 rows" in rankfeed(*words, "--out", out).stdout
    sections = (tmp_path / "sheet.html").read_text("utf-8").split("<section>")[1:]
    assert len(sections) == 8
    for section in sections:
        number = int(re.search(r"<dt>id</dt><dd>(\d+)</dd>", section)[1])
        images = re.findall(r'alt="(\w+)" src="data:image/png;base64,([^"]+)"', section)
        assert [name for name, _ in images] == [*([] if number in BROKEN else ["before"]), "pixels", "again"]
        shown = {name: np.asarray(Image.open(io.BytesIO(base64.b64decode(data)))) for name, data in images}
        assert (shown["pixels"] == alone[1, number]["pixels"]).all()
        assert (shown["again"].transpose(2, 0, 1) == alone[1, number]["again"]).all()
    assert Image.open(tmp_path / "sheet.png").width >= 640
    assert rankfeed(*words, "--out", tmp_path / "sheet.gif", check=False).returncode == 2


def test_broken_images_are_counted_and_the_first_is_named(feeder):
    with feeder("counted") as up:
        given("counted")
    log = up.log.read_text()
    for reason in ("image-missing", "image-corrupted", "image-truncated"):
        assert log.count(f"more rows with {reason} are only counted") == 2, log
    assert "column 'pixels'" in log and "column 'again'" in log


def test_a_broken_image_ends_a_strict_feed_with_its_row(feeder):
    with feeder("strict", broken="fail"), pytest.raises(client.CorruptBatch, match=r"the image of row id -?[0-9]+"):
        given("strict")


def test_a_state_of_other_steps_is_refused(feeder):
    with feeder("first"), client.Feed("first", output="numpy") as feed:
        next(iter(feed))
        state = json.loads(json.dumps(feed.state_dict()))
    assert len(state["transforms"]) == 16
    refused = pytest.raises(client.VersionMismatch, match="image steps")
    with feeder("other", broken="fail"), client.Feed("other", output="numpy") as feed, refused:
        feed.load_state_dict(state)
    with feeder("same"), client.Feed("same", output="numpy") as feed:
        feed.load_state_dict(state)
        assert feed.state_dict() == state


def test_pixels_become_numbers_where_the_batch_is(feeder):
    import torch

    how = client.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225), dtype="bfloat16")
    columns = ["id", "pixels", "again"]
    with feeder("numbers"):
        with client.Feed("numbers", columns=columns, output="numpy") as feed:
            raw = [{name: batch[name].copy() for name in ("pixels", "again")} for batch in feed]
        with client.Feed("numbers", columns=columns, output="torch", normalize={"pixels": how, "again": how}) as feed:
            for before, batch in zip(raw, feed, strict=True):
                for name in ("pixels", "again"):
                    pixels = torch.from_numpy(before[name])
                    pixels = pixels.permute(0, 3, 1, 2) if name == "pixels" else pixels
                    mean, std = (torch.tensor(values).double()[:, None, None] for values in (how.mean, how.std))
                    wanted = ((pixels.double() / 255 - mean) / std).to(torch.bfloat16)
                    assert batch[name].dtype == torch.bfloat16
                    assert batch[name].is_contiguous(memory_format=torch.channels_last)
                    assert (batch[name].float() - wanted.float()).abs().max() <= 0.0157
