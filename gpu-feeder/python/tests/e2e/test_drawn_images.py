"""
Drawn files of every format and mode through a job and a feed: the pixels of Pillow, or a refusal with its reason.
Of files with one damage, nothing that Pillow refuses is an image, and what both decode has Pillow's pixels.
"""

from __future__ import annotations

import io
import json
import struct
from collections import Counter

import jobs
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from launch import made
from nodes import Feeder
from PIL import Image, ImageOps

import rankfeed as client

SEED, HEIGHT, WIDTH, SIDE = 20261124, 28, 36, 40
JOB = """
dataset: drawn
root: {root}
sources:
  drawn: {{parquet: {table}}}
prepare:
  select: {{from: drawn, columns: [id, image, damaged, "rf_pixels(decoded, 36, 28) AS decoded"]}}
  key: [id]
sample:
  train: {{kind: sequential, batch: 50, lanes: 2}}
export:
  columns: [id, image, damaged, decoded]
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
      - name: turned
        from: image
        steps: [decode: {orientation: apply}, pad: {height: 40, width: 40}, center-crop: {height: 40, width: 40}]
        broken: zeros
      - name: damaged
        from: damaged
        steps: [decode, pad: {height: 40, width: 40}, center-crop: {height: 40, width: 40}]
        broken: zeros
"""


class Draw:
    """One file: its bytes, and the reason that it is refused for, or None."""

    def __init__(self, number: int):
        self.random = np.random.default_rng([SEED, number])
        self.reason: str | None = None
        self.mode = ""
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
        self.mode = mode
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
        if self.chance(0.4):
            return self.rle()
        return self.saved(self.image(self.one("1", "L", "P", "RGB", "RGBA")), "bmp")

    def rle(self) -> bytes:
        """A BMP of 8 bits with run lengths, literal pixels, and ends of rows that may be left out before the end."""
        rows = []
        for _ in range(HEIGHT):
            row, x = b"", 0
            while x < WIDTH:
                n = min(int(self.random.integers(1, 12)), WIDTH - x)
                literal = bytes([0, n]) + self.random.bytes(n) + bytes(n % 2)
                row += literal if n > 2 and self.chance(0.5) else bytes([n]) + self.random.bytes(1)
                x += n
            rows.append(row)
        data = b"\0\0".join(rows) + self.one(b"", b"\0\0") + b"\0\1"
        palette = self.random.bytes(4 * 256)
        header = struct.pack("<IiiHHIIiiII", 40, WIDTH, HEIGHT, 1, 8, 1, len(data), 2835, 2835, 256, 0)
        begin = 14 + len(header) + len(palette)
        return b"BM" + struct.pack("<IHHI", begin + len(data), 0, 0, begin) + header + palette + data

    def damaged(self) -> bytes:
        """Returns the file with one damage: bytes that are changed, inserted, removed, or missing at the end."""
        at = int(self.random.integers(len(self.content)))
        before, after = self.content[:at], self.content[at:]
        n = self.one(1, 1, 2, 9, 30)
        kind = self.one("flip", "change", "insert", "delete", "cut")
        if kind == "flip":
            return before + bytes([after[0] ^ 1 << int(self.random.integers(8))]) + after[1:]
        if kind == "change":
            return before + self.random.bytes(min(n, len(after))) + after[n:]
        return before + {"insert": self.random.bytes(n) + after, "delete": after[n:], "cut": b""}[kind]

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

    def is_for_jobs(self) -> bool:
        return self.form in ("jpeg", "png") and self.reason is None

    def has_exact_damage(self) -> bool:
        """
        Whether decoders must agree on the damaged file. JPEG has no checksums, and libraries differ in colors that are
        out of range. Pillow does not open every TIFF of gray with an extra channel.
        """
        return not (self.form == "jpeg" or (self.form == "tiff" and self.mode == "LA"))


def pixels(content: bytes) -> np.ndarray:
    """Returns the pixels as Pillow decodes them; of 16 bits the upper 8."""
    image = Image.open(io.BytesIO(content))
    if image.mode.startswith("I"):
        return np.repeat((np.asarray(image).astype(int) >> 8)[..., None], 3, -1)
    return np.asarray(image.convert("RGB"))


def turned(content: bytes) -> np.ndarray:
    image = Image.open(io.BytesIO(content))
    return pixels(content) if image.format == "TIFF" else np.asarray(ImageOps.exif_transpose(image).convert("RGB"))


def check_damaged(content: bytes, got: np.ndarray, what: tuple) -> str:
    try:
        wanted = pixels(content)
    except Exception as e:  # Pillow's plugins raise what comes first
        raise AssertionError(f"{what} was decoded; Pillow refuses it: {e}") from e
    if max(wanted.shape[:2]) > SIDE:
        return "another size"
    assert off(got, wanted) <= 1, what
    return "decoded"


@pytest.mark.parametrize("count", [150, pytest.param(3_000, marks=pytest.mark.nightly)])
def test_decoders_give_pixels_of_pillow_or_a_reason(work, tmp_path, monkeypatch, count):
    drawn = [Draw(number) for number in range(count)]
    table, job, config, report = (tmp_path / name for name in ("drawn.parquet", "job.yaml", "feed.yaml", "report.json"))
    known = next(each.content for each in drawn if each.is_for_jobs())
    decoded = [each.content if each.is_for_jobs() else known for each in drawn]
    columns = {"id": pa.array(range(count), pa.int64()), "image": [each.content for each in drawn], "decoded": decoded}
    damaged = [each.damaged() for each in drawn]
    columns["damaged"] = damaged
    pq.write_table(pa.table(columns), table)
    job.write_text(JOB.format(root=tmp_path / "out", table=table), "utf-8")
    config.write_text(FEED, "utf-8")
    jobs.job("pipeline", job, "--run-id", "drawn")
    version = made(tmp_path / "out", "drawn", "drawn").path
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
    seen, damages = Counter(), Counter()
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
                    assert off(batch["pixels"][i], pixels(each.content)) <= 1, what
                if each.is_for_jobs():
                    assert np.abs(batch["decoded"][i].astype(int) - pixels(each.content)).max() <= (
                        each.form == "jpeg"
                    ), what
                if each.reason is None and not (each.form == "png" and each.mode == "I;16"):
                    assert off(batch["turned"][i], turned(each.content)) <= 1, what
                seen[each.form, each.reason] += 1
                if not batch["damaged.valid"][i]:
                    damages[each.form, "refused"] += 1
                elif each.has_exact_damage():
                    damages[each.form, check_damaged(damaged[number], batch["damaged"][i], what)] += 1
    assert seen.total() == count
    assert all(damages[form, "refused"] for form in ("jpeg", "png", "webp", "bmp", "tiff")), damages
    assert all(damages[form, "decoded"] for form in ("webp", "bmp", "tiff")), damages
    reasons = Counter(each.reason for each in drawn if each.reason)
    rejected = json.loads(report.read_text())["rejected"]
    assert {reason: number for reason, number in rejected.items() if reason.startswith("pixels: ")} == {
        f"pixels: {reason}": number for reason, number in reasons.items()
    }


def off(pixels: np.ndarray, wanted: np.ndarray) -> int:
    whole = np.zeros((SIDE, SIDE, 3), int)
    top, left = (SIDE - wanted.shape[0]) // 2, (SIDE - wanted.shape[1]) // 2
    whole[top : top + wanted.shape[0], left : left + wanted.shape[1]] = wanted
    return int(np.abs(pixels.astype(int) - whole).max())
