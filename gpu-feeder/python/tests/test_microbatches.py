"""Batches in parts: every row once, and the gradients of the whole batch."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch

import rankfeed
from fake_rows import row_ids, text
from rankfeed import Batch, split


def test_bounds_cover_every_row_once_in_equal_parts():
    for rows in range(40):
        for parts in range(1, 50):
            found = split.bounds(rows, parts)
            sizes = [end - begin for begin, end in found]
            assert [row for begin, end in found for row in range(begin, end)] == list(range(rows))
            assert len(found) == max(1, min(parts, rows))
            assert max(sizes) - min(sizes) <= 1


def drawn(draw: random.Random) -> tuple[list[dict], dict[str, np.ndarray]]:
    """Rows with a value of every layout, and their batch as the feeder lays it out."""
    rows = [
        {
            "label": draw.random(),
            "tokens": [draw.randrange(99) for _ in range(draw.randrange(5))],
            "text": "é" * draw.randrange(4),
            "tags": ["x" * draw.randrange(3) for _ in range(draw.randrange(4))],
            "album": [draw.randrange(256) for _ in range(draw.randrange(3))],
        }
        for _ in range(draw.randrange(1, 12))
    ]
    lengths = [len(row["tokens"]) for row in rows]
    texts = [row["text"].encode() for row in rows]
    tags = [tag.encode() for row in rows for tag in row["tags"]]

    def ends(counts: list[int]) -> np.ndarray:
        return np.cumsum([0, *counts], dtype=np.int64)

    width = max(1, *lengths)
    tensors = {
        "label": np.array([row["label"] for row in rows]),
        "label.valid": np.ones(len(rows), np.uint8),
        "tokens": np.array([row["tokens"] + [0] * (width - len(row["tokens"])) for row in rows]),
        "tokens.lengths": np.array(lengths, np.int32),
        "ragged": np.array([token for row in rows for token in row["tokens"]], np.int32),
        "ragged.offsets": ends(lengths),
        "text": np.frombuffer(b"".join(texts), np.uint8),
        "text.offsets": ends([len(one) for one in texts]),
        "tags": np.frombuffer(b"".join(tags), np.uint8),
        "tags.offsets": ends([len(row["tags"]) for row in rows]),
        "tags.byte_offsets": ends([len(tag) for tag in tags]),
        "album": np.array([[one] * 3 for row in rows for one in row["album"]], np.uint8).reshape(-1, 3),
        "album.offsets": ends([len(row["album"]) for row in rows]),
        "album.rows": np.array([i for i, row in enumerate(rows) for _ in row["album"]], np.int32),
    }
    return rows, tensors


@pytest.mark.parametrize("kind", ["numpy", "torch"])
def test_every_layout_is_taken_apart(kind):
    draw = random.Random(17)
    for _ in range(200):
        rows, tensors = drawn(draw)
        if kind == "torch":
            tensors = {name: torch.from_numpy(values.copy()) for name, values in tensors.items()}
        parts = Batch(tensors, 1, 2, 3, len(rows)).split(draw.randrange(1, 14))
        assert sum(part.valid_rows for part in parts) == len(rows)
        of_part = iter(rows)
        for part in parts:
            mine = [next(of_part) for _ in range(part.valid_rows)]
            assert list(part) == list(tensors)
            assert (part.epoch, part.step, part.global_step) == (1, 2, 3)
            assert part["label"].tolist() == [row["label"] for row in mine]
            lengths = [len(row["tokens"]) for row in mine]
            assert part["tokens.lengths"].tolist() == lengths
            assert [row[:n] for row, n in zip(part["tokens"].tolist(), lengths, strict=True)] == [
                row["tokens"] for row in mine
            ]
            assert part["ragged"].tolist() == [token for row in mine for token in row["tokens"]]
            assert part.text("text") == [row["text"] for row in mine]
            assert part.text("tags") == [row["tags"] for row in mine]
            assert part["album"].tolist() == [[one] * 3 for row in mine for one in row["album"]]
            assert part["album.offsets"].tolist() == np.cumsum([0, *(len(row["album"]) for row in mine)]).tolist()
            assert part["album.rows"].tolist() == [i for i, row in enumerate(mine) for _ in row["album"]]


def test_a_feed_in_parts_has_the_rows_of_the_feed_and_its_cursor(feeder):
    feeder(columns=["row_id", "tokens", "ragged", "text"])
    with rankfeed.Feed(output="numpy", copy=True) as feed:
        for step, parts in enumerate(feed.microbatches(3)):
            rows = row_ids(step, 8, 0, 1)
            assert [part.valid_rows for part in parts] == [3, 3, 2]
            assert [row for part in parts for row in part["row_id"].tolist()] == rows
            assert [one for part in parts for one in part.text("text")] == [text(row) for row in rows]
            assert feed.state_dict()["step"] == (step + 1) % 5
        assert feed.stats()["batches"] == 5
        state = {**feed.state_dict(), "epoch": 0, "step": 2}
        feed.load_state_dict(state)
        assert next(iter(feed.microbatches(2)))[0]["row_id"].tolist() == row_ids(2, 8, 0, 1)[:4]


def test_views_of_parts_hold_the_slot_until_the_last_is_gone(feeder):
    feeder(columns=["row_id", "tokens"])
    with rankfeed.Feed(output="numpy") as feed:
        kept = []
        for step, parts in zip(range(3), feed.microbatches(2), strict=False):
            kept.append((row_ids(step, 8, 0, 1), [part["row_id"] for part in parts]))
            for part in parts:
                part.release()
            kept = kept[-1:]
        rows, values = kept[0]
        assert [row for one in values for row in one.tolist()] == rows


@pytest.mark.parametrize("parts", [2, 3, 8])
def test_gradients_are_those_of_the_whole_batch(feeder, parts):
    feeder(columns=["row_id", "tokens", "label"])
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Embedding(1000, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1)).double()

    def loss_of(batch: Batch) -> torch.Tensor:
        told = torch.arange(batch["tokens"].shape[1]) < batch["tokens.lengths"][:, None]
        scores = (model(batch["tokens"].long() % 1000)[..., 0] * told).sum(1)
        return ((scores - batch["label"]) ** 2).sum()

    def gradients(feed: rankfeed.Feed, count: int) -> list[torch.Tensor]:
        model.zero_grad()
        micro = next(iter(feed.microbatches(count)))
        rows = sum(part.valid_rows for part in micro)
        for part in micro:
            (loss_of(part) / rows).backward()
        return [parameter.grad.clone() for parameter in model.parameters()]

    with rankfeed.Feed(device="cpu") as feed:
        state = feed.state_dict()
        whole = gradients(feed, 1)
        feed.load_state_dict(state)
        for mine, theirs in zip(gradients(feed, parts), whole, strict=True):
            assert (mine - theirs).abs().max() <= 1e-6 * theirs.abs().max()


def test_what_has_no_row_for_each_row_is_refused(feeder):
    flat = Batch({"tokens": np.zeros((1, 9)), "cu_seq_lens_q": np.array([0, 4, 9])}, 0, 0, 0, 2)
    with pytest.raises(rankfeed.RankfeedError, match="'tokens' has no entry for each row; use another"):
        flat.split(2)
    with pytest.raises(rankfeed.RankfeedError, match="'cu_seq_lens_q'"):
        Batch({"cu_seq_lens_q": np.array([0, 4])}, 0, 0, 0, 2).split(2)
    with pytest.raises(rankfeed.RankfeedError, match="a library rebuilt this batch"):
        Batch({"tokens": np.zeros((3, 9))}).split(2)
    feeder()
    with rankfeed.Feed() as feed, pytest.raises(rankfeed.RankfeedError, match="0 parts of a batch"):
        feed.microbatches(0)
