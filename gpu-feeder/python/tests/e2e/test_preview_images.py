"""`rankfeed preview` of images: its pictures are those that are stored, and those of the batch at the same step."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
from launch import rankfeed
from pictures import BROKEN, FEED, MISSING, SEED, SIDE, TEXT, TONES, album, file, uniform
from PIL import Image
from sheets import sheet
from test_mixtures import below, planned

from plans.words import key

STEP = 9  # has a row without an image, and one whose image is a text
PICTURES = (
    FEED.format(side=SIDE, broken="zeros")
    + """
      - name: album
        from: album
        steps: [decode, random-crop: {height: 40, width: 40}, shift-scale-rotate: {p: 1}]
        broken: zeros
"""
)


def boxes(seed: int, row_id: int, size: tuple[int, int], *cycle: int) -> str:
    """Computes the rectangle that `random-crop` draws, by docs/transforms.md."""
    x, y = (int(uniform(seed, row_id, *cycle, 1, number=n + 1) * (size[1 - n] - SIDE + 1)) for n in range(2))
    return f"crop x {x}, y {y}, {SIDE} × {SIDE}"


def test_pictures_are_those_stored_and_those_of_the_batch(pictures, shown):
    page, batch = shown(pictures, PICTURES, STEP)
    assert [int(row.caption["id"]) for row in page.rows] == batch["id"].tolist()
    assert page.counts == {}
    firsts = batch["album.offsets"]
    seen = {"flip": 0, "images of lists": 0, "missing": 0, "text": 0}
    for i, row in enumerate(page.rows):
        number, row_id = int(row.caption["id"]), int(batch["row_id"][i])
        assert row.caption["row_id"] == str(row_id)
        assert row.caption["tone"] == f"{sorted(TONES).index(TONES[number % 3])} ({TONES[number % 3]})"
        items = range(firsts[i + 1] - firsts[i])
        files = {"image": file(number)} | {f"album {k}": (album(number) or [])[k] for k in items}
        names = ["image as stored", "pixels", "again"]
        assert list(row.pictures) == names + [n for k in items for n in (f"album {k} as stored", f"album {k}")]
        for name, content in files.items():
            before = row.pictures[f"{name} as stored"]
            of = number if name == "image" else number + int(name.split()[1])
            if of in (MISSING, TEXT):
                assert before.pixels is None
                assert before.notes == [
                    "missing" if of == MISSING else "is neither a PNG nor a JPEG, WebP, BMP or TIFF"
                ]
                seen["missing" if of == MISSING else "text"] += 1
            elif of not in BROKEN:
                stored = np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))
                assert np.abs(before.pixels.astype(int) - stored).max() <= 1, (number, name)
        for name, seed in (("pixels", SEED), ("again", 9)):
            picture = row.pictures[name]
            wanted = batch[name][i] if name == "pixels" else batch[name][i].transpose(1, 2, 0)
            assert (picture.pixels == wanted).all()
            assert (f"{name}.valid is 0: zeros" in picture.notes) == (not batch[f"{name}.valid"][i])
            if number in BROKEN:
                assert number == MISSING or picture.notes[0].startswith("image-")
                continue
            size = row.pictures["image as stored"].pixels.shape[:2]
            flips = uniform(seed, row_id, 1, 2, number=1) < 0.5
            seen["flip"] += flips
            steps = [f"decode {size[0]} × {size[1]}", boxes(seed, row_id, size, 1)]
            assert picture.notes == steps + ["flip horizontally"] * flips
        for k in items:
            picture = row.pictures[f"album {k}"]
            assert (picture.pixels == batch["album"][firsts[i] + k]).all()
            seen["images of lists"] += 1
            if number + k not in BROKEN:
                size = row.pictures[f"album {k} as stored"].pixels.shape[:2]
                degrees = -45 + 90 * uniform(SEED, row_id, 1, k, 2, number=2)
                assert picture.notes[1] == boxes(SEED, row_id, size, 1, k)
                assert float(re.match(r"rotate (-?[\d.]+)°", picture.notes[2])[1]) == pytest.approx(degrees, abs=0.006)
    assert seen["flip"] < 2 * len(page.rows)
    assert all(seen.values()), seen


def test_page_ends_at_its_limit_and_png_has_the_images(pictures, tmp_path):
    (tmp_path / "feed.yaml").write_text(PICTURES)
    words = ["preview", pictures.path, "--config", tmp_path / "feed.yaml", "--step", STEP]
    page, png = tmp_path / "page.html", tmp_path / "sheet.png"
    done = rankfeed(*words, "--out", page, "--max-bytes", "64 KiB")
    rows = int(re.search(r": (\d+) of 16 rows", done.stdout)[1])
    found = sheet(page)
    assert 0 < len(found.rows) == rows < 16
    assert found.cut[-1] == f"{16 - rows} more rows are not shown: the page ends after 64 KiB (--max-bytes)"
    assert page.stat().st_size < 80 << 10
    assert "3 of 16 rows" in rankfeed(*words, "--out", png, "--rows", 3).stdout
    assert Image.open(png).width >= 640
    refused = rankfeed(*words, "--out", png, "--max-bytes", "1 KiB", check=False)
    assert refused.returncode == 2 and "the sheet has more than 1 KiB" in refused.stderr


def test_members_of_a_mixture_draw_other_numbers(pictures, tmp_path):
    version = below(tmp_path / "pictures", pictures)[pictures.version].path
    members = {"one": str(version), "two": str(version)}
    path, _ = planned({"members": members, "weights": {"one": 1, "two": 1}, "batch": 16, "rows": 96}, tmp_path)
    (tmp_path / "feed.yaml").write_text(PICTURES)
    page = tmp_path / "page.html"
    rankfeed("preview", path, "--config", tmp_path / "feed.yaml", "--step", 2, "--out", page)
    seen = set()
    for row in sheet(page).rows:
        if int(row.caption["id"]) not in BROKEN:
            member = row.caption["member"]
            size = row.pictures["image as stored"].pixels.shape[:2]
            seed = key(9, 10, sorted(members).index(member))
            assert row.pictures["again"].notes[1] == boxes(seed, int(row.caption["row_id"]), size, 0)
            seen.add(member)
    assert seen == set(members)
