"""Tests batches in order, epochs, the cursor and several ranks."""

from __future__ import annotations

import contextlib
import re
import struct
import threading
from pathlib import Path

import numpy as np
import pytest

import rankfeed
from fake_rows import PLAN, VERSION, row_ids, text, tokens
from processes import DEADLINE_SECONDS, wait_until
from rankfeed.interrupts import Deferred

EVERYTHING = ["row_id", "tokens", "ragged", "label", "label.valid", "image", "half", "text"]


def ids(batch) -> list[int]:
    return batch["row_id"].tolist()


def test_epoch_is_in_order_and_next_iter_is_next_epoch(feeder):
    feeder()
    with rankfeed.Feed(output="numpy") as feed:
        assert (len(feed), feed.epochs, feed.plan, feed.version, feed.rows_per_batch) == (5, 2, PLAN, VERSION, 8)
        for epoch in range(2):
            got = [(b.epoch, b.step, b.global_step, b.valid_rows, ids(b)) for b in feed]
            assert got == [(epoch, s, 5 * epoch + s, 8, row_ids(5 * epoch + s, 8, 0, 1)) for s in range(5)]
        assert list(feed) == []
        assert list(feed) == []


@pytest.mark.parametrize("output", ["numpy", "torch"])
def test_every_layout_carries_its_values(feeder, output):
    feeder(columns=EVERYTHING, epochs=1)
    with rankfeed.Feed(output=output, device=None if output == "numpy" else "cpu") as feed:
        for batch in feed:
            rows = row_ids(batch.step, 8, 0, 1)
            check(batch, rows, output)


def check(batch, rows, output):
    lengths = [len(tokens(r)) for r in rows]
    assert list(batch) == [
        "row_id", "tokens", "tokens.lengths", "ragged", "ragged.offsets", "label", "label.valid", "image", "half",
        "text", "text.offsets",
    ]  # fmt: skip
    assert batch["row_id"].tolist() == rows
    assert batch["tokens.lengths"].tolist() == lengths
    assert batch["tokens"].tolist() == [tokens(r) + [0] * (max(lengths) - len(tokens(r))) for r in rows]
    assert batch["ragged.offsets"].tolist() == np.cumsum([0, *lengths]).tolist()
    assert batch["ragged"].tolist() == [[t % 1000, -(t % 1000)] for r in rows for t in tokens(r)]
    assert batch["label"].tolist() == [r / 2 for r in rows]
    assert batch["label.valid"].tolist() == [r % 2 for r in rows]
    assert tuple(batch["image"].shape) == (8, 2, 3)
    assert batch["image"][3].tolist() == [[rows[3] % 251] * 3] * 2
    assert batch.text("text") == [text(r) for r in rows]
    if output == "torch":
        import torch

        assert batch["half"].dtype == torch.bfloat16
        assert batch["half"].float().tolist() == [1 + (r % 64) / 128 for r in rows]
        assert {batch[n].dtype for n in ("tokens", "tokens.lengths")} == {torch.int32}
        assert batch["text.offsets"].dtype == torch.int64
    else:
        assert batch["half"].tolist() == [0x3F80 + r % 64 for r in rows]


def test_columns_are_the_requested_with_row_id_first(feeder):
    running = feeder()
    with rankfeed.Feed(columns=["image", "tokens"], pad_values={"tokens": -100}, output="numpy") as feed:
        batch = next(iter(feed))
        assert list(batch) == ["row_id", "image", "tokens", "tokens.lengths"]
        assert batch["tokens"][0].tolist() == [-100] * 4
    with rankfeed.Feed(columns=["image"], row_id=False, output="numpy") as feed:
        assert list(next(iter(feed))) == ["image"]
    asked = [hello["columns"] for hello in running.events("hello")]
    assert asked == [[{"name": "row_id"}, {"name": "image"}, {"name": "tokens", "padValue": -100}], [{"name": "image"}]]


def test_hello_says_who_asks(feeder, monkeypatch):
    running = feeder(ranks=[3])
    for name, value in (("RANK", 3), ("WORLD_SIZE", 4), ("LOCAL_RANK", 1), ("LOCAL_WORLD_SIZE", 2)):
        monkeypatch.setenv(name, str(value))
    with rankfeed.Feed(output="numpy") as feed:
        assert [ids(b) for b in feed] == [row_ids(s, 8, 3, 4) for s in range(5)]
    hello = running.events("hello")[0]
    with open("/proc/self/stat") as stat:
        start = int(stat.read().rpartition(")")[2].split()[19])
    assert (hello["rank"], hello["localRank"], hello["world"], hello["localWorld"]) == (3, 1, 4, 2)
    assert (hello["startTime"], hello["plan"], hello["step"], hello["columns"]) == (start, None, 0, None)


