"""Tests the owner of a slot, and for how long: tensors, release, exhaustion, copies, the lock, forks."""

from __future__ import annotations

import gc
import os
import pickle
import queue
import threading

import numpy as np
import pytest

import rankfeed
from fake_rows import row_ids
from processes import child, wait_until
from rankfeed.ring import outbox


def released(running) -> list[int]:
    return [event["token"] for event in running.events("release")]


@pytest.mark.parametrize("output", ["numpy", "torch"])
def test_slot_returns_when_its_last_view_dies(feeder, output):
    running = feeder()
    with rankfeed.Feed(output=output, device=None if output == "numpy" else "cpu") as feed:
        iterator = iter(feed)
        batch = next(iterator)
        view = batch["tokens"][2:, 1:][0]
        kept = view.tolist()
        del batch
        second = next(iterator)
        del second
        running.wait_for("release", 1)
        assert released(running) == [2]
        for _ in iterator:
            pass
        assert view.tolist() == kept
        del view
        wait_until(lambda: 1 in released(running), "the first slot's release")


def test_release_returns_the_slot_once_and_empties_batch(feeder):
    running = feeder()
    with rankfeed.Feed(output="numpy") as feed:
        batches = iter(feed)
        batch = next(batches)
        copy = batch.copy()
        batch.release()
        assert batch == {}
        batch.release()
        copy.release()
        # While further batches are in hand, some slots are kept and returned later.
        for _ in batches:
            pass
        wait_until(lambda: {1, 2} <= set(released(running)), "the second release")
        tokens = released(running)
        assert tokens.count(1) == tokens.count(2) == 1


def in_hand(feed) -> int:
    """Receives what the feeder has sent, and counts the batches that were not handed out."""
    connection = feed._attachment.connection
    if connection.has_frames():
        connection.receive()
    return len(connection._ready)


def test_slots_released_together_are_sent_before_the_next_request(feeder):
    running = feeder(slots=9, steps=20, pool=160)
    with rankfeed.Feed(output="numpy") as feed:
        batches = iter(feed)
        held = [next(batches)]
        wait_until(lambda: in_hand(feed) == 8, "the other slots")
        held += [next(batches) for _ in range(3)]
        while held:
            held.pop().release()
        running.wait_for("release", 4)
        assert sorted(released(running)) == [1, 2, 3, 4]


def test_slots_of_a_fast_trainer_are_sent_together_and_before_a_wait(feeder, monkeypatch):
    monkeypatch.setattr(outbox, "_BURST_NS", 1 << 60)
    running = feeder(slots=6, steps=200, epochs=1, pool=1600)
    sent = []
    with rankfeed.Feed(output="numpy") as feed:
        box = feed._attachment.connection._outbox
        send, received = box._send, feed._attachment.connection._received

        def counted() -> bool:
            sent.append(len(box._queue))
            return send()

        def at_wait() -> bytes | None:
            assert not box._queue, "frames were left at a wait"
            return received()

        box._send, feed._attachment.connection._received = counted, at_wait
        for step, batch in enumerate(feed):
            if step == 0:
                wait_until(lambda: in_hand(feed) == 5, "the other slots")
            assert batch["row_id"].tolist() == row_ids(step, 8, 0, 1)
            batch.release()
        running.wait_for("release", 200)
    assert max(sent) == 3, "half of the slots"


def test_unknown_column_is_reported_with_known_ones(feeder):
    feeder(columns=["row_id", "tokens", "label", "label.valid"])
    with rankfeed.Feed(output="numpy") as feed:
        batch = next(iter(feed))
        with pytest.raises(KeyError) as caught:
            batch["labl"]
        assert isinstance(caught.value, rankfeed.RankfeedError)
        assert str(caught.value) == (
            "no column 'labl' in the batch; it has (nearest first) label, label.valid, tokens.lengths, row_id, tokens"
        )
        assert batch.get("labl") is None
        batch.release()
        with pytest.raises(rankfeed.NoColumn, match="was released"):
            batch["label"]


def test_a_list_of_a_feed_never_aliases_it_raises(feeder):
    running = feeder(slots=3)
    with rankfeed.Feed(output="numpy") as feed:
        held = []
        with pytest.raises(rankfeed.RingExhausted, match=r"all 3 slots .* --depth"):
            for batch in feed:
                held.append(batch)
        assert [b["row_id"].tolist() for b in held] == [row_ids(s, 8, 0, 1) for s in range(3)]
        assert released(running) == []
        held.pop(0)
        held.append(next(iter(feed)))
        assert held[-1].step == 3
        with pytest.raises(rankfeed.RingExhausted):
            next(iter(feed))
        batch = None
        held.clear()
        assert [b.step for b in feed] == [4]


