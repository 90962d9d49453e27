"""Image batches from real files: what arrives, against a computation of its own, at every world size, after a kill."""

from __future__ import annotations

import io
import json
import re
import signal
import sys

import numpy as np
import pytest
import torch
from launch import rankfeed
from pictures import BROKEN, EPOCHS, FEED, ROWS, SEED, SIDE, album, file, given, tags, uniform
from PIL import Image

import rankfeed as client


def expected(content: bytes, seed: int, row_id: int, *cycle: int) -> np.ndarray:
    """cycle: the cycle of the row, then the number of the image if it is one of a list."""
    image = np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))
    x = int(uniform(seed, row_id, *cycle, 1, number=1) * (image.shape[1] - SIDE + 1))
    y = int(uniform(seed, row_id, *cycle, 1, number=2) * (image.shape[0] - SIDE + 1))
    cut = image[y : y + SIDE, x : x + SIDE]
    return cut[:, ::-1] if uniform(seed, row_id, *cycle, 2, number=1) < 0.5 else cut


def test_pixels_equal_an_independent_computation(undisturbed):
    assert len(undisturbed) == ROWS * EPOCHS
    for (epoch, number), row in undisturbed.items():
        for name, seed in (("pixels", SEED), ("again", 9)):
            assert row[f"{name}.valid"] == (number not in BROKEN)
            pixels = row[name] if name == "pixels" else row[name].transpose(1, 2, 0)
            if number in BROKEN:
                assert not pixels.any()
            else:
                wanted = expected(file(number), seed, int(row["row_id"]), epoch)
                assert np.abs(pixels.astype(int) - wanted).max() <= 1, (epoch, number, name)


def test_worlds_and_workers_change_no_value(picture_feeder, undisturbed):
    for world, workers in ((1, 0), (2, 7), (4, 1)):
        with picture_feeder(f"world-{world}", "--world", world, "--workers", workers):
            rows = given(f"world-{world}", world)
        assert rows.keys() == undisturbed.keys()
        assert [
            key for key, row in rows.items() if any((row[name] != undisturbed[key][name]).any() for name in row)
        ] == []


def test_row_drawn_again_looks_different(undisturbed):
    same = [
        n for n in range(ROWS) if n not in BROKEN and (undisturbed[0, n]["pixels"] == undisturbed[1, n]["pixels"]).all()
    ]
    assert len(same) <= 2


def test_a_killed_feeder_changes_no_value(picture_feeder, undisturbed):
    rows = {}
    first = picture_feeder("killed").start()
    with client.Feed("killed", output="numpy", copy=True, grace_seconds=60) as feed:
        for epoch in range(feed.epochs):
            for batch in feed:
                rows |= {(epoch, n): batch["pixels"][i] for i, n in enumerate(batch["id"].tolist())}
                if batch.global_step == 3:
                    first.process.send_signal(signal.SIGKILL)
                    first.process.wait()
                    second = picture_feeder("killed").start()
    assert second.stop() == 143
    assert [key for key in undisturbed if (rows[key] != undisturbed[key]["pixels"]).any()] == []


def test_broken_images_are_counted_and_the_first_named(picture_feeder, tmp_path):
    report = tmp_path / "report.json"
    with picture_feeder("counted", "--report", report) as up:
        given("counted")
    log = up.log.read_text()
    rejected = json.loads(report.read_text())["rejected"]
    assert {reason: count for reason, count in rejected.items() if reason.startswith("pixels")} == {
        "pixels: image-corrupted": 2 * EPOCHS,
        "pixels: image-missing": EPOCHS,
        "pixels: image-truncated": EPOCHS,
    }
    for reason in ("image-missing", "image-corrupted", "image-truncated"):
        assert log.count(f"more rows with {reason} are only counted") == 2, log
    assert "column 'pixels'" in log and "column 'again'" in log


def test_broken_image_ends_strict_feed_and_names_its_row(picture_feeder):
    with (
        picture_feeder("strict", broken="fail"),
        pytest.raises(client.CorruptBatch, match=r"image of row id (-?[0-9]+) .*explain VERSION-DIR --row=\1;"),
    ):
        given("strict")


