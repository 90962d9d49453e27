"""Tests normalized pixels with missing images, in every delivery."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import torch

import rankfeed
from fake_rows import values
from rankfeed.normalize import torch_function
from sample_transforms import shortened

COLUMNS = ["row_id", "pixels", "pixels.valid", "planes", "planes.valid"]
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
BITS = {"float32": 24, "bfloat16": 8, "float16": 11}


class EagerCuda:
    """A stand-in for CUDA whose device is the CPU, and whose copies happen at once."""

    def register(self, address, length_bytes):
        pass

    def unregister(self, address):
        pass

    def upload(self, tensors, normalize):
        return normalize({name: tensor.clone() for name, tensor in tensors.items()}), None

    def done(self, event):
        return True

    def copy_nanos(self, event):
        return 0

    def wait(self, event):
        pass

    def hand_over(self, tensors, event):
        pass


def expected(row_id: int) -> np.ndarray:
    """Missing images are zeros, not the normalized value of 0."""
    if not row_id % 3:
        return np.zeros((3, 4, 5))
    pixels = values("planes", row_id)[0].astype(np.float64)
    return (pixels / 255 - np.reshape(MEAN, (3, 1, 1))) / np.reshape(STD, (3, 1, 1))


def check(feed: rankfeed.Feed, dtype: str) -> None:
    seen = 0
    for batch in feed:
        for i, row_id in enumerate(batch["row_id"].tolist()):
            wanted = expected(row_id)
            for name in ("pixels", "planes"):
                assert bool(batch[f"{name}.valid"][i]) == bool(row_id % 3)
                got = np.asarray(batch[name][i].float() if torch.is_tensor(batch[name]) else batch[name][i])
                off = np.abs(got - wanted)
                assert off.max() <= 4 * 2.0 ** -BITS[dtype], (name, row_id)
                assert row_id % 3 or not got.any(), (name, row_id)
                seen += 1
    assert seen == 2 * 40


@pytest.fixture
def pixels(feeder):
    return feeder(slots=4, columns=COLUMNS)


@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.parametrize(
    ("output", "dtype"), [("numpy", "float32"), ("numpy", "float16"), *(("torch", dtype) for dtype in BITS)]
)
def test_missing_image_is_zeros(pixels, output, dtype, copy):
    how = dict.fromkeys(("pixels", "planes"), rankfeed.Normalize(MEAN, STD, dtype=dtype, channels_last=copy))
    device = "cpu" if output == "torch" else None
    with rankfeed.Feed(output=output, device=device, copy=copy, normalize=how) as feed:
        check(feed, dtype)


@pytest.mark.parametrize("dtype", BITS)
def test_missing_image_is_zeros_after_cuda(pixels, monkeypatch, dtype):
    monkeypatch.setattr(rankfeed.output, "torch_function", lambda name, how, device: torch_function(name, how, "cpu"))
    how = dict.fromkeys(("pixels", "planes"), rankfeed.Normalize(MEAN, STD, dtype=dtype))
    with rankfeed.Feed(device="cuda:0", cuda_runtime=EagerCuda(), normalize=how) as feed:
        check(feed, dtype)


@pytest.mark.parametrize("output", ["numpy", "torch"])
def test_pixels_and_marks_without_normalize_are_bytes(pixels, output):
    device = None if output == "numpy" else "cpu"
    with rankfeed.Feed(output=output, device=device, copy=True, normalize=False) as feed:
        for batch in feed:
            for i, row_id in enumerate(batch["row_id"].tolist()):
                for name in COLUMNS[1:]:
                    assert (np.asarray(batch[name][i]) == values(name, row_id)[0]).all()


def test_transform_that_drops_images_must_drop_their_marks(pixels):
    how = {"pixels": rankfeed.Normalize(MEAN, STD)}
    with rankfeed.Feed(
        transform=partial(shortened, names=("pixels", "pixels.valid")), output="numpy", normalize=how
    ) as feed:
        batch = next(iter(feed))
        for got, row_id in zip(batch["pixels"], range(8), strict=False):
            assert np.abs(got - expected(row_id)).max() < 1e-6
        assert len(batch["pixels"]) == 5
    with (
        rankfeed.Feed(transform=partial(shortened, names=("pixels",)), output="numpy", normalize=how) as feed,
        pytest.raises(rankfeed.RankfeedError, match=r"'pixels' has 5 images, but 'pixels.valid' 8"),
    ):
        next(iter(feed))


@pytest.mark.parametrize("name", ["pixels", "pixels.valid"])
def test_transform_returning_a_number_for_images_is_reported(pixels, name):
    how = {"pixels": rankfeed.Normalize(MEAN, STD)}
    with (
        rankfeed.Feed(transform=lambda batch, rng: {**batch, name: 5}, output="numpy", normalize=how) as feed,
        pytest.raises(rankfeed.RankfeedError, match=f"normalize: '{name}' is a number"),
    ):
        next(iter(feed))
