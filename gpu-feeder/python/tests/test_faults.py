"""Tests the client with real feeder processes that end, drain, send invalid frames or corrupt slots."""

from __future__ import annotations

import os
import signal
import struct

import numpy as np
import pytest

import rankfeed
from fake_rows import VERSION, row_ids
from processes import RUN, child, wait_until
from rankfeed.ring.frames import encode


def everything(feed) -> list[list[int]]:
    return [batch["row_id"].tolist() for _ in range(feed.epochs) for batch in feed]


WHOLE = [row_ids(step, 8, 0, 1) for step in range(10)]


@pytest.mark.parametrize("after", [1, 2, 4, 5, 9])
def test_killed_feeder_loses_and_duplicates_nothing(feeder, after):
    first = feeder(die_after=after, slots=10)
    feed = rankfeed.Feed(output="numpy")
    first.process.join()
    second = feeder()
    assert everything(feed) == WHOLE
    assert second.events("hello")[-1]["step"] == after
    assert second.events("hello")[-1]["plan"] == feed.plan
    feed.close()


def test_feeder_killed_often_loses_nothing(feeder):
    running = feeder(steps=100, epochs=1, ready_pause=0.001)
    random = np.random.default_rng(5)
    kills = set(random.choice(np.arange(1, 99), 6, replace=False).tolist())
    with rankfeed.Feed(output="numpy", grace_seconds=20) as feed:
        seen = []
        for batch in feed:
            seen.append(batch["row_id"].tolist())
            if batch.step in kills:
                running.stop(signal.SIGKILL)
                running = feeder(steps=100, epochs=1, ready_pause=0.001)
        assert seen == [row_ids(s, 8, 0, 1) for s in range(100)]


def test_batches_of_a_dead_feeder_stay_valid(feeder):
    running = feeder()
    with rankfeed.Feed(output="numpy") as feed:
        held = next(iter(feed))
        running.stop(signal.SIGKILL)
        feeder()
        steps = [batch.step for batch in feed]
        assert steps == [1, 2, 3, 4]
        assert held["row_id"].tolist() == WHOLE[0]
        held.release()


def test_draining_feeder_is_finished_and_then_replaced(feeder):
    first = feeder(drain_after=3)
    feed = rankfeed.Feed(output="numpy")
    first.wait_for("gone")
    first.stop()
    second = feeder()
    assert everything(feed) == WHOLE
    assert [hello["step"] for hello in second.events("hello")] == [0, 3]
    feed.close()


def test_absent_feeder_is_reported_and_cursor_is_valid(feeder):
    running = feeder(die_after=2)
    feed = rankfeed.Feed(output="numpy", grace_seconds=0.1)
    running.process.join()
    iterator = iter(feed)
    assert [next(iterator).step, next(iterator).step] == [0, 1]
    with pytest.raises(rankfeed.FeederGone, match=r"none came back within 0.1 s .* resume at step 2"):
        next(iterator)
    feeder()
    assert next(iterator).step == 2
    feed.close()


def test_grace_is_that_of_the_feeder_unless_set(feeder):
    running = feeder(die_after=1, grace=0)
    feed = rankfeed.Feed(output="numpy")
    running.process.join()
    next(iter(feed))
    with pytest.raises(rankfeed.FeederGone, match="within 0 s"):
        next(iter(feed))


def test_busy_feed_is_retried_after_a_loss_not_at_the_start(feeder):
    first = feeder(die_after=1)
    feed = rankfeed.Feed(output="numpy")
    first.process.join()
    second = feeder(busy_times=2)
    assert everything(feed) == WHOLE
    feed.close()
    second.stop()
    feeder(busy_times=1)
    with pytest.raises(rankfeed.FeederError, match="busy") as caught:
        rankfeed.Feed(output="numpy")
    assert caught.value.code == "busy"
    assert "holds it" not in str(caught.value), "nobody does"


def test_who_holds_a_busy_feed_is_reported(feeder):
    feeder(one_client=True)
    with rankfeed.Feed(output="numpy"):
        with pytest.raises(rankfeed.FeederError, match=r"\(busy\); this process holds it: close\(\) the earlier Feed"):
            rankfeed.Feed(output="numpy")
        code = "import rankfeed\ntry: rankfeed.Feed(output='numpy')\nexcept rankfeed.FeederError as e: print(e)\n"
        assert f"process {os.getpid()} holds it: end that trainer" in child(code).communicate()[0]


def test_another_plan_after_a_loss_is_refused(feeder):
    first = feeder(die_after=1)
    feed = rankfeed.Feed(output="numpy")
    first.process.join()
    feeder(steps=6)
    with pytest.raises(rankfeed.VersionMismatch, match="other numbers"):
        everything(feed)


