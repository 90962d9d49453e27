"""Checks before the first batch that all ranks of a world are fed the same version, plan and feed file.

Each node has its own feeder, so nothing else detects a difference. The ranks compare through the store of torch's
process group: rank 0 opens a session with a random name, the others answer in it, and rank 0 writes a verdict that all
ranks read. A store may outlive its workers, and torchrun's count of restarts differs between nodes, so neither
identifies a start of the job; the name of the session does.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rankfeed.errors import RankfeedError, VersionMismatch, WrongWorld
from rankfeed.ring.frames import PROTOCOL_VERSION
from rankfeed.ring.welcome import Welcome
from rankfeed.topology import Topology, rank_list

_COMPARED = ("version", "plan", "feedFile", "protocol")
_REMEDY = (
    "name the version on each node as ROOT/DATASET/versions/ID or ROOT/DATASET@RUN-ID, with equal --plan and --config"
)
_FIRST_PAUSE_SECONDS = 0.005
_LONGEST_PAUSE_SECONDS = 0.25
_READ_SECONDS = 10.0
"""Maximum time that rank 0 waits for the others to read the verdict, and that a failing rank waits for rank 0."""

_rounds: Counter[tuple[str, int]] = Counter()
"""Number of comparisons by feed name and world; equal on all ranks, as each makes its feeds in the same order."""


def require(welcome: Welcome, topology: Topology) -> None:
    """Waits until every rank has asked for its first batch, and checks that all are fed the same.

    Raises:
        VersionMismatch: on every rank, with both sides; or the version is ``@latest`` and there is no process group.
        WrongWorld: some ranks did not come within the timeout of the process group.
    """
    if topology.world == 1:
        return
    store = _store(topology.world)
    if store is None:
        _require_fixed_version(welcome, topology)
        return
    number = _rounds[welcome.feed, topology.world]
    _rounds[welcome.feed, topology.world] += 1
    job = os.environ.get("TORCHELASTIC_RUN_ID", "")
    try:
        _Round(store, f"rankfeed/{job}/{welcome.feed}/{topology.world}/{number}", welcome, topology).compare()
    except RuntimeError as e:  # torch's errors of a store
        raise RankfeedError(
            f"the store of the process group does not answer, so rank {topology.rank} cannot compare its version "
            f"{welcome.version} with the other ranks: {e}"
        ) from e


def _store(world: int) -> Any:
    """Returns the store of torch's default process group, or None without a group that has all ranks of the world."""
    dist = sys.modules.get("torch.distributed")
    if dist is None or not dist.is_available() or not dist.is_initialized() or dist.get_world_size() < world:
        return None
    return dist.distributed_c10d._get_default_store()


def _require_fixed_version(welcome: Welcome, topology: Topology) -> None:
    is_one_node = topology.is_one_node and welcome.ranks_here == topology.world
    if welcome.latest and not is_one_node:
        raise VersionMismatch(
            f"rank {topology.rank} of {topology.world} is fed version {welcome.version}, which was @latest on this "
            f"node; other nodes may have found another one, and there is no torch process group to compare them: "
            f"{_REMEDY}, or call torch.distributed.init_process_group before the first batch. If all ranks are on this "
            f"node, state it: LOCAL_WORLD_SIZE={topology.world}, or Feed(..., local_world={topology.world})"
        )


