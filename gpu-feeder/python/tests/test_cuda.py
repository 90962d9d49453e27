"""The CUDA path against a stand-in that records every call and copies only when its event happens.

No GPU is used: this shows the order of calls and that no slot goes back too early, not that hardware agrees.
"""

from __future__ import annotations

import signal

import pytest
import torch

import rankfeed
from fake_rows import row_ids
from processes import wait_until
from rankfeed.output import choose_device


class RecordingCuda:
    """Copies are lazy: an event's tensors are read from the slot only when the event happens, as on a busy device."""

    def __init__(self):
        self.calls: list[str] = []
        self.pinned: dict[int, int] = {}
        self.pending: list[list] = []
        self.count = 0

    def register(self, address, length_bytes):
        self.calls.append("register")
        self.pinned[address] = length_bytes

    def unregister(self, address):
        assert not self.pending, "unregistered under a copy"
        self.calls.append("unregister")
        del self.pinned[address]

    def upload(self, tensors):
        for tensor in tensors.values():
            at, length = tensor.data_ptr(), tensor.numel() * tensor.element_size()
            assert any(low <= at and at + length <= low + size for low, size in self.pinned.items()), "not pinned"
        event = self.count
        self.count += 1
        self.calls.append(f"upload {event}")
        copies = {name: torch.full_like(tensor, 77) for name, tensor in tensors.items()}
        self.pending.append([event, tensors, copies])
        return copies, event

    def done(self, event):
        return all(event != waiting for waiting, _, _ in self.pending)

    def wait(self, event):
        self.calls.append(f"wait {event}")
        self.happen(event)

    def happen(self, event):
        """Everything up to this event, in the order of the stream."""
        while self.pending and self.pending[0][0] <= event:
            happened, tensors, copies = self.pending.pop(0)
            self.calls.append(f"copied {happened}")
            for name, tensor in tensors.items():
                copies[name].copy_(tensor)

    def hand_over(self, tensors, event):
        assert tensors
        self.calls.append(f"hand over {event}")


def released(running):
    return [event["token"] for event in running.events("release")]


def test_every_batch_arrives_whole_and_slots_go_back_only_behind_their_event(feeder):
    running = feeder(slots=3)
    cuda = RecordingCuda()
    seen = []
    with rankfeed.Feed(device="cuda:0", cuda_runtime=cuda) as feed:
        for _ in range(2):
            for batch in feed:
                # The trainer's stream has waited for the event; only now does the copy happen.
                pending = [event for event, _, _ in cuda.pending]
                assert not {token - 1 for token in released(running)} & set(pending), "given back before its event"
                cuda.happen(batch.global_step)
                seen.append((batch.global_step, batch["row_id"].tolist()))
                assert feed.state_dict()["step"] == (batch.global_step + 1) % 5
        assert seen == [(s, row_ids(s, 8, 0, 1)) for s in range(10)]
    assert cuda.calls[0] == "register"
    assert cuda.calls[-1] == "unregister"
    assert not cuda.pinned
    for event in range(10):
        assert cuda.calls.index(f"upload {event}") < cuda.calls.index(f"hand over {event}")
    running.wait_for("gone")
    assert released(running) == list(range(1, 11))


def test_a_device_that_lags_behind_is_waited_for_when_every_slot_is_in_flight(feeder):
    feeder(slots=2)
    cuda = RecordingCuda()
    with rankfeed.Feed(device="cuda:0", cuda_runtime=cuda) as feed:
        batches = list(feed)
        assert any(call.startswith("wait") for call in cuda.calls)
    assert [batch["row_id"].tolist() for batch in batches] == [row_ids(s, 8, 0, 1) for s in range(5)]


def test_a_jump_forgets_what_was_copied_ahead(feeder):
    running = feeder(slots=4)
    cuda = RecordingCuda()
    with rankfeed.Feed(device="cuda:0", cuda_runtime=cuda) as feed:
        state = feed.state_dict()
        iterator = iter(feed)
        next(iterator)
        connection = feed._attachment._connection
        wait_until(lambda: connection.has_frames() or len(connection._ready), "more batches")
        next(iterator)
        feed.load_state_dict(state)
        again = next(iter(feed))
        cuda.happen(99)
        assert (again.global_step, again["row_id"].tolist()) == (0, row_ids(0, 8, 0, 1))
    assert running.events("seek")[0]["step"] == 0


def test_a_new_feeder_means_a_new_registration_after_the_copies(feeder):
    running = feeder(slots=4)
    cuda = RecordingCuda()
    with rankfeed.Feed(device="cuda:0", cuda_runtime=cuda) as feed:
        iterator = iter(feed)
        first = next(iterator)
        running.stop(signal.SIGKILL)
        feeder(slots=4)
        rest = list(iterator)
        assert [b.step for b in rest] == [1, 2, 3, 4]
        cuda.happen(99)
        assert [b["row_id"].tolist() for b in [first, *rest]] == [row_ids(s, 8, 0, 1) for s in range(5)]
    assert cuda.calls.count("register") == cuda.calls.count("unregister") == 2


def test_without_cuda_a_gpu_is_refused_and_the_cpu_is_the_default(feeder):
    if torch.cuda.is_available():
        pytest.skip("a GPU is here")
    feeder()
    assert choose_device(None, 3) == torch.device("cpu")
    assert choose_device("cuda", 3) == torch.device("cuda", 3)
    with pytest.raises(rankfeed.RankfeedError, match="torch finds no CUDA"):
        rankfeed.Feed(device="cuda:0")
    with pytest.raises(rankfeed.RankfeedError, match="cpu or cuda"):
        rankfeed.Feed(device="meta")
