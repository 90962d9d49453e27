"""Tests the sums of stages over several connections."""

from __future__ import annotations

from typing import Any

from rankfeed.ring.stages import Histogram, StageTable
from rankfeed.stats import Meter


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
