"""A table of pictures of all kinds, some of them broken, its version, and feeders of it."""

from __future__ import annotations

import io

import jobs
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from launch import House, made, made_once
from nodes import Feeder
from PIL import Image

import rankfeed as client

ROWS, BATCH, LANES, EPOCHS, SEED, SIDE = 96, 16, 4, 2, 7, 40
JOB = """
dataset: pictures
root: {root}
sources:
  pictures: {{parquet: {table}}}
prepare:
  select:
    from: pictures
    columns:
      [id, image, label, "transform(album, x -> coalesce(x, X'')) AS album", tags, "rf_label('tone', tone) AS tone"]
  key: [id]
  labels: {{tone: {{from: pictures, column: tone}}}}
sample:
  train: {{batch: {batch}, lanes: {lanes}, epochs: {epochs}, seed: {seed}}}
export:
  columns: [id, image, label, album, tags, tone]
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
TONES = ["mid & all", "<b>dark</b>", "light"]
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


def album(number: int) -> list[bytes] | None:
    """None, or the files of the rows after it: 0 to 3, of which some are broken."""
    return None if number % 11 == 7 else [file(number + i) or b"" for i in range(number % 4)]


def stored_album(number: int) -> list[bytes | None] | None:
    """Returns an album in which nulls are files of 0 bytes, as the job replaces them."""
    return None if number % 11 == 7 else [file(number + i) for i in range(number % 4)]


def tags(number: int) -> list[str]:
    return [f"{number}-{'ö' * i}" if i else "" for i in range(number % 3)]


@pytest.fixture(scope="module")
def pictures(work) -> House:
    root = work / "pictures"
    with made_once(root) as mine:
        if mine:
            table, job = work / "pictures.parquet", work / "pictures.yaml"
            files = [file(number) for number in range(ROWS)]
            labels = pa.array([number % 3 for number in range(ROWS)], pa.int64())
            columns = {"id": pa.array(range(ROWS), pa.int64()), "image": files, "label": labels}
            columns["album"] = pa.array([stored_album(number) for number in range(ROWS)], pa.list_(pa.binary()))
            columns["tags"] = pa.array([tags(number) for number in range(ROWS)], pa.list_(pa.string()))
            columns["tone"] = [TONES[number % 3] for number in range(ROWS)]
            pq.write_table(pa.table(columns), table)
            job.write_text(
                JOB.format(root=root, table=table, batch=BATCH, lanes=LANES, epochs=EPOCHS, seed=SEED), "utf-8"
            )
            jobs.job("pipeline", job, "--run-id", "pictures")
    return made(root, "pictures", "pictures")


@pytest.fixture
def picture_feeder(pictures, tmp_path, monkeypatch):
    """Starts feeders of the pictures, each with its feed file; the client of this process finds them."""

    def start(name: str, *words: object, broken: str = "zeros", text: str = FEED) -> Feeder:
        config = tmp_path / f"{broken}.yaml"
        config.write_text(text.format(side=SIDE, broken=broken) if text is FEED else text)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
        return Feeder(pictures.path, tmp_path / "rt", name, "--in-place", "--config", config, *words)

    return start


@pytest.fixture(scope="module")
def undisturbed(pictures, tmp_path_factory) -> dict[tuple[int, int], dict[str, np.ndarray]]:
    """What one rank is given of all epochs, with `FEED`."""
    folder = tmp_path_factory.mktemp("undisturbed")
    config = folder / "feed.yaml"
    config.write_text(FEED.format(side=SIDE, broken="zeros"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder / "rt"))
        with Feeder(pictures.path, folder / "rt", "undisturbed", "--in-place", "--config", config):
            return given("undisturbed")


def given(run: str, world: int = 1, **options) -> dict[tuple[int, int], dict[str, np.ndarray]]:
    """Returns all values of a row that the ranks read, by epoch and id."""
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


def uniform(seed: int, row_id: int, *words: int, number: int) -> float:
    """Returns draw `number` of a step, from 1, by docs/transforms.md, "Randomness". words: cycle, item of a list,
    step."""
    return (mix((key(seed, 6, row_id, *words) + number * GOLDEN_RATIO) & WORD) >> 11) * 2.0**-53


def key(seed: int, *words: int) -> int:
    """Computes a key by docs/format/plan.md, section 2."""
    h = seed
    for word in words:
        h = mix(((h ^ word & WORD) + GOLDEN_RATIO) & WORD)
    return h