def test_killed_trainer_frees_its_lock_for_a_new_segment(feeder):
    running = feeder()
    code = "import os, rankfeed, signal\nfeed = rankfeed.Feed(output='numpy')\nheld = next(iter(feed))\n"
    for generation in range(1, 4):
        child(code + "os.kill(os.getpid(), signal.SIGKILL)\n").communicate()
        assert [gone["locked"] for gone in running.wait_for("gone", generation)] == [False] * generation
    with rankfeed.Feed(output="numpy") as feed:
        assert feed._attachment.welcome.generation == 4
        assert everything(feed) == WHOLE


def test_unknown_members_of_welcome_are_ignored(feeder):
    feeder(welcome={"ofALaterRelease": {"deep": [1]}})
    with rankfeed.Feed(output="numpy") as feed:
        assert next(iter(feed)).global_step == 0


@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        ({"refuse": "wrong-world"}, rankfeed.WrongWorld, "it is wrong-world"),
        ({"refuse": "wrong-rank"}, rankfeed.WrongWorld, "wrong-rank"),
        ({"refuse": "wrong-plan"}, rankfeed.VersionMismatch, "wrong-plan"),
        ({"refuse": "version"}, rankfeed.VersionMismatch, "it is version"),
        ({"refuse": "shm-full"}, rankfeed.FeederError, "shm-full"),
        ({"refuse": "corrupt"}, rankfeed.CorruptBatch, "corrupt"),
        ({"refuse": "protocol"}, rankfeed.ProtocolError, "protocol"),
        ({"refuse": "unheard-of"}, rankfeed.FeederError, "unheard-of"),
        ({"protocol": 1}, rankfeed.VersionMismatch, "speaks ring protocol 1"),
        ({"welcome": {"plan": 7}}, rankfeed.ProtocolError, "plan is 7"),
        ({"welcome": {"bytes": -1}}, rankfeed.ProtocolError, "bytes is -1"),
        ({"welcome": {"bytes": 1 << 62}}, rankfeed.ProtocolError, "announced 4611686018427387904"),
        ({"welcome": {"rank": 1}}, rankfeed.ProtocolError, "welcomed to"),
        ({"welcome": {"kind": "odd"}}, rankfeed.ProtocolError, "unknown kind"),
        ({"welcome": {"rows": 9}}, rankfeed.ProtocolError, "announced"),
        ({"welcome": {"segment": "/etc/passwd"}}, rankfeed.ProtocolError, "not the name of a ring segment"),
        ({"welcome": {"segment": "/dev/shm/../../etc/passwd"}}, rankfeed.ProtocolError, "not the name"),
        ({"welcome_slots": 3}, rankfeed.ProtocolError, "announced"),
        ({"patch": [[0, "00"]]}, rankfeed.ProtocolError, "magic"),
        ({"patch": [[8, "02"]]}, rankfeed.VersionMismatch, "ring version 2"),
        ({"patch": [[12, "ffffffff"]]}, rankfeed.ProtocolError, "4294967295 slots"),
        ({"patch": [[48, "00000000000000ff"]]}, rankfeed.ProtocolError, "length"),
        ({"patch": [[4096 + 104, "ffffffffffffff7f"]]}, rankfeed.ProtocolError, "row_id"),
        ({"patch": [[4096 + 64, "10"]]}, rankfeed.ProtocolError, "dtype 16"),
    ],
)
def test_invalid_connection_is_refused(feeder, fault, error, words):
    running = feeder(**fault)
    with pytest.raises(error, match=words) as caught:
        rankfeed.Feed(output="numpy")
    assert "\n" not in str(caught.value)
    running.wait_for("gone")


@pytest.mark.parametrize(
    "fault",
    [{"refuse": "protocol"}, {"welcome": {"ranksHere": None}}, {"welcome": {"kind": "odd"}}, {"protocol": 1},
     {"patch": [[0, "00"]]}, {"patch": [[8, "02"]]}, {"patch": [[4096 + 64, "10"]]}],
)  # fmt: skip
def test_a_feeder_of_another_release_is_named(feeder, fault):
    feeder(**fault)
    with pytest.raises(rankfeed.RankfeedError) as caught:
        rankfeed.Feed(output="numpy")
    assert str(caught.value).count("install the same release of both") == 1


FRAMES = {
    "an unknown type": (encode(11, 0, 0, 0, 0), "type 11"),
    "a client's frame": (encode(5, 0, 0, 0, 1), "type 5"),
    "flags": (encode(4, 1, 0, 0, 9), "flags 1"),
    "a slot that is not": (encode(4, 0, 4, 0, 9), "slot 4"),
    "a slot that is ready": (encode(4, 0, 0, 0, 9), "slot 0"),
    "a stream to come": (encode(4, 0, 3, 1, 9), "stream 1"),
    "a second welcome": (encode(2, 0, 4, 2, 1) + b"{}", "type 2"),
    "a huge payload": (encode(8, 0, 0, 0xFFFFFFFF, 1), "payload of 4294967295"),
    "no JSON": (encode(8, 0, 0, 4, 1) + b"oops", "not JSON"),
    "no object": (encode(8, 0, 0, 2, 1) + b"[]", "not a JSON object"),
    "deep JSON": (encode(8, 0, 0, 200000, 1) + b"[" * 200000, "not JSON"),
}


