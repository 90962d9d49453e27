"""Whole image steps with the numbers that the feeder draws, against the libraries that docs/transforms.md promises."""

from __future__ import annotations

import itertools
import json

import cv2
import numpy as np
import pytest
import scenes
from launch import House
from nodes import Feeder

import rankfeed as client

CROP = {"center-crop": {"height": scenes.HEIGHT, "width": scenes.WIDTH}}
NOTHING = {"brightness": 0, "contrast": 0, "saturation": 0, "hue": 0}
IGNORED = [255, 255, 255]
MOVED = [
    {"p": 0.9},
    {"p": 1, "interpolation": "nearest"},
    {"p": 1, "interpolation": "bicubic", "border": "replicate", "shift": 0.3},
    {"p": 1, "border": "reflect", "scale": 0.7, "rotate": 180},
    {"p": 1, "interpolation": "nearest", "border": "reflect-101", "scale": 0.5},
    {"p": 1, "interpolation": "nearest", "value": [1, 200, 77], "rotate": 90},
    {"p": 1, "value": [255, 0, 128], "shift": 0.5},
]
COLORS = [
    {"color-jitter": {}},
    {"color-jitter": {"hue": 0.1}},
    {"color-jitter": {"brightness": 0.6, "contrast": 1, "saturation": 0.9, "hue": 0.5, "p": 0.8}},
    {"color-jitter": NOTHING | {"hue": 0.5}},
    {"color-jitter": NOTHING},
    {"brightness-contrast": {"p": 1}},
    {"brightness-contrast": {"brightness": 0.8, "contrast": 0.9, "p": 0.7}},
]
SIZES = [(16, 16), (97, 5), (1, 33), (33, 1), (60, 130), (130, 60)]


def columns() -> dict[str, tuple[str, list[dict]]]:
    """Returns the source and the steps after decode of each tensor. Every step with random numbers, and every
    resize."""
    found = {}
    for n, step in enumerate(COLORS):
        found[f"color_{n}"] = ("scene", [step, CROP])
    for n, options in enumerate(MOVED):
        found[f"moved_{n}"] = ("scene", [{"shift-scale-rotate": options}, CROP])
    for n, interpolation in enumerate(scenes.INTERPOLATIONS):
        size = {"height": 40 + n, "width": 30 + n, "interpolation": interpolation}
        found[f"crop_{n}"] = ("scene", [{"random-resized-crop": size}])
        thin = {"scale": [0.5, 1], "ratio": [0.01, 0.4] if n % 2 else [3, 90]}
        found[f"thin_crop_{n}"] = ("odd", [{"random-resized-crop": size | thin}])
        found[f"odd_crop_{n}"] = ("odd", [{"random-resized-crop": size | {"scale": [0.01, 0.9], "ratio": [0.2, 7]}}])
    for n, ((height, width), interpolation) in enumerate(itertools.product(SIZES, ("bilinear", "bicubic"))):
        size = {"height": height, "width": width, "interpolation": interpolation}
        found[f"pillow_{n}"] = ("odd", [{"resize": size | {"filter": "pillow"}}])
        found[f"opencv_{n}"] = ("odd", [{"resize": size}])
    padded = {"pad": {"height": 260, "width": 250, "value": [1, 2, 3]}}
    cut = {"random-crop": {"height": 31, "width": 37}}
    found["cropped"] = ("odd", [padded, cut, {"flip": {"axis": "vertical"}}, {"flip": {"p": 0.3}}])
    found["all"] = (
        "scene",
        [
            {"random-resized-crop": {"height": 44, "width": 52}},
            {"flip": {}},
            {"brightness-contrast": {}},
            {"color-jitter": {"hue": 0.05}},
        ],
    )
    return found


def geometry(interpolation: str) -> list[dict]:
    """Steps of a scene and of its mask; what draws no numbers may follow or be left out."""
    return [
        {"random-resized-crop": {"height": 44, "width": 52, "scale": [0.3, 1], "interpolation": interpolation}},
        {"flip": {}},
        {"shift-scale-rotate": {"p": 0.8, "interpolation": interpolation, "value": IGNORED}},
    ]


def tensor(name: str, source: str, steps: list[dict], **more: object) -> dict:
    return {"name": name, "from": source, "steps": [{"decode": more.pop("decode", "exact")}, *steps], **more}


def feed_file(tensors: list[dict]) -> str:
    return json.dumps({"feeds": {"train": {"columns": [{"name": "row_id"}, {"name": "id"}, *tensors]}}})