@pytest.mark.parametrize(
    ("end", "code"),
    [("sys.exit(3)", 3), *(pytest.param(*end, marks=pytest.mark.nightly) for end in (("raise", 1), ("pass", 0)))],
)
def test_broken_image_ends_feed_with_code_of_the_trainer(pictures, tmp_path, runtime, monkeypatch, end, code):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    (tmp_path / "feed.yaml").write_text(FEED.format(side=SIDE, broken="fail"))
    (tmp_path / "train.py").write_text(
        "import sys, rankfeed\n"
        "try:\n"
        "    with rankfeed.Feed(output='numpy') as feed:\n"
        "        print(sum(1 for _ in range(feed.epochs) for _ in feed))\n"
        "except rankfeed.errors.CorruptBatch as e:\n"
        "    print('refused:', e)\n"
        f"    {end}\n"
    )
    words = [
        "--world",
        1,
        "--in-place",
        "--config",
        tmp_path / "feed.yaml",
        "--",
        sys.executable,
        tmp_path / "train.py",
    ]
    done = rankfeed("feed", pictures.path, *words, check=False)
    assert done.returncode == code, done.stderr
    assert re.search(r"refused: .*the image of row id -?[0-9]+", done.stdout)


def test_a_state_of_other_steps_is_refused(picture_feeder):
    with picture_feeder("first"), client.Feed("first", output="numpy") as feed:
        next(iter(feed))
        state = json.loads(json.dumps(feed.state_dict()))
    assert len(state["transforms"]) == 16
    refused = pytest.raises(client.VersionMismatch, match="image steps")
    with picture_feeder("other", broken="fail"), client.Feed("other", output="numpy") as feed, refused:
        feed.load_state_dict(state)
    with picture_feeder("same"), client.Feed("same", output="numpy") as feed:
        feed.load_state_dict(state)
        assert feed.state_dict() == state


@pytest.mark.parametrize(
    ("dtype", "off"),
    [
        ("bfloat16", 0.0157),
        *(pytest.param(*more, marks=pytest.mark.nightly) for more in (("float16", 0.002), ("float32", 1e-6))),
    ],
)
def test_pixels_are_normalized_on_the_device_of_the_batch(picture_feeder, dtype, off):
    how = client.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225), dtype=dtype)
    kind = getattr(torch, dtype)
    columns = ["id", "pixels", "again"]
    with picture_feeder("numbers"):
        with client.Feed("numbers", columns=columns, output="numpy") as feed:
            raw = [{name: batch[name].copy() for name in ("pixels", "again")} for batch in feed]
        with client.Feed("numbers", columns=columns, output="torch", normalize={"pixels": how, "again": how}) as feed:
            for before, batch in zip(raw, feed, strict=True):
                for name in ("pixels", "again"):
                    pixels = torch.from_numpy(before[name])
                    pixels = pixels.permute(0, 3, 1, 2) if name == "pixels" else pixels
                    mean, std = (torch.tensor(values).double()[:, None, None] for values in (how.mean, how.std))
                    wanted = ((pixels.double() / 255 - mean) / std).to(kind)
                    wanted[torch.isin(batch["id"], torch.tensor([*BROKEN]))] = 0
                    assert batch[name].dtype == kind
                    assert batch[name].is_contiguous(memory_format=torch.channels_last)
                    assert (batch[name].float() - wanted.float()).abs().max() <= off


ALBUMS = """
feeds:
  train:
    columns:
      - {name: row_id}
      - {name: id}
      - {name: album}
      - {name: tags}
      - name: pixels
        from: album
        steps: [decode, random-crop: {height: 40, width: 40}, flip]
        broken: zeros
        max-images: MAX
"""


def albums(run: str, world: int = 1) -> dict[tuple[int, int], tuple]:
    """Returns files, tags, pixels and which of them are images, by epoch and id."""
    rows = {}
    for rank in range(world):
        with client.Feed(run, rank=rank, world=world, output="numpy") as feed:
            for epoch in range(feed.epochs):
                for batch in feed:
                    data, ends = batch["album"].tobytes(), batch["album.byte_offsets"]
                    items, images = batch["album.offsets"], batch["pixels.offsets"]
                    assert (items == images).all() and (images == batch["pixels.valid.offsets"]).all()
                    assert (
                        batch["pixels.rows"].tolist() == np.repeat(np.arange(len(images) - 1), np.diff(images)).tolist()
                    )
                    for i, number in enumerate(batch["id"].tolist()):
                        files = [data[ends[k] : ends[k + 1]] for k in range(items[i], items[i + 1])]
                        cut = slice(images[i], images[i + 1])
                        pixels, valid = batch["pixels"][cut].copy(), batch["pixels.valid"][cut].tolist()
                        row_id = int(batch["row_id"][i])
                        rows[epoch, number] = (files, batch.text("tags")[i], pixels, valid, row_id)
                        assert batch["album.valid"][i] == (album(number) is not None)
    return rows