@pytest.mark.parametrize("name", FRAMES)
def test_invalid_frame_is_refused(feeder, name):
    raw, words = FRAMES[name]
    running = feeder(raw_after=[1, raw.hex()])
    feed = rankfeed.Feed(output="numpy")
    with pytest.raises(rankfeed.ProtocolError, match=words):
        everything(feed)
    reported = running.wait_for("error")[0]
    assert (reported["code"], words in reported["message"]) == ("protocol", True)
    feed.close()


def test_frames_split_anywhere_are_joined(feeder):
    from rankfeed.ring.frames import FrameParser, encode_json

    stream = encode(4, 0, 1, 2, 3) + encode_json(8, 4, {"code": "x", "message": "é"}) + encode(7, 0, 0, 1, 9)
    for size in range(1, len(stream) + 1):
        parser, found = FrameParser(), []
        for at in range(0, len(stream), size):
            found += parser.feed(stream[at : at + size])
        assert [frame.type for frame in found] == [4, 8, 7]
        assert found[1].payload == {"code": "x", "message": "é"}


def test_a_torn_batch_is_never_handed_out(feeder):
    running = feeder(tear_step=3)
    feed = rankfeed.Feed(output="numpy")
    iterator = iter(feed)
    assert [next(iterator).step for _ in range(3)] == [0, 1, 2]
    with pytest.raises(rankfeed.CorruptBatch, match="not whole"):
        next(iterator)
    assert running.wait_for("error")[0]["code"] == "corrupt"
    running.stop()
    feeder()
    assert next(iterator).step == 3
    feed.close()


def test_impossible_sizes_are_refused(feeder):
    feeder(sizes_step=2)
    with (
        rankfeed.Feed(output="numpy") as feed,
        pytest.raises(rankfeed.CorruptBatch, match="'row_id': 4611686018427387904"),
    ):
        everything(feed)


def test_a_step_out_of_turn_is_refused(feeder):
    feeder(wrong_step=4)
    with rankfeed.Feed(output="numpy") as feed, pytest.raises(rankfeed.ProtocolError, match="sent step 5, expected 4"):
        everything(feed)


def test_an_early_end_is_refused(feeder):
    feeder(eos_after=3)
    with rankfeed.Feed(output="numpy") as feed, pytest.raises(rankfeed.ProtocolError, match="ended before step"):
        everything(feed)


def test_feeder_error_comes_after_earlier_batches(feeder):
    feeder(error_after=[3, "corrupt"])
    with rankfeed.Feed(output="numpy") as feed:
        iterator = iter(feed)
        assert [next(iterator).step for _ in range(3)] == [0, 1, 2]
        with pytest.raises(rankfeed.CorruptBatch, match="it is corrupt"):
            next(iterator)


def test_offsets_not_ending_with_the_values_are_refused(feeder):
    from fake_segment import FakeSegment

    segment = FakeSegment(4, 8, ["row_id", "text"])
    base = segment.data + segment.offsets["text"][2] + 8 * 8
    running = feeder(columns=["row_id", "text"], hang_after=1)
    with rankfeed.Feed(output="numpy") as feed:
        wait_until(feed._attachment._connection.has_frames, "the first READY")
        struct.pack_into("<q", feed._attachment._connection.segment.memory, base, 1 << 40)
        with pytest.raises(rankfeed.CorruptBatch, match="'text'"):
            next(iter(feed))
    running.stop(signal.SIGKILL)


def test_no_feeder_names_the_socket_and_the_command(feeder, tmp_path):
    with pytest.raises(rankfeed.NoFeeder, match=f"rank 0 .*{RUN}.* rankfeed feed VERSION --run {RUN}"):
        rankfeed.Feed(output="numpy")
    running = feeder()
    running.stop(signal.SIGKILL)
    with pytest.raises(rankfeed.NoFeeder, match=r"rank-0\.sock: Connection refused"):
        rankfeed.Feed(output="numpy")
    with pytest.raises(rankfeed.NoFeeder, match=r"rank-1\.sock: No such file"):
        rankfeed.Feed(output="numpy", rank=1, world=2)


@pytest.mark.parametrize("asked", [RUN, VERSION])
def test_late_feeder_is_waited_for_if_requested(feeder, asked):
    code = "import rankfeed, sys\nprint(len(rankfeed.Feed(sys.argv[1], output='numpy', wait_seconds=20)), flush=True)\n"
    trainer = child(code, asked)
    feeder()
    assert trainer.communicate()[0] == "5\n"
