"""HELLO and WELCOME (ring.md section 3): the exchange before the first batch."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from rankfeed.errors import ProtocolError
from rankfeed.normalize import Normalize
from rankfeed.normalize import parse as parse_normalize
from rankfeed.ring.schedule import Schedule
from rankfeed.topology import Topology

_NUMBERS = "bytes generation rank world batch rows poolRows step graceSeconds ranksHere".split()
_TEXTS = "segment feed kind plan version feedFile".split()


@dataclass(frozen=True)
class Hello:
    """The request of a client. ``columns`` is a list of {"name", "layout"?, "padValue"?}, or None for the feed's own.

    row_keys: whether the ring has the keys of the rows' random numbers as its last column.
    """

    feed: str
    topology: Topology
    columns: list[dict[str, Any]] | None
    row_keys: bool = False

    def payload(self, plan: str | None, global_step: int) -> dict[str, Any]:
        payload = {
            "feed": self.feed,
            "rank": self.topology.rank,
            "localRank": self.topology.local_rank,
            "world": self.topology.world,
            "localWorld": self.topology.local_world,
            "pid": os.getpid(),
            "startTime": _start_time(),
            "plan": plan,
            "step": global_step,
            "columns": self.columns,
        }
        # Said only where it is wanted: feeders of before 0.2 refuse members that they do not know.
        return payload | {"rowKeys": True} if self.row_keys else payload


@dataclass(frozen=True)
class Welcome:
    """The answer of a feeder. ``batch`` counts rows of the largest global batch, ``rows`` those of this rank.
    ``ranks_here``: number of ranks that this feeder feeds; ``latest``: the version was named ``@latest``;
    ``feed_file``: a digest."""

    segment: str
    bytes: int
    generation: int
    feed: str
    kind: str
    plan: str
    version: str
    rank: int
    world: int
    batch: int
    rows: int
    pool_rows: int
    step: int
    grace_seconds: int
    ranks_here: int
    feed_file: str
    latest: bool
    transforms: str
    normalize: dict[str, Normalize]
    schedule: Schedule

    @staticmethod
    def parse(payload: dict[str, Any]) -> Welcome:
        for name in _NUMBERS:
            if type(payload.get(name)) is not int or not 0 <= payload[name] < 1 << 63:
                raise ProtocolError(f"WELCOME: {name} is {payload.get(name)!r}, expected a number")
        for name in _TEXTS:
            if not isinstance(payload.get(name), str):
                raise ProtocolError(f"WELCOME: {name} is {payload.get(name)!r}, expected a string")
        if payload["kind"] not in ("train", "sequential"):
            raise ProtocolError(f"WELCOME: unknown kind {payload['kind']!r}")
        if not isinstance(payload.get("latest"), bool):
            raise ProtocolError(f"WELCOME: latest is {payload.get('latest')!r}, expected true or false")
        names = dict(poolRows="pool_rows", graceSeconds="grace_seconds", ranksHere="ranks_here", feedFile="feed_file")
        transforms = payload.get("transforms", "")
        if not isinstance(transforms, str):
            raise ProtocolError(f"WELCOME: transforms is {transforms!r}, expected a string")
        known = {names.get(name, name): payload[name] for name in [*_NUMBERS, *_TEXTS, "latest"]}
        normalize, schedule = parse_normalize(payload.get("normalize")), Schedule.parse(payload)
        return Welcome(**known, transforms=transforms, normalize=normalize, schedule=schedule)

    @property
    def steps(self) -> int:
        """The number of steps of the run, or of one sequential pass."""
        return self.schedule.steps

    @property
    def identity(self) -> tuple[str | int | Schedule, ...]:
        """The values that another feeder, which takes over, must not change."""
        return (self.feed, self.kind, self.plan, self.version, self.feed_file, self.rank, self.world, self.batch,
                self.schedule, self.transforms)  # fmt: skip


def _start_time() -> int:
    """Reads field 22 of /proc/self/stat; the second field may hold blanks and brackets."""
    with open("/proc/self/stat", "rb") as file:
        return int(file.read().rpartition(b")")[2].split()[19])
