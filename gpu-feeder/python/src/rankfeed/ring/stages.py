"""How long the stages of a feed take: timers that the client shares with the feeder (ring.md, section 7)."""

from __future__ import annotations

import mmap
import struct

BUCKETS = 36
ENTRY_BYTES = 448
ENTRIES = 64
CLIENT_ENTRIES = 8
TABLE_BYTES = ENTRIES * ENTRY_BYTES
_SMALLEST_NS = 125
_ENTRY = struct.Struct(f"<48s16x5Q24x{BUCKETS}Q32x")


class Histogram:
    """Durations of one stage. Bucket b counts those above 125 * 2**(b - 1) ns and up to 125 * 2**b ns.

    amount: bytes that the stage handled in them. faults: pages that were read from a disk. processes: those that run
    the stage at the same time, if the client does not run it itself.
    """

    __slots__ = ("amount", "buckets", "count", "faults", "nanos", "processes")

    def __init__(self) -> None:
        self.count = 0
        self.nanos = 0
        self.amount = 0
        self.faults = 0
        self.processes = 0
        self.buckets = [0] * BUCKETS

    def record(self, nanos: int, times: int = 1) -> None:
        """One duration of 0 ns or more; ``times`` -1 takes one back."""
        self.count += times
        self.nanos += times * nanos
        bucket = ((nanos - 1) // _SMALLEST_NS).bit_length() if nanos > 0 else 0
        self.buckets[bucket if bucket < BUCKETS else -1] += times

    def add(self, other: Histogram) -> None:
        """Counts everything that the other one counted."""
        self.count += other.count
        self.nanos += other.nanos
        self.amount += other.amount
        self.faults += other.faults
        self.buckets = [mine + theirs for mine, theirs in zip(self.buckets, other.buckets, strict=True)]

    def since(self, before: Histogram) -> Histogram:
        """What was counted after ``before``."""
        new = Histogram()
        new.count = self.count - before.count
        new.nanos = self.nanos - before.nanos
        new.amount = self.amount - before.amount
        new.faults = self.faults - before.faults
        new.processes = self.processes
        new.buckets = [mine - theirs for mine, theirs in zip(self.buckets, before.buckets, strict=True)]
        return new

    def quantile(self, share: float) -> float:
        """Seconds that at least this share of the durations does not exceed: the upper bound of a bucket, so at most
        twice the true value. 0 where that is at most 125 ns, as for waits that did not happen, and where there are no
        durations."""
        wanted, seen = share * sum(self.buckets), 0
        for bucket, count in enumerate(self.buckets):
            seen += count
            if count and seen >= wanted:
                return (_SMALLEST_NS << bucket) / 1e9 if bucket else 0.0
        return 0.0


class StageTable:
    """The table of a ring file; ``offset`` is where it begins in the memory."""

    def __init__(self, memory: mmap.mmap | bytearray, offset: int):
        self._memory = memory
        self._offset = offset

    def of_feeder(self) -> dict[str, Histogram]:
        """What the feeder has recorded for this client, by stage."""
        found = {}
        for entry in range(CLIENT_ENTRIES, ENTRIES):
            at = self._offset + entry * ENTRY_BYTES
            name, count, nanos, amount, faults, _, *buckets = _ENTRY.unpack_from(self._memory, at)
            if not name[0]:
                break
            one = found[name.rstrip(b"\0").decode("ascii", "replace")] = Histogram()
            one.count, one.nanos, one.amount, one.faults, one.buckets = count, nanos, amount, faults, buckets
        return found

    def publish(self, stages: dict[str, Histogram]) -> None:
        """Writes the client's own stages, at most 8, for the feeder to read."""
        for entry, (name, one) in enumerate(stages.items()):
            at = self._offset + entry * ENTRY_BYTES
            numbers = (one.count, one.nanos, one.amount, one.faults, one.processes, *one.buckets)
            _ENTRY.pack_into(self._memory, at, name.encode("ascii"), *numbers)
