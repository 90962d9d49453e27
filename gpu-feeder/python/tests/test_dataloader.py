"""The feed under torch's DataLoader."""

from __future__ import annotations

import pytest
import torch
from torch.utils.data import DataLoader, IterableDataset

import rankfeed
from fake_rows import row_ids
from processes import child, wait_until


def test_dataloader_without_collation_gives_the_slots(feeder):
    running = feeder(slots=2)
    with rankfeed.Feed(device="cpu") as feed:
        assert isinstance(feed, IterableDataset)
        loader = DataLoader(feed, batch_size=None)
        assert len(loader) == 5
        for epoch in range(2):
            seen = 0
            for batch in loader:
                step = 5 * epoch + seen
                assert batch["row_id"].tolist() == row_ids(step, 8, 0, 1)
                assert (batch.global_step, batch.valid_rows) == (step, 8)
                seen += 1
            assert seen == 5
        del batch
        wait_until(lambda: len(running.events("release")) == 10, "every slot's release")


def test_held_tensors_of_a_dataloader_never_alias(feeder):
    feeder(slots=3)
    with rankfeed.Feed(device="cpu") as feed, pytest.raises(rankfeed.RingExhausted):
        held = [batch["row_id"] for batch in DataLoader(feed, batch_size=None)]
        assert held


def test_numpy_feed_works_with_dataloader(feeder):
    feeder(slots=2)
    with rankfeed.Feed(output="numpy") as feed:
        for batch in DataLoader(feed, batch_size=None):
            assert isinstance(batch["row_id"], torch.Tensor)
            assert batch["row_id"].tolist() == row_ids(batch.step, 8, 0, 1)


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_dataloader_workers_are_refused_with_reason(feeder, context):
    feeder()
    with rankfeed.Feed(device="cpu") as feed:
        loader = DataLoader(feed, batch_size=None, num_workers=1, multiprocessing_context=context)
        with pytest.raises(rankfeed.RankfeedError, match="workers"):
            next(iter(loader))
        assert next(iter(feed)).step == 0


@pytest.mark.parametrize("copy", [False, True])
def test_collation_of_batches_is_refused_with_remedy(feeder, copy):
    feeder(slots=4)
    with rankfeed.Feed(device="cpu", copy=copy) as feed:
        with pytest.raises(rankfeed.RankfeedError, match=r"DataLoader\(feed, batch_size=None\)"):
            next(iter(DataLoader(feed, batch_size=2)))
        one_by_one = DataLoader(feed, batch_size=1, collate_fn=lambda batches: batches[0])
        assert next(iter(one_by_one)).valid_rows == 8
    with rankfeed.Feed(device="cpu") as feed, pytest.raises(rankfeed.RingExhausted, match="use batch_size=None"):
        next(iter(DataLoader(feed, batch_size=8)))


def test_training_keeps_what_autograd_still_needs(feeder):
    feeder(slots=3, columns=["row_id", "label"], epochs=1)
    weight = torch.ones(8, requires_grad=True)
    with rankfeed.Feed(device="cpu") as feed:
        for batch in feed:
            if batch.step == 0:
                loss = (weight * batch["label"]).sum()
        assert batch.step == 4
        loss.backward()
        assert weight.grad.tolist() == [r / 2 for r in row_ids(0, 8, 0, 1)]


def test_numpy_users_never_import_torch(feeder):
    feeder()
    code = (
        "import sys, rankfeed\n"
        "with rankfeed.Feed(output='numpy') as feed:\n"
        "    print(sum(batch.valid_rows for batch in feed), 'torch' in sys.modules)\n"
    )
    assert child(code).communicate()[0] == "40 False\n"