def rows(house: House, folder, text: str):
    """Yields (epoch, row id, id, the row's tensors) of the whole run."""
    config = folder / "feed.yaml"
    config.write_text(text, "utf-8")
    with (
        Feeder(house.path, folder / "rt", "steps", "--in-place", "--config", config),
        client.Feed("steps", output="numpy") as feed,
    ):
        for epoch in range(feed.epochs):
            for batch in feed:
                for i, number in enumerate(batch["id"].tolist()):
                    yield epoch, int(batch["row_id"][i]), number, {name: batch[name][i] for name in batch}


def check_steps(house: House, folder, count: int) -> None:
    """Compares every sample of every tensor exactly, and of shift-scale-rotate 99.9 % within one level."""
    tensors = columns()
    seen, worst, moved = 0, {}, {name: [] for name in tensors if name.startswith("moved")}
    # Each column draws numbers of its own.
    seeds = {name: seed for seed, name in enumerate(tensors)}
    text = feed_file([tensor(name, *what, seed=seeds[name]) for name, what in tensors.items()])
    for epoch, row_id, number, got in rows(house, folder, text):
        sources = scenes.row(number)
        seen += 1
        for name, (source, steps) in tensors.items():
            wanted = scenes.expected(sources[source], steps, row_id, epoch, seeds[name])
            off = np.abs(got[name].astype(int) - wanted)
            if name in moved:
                moved[name].append((off > 1).mean())
            elif off.any():
                worst[name] = max(worst.get(name, 0), off.max())
    assert seen == count * scenes.EPOCHS
    assert not worst, "\n".join(f"{name}: off by {levels}" for name, levels in worst.items())
    assert {name: np.mean(shares) for name, shares in moved.items() if np.mean(shares) > 0.001} == {}


@pytest.fixture(scope="module")
def few(tmp_path_factory) -> House:
    return scenes.version(tmp_path_factory.mktemp("scenes"), 64)


@pytest.fixture(autouse=True)
def runtime(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))


def test_steps_with_same_numbers_equal_reference_libraries(few, tmp_path):
    check_steps(few, tmp_path, 64)


@pytest.mark.nightly
def test_steps_with_many_numbers_equal_reference_libraries(tmp_path):
    check_steps(scenes.version(tmp_path, 640), tmp_path, 640)


def test_mask_keeps_its_classes_and_moves_with_its_image(few, tmp_path):
    tensors = {
        "pixels": ("scene", [*geometry("bilinear"), {"color-jitter": {}}]),
        "mask": ("mask", geometry("nearest")),
        "blended": ("mask", geometry("bilinear")),
    }
    known = {*scenes.CLASSES[:, 0].tolist(), IGNORED[0]}
    compared, blended, seen = 0, 0, 0
    text = feed_file([tensor(name, *what) for name, what in tensors.items()])
    for epoch, row_id, number, got in rows(few, tmp_path, text):
        sources = scenes.row(number)
        for name, (source, steps) in tensors.items():
            wanted = scenes.expected(sources[source], steps, row_id, epoch)
            assert (np.abs(got[name].astype(int) - wanted) > 1).mean() <= 0.001, (name, number)
        mask, smooth = got["mask"][..., 0], got["blended"][..., 0]
        assert set(np.unique(mask).tolist()) <= {*np.unique(sources["mask"]).tolist(), IGNORED[0]}
        blended += bool(set(np.unique(smooth).tolist()) - known)
        # Away from the bounds of regions both interpolations see one class.
        inside = cv2.dilate(smooth, np.ones((5, 5))) == cv2.erode(smooth, np.ones((5, 5)))
        assert (mask[inside] == smooth[inside]).all(), number
        compared += inside.sum()
        seen += mask.size
    assert compared > seen / 2
    assert blended, "bilinear invents classes, else this test shows nothing"


def test_fast_decoding_changes_a_photo_little(few, tmp_path):
    """Both columns draw the same rectangles, and the photos are smooth: what they show is near."""
    crop = {"random-resized-crop": {"height": 40, "width": 40, "scale": [0.05, 1]}}
    shorter = [{"resize": {"shorter-side": 60}}, {"center-crop": {"height": 60, "width": 60}}]
    tensors = [
        tensor(f"{name}_{mode}", "photo", steps, decode=mode)
        for name, steps in (("crop", [crop]), ("shorter", shorter))
        for mode in ("exact", "fast")
    ]
    off = {"crop": [], "shorter": []}
    for *_, got in rows(few, tmp_path, feed_file(tensors)):
        for name, means in off.items():
            means.append(np.abs(got[f"{name}_fast"].astype(int) - got[f"{name}_exact"]).mean())
    for name, means in off.items():
        assert (np.array(means) > 0).mean() > 0.5, "most photos are large enough to be reduced"
        # An edge is off by half a decoded pixel at worst, which is never more than half a pixel of the result.
        assert max(means) < 8 and np.mean(means) < 2.5, name
