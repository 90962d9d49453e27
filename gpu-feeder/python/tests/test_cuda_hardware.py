"""The CUDA path on a GPU; skipped without one. test_cuda.py shows the order of the calls with a stand-in."""

from __future__ import annotations

import signal

import numpy as np
import pytest
import torch

import rankfeed
import sample_transforms
from fake_rows import row_ids, tokens, values
from rankfeed.cuda import TorchCuda
from rankfeed.machine import describe

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")

BUSY_CYCLES = 20_000_000
"""More than 10 ms: the copies of later batches have long ended."""


def expected(ids, name):
    return np.stack([values(name, row_id) for row_id in ids]).squeeze(-1)


def checked(batch, ids):
    assert batch["row_id"].device == torch.device("cuda", 0)
    assert batch["row_id"].tolist() == ids
    assert batch["label"].tolist() == expected(ids, "label").tolist()


def test_batches_of_a_busy_device_are_whole(feeder):
    """Slots go back while the trainer's stream is busy, and are filled again; the batches keep their values."""
    running = feeder(slots=3, steps=40)
    with rankfeed.Feed(columns=["label"]) as feed:
        batches = []
        for batch in feed:
            torch.cuda._sleep(BUSY_CYCLES)
            batches.append({name: tensor.clone() for name, tensor in batch.items()})
        assert feed.stats()["copy_count"] == 40
    assert len(batches) == 40
    for step, batch in enumerate(batches):
        checked(batch, row_ids(step, 8, 0, 1))
    running.wait_for("bye")


def test_memory_of_a_new_feeder_is_pinned_and_old_batches_stay(feeder):
    running = feeder(slots=4)
    with rankfeed.Feed(columns=["label"]) as feed:
        iterator = iter(feed)
        torch.cuda._sleep(BUSY_CYCLES)
        first = next(iterator)
        running.stop(signal.SIGKILL)
        feeder(slots=4)
        batches = [first, *iterator]
    for step, batch in enumerate(batches):
        checked(batch, row_ids(step, 8, 0, 1))


def test_ring_is_pinned_until_the_feed_is_closed(feeder):
    """CUDA refuses to pin memory twice."""
    feeder(slots=4)
    runtime = TorchCuda(torch.device("cuda", 0))
    feed = rankfeed.Feed(columns=["label"])
    next(iter(feed))
    memory = np.frombuffer(feed._attachment._connection.segment.memory, np.uint8)
    with pytest.raises(rankfeed.RankfeedError, match="failed with error 712"):
        runtime.register(memory.ctypes.data, memory.nbytes)
    feed.close()
    runtime.register(memory.ctypes.data, memory.nbytes)
    runtime.unregister(memory.ctypes.data)
    runtime.unregister(memory.ctypes.data)
    assert torch.ones(3, device="cuda").sum().item() == 3, "an error of CUDA is left"


def test_normalized_on_the_device_as_in_float64(feeder):
    said = rankfeed.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225], "float32")
    feeder(columns=["row_id", "pixels", "pixels.valid"])
    with rankfeed.Feed(normalize={"pixels": said}) as feed:
        batch = next(iter(feed))
    ids = batch["row_id"].tolist()
    bytes_of = np.concatenate([values("pixels", row_id) for row_id in ids]).astype(np.float64)
    wanted = ((bytes_of / 255 - said.mean) / said.std).transpose(0, 3, 1, 2)
    valid = batch["pixels.valid"].bool().cpu().numpy()
    wanted[~valid] = 0
    assert valid.any()
    np.testing.assert_allclose(batch["pixels"].cpu().numpy(), wanted, rtol=1e-6, atol=1e-6)


def test_memory_that_cannot_be_pinned_is_refused_and_the_device_still_works():
    runtime = TorchCuda(torch.device("cuda", 0))
    with pytest.raises(rankfeed.RankfeedError, match="cudaHostRegister of 4096 bytes failed"):
        runtime.register(1 << 12, 4096)
    assert torch.ones(3, device="cuda").sum().item() == 3
    copies, event = runtime.upload({"a": torch.arange(3)}, lambda copies: copies)
    runtime.wait(event)
    assert copies["a"].tolist() == [0, 1, 2]


def test_missing_device_is_refused():
    with pytest.raises(rankfeed.RankfeedError, match=f"there are {torch.cuda.device_count()}; name one"):
        TorchCuda(torch.device("cuda", torch.cuda.device_count()))


@pytest.mark.parametrize("workers", [0, 2])
def test_results_of_transforms_are_whole(feeder, workers):
    """Their memory is not pinned."""
    feeder(slots=6, steps=20)
    with rankfeed.Feed(transform=sample_transforms.doubled, workers=workers) as feed:
        batches = []
        for batch in feed:
            torch.cuda._sleep(BUSY_CYCLES)
            batches.append({name: tensor.clone() for name, tensor in batch.items()})
    assert len(batches) == 20
    for step, batch in enumerate(batches):
        ids = row_ids(step, 8, 0, 1)
        assert batch["row_id"].tolist() == ids
        for row_id, twice, length in zip(ids, batch["twice"].tolist(), batch["lengths"].tolist(), strict=True):
            assert twice[:length] == [2 * token for token in tokens(row_id)]


def test_doctor_finds_the_device_and_pins_memory():
    found = describe()
    assert found["devices"]
    assert found["pinning"] == ""
