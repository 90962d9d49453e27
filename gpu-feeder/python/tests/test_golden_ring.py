"""The golden segment of the ring, written by the Java side, read here through the client's own layers."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from fake_rows import PLAN, VERSION
from rankfeed import Batch, CorruptBatch, ProtocolError, VersionMismatch
from rankfeed.output import numpy_array
from rankfeed.ring import frames, layout
from rankfeed.ring.connection import Connection
from rankfeed.ring.schedule import Schedule, Stage
from rankfeed.ring.segment import Segment

GOLDEN = Path(__file__).resolve().parents[2] / "src/test/resources/golden"
BYTES = (GOLDEN / "ring.bin").read_bytes()
TOLD = json.loads((GOLDEN / "ring.json").read_text())
LAYOUTS = {
    name: getattr(layout, name.upper())
    for name in (
        "fixed",
        "padded",
        "ragged",
        "list",
        "stacked",
        "dense",
        "flat",
        "bounds",
    )
}


@pytest.fixture
def segment():
    path = f"/dev/shm/rankfeed-{os.getuid()}-00000000-r1-train-{os.getpid()}-7"
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    os.write(descriptor, BYTES)
    os.close(descriptor)
    try:
        yield Segment(path, len(BYTES))
    finally:
        os.unlink(path)


def test_stages_feeder_recorded_are_read(segment):
    found = segment.stages().of_feeder()
    assert list(found) == list(TOLD["stages"])
    for name, told in TOLD["stages"].items():
        one = found[name]
        assert (one.count, one.nanos, one.amount) == (told["count"], told["nanos"], told["amount"])
        assert {str(bucket): count for bucket, count in enumerate(one.buckets) if count} == told["buckets"]


def test_the_header_and_the_tensor_table():
    found = layout.parse(BYTES, len(BYTES), "ring.bin")
    head = TOLD["header"]
    assert (found.slots, found.descriptor_bytes, found.slot_table, found.stage_table) == tuple(
        head[name] for name in ("slots", "slotDescriptorBytes", "slotTable", "stageTable")
    )
    assert (found.data, found.stride, found.length) == (head["data"], head["slotStride"], head["length"])
    assert (found.generation, found.rank, found.world, found.max_rows) == (7, 1, 2, 4)
    assert (found.plan, found.version, found.feed) == (PLAN, VERSION, "train")
    assert len(found.tensors) == len(TOLD["tensors"]) == head["columns"]
    for tensor, reported in zip(found.tensors, TOLD["tensors"], strict=True):
        assert (tensor.name, tensor.kind, list(tensor.inner), tensor.max_length) == (
            reported["name"], reported["dtype"], reported["inner"], reported["maxLength"],
        )  # fmt: skip
        assert tensor.layout == LAYOUTS[reported["layout"]]
        assert [tensor.offset, tensor.capacity] == reported["values"]
        assert [tensor.side_offset, tensor.side_capacity] == reported["side"]
        assert [tensor.items_offset, tensor.items_capacity] == reported.get("items", [0, 0])


def test_whole_slots_have_values_and_unfinished_are_refused(segment):
    ours, theirs = socket.socketpair()
    schedule = Schedule(100, 1, 100, (), (Stage(0, 0, 8),))
    connection = Connection(ours, frames.FrameParser(), SimpleNamespace(schedule=schedule), segment)
    connection.stream = 2
    for slot, reported in enumerate(TOLD["slots"]):
        theirs.sendall(frames.encode(frames.READY, 0, slot, 2, reported["seqBegin"]))
    connection.receive()
    for reported in TOLD["slots"][:2]:
        lease = connection.lease()
        at = lease.descriptor
        assert (at.global_step, at.epoch, at.step, at.rows, at.tokens, at.padded_tokens) == (
            reported["step"], reported["epoch"], reported["stepInEpoch"], reported["validRows"], reported["tokenCount"],
            reported["placeCount"],
        )  # fmt: skip
        tensors = lease.tensors(numpy_array)
        for name, expected in reported.items():
            if name.split(".")[0] in ("row_id", "image", "tokens", "input_ids", "labels", "cu_seqlens"):
                assert tensors[name].tolist() == expected
        flat = np.array([pair for row in reported["boxes"] for pair in row], np.float32).reshape(-1, 2)
        assert tensors["boxes"].tolist() == flat.tolist()
        assert tensors["boxes.offsets"].tolist() == reported["boxes.offsets"]
        assert tensors["text"].tobytes() == "".join(reported["text"]).encode()
        assert tensors["text.offsets"].tolist() == reported["text.offsets"]
        assert tensors["text.valid"].tolist() == reported["text.valid"]
        assert tensors["names"].tobytes() == "".join(name for row in reported["names"] for name in row).encode()
        for name in ("names.offsets", "names.byte_offsets", "pixels", "pixels.offsets", "pixels.rows"):
            assert tensors[name].tolist() == reported[name]
        assert tensors["max_seqlen"] == reported["max_seqlen"]
        assert Batch(tensors).text("names") == reported["names"]
    with pytest.raises(CorruptBatch, match=r"slot 2 .* not whole"):
        connection.lease()
    connection.close()
    theirs.close()


def test_corrupted_byte_of_the_header_is_refused_or_harmless():
    """No flipped bit may lead a reader outside the file; most of them are refused."""
    refused = 0
    for at in list(range(160)) + list(range(4096, 4096 + 11 * 256)):
        for bit in (0, 6):
            damaged = bytearray(BYTES)
            damaged[at] ^= 1 << bit
            try:
                found = layout.parse(damaged, len(damaged), "ring.bin")
            except (ProtocolError, VersionMismatch):
                refused += 1
                continue
            for tensor in found.tensors:
                assert tensor.offset + tensor.capacity <= found.stride
                assert tensor.side_offset + tensor.side_capacity <= found.stride
                assert tensor.items_offset + tensor.items_capacity <= found.stride
                rows = found.max_rows * (max(tensor.max_length, 1) if tensor.layout == layout.PADDED else 1)
                assert tensor.layout >= layout.RAGGED or rows * tensor.element_bytes <= tensor.capacity
            assert found.data + found.slots * found.stride == len(BYTES)
    assert refused > 1000


@pytest.mark.parametrize("length", [0, 1, 4095, 4096, 8191, len(BYTES) - 4096, len(BYTES) - 1])
def test_a_cut_segment_is_refused(length):
    with pytest.raises(ProtocolError, match="ring segment"):
        layout.parse(BYTES[:length], length, "ring.bin")
