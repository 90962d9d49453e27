"""Tests the sums of stages over several connections."""

from __future__ import annotations

import struct
import time
from types import SimpleNamespace
from typing import Any

from rankfeed.ring.stages import Histogram, StageTable
from rankfeed.stats import Meter

ONE_ROW: Any = SimpleNamespace(valid_rows=1, tokens=0, padded_tokens=0)


class Recorded(StageTable):
    """A table in which the feeder has recorded one batch."""

    def __init__(self) -> None:
        super().__init__(bytearray(64 * 448), 0)

    def of_feeder(self) -> dict[str, Histogram]:
        fill = Histogram()
        fill.record(1_000)
        return {"fill": fill}


class Watched(Meter):
    """Counts fills after each of its changes, as another thread could."""

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if "fills" in self.__dict__:
            self.fills.append(self.stats()["fill_count"])


def test_stats_of_another_thread_count_once_what_a_feeder_recorded():
    meter = Watched()
    meter.attached(Recorded())
    meter.fills = []
    meter.detached()
    meter.attached(Recorded())
    meter.detached()
    assert set(meter.fills) == {1, 2}
    assert meter.fills == sorted(meter.fills)


def test_quantiles_of_waits_that_did_not_happen_are_zero():
    waits = Histogram()
    assert waits.quantile(0.5) == 0
    for nanos in (0, 0, 0, 126):
        waits.record(nanos)
    assert waits.quantile(0.5) == waits.quantile(0.75) == 0
    assert waits.quantile(0.99) == 250e-9


def test_processes_of_a_stage_are_published():
    memory = bytearray(64 * 448)
    transforms = Histogram()
    transforms.processes = 3
    StageTable(memory, 0).publish({"wait_batch": Histogram(), "transform": transforms})
    assert int.from_bytes(memory[96:104], "little") == 0
    assert int.from_bytes(memory[448 + 96 : 448 + 104], "little") == 3


def published(memory: bytearray, entry: int) -> tuple[int, int, int]:
    """Durations recorded, their sum, and the durations in the buckets of an entry."""
    numbers = struct.unpack_from("<64x5Q24x36Q", memory, entry * 448)
    return numbers[0], numbers[1], sum(numbers[5:])


def test_a_wait_counts_before_it_ends():
    meter, memory = Meter(), bytearray(64 * 448)
    meter.attached(StageTable(memory, 0))
    meter.waited(time.perf_counter_ns() - 1_000_000_000)
    durations, nanos, _ = published(memory, 0)
    assert durations == 0
    assert nanos == meter.waited_ns >= 1_000_000_000
    meter.waited(time.perf_counter_ns() - 2_000_000_000)
    meter.count(ONE_ROW)
    meter.detached()
    assert published(memory, 0) == (1, meter.waited_ns, 1)


def test_the_table_of_another_feeder_begins_with_zeros():
    meter, first, second = Meter(), bytearray(64 * 448), bytearray(64 * 448)
    meter.attached(StageTable(first, 0))
    meter.waited_ns += 5_000
    meter.count(ONE_ROW)
    meter.copies.record(300)
    meter.waited_ns += 70  # of the first feeder, which then goes
    meter.detached()
    meter.attached(StageTable(second, 0))
    meter.found(9_000_000)
    meter.waited_ns += 2_000
    meter.count(ONE_ROW)
    meter.waited_ns += 600
    meter.count(ONE_ROW)
    meter.copies.record(40)
    meter.detached()
    assert [published(first, entry) for entry in (0, 1, 2)] == [(1, 5_070, 1), (0, 0, 0), (1, 300, 1)]
    assert [published(second, entry) for entry in (0, 1, 2)] == [(2, 2_600, 2), (0, 0, 0), (1, 40, 1)]
    found = meter.stats()
    assert (found["wait_batch_count"], found["copy_count"]) == (3, 2)
    assert found["wait_batch_seconds"] == found["waited_seconds"] == (5_000 + 70 + 9_000_000 + 2_000 + 600) / 1e9