def test_as_many_batches_as_slots_can_be_held(feeder):
    feeder(slots=5)
    with rankfeed.Feed(output="numpy") as feed:
        held = list(feed)
        assert [b["row_id"].tolist() for b in held] == [row_ids(s, 8, 0, 1) for s in range(5)]


def test_batches_in_reference_cycles_are_collected(feeder):
    feeder(slots=2)
    with rankfeed.Feed(output="numpy") as feed:
        gc.disable()
        try:
            for batch in feed:
                cycle = [batch]
                cycle.append(cycle)
            assert batch.step == 4
        finally:
            gc.enable()


@pytest.mark.parametrize("output", ["numpy", "torch"])
def test_copies_can_be_held_without_end(feeder, output):
    feeder(slots=2, steps=50, epochs=1, columns=["row_id", "tokens", "text"])
    with rankfeed.Feed(output=output, copy=True) as feed:
        held = list(feed)
        assert [b["row_id"].tolist() for b in held] == [row_ids(s, 8, 0, 1) for s in range(50)]


def test_tensors_may_be_written_to(feeder):
    feeder(slots=2, epochs=1)
    with rankfeed.Feed(output="numpy") as feed:
        for batch in feed:
            assert batch["row_id"].tolist() == row_ids(batch.step, 8, 0, 1)
            batch["row_id"][:] = -1
            batch["tokens"] += 7


def test_batches_outlive_the_feed_and_keep_the_lock(feeder):
    running = feeder()
    feed = rankfeed.Feed(output="numpy")
    batch = next(iter(feed))
    feed.close()
    assert running.wait_for("gone")[0]["locked"] is True
    assert batch["row_id"].tolist() == row_ids(0, 8, 0, 1)
    del batch
    feed = rankfeed.Feed(output="numpy")
    feed.close()
    assert running.wait_for("gone", 2)[1]["locked"] is False


def test_the_lock_goes_with_the_last_batch(feeder):
    feeder()
    feed = rankfeed.Feed(output="numpy")
    path = feed._attachment.welcome.segment
    probe = (
        "import fcntl, sys\n"
        "with open(sys.argv[1], 'r+b') as f:\n"
        "    try: fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB); print('free')\n"
        "    except OSError: print('held')\n"
    )
    os.link(path, f"{path}-probe")
    try:
        batch = next(iter(feed))
        assert child(probe, f"{path}-probe").communicate()[0] == "held\n"
        feed.close()
        assert child(probe, f"{path}-probe").communicate()[0] == "held\n"
        batch.release()
        assert child(probe, f"{path}-probe").communicate()[0] == "free\n"
    finally:
        os.unlink(f"{path}-probe")


def test_lock_is_a_posix_write_lock_on_the_whole_file(feeder):
    feeder()
    with rankfeed.Feed(output="numpy") as feed:
        inode = os.stat(feed._attachment.welcome.segment).st_ino
        with open("/proc/locks") as file:
            locks = [line.split() for line in file if f":{inode} " in line]
        mine = [lock for lock in locks if lock[4] == str(os.getpid())]
        # In another pid namespace /proc/locks does not show our number; the probe above tests the same from outside.
        assert [lock[1:4] + lock[6:] for lock in mine] in ([], [["POSIX", "ADVISORY", "WRITE", "0", "EOF"]])


