"""Counts the batches of a feed and times its stages."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rankfeed.ring.stages import Histogram, StageTable

if TYPE_CHECKING:
    from rankfeed.batch import Batch

_PUBLISH_NS = 250_000_000


class Meter:
    """Counts batches, tokens and the time of each stage; the clock runs from the first batch asked for.

    ``waited_ns`` grows while there is no batch ready. The stages of the client are ``wait_batch``, ``transform``,
    ``copy`` and ``trainer``; the feeder's are read from the ring file.
    """

    def __init__(self) -> None:
        self.rows = 0
        self.batches = 0
        self.tokens = 0
        self.padded_tokens = 0
        self.waited_ns = 0
        self.waits, self.transforms, self.copies, self.trainer = (Histogram() for _ in range(4))
        self._own = {
            "wait_batch": self.waits,
            "transform": self.transforms,
            "copy": self.copies,
            "trainer": self.trainer,
        }
        # The table of the connected feeder, and what feeders before it recorded. One value, since stats() of another
        # thread would otherwise count a table twice.
        self._recorded: tuple[StageTable | None, dict[str, Histogram]] = (None, {})
        self._first_ns = 0
        self._handed_ns = 0
        self._published_ns = 0
        self._waited_before = 0
        # What is not of the connected feeder's time: the stages and the wait before it, with the wait for it.
        self._before = {name: Histogram() for name in self._own}
        self._waited_elsewhere = 0

    def attached(self, table: StageTable) -> None:
        """From now on the feeder records in this table, which gets what the client's stages take from now on."""
        self._before = {name: stage.since(Histogram()) for name, stage in self._own.items()}
        self._recorded = (table, self._recorded[1])

    def waited(self, started_ns: int) -> None:
        """The trainer has waited since then for its batch, and may go on waiting."""
        now = time.perf_counter_ns()
        self.waited_ns += now - started_ns
        self._publish_if_due(now)

    def found(self, nanos: int) -> None:
        """The trainer waited this long for a feeder: a wait for its batch, but no time of the feeder."""
        self.waited_ns += nanos
        self._waited_elsewhere = self.waited_ns

    def detached(self) -> None:
        """Keeps what the feeder recorded in the table, which is about to go."""
        table = self._recorded[0]
        if table is not None:
            self._publish(table)
            self._recorded = (None, self._of_feeder())

    def begin(self) -> None:
        """A batch is asked for."""
        if not self._first_ns:
            self._first_ns = time.perf_counter_ns()

    def restart(self) -> None:
        """The time until the next batch is asked for is not the trainer's."""
        self._handed_ns = 0

    def requested(self) -> None:
        """The trainer asks for its next batch."""
        if self._handed_ns:
            self.trainer.record(time.perf_counter_ns() - self._handed_ns)
            self._handed_ns = 0

    def handed(self) -> None:
        """The trainer is about to get the batch that it asked for."""
        self._handed_ns = now = time.perf_counter_ns()
        self._publish_if_due(now)

    def count(self, batch: Batch) -> None:
        """Counts a batch that was handed out."""
        self.batches += 1
        self.rows += batch.valid_rows
        self.tokens += batch.tokens
        self.padded_tokens += batch.padded_tokens
        waited = self.waited_ns - self._waited_before
        self.waits.record(waited)
        if self._waited_elsewhere > self._waited_before:
            # The table of the feeder gets the part of this wait in which it was attached.
            waits = self._before["wait_batch"]
            waits.record(waited)
            waits.record(self.waited_ns - self._waited_elsewhere, -1)
        self._waited_before = self.waited_ns

    def stats(self) -> dict[str, float]:
        elapsed = (time.perf_counter_ns() - self._first_ns) / 1e9 if self._first_ns else 0.0
        waited = self.waited_ns / 1e9
        found: dict[str, float] = {
            "rows": self.rows,
            "batches": self.batches,
            "seconds": elapsed,
            "waited_seconds": waited,
            "waited_share": waited / elapsed if elapsed else 0.0,
            "tokens": self.tokens,
            "padding_share": 1 - self.tokens / self.padded_tokens if self.padded_tokens else 0.0,
        }
        for name, stage in {**self._own, **self._of_feeder()}.items():
            found[f"{name}_count"] = stage.count
            found[f"{name}_seconds"] = stage.nanos / 1e9
            found[f"{name}_p50"] = stage.quantile(0.5)
            found[f"{name}_p99"] = stage.quantile(0.99)
            if name == "read":
                found["read_bytes"], found["read_faults"] = stage.amount, stage.faults
        return found

    def _publish_if_due(self, now: int) -> None:
        table = self._recorded[0]
        if table is not None and now - self._published_ns > _PUBLISH_NS:
            self._published_ns = now
            self._publish(table)

    def _publish(self, table: StageTable) -> None:
        own = {name: stage.since(self._before[name]) for name, stage in self._own.items()}
        # A wait counts from its beginning, since it may last for minutes.
        own["wait_batch"].nanos += self.waited_ns - max(self._waited_before, self._waited_elsewhere)
        table.publish(own)

    def _of_feeder(self) -> dict[str, Histogram]:
        """What the feeders of all connections recorded."""
        table, earlier = self._recorded
        total = {} if table is None else table.of_feeder()
        for name, stage in earlier.items():
            total.setdefault(name, Histogram()).add(stage)
        return total
