"""The CUDA path against a stand-in that records every call and copies only when its event happens.

No GPU is used: this shows the order of calls and that no slot goes back too early, not that hardware agrees.
"""

from __future__ import annotations

import contextlib
import signal

import pytest
import torch

import rankfeed
from fake_rows import row_ids
from processes import wait_until
from rankfeed.cuda import TorchCuda
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

    def upload(self, tensors, normalize):
        for tensor in tensors.values():
            at, length = tensor.data_ptr(), tensor.numel() * tensor.element_size()
            assert any(low <= at and at + length <= low + size for low, size in self.pinned.items()), "not pinned"
        event = self.count
        self.count += 1
        self.calls.append(f"upload {event}")
        copies = {name: torch.full_like(tensor, 77) for name, tensor in tensors.items()}
        copies = normalize(copies)
        self.pending.append([event, tensors, copies])
        return copies, event

    def done(self, event):
        return all(event != waiting for waiting, _, _ in self.pending)

    def copy_nanos(self, event):
        return 1000 * (event + 1)

    def wait(self, event):
        self.calls.append(f"wait {event}")
        self.happen(event)

    def happen(self, event):
        """Performs everything up to this event, in the order of the stream."""
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


def test_batches_arrive_whole_and_slots_return_after_event(feeder):
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


def test_slow_device_is_waited_for_if_all_slots_are_in_use(feeder):
    feeder(slots=2)
    cuda = RecordingCuda()
    with rankfeed.Feed(device="cuda:0", cuda_runtime=cuda) as feed:
        batches = list(feed)
        assert any(call.startswith("wait") for call in cuda.calls)
    assert [batch["row_id"].tolist() for batch in batches] == [row_ids(s, 8, 0, 1) for s in range(5)]


def test_jump_drops_batches_copied_ahead(feeder):
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


def test_new_feeder_is_registered_after_the_copies(feeder):
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


def test_failed_device_does_not_keep_the_feed_open(feeder):
    """A device-side assertion makes every later call fail; the feeder must still hear goodbye."""
    running = feeder(slots=4)
    cuda = RecordingCuda()

    def wait(event):
        cuda.pending.clear()
        raise RuntimeError("device-side assert")

    cuda.wait = wait
    feed = rankfeed.Feed(device="cuda:0", cuda_runtime=cuda)
    next(iter(feed))
    with pytest.raises(RuntimeError, match="device-side assert"):
        feed.close()
    assert cuda.calls[-1] == "unregister"
    running.wait_for("bye")


def test_a_failed_upload_ahead_loses_no_batch(feeder):
    running = feeder(slots=4)
    cuda = RecordingCuda()
    upload = cuda.upload

    def out_of_memory_once(tensors, normalize):
        if cuda.count == 1:
            cuda.upload = upload
            raise torch.OutOfMemoryError("CUDA out of memory")
        return upload(tensors, normalize)

    cuda.upload = out_of_memory_once
    with rankfeed.Feed(device="cuda:0", cuda_runtime=cuda) as feed:
        iterator, seen = iter(feed), []
        while True:
            try:
                batch = next(iterator)
            except torch.OutOfMemoryError:
                continue
            except StopIteration:
                break
            cuda.happen(99)
            seen.append((batch.step, batch["row_id"].tolist()))
    assert seen == [(s, row_ids(s, 8, 0, 1)) for s in range(5)]
    assert cuda.upload == upload
    running.wait_for("bye")


class FakeStream:
    def __init__(self, name, calls):
        self.name, self.calls = name, calls

    def wait_event(self, event):
        self.calls.append(f"{self.name} waits for {event.name}")