@pytest.mark.parametrize("steps", [100, pytest.param(400, marks=pytest.mark.nightly)])
def test_releases_may_come_from_many_threads_at_once(feeder, steps):
    running = feeder(slots=8, steps=steps, epochs=1)
    with rankfeed.Feed(output="numpy") as feed:
        queues = [queue.SimpleQueue() for _ in range(4)]

        def drop(mine):
            while (batch := mine.get()) is not None:
                batch.release()

        threads = [threading.Thread(target=drop, args=(mine,)) for mine in queues]
        for thread in threads:
            thread.start()
        seen = []
        iterator = iter(feed)
        while len(seen) < steps:
            try:
                batch = next(iterator)
            except rankfeed.RingExhausted:
                continue
            seen += [batch["row_id"][0].item() // 8]
            queues[len(seen) % 4].put(batch)
        for mine in queues:
            mine.put(None)
        for thread in threads:
            thread.join()
        assert seen == list(range(steps))
        wait_until(lambda: len(released(running)) == steps, "all releases")
        assert sorted(released(running)) == list(range(1, steps + 1))


def test_forked_child_cannot_use_the_feed_or_release_slots(feeder):
    running = feeder()
    feed = rankfeed.Feed(output="numpy")
    batch = next(iter(feed))
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            for attempt in (lambda: next(iter(feed)), lambda: feed.load_state_dict(feed.state_dict())):
                try:
                    attempt()
                except rankfeed.RankfeedError as e:
                    assert "belongs to process" in str(e)
                else:
                    raise AssertionError
            assert batch["row_id"].tolist() == row_ids(0, 8, 0, 1)
            batch.release()
            feed.close()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(pid, 0)[1] == 0
    assert batch["row_id"].tolist() == row_ids(0, 8, 0, 1)
    assert next(iter(feed)).step == 1
    wait_until(lambda: released(running), "the parent's own release")
    assert released(running) == [2]
    feed.close()


def test_feeder_sees_killed_parent_with_live_child(feeder):
    running = feeder()
    code = (
        "import os, rankfeed, signal, sys\n"
        "feed = rankfeed.Feed(output='numpy')\n"
        "next(iter(feed))\n"
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    signal.pause()\n"
        "print(pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    parent = child(code)
    pid = int(parent.stdout.readline())
    try:
        # The child's own descriptor went with the fork, so the parent's death ends the stream and frees the lock.
        assert running.wait_for("gone")[0]["locked"] is False
    finally:
        os.kill(pid, 9)
        parent.communicate()


def test_a_feed_cannot_be_pickled_but_a_batch_can(feeder):
    feeder()
    with rankfeed.Feed(output="numpy") as feed:
        with pytest.raises(rankfeed.RankfeedError, match="without workers"):
            pickle.dumps(feed)
        batch = pickle.loads(pickle.dumps(next(iter(feed))))
        assert (batch.step, batch["row_id"].tolist()) == (0, row_ids(0, 8, 0, 1))


def test_open_feed_disconnects_when_python_ends(feeder):
    running = feeder()
    code = "import rankfeed\nfeed = rankfeed.Feed(output='numpy')\nheld = [next(iter(feed)), next(iter(feed))]\n"
    process = child(code)
    process.communicate()
    assert process.returncode == 0
    running.wait_for("bye")


def test_dropped_feed_disconnects(feeder):
    running = feeder()
    feed = rankfeed.Feed(output="numpy")
    for _ in feed:
        break
    del feed, _
    running.wait_for("bye")


def test_memory_is_aligned_and_really_shared(feeder):
    feeder(columns=["row_id", "image", "tokens"])
    with rankfeed.Feed(output="numpy") as feed:
        batch = next(iter(feed))
        assert all(array.ctypes.data % 64 == 0 for array in batch.values())
        assert all(not array.flags.owndata for array in batch.values())
        assert isinstance(batch["row_id"].base, np.ndarray)


def test_failed_list_names_its_start_and_seek_returns(feeder):
    feeder(slots=3)
    with rankfeed.Feed(output="numpy") as feed:
        next(iter(feed)).release()
        began = feed.state_dict()
        with pytest.raises(rankfeed.RingExhausted, match=r"began at step 1: feed\.seek\(1\) returns there"):
            list(feed)
        assert feed.state_dict()["step"] > 1
        feed.seek(1)
        assert feed.state_dict() == began
        assert [batch.global_step for batch in feed] == [1, 2, 3, 4]
        feed.seek(7)
        assert [batch.global_step for batch in feed] == [7, 8, 9]
        feed.seek(10)
        assert list(feed) == []
        for outside in (-1, 11, 1.0, True):
            with pytest.raises(rankfeed.RankfeedError, match="not in this run of 10 steps"):
                feed.seek(outside)


def test_peek_returns_the_next_batch_without_moving(feeder):
    feeder(slots=2)
    with rankfeed.Feed(output="numpy") as feed:
        first = feed.peek()
        assert feed.peek() is first
        assert (first.global_step, feed.state_dict()["step"], feed.stats()["batches"]) == (0, 0, 0)
        taken = iter(feed)
        assert next(taken) is first
        del first
        assert [batch.global_step for batch in taken] == [1, 2, 3, 4]
        assert feed.peek().global_step == 5
        feed.seek(2)
        assert feed.peek().global_step == 2
        assert [batch.global_step for batch in feed] == [2, 3, 4]
        feed.seek(10)
        assert feed.peek() is None


def test_peek_at_a_sequential_feed_is_its_first_batch(feeder):
    feeder(slots=2, kind="sequential", epochs=1)
    with rankfeed.Feed(output="numpy") as feed:
        for _ in range(2):
            assert feed.peek().global_step == 0
            assert [batch.global_step for batch in feed] == [0, 1, 2, 3, 4]
