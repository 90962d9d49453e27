"""Drawn files of every format and mode through a job and a feed: the pixels of Pillow, or a refusal with its reason."""

from __future__ import annotations

import io
import json
from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from launch import made, rankfeed
from nodes import Feeder
from PIL import Image

import rankfeed as client

SEED, HEIGHT, WIDTH, SIDE = 20261124, 28, 36, 40
JOB = """
dataset: drawn
root: {root}
sources:
  drawn: {{parquet: {table}}}
prepare:
  select: {{from: drawn, columns: [id, image, "rf_pixels(decoded, 36, 28) AS decoded"]}}
  key: [id]
sample:
  train: {{kind: sequential, batch: 50, lanes: 2}}
export:
  columns: [id, image, decoded]
"""
FEED = """
feeds:
  train:
    columns:
      - {name: id}
      - {name: decoded}
      - name: pixels
        from: image
        steps: [decode, pad: {height: 40, width: 40}, center-crop: {height: 40, width: 40}]
        broken: zeros
"""


class Draw:
    """One file: its bytes, and the reason that it is refused for, or None."""

    def __init__(self, number: int):
        self.random = np.random.default_rng([SEED, number])
        self.reason: str | None = None
        draws = (self.jpeg, self.png, self.webp, self.bmp, self.tiff, self.tiff, self.other)
        self.form = self.one("jpeg", "png", "webp", "bmp", "tiff", "tiff", "other")
        self.content = draws[("jpeg", "png", "webp", "bmp", "tiff", "tiff", "other").index(self.form)]()
        if self.form not in ("other", "jpeg") and self.reason is None and self.chance(0.1):
            # Pillow reads a PNG without its last chunk; the contract does not.
            self.content, self.reason = self.content[: int(len(self.content) * 0.7)], "image-truncated"

    def one(self, *choices):
        return choices[int(self.random.integers(len(choices)))]

    def chance(self, p: float) -> bool:
        return bool(self.random.random() < p)

    def image(self, mode: str) -> Image.Image:
        if mode == "I;16":
            return Image.fromarray(self.random.integers(0, 1 << 16, (HEIGHT, WIDTH)).astype(np.uint16))
        if mode == "F":
            return Image.fromarray(self.random.random((HEIGHT, WIDTH)).astype(np.float32))
        channels = {"L": 1, "1": 1, "LA": 2, "RGB": 3, "P": 3, "RGBA": 4, "CMYK": 4}[mode]
        y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(float)
        if self.chance(0.5):
            pixels = self.random.integers(0, 256, (HEIGHT, WIDTH, channels))
        else:
            phases = self.random.random(channels) * 6
            pixels = np.stack([(np.sin(x / 3 + p) * np.cos(y / 5 - p) + 1) * 127.5 for p in phases], -1)
        pixels = pixels.astype(np.uint8)
        if channels == 1:
            image = Image.fromarray(pixels[..., 0])
            return image.convert("1") if mode == "1" else image
        image = Image.fromarray(pixels, "RGB" if mode == "P" else mode)
        return image.convert("P", colors=int(self.random.integers(2, 257))) if mode == "P" else image

    def saved(self, image: Image.Image, form: str, **options) -> bytes:
        out = io.BytesIO()
        image.save(out, form, **options)
        return out.getvalue()

    def exif(self) -> dict:
        exif = Image.Exif()
        exif[0x0112] = int(self.random.integers(1, 9))
        return {"exif": exif} if self.chance(0.4) else {}

    def jpeg(self) -> bytes:
        image = self.image(self.one("RGB", "RGB", "L", "CMYK"))
        more = {"keep_rgb": True} if image.mode == "RGB" and self.chance(0.2) else {"subsampling": self.one(0, 1, 2)}
        options = {"quality": int(self.random.integers(1, 101)), "progressive": self.chance(0.3)} | more
        if image.mode != "CMYK" and self.chance(0.1):
            return self.saved(image, "mpo", save_all=True, append_images=[self.image(image.mode)])
        content = self.saved(image, "jpeg", **options, **self.exif())
        if self.chance(0.1):
            self.reason = "image-truncated"
            return content[: -int(self.random.integers(1, 100))]
        return content + self.random.bytes(self.one(0, 0, 7))

    def png(self) -> bytes:
        mode = self.one("1", "L", "LA", "P", "RGB", "RGBA", "I;16")
        options = self.exif()
        if mode in ("P", "L", "RGB") and self.chance(0.3):
            options["transparency"] = (1, 2, 3) if mode == "RGB" else 1
        elif mode != "I;16" and self.chance(0.4):
            others = [self.image(mode) for _ in range(self.one(1, 2))]
            options |= {"save_all": True, "append_images": others, "default_image": self.chance(0.5)}
        return self.saved(self.image(mode), "png", **options)

    def webp(self) -> bytes:
        mode = self.one("RGB", "RGBA")
        quality = int(self.random.integers(1, 101))
        options = {"lossless": self.chance(0.5), "quality": quality, "exact": self.chance(0.5)}
        if self.chance(0.3):
            options |= {"save_all": True, "append_images": [self.image(mode)]}
        return self.saved(self.image(mode), "webp", **options, **self.exif())

    def bmp(self) -> bytes:
        return self.saved(self.image(self.one("1", "L", "P", "RGB", "RGBA")), "bmp")

    def tiff(self) -> bytes:
        mode = self.one("1", "L", "P", "RGB", "RGBA", "CMYK", "LA", "I;16", "F")
        compression = self.one("raw", "tiff_lzw", "tiff_adobe_deflate", "packbits")
        compression = self.one("group3", "group4") if mode == "1" and self.chance(0.5) else compression
        compression = "jpeg" if mode in ("L", "RGB") and self.chance(0.2) else compression
        tags = {274: int(self.random.integers(1, 9))} if self.chance(0.3) else {}
        options = {"compression": compression, "tiffinfo": tags}
        if mode == "F":
            self.reason = "image-unsupported"
        if self.chance(0.2):
            self.reason = "image-unsupported"
            options |= {"save_all": True, "append_images": [self.image(mode)]}
        return self.saved(self.image(mode), "tiff", **options)

    def other(self) -> bytes:
        self.reason = "image-corrupted"
        return self.saved(self.image("RGB"), self.one("gif", "jpeg2000", "ppm", "tga", "pcx"))

    def pixels(self) -> np.ndarray:
        """As Pillow decodes it; of 16 bits the upper 8."""
        image = Image.open(io.BytesIO(self.content))
        if image.mode.startswith("I"):
            return np.repeat((np.asarray(image).astype(int) >> 8)[..., None], 3, -1)
        return np.asarray(image.convert("RGB"))

    def is_for_jobs(self) -> bool:
        return self.form in ("jpeg", "png") and self.reason is None