def test_ranks_get_disjoint_rows_of_the_batch(feeder):
    feeder(ranks=[0, 1])
    feeds = [rankfeed.Feed(output="numpy", rank=r, world=2) for r in range(2)]
    for one, other in zip(*feeds, strict=True):
        assert sorted(ids(one) + ids(other)) == row_ids(one.step, 8, 0, 1)


@pytest.mark.parametrize("stop", range(11))
@pytest.mark.parametrize("world", [1, 2])
def test_run_stopped_at_any_step_continues_at_any_world(feeder, stop, world):
    feeder(ranks=list(range(world)))
    with rankfeed.Feed(output="numpy") as feed:
        taken = 0
        for _ in range(2):
            for _batch in feed:
                taken += 1
                if taken == stop:
                    break
            if taken == stop:
                break
        state = feed.state_dict() if stop else {"plan": PLAN, "feed": "train", "epoch": 0, "step": 0}
    assert state == {"plan": PLAN, "feed": "train", "epoch": stop // 5, "step": stop % 5}
    with rankfeed.Feed(output="numpy", rank=world - 1, world=world) as feed:
        feed.load_state_dict(state)
        assert feed.state_dict() == state
        first = [ids(b) for b in feed]
        assert first == [row_ids(s, 8, world - 1, world) for s in range(stop, min(10, (stop // 5 + 1) * 5))]
        assert [ids(b) for b in feed] == [row_ids(s, 8, world - 1, world) for s in range(stop + len(first), 10)]


def test_iter_after_break_continues_the_epoch(feeder):
    feeder()
    with rankfeed.Feed(output="numpy") as feed:
        for batch in feed:
            if batch.step == 1:
                break
        assert [b.step for b in feed] == [2, 3, 4]
        assert feed.state_dict()["epoch"] == 1


def test_sequential_feed_restarts_and_keeps_short_last_batch(feeder):
    running = feeder(kind="sequential", feed="valid", epochs=1, pool=35, steps=5)
    with rankfeed.Feed(feed="valid", output="numpy") as feed:
        for _ in range(3):
            got = [(b.valid_rows, ids(b)) for b in feed]
            assert [rows for _, rows in got] == [row_ids(s, 8, 0, 1, 35) for s in range(5)]
            assert [valid for valid, _ in got] == [8, 8, 8, 8, 3]
            assert feed.state_dict() == {"plan": PLAN, "feed": "valid", "epoch": 0, "step": 0}
        next(iter(feed))
        assert [b.step for b in feed] == [0, 1, 2, 3, 4]
        iterator = iter(feed)
        next(iterator), next(iterator)
        state = feed.state_dict()
        feed.load_state_dict(state)
        assert [b.step for b in feed] == [2, 3, 4]
        assert [b.step for b in feed] == [0, 1, 2, 3, 4]
    assert running.events("seek")


def test_an_empty_last_batch_of_a_rank_has_no_rows(feeder):
    feeder(kind="sequential", feed="valid", epochs=1, pool=33, steps=5, ranks=[1], columns=EVERYTHING)
    with rankfeed.Feed(feed="valid", output="numpy", rank=1, world=2) as feed:
        for batch in feed:
            last = batch
        assert last.valid_rows == 0
        assert last["tokens"].shape == (0, 1)
        assert last["text.offsets"].tolist() == [0]
        assert last.text("text") == []


def test_stats_count_rows_batches_and_waiting(feeder):
    running = feeder(ready_pause=0.02)
    with rankfeed.Feed(output="numpy") as feed:
        assert feed.stats()["batches"] == 0
        for _ in range(2):
            for _batch in feed:
                pass
        stats = feed.stats()
        assert (stats["rows"], stats["batches"]) == (80, 10)
        assert 0 < stats["waited_seconds"] <= stats["seconds"]
        assert [stats[f"{stage}_count"] for stage in ("wait_batch", "trainer", "transform", "copy")] == [10, 10, 0, 0]
        assert stats["wait_batch_seconds"] == pytest.approx(stats["waited_seconds"])
        assert stats["waited_seconds"] + stats["trainer_seconds"] <= stats["seconds"]
        assert stats["waited_share"] == pytest.approx(stats["waited_seconds"] / stats["seconds"])
    bye = running.wait_for("bye")[0]
    assert (bye["held"], bye["token"]) == (1, 0), "the last batch lives on after the loop"


def test_state_of_other_plan_or_invalid_is_refused(feeder):
    feeder()
    with rankfeed.Feed(output="numpy") as feed:
        with pytest.raises(rankfeed.VersionMismatch, match=r"plan 1111, .*; feed the plan that the"):
            feed.load_state_dict({"plan": "1111", "feed": "train", "epoch": 0, "step": 0})
        with pytest.raises(rankfeed.VersionMismatch, match="feed 'valid'"):
            feed.load_state_dict({"plan": PLAN, "feed": "valid", "epoch": 0, "step": 0})
        for epoch, step in ((0, -1), (-1, 0), (2, 1), (0, 6), (3, 0)):
            with pytest.raises(rankfeed.RankfeedError, match="not in this run"):
                feed.load_state_dict({"plan": PLAN, "feed": "train", "epoch": epoch, "step": step})
        for bad in (None, 7, [], {}, {"plan": PLAN}, {"plan": PLAN, "feed": "train", "epoch": "0", "step": 0}):
            with pytest.raises(rankfeed.RankfeedError, match="invalid state_dict"):
                feed.load_state_dict(bad)
        assert next(iter(feed)).step == 0


def test_overtaken_iterator_raises(feeder):
    feeder()
    with rankfeed.Feed(output="numpy") as feed:
        old = iter(feed)
        next(old)
        new = iter(feed)
        assert next(new).step == 1
        with pytest.raises(rankfeed.RankfeedError, match="iterator is over"):
            next(old)
    with pytest.raises(rankfeed.RankfeedError, match="feed is closed"):
        next(new)


def test_closed_feed_gives_no_batch_and_frees_its_rank(feeder):
    running = feeder()
    feed = rankfeed.Feed(output="numpy")
    batches = iter(feed)
    held = next(batches)
    feed.close()
    state = feed.state_dict()
    for again in (lambda: iter(feed), lambda: next(batches), lambda: feed.load_state_dict(state)):
        with pytest.raises(rankfeed.RankfeedError, match="feed is closed; make another"):
            again()
    assert ids(held) == row_ids(0, 8, 0, 1)
    assert len(running.events("hello")) == 1
    with rankfeed.Feed(output="numpy") as other:
        other.load_state_dict(state)
        assert next(iter(other)).step == 1


def test_second_thread_is_refused_and_close_frees_the_first(feeder):
    feeder(hang_after=1)
    found = []
    with rankfeed.Feed(output="numpy") as feed:
        batches = iter(feed)
        assert next(batches).step == 0
        state = feed.state_dict()

        def take():
            try:
                next(batches)
            except rankfeed.RankfeedError as e:
                found.append(str(e))

        first = threading.Thread(target=take)
        first.start()
        wait_until(lambda: feed._one_thread.holder, "the first thread")
        for second in (lambda: next(batches), lambda: iter(feed), lambda: feed.load_state_dict(state)):
            with pytest.raises(rankfeed.RankfeedError, match="another thread is taking a batch"):
                second()
        assert feed.state_dict() == state
    first.join(DEADLINE_SECONDS)
    assert len(found) == 1
    assert "feed is closed" in found[0]


def test_wait_for_a_batch_is_published_while_it_lasts(feeder):
    feeder(hang_after=1)
    feed = rankfeed.Feed(output="numpy")
    batches = iter(feed)
    next(batches)
    table = feed._attachment.connection.segment

    def waited() -> tuple[int, int]:
        return struct.unpack_from("<QQ", table.memory, table.layout.stage_table + 64)

    def take() -> None:
        with contextlib.suppress(rankfeed.RankfeedError):
            next(batches)

    first = threading.Thread(target=take)
    first.start()
    before = wait_until(lambda: waited()[1] > 250_000_000 and waited(), "the first quarter of a second of the wait")
    wait_until(lambda: waited()[1] > before[1] + 250_000_000, "more of it")
    assert waited()[0] == before[0]
    feed.close()
    first.join(DEADLINE_SECONDS)


def test_second_thread_is_refused_until_cursor_moves(feeder, monkeypatch):
    feeder()
    taken, found = [], []
    with rankfeed.Feed(output="numpy") as feed:
        batches = iter(feed)

        def take():
            try:
                taken.append(next(batches).step)
            except rankfeed.RankfeedError as e:
                found.append(str(e))

        leave = Deferred.__exit__

        def leave_and_let_another_take(self, *exception):
            leave(self, *exception)
            if threading.current_thread() is threading.main_thread() and feed._one_thread.holder:
                other = threading.Thread(target=take)
                other.start()
                other.join(DEADLINE_SECONDS)

        monkeypatch.setattr(Deferred, "__exit__", leave_and_let_another_take)
        taken += [next(batches).step, next(batches).step]
        monkeypatch.undo()
        later = threading.Thread(target=take)
        later.start()
        later.join(DEADLINE_SECONDS)
        assert taken == [0, 1, 2]
        assert {message[:32] for message in found} == {"another thread is taking a batch"}
        assert len(found) >= 2


def test_repr_and_version_identify_feed_and_package(feeder):
    feeder(ranks=[1])
    project = (Path(__file__).parents[1] / "pyproject.toml").read_text()
    assert re.findall(r'(?m)^version = "(.+)"$', project) == [rankfeed.__version__]
    with rankfeed.Feed(output="numpy", rank=1, world=2) as feed:
        next(iter(feed))
        assert repr(feed) == "<rankfeed.Feed run='test-run' feed='train' rank=1/2 epoch=0 step=1/5>"
    assert repr(feed).endswith("step=1/5 closed>")