class _Round:
    """One comparison: ``prefix`` is the same on every rank."""

    def __init__(self, store: Any, prefix: str, welcome: Welcome, topology: Topology):
        self._store = store
        self._prefix = prefix
        self._feed = welcome.feed
        self._rank, self._world = topology.rank, topology.world
        self._seconds: float = store.timeout.total_seconds()
        self._mine: dict[str, Any] = {
            "rank": topology.rank,
            "node": socket.gethostname(),
            "process": uuid.uuid4().hex,
            "version": welcome.version,
            "plan": welcome.plan,
            "feedFile": welcome.feed_file,
            "protocol": PROTOCOL_VERSION,
        }

    def compare(self) -> None:
        session, verdict = self._lead() if self._rank == 0 else self._follow()
        fault = self._fault(verdict)
        with contextlib.suppress(RuntimeError):
            self._await_readers(session, verdict, fault)
        if fault is not None:
            raise fault

    def _lead(self) -> tuple[str, dict[str, Any]]:
        session: str = self._mine["process"]
        self._store.set(f"{self._prefix}/session", session)
        answers = [self._mine]
        missing = set(range(1, self._world))

        def all_came() -> bool:
            came = [rank for rank in sorted(missing) if self._has(session, rank)]
            answers.extend(self._get(session, rank) for rank in came)
            missing.difference_update(came)
            return not missing

        _until(all_came, self._seconds)
        verdict = {"answers": answers, "missing": sorted(missing)}
        self._store.set(f"{self._prefix}/{session}/verdict", json.dumps(verdict))
        return session, verdict

    def _follow(self) -> tuple[str, dict[str, Any]]:
        session, deadline = "", time.monotonic() + self._seconds
        for now in _ticks():
            opened = self._store.check([f"{self._prefix}/session"])
            found = self._store.get(f"{self._prefix}/session").decode() if opened else ""
            if found != session:
                # Rank 0 reports missing ranks only after its own timeout.
                session, deadline = found, now + self._seconds + _READ_SECONDS
                self._store.set(f"{self._prefix}/{session}/{self._rank}", json.dumps(self._mine))
            if session and self._has(session, "verdict"):
                verdict = self._get(session, "verdict")
                # The verdict of an earlier session, left in the store, does not contain this process.
                if any(answer["process"] == self._mine["process"] for answer in verdict["answers"]):
                    return session, verdict
            if now >= deadline:
                break
        raise self._absent([0])

    def _fault(self, verdict: dict[str, Any]) -> RankfeedError | None:
        if verdict["missing"]:
            return self._absent(verdict["missing"])
        sides: dict[tuple[object, ...], list[dict[str, Any]]] = {}
        for answer in sorted(verdict["answers"], key=lambda answer: answer["rank"]):
            sides.setdefault(tuple(answer[name] for name in _COMPARED), []).append(answer)
        if len(sides) == 1:
            return None
        return VersionMismatch(
            f"the ranks of feed {self._feed!r} would train on different data: "
            f"{'; '.join(_side(answers) for answers in sides.values())}. {_REMEDY[0].upper()}{_REMEDY[1:]}"
        )

    def _absent(self, ranks: list[int]) -> WrongWorld:
        return WrongWorld(
            f"{rank_list(ranks)} of {self._world} did not ask for a batch of feed {self._feed!r} within "
            f"{self._seconds:g} s, the timeout of the process group, so rank {self._rank} cannot compare version "
            f"{self._mine['version']} with them; create the same feeds in the same order on every rank"
        )

    def _await_readers(self, session: str, verdict: dict[str, Any], fault: RankfeedError | None) -> None:
        """Waits until every rank has read the verdict: this process may own the store, or fail and stop the others."""
        end = f"{self._prefix}/{session}/end"
        self._store.set(f"{self._prefix}/{session}/{self._rank}/read", "")
        if self._rank == 0:
            reads = [f"{answer['rank']}/read" for answer in verdict["answers"]]
            _until(lambda: all(self._has(session, read) for read in reads), _READ_SECONDS)
            self._store.set(end, "")
        elif fault is not None:
            _until(lambda: self._store.check([end]), _READ_SECONDS)

    def _has(self, session: str, name: object) -> bool:
        exists: bool = self._store.check([f"{self._prefix}/{session}/{name}"])
        return exists

    def _get(self, session: str, name: object) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self._store.get(f"{self._prefix}/{session}/{name}"))
        return value


def _side(answers: Iterable[dict[str, Any]]) -> str:
    """Describes ranks with equal answers: the ranks, their nodes, and what they are fed."""
    nodes: dict[str, list[int]] = {}
    for answer in answers:
        nodes.setdefault(answer["node"], []).append(answer["rank"])
    who = " and ".join(f"{rank_list(ranks)} on {node}" for node, ranks in nodes.items())
    return (
        f"{who}: version {answer['version']}, plan {answer['plan']}, feed file {answer['feedFile'] or 'none'}, "
        f"protocol {answer['protocol']}"
    )


def _until(is_done: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    for now in _ticks():
        if is_done() or now >= deadline:
            return


def _ticks() -> Iterator[float]:
    """Yields monotonic seconds, with growing pauses in between."""
    pause = _FIRST_PAUSE_SECONDS
    while True:
        yield time.monotonic()
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