@pytest.mark.parametrize("count", [150, pytest.param(3_000, marks=pytest.mark.nightly)])
def test_both_decoders_give_the_pixels_of_pillow_or_a_reason(work, tmp_path, monkeypatch, count):
    drawn = [Draw(number) for number in range(count)]
    table, job, config, report = (tmp_path / name for name in ("drawn.parquet", "job.yaml", "feed.yaml", "report.json"))
    known = next(each.content for each in drawn if each.is_for_jobs())
    decoded = [each.content if each.is_for_jobs() else known for each in drawn]
    columns = {"id": pa.array(range(count), pa.int64()), "image": [each.content for each in drawn], "decoded": decoded}
    pq.write_table(pa.table(columns), table)
    job.write_text(JOB.format(root=tmp_path / "out", table=table), "utf-8")
    config.write_text(FEED, "utf-8")
    rankfeed("pipeline", job, "--run-id", "drawn")
    version = made(tmp_path / "out", "drawn", "drawn").path
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
    seen = Counter()
    words = ("--in-place", "--config", config, "--report", report)
    with (
        Feeder(version, tmp_path / "rt", "drawn", *words),
        client.Feed("drawn", output="numpy") as feed,
    ):
        for batch in feed:
            for i, number in enumerate(batch["id"].tolist()):
                each = drawn[number]
                what = (SEED, number, each.form, each.reason)
                assert batch["pixels.valid"][i] == (each.reason is None), what
                if each.reason is None:
                    assert off(batch["pixels"][i], each.pixels()) <= 1, what
                if each.is_for_jobs():
                    assert np.abs(batch["decoded"][i].astype(int) - each.pixels()).max() <= (each.form == "jpeg"), what
                seen[each.form, each.reason] += 1
    assert seen.total() == count
    reasons = Counter(each.reason for each in drawn if each.reason)
    rejected = json.loads(report.read_text())["rejected"]
    assert rejected == {f"pixels: {reason}": number for reason, number in reasons.items()}


def off(pixels: np.ndarray, wanted: np.ndarray) -> int:
    whole = np.zeros((SIDE, SIDE, 3), int)
    top, left = (SIDE - wanted.shape[0]) // 2, (SIDE - wanted.shape[1]) // 2
    whole[top : top + wanted.shape[0], left : left + wanted.shape[1]] = wanted
    return int(np.abs(pixels.astype(int) - whole).max())