@pytest.mark.parametrize("worlds", [(4,), pytest.param((2, 4), marks=pytest.mark.nightly)])
def test_lists_of_images_and_texts_arrive_at_every_world(picture_feeder, worlds):
    with picture_feeder("albums", text=ALBUMS.replace("MAX", "40")):
        rows = albums("albums")
    assert len(rows) == ROWS * EPOCHS
    broken = 0
    for (epoch, number), (files, texts, pixels, valid, row_id) in rows.items():
        assert (files, texts) == (album(number) or [], tags(number))
        assert len(pixels) == len(files)
        for item, content in enumerate(files):
            if not valid[item]:
                assert not pixels[item].any() and (number + item) in BROKEN
                broken += 1
            else:
                wanted = expected(content, SEED, row_id, epoch, item)
                assert np.abs(pixels[item].astype(int) - wanted).max() <= 1, (epoch, number, item)
    assert broken
    for world in worlds:
        run = f"albums-{world}"
        with picture_feeder(run, "--world", world, "--workers", 3, text=ALBUMS.replace("MAX", "40")):
            others = albums(run, world)
        assert others.keys() == rows.keys()
        for at, row in rows.items():
            assert others[at][:2] + others[at][3:] == row[:2] + row[3:]
            assert (others[at][2] == row[2]).all()


@pytest.mark.parametrize("layout", ["nchw", pytest.param("nhwc", marks=pytest.mark.nightly)])
def test_missing_images_of_lists_are_zeros_after_normalize(picture_feeder, layout):
    text = ALBUMS.replace("MAX", "40").replace("from: album", f"from: album\n        layout: {layout}")
    text += "        normalize: {mean: [0.4, 0.5, 0.6], std: [0.2, 0.3, 0.4], dtype: bfloat16}\n"
    missing = 0
    with picture_feeder("albums", text=text):
        with client.Feed("albums", output="torch", normalize=False, copy=True) as feed:
            raw = list(feed)
        with client.Feed("albums", output="torch") as feed:
            for before, batch in zip(raw, feed, strict=False):
                pixels = before["pixels"].double() / 255
                pixels = pixels.permute(0, 3, 1, 2) if layout == "nhwc" else pixels
                mean, std = (torch.tensor(v).double()[:, None, None] for v in ([0.4, 0.5, 0.6], [0.2, 0.3, 0.4]))
                wanted = (pixels - mean) / std * batch["pixels.valid"].reshape(-1, 1, 1, 1)
                assert (batch["pixels"].double() - wanted).abs().max() <= 0.0157
                missing += (batch["pixels.valid"] == 0).sum()
    assert missing


def test_more_than_max_images_is_refused_before_first_step(picture_feeder):
    refused = pytest.raises(
        client.FeederError, match=r"step \d+ has (\d+) images .* max-images is 5; set max-images to \1"
    )
    with picture_feeder("few", text=ALBUMS.replace("MAX", "5")), refused as caught:
        client.Feed("few", output="numpy")
    largest = re.search(r"has (\d+) images", str(caught.value))[1]
    with picture_feeder("enough", text=ALBUMS.replace("MAX", largest)):
        assert len(albums("enough")) == ROWS * EPOCHS


def test_max_images_is_for_lists(pictures, tmp_path):
    config = tmp_path / "feed.yaml"
    for source, code, words in (("album", 0, "≤ 5, 40, 40, 3]"), ("image", 2, "max-images is for lists of images")):
        config.write_text(ALBUMS.replace("MAX", "5").replace("from: album", f"from: {source}"))
        done = rankfeed("feed", pictures.path, "--config", config, "--dry-run", check=False)
        assert done.returncode == code
        assert words in done.stdout + done.stderr