@pytest.fixture
def fake_torch_cuda(monkeypatch):
    """torch.cuda as far as TorchCuda uses it, on the device "meta", whose tensors hold no bytes."""
    calls = []
    side, consumer = FakeStream("side", calls), FakeStream("consumer", calls)
    current = [consumer]

    class Event:
        name = "event"

        def __init__(self, enable_timing=False):
            self.is_timed = enable_timing

        def record(self, stream):
            calls.append(f"record on {stream.name}")

        def elapsed_time(self, later):
            assert self.is_timed and later.is_timed
            return 1.5

    @contextlib.contextmanager
    def within(stream):
        current.append(stream)
        yield
        current.pop()

    class Cudart:
        def cudaHostRegister(self, address, length_bytes, flags):  # noqa: N802
            calls.append(f"register {address} {length_bytes} {flags}")
            return 2 if length_bytes > 1 << 30 else 0

        def cudaHostUnregister(self, address):  # noqa: N802
            calls.append(f"unregister {address}")
            return 0 if address == 4096 else 713

    to = torch.Tensor.to

    def recorded_to(tensor, device, *, non_blocking):
        calls.append(f"copy on {current[-1].name}, {'asynchronous' if non_blocking else 'blocking'}")
        return to(tensor, device)

    for name, stand_in in {
        "is_available": lambda: True, "device_count": lambda: 1, "Stream": lambda _device: side, "stream": within,
        "Event": Event, "device": lambda _device: contextlib.nullcontext(), "cudart": Cudart,
        "current_stream": lambda _device: current[-1],
    }.items():  # fmt: skip
        monkeypatch.setattr(torch.cuda, name, stand_in)
    monkeypatch.setattr(torch.Tensor, "to", recorded_to)
    record_stream = lambda _tensor, stream: calls.append(f"memory kept for {stream.name}")  # noqa: E731
    monkeypatch.setattr(torch.Tensor, "record_stream", record_stream)
    return calls


def test_torch_runtime_copies_on_side_stream_with_event(fake_torch_cuda, monkeypatch):
    runtime = TorchCuda(torch.device("meta", 0))
    runtime.register(4096, 8192)
    host = {"a": torch.zeros(2), "b": torch.ones(3)}
    copies, event = runtime.upload(host, lambda copies: copies | {"b": copies["b"] + 1})
    assert [tensor.device.type for tensor in copies.values()] == ["meta", "meta"]
    assert runtime.copy_nanos(event) == 1_500_000
    runtime.hand_over(copies, event)
    runtime.unregister(4096)
    assert fake_torch_cuda == [
        "register 4096 8192 0",
        "record on side",
        "copy on side, asynchronous",
        "copy on side, asynchronous",
        "record on side",
        "record on side",
        "consumer waits for event",
        "memory kept for consumer",
        "memory kept for consumer",
        "unregister 4096",
    ]
    with pytest.raises(rankfeed.RankfeedError, match="failed with error 2; raise ulimit -l"):
        runtime.register(4096, 1 << 31)
    asked = []
    monkeypatch.setattr(torch, "zeros", lambda *_, **where: asked.append(where["device"]))
    runtime.unregister(4096)
    assert not asked
    runtime.unregister(1)
    assert asked == [torch.device("meta", 0)], "the error is not cleared"
    with pytest.raises(rankfeed.RankfeedError, match="there are 1"):
        TorchCuda(torch.device("meta", 1))


@pytest.mark.parametrize(
    ("count", "chosen", "local_rank", "expected"),
    [(8, None, 3, 3), (8, 0, 3, 3), (8, 5, 3, 5), (1, None, 3, 0), (1, 0, 3, 0)],
    ids=["rank's own", "untouched default", "set_device", "one visible", "one visible, initialized"],
)
def test_device_is_the_set_one_the_only_one_or_the_ranks_own(monkeypatch, count, chosen, local_rank, expected):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: chosen is not None)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: chosen)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: count)
    for device in (None, "cuda", torch.device("cuda")):
        assert choose_device(device, local_rank) == torch.device("cuda", expected)
    assert choose_device("cuda:2", local_rank) == torch.device("cuda", 2)
    assert choose_device("cpu", local_rank) == torch.device("cpu")


def test_gpu_without_cuda_is_refused_and_cpu_is_default(feeder):
    if torch.cuda.is_available():
        pytest.skip("a GPU is here")
    feeder()
    assert choose_device(None, 3) == torch.device("cpu")
    assert choose_device("cuda", 3) == torch.device("cuda", 3)
    with pytest.raises(rankfeed.RankfeedError, match="torch finds no CUDA"):
        rankfeed.Feed(device="cuda:0")
    with pytest.raises(rankfeed.RankfeedError, match="cpu or cuda"):
        rankfeed.Feed(device="meta")
