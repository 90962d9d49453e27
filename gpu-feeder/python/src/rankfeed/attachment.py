"""Stays attached to a feed: gives the next slot in order, from whichever feeder process sends it."""

from __future__ import annotations

import gc
import time
from typing import Protocol

from rankfeed.errors import (
    CorruptBatch,
    FeederError,
    FeederGone,
    NoFeeder,
    ProtocolError,
    RankfeedError,
    RingExhausted,
    VersionMismatch,
)
from rankfeed.interrupts import Deferred, Waiting
from rankfeed.rendezvous import Rendezvous, others
from rankfeed.ring.connection import Connection, Disconnected
from rankfeed.ring.dial import Absent, dial
from rankfeed.ring.holder import holder
from rankfeed.ring.lease import Lease
from rankfeed.ring.welcome import Hello, Welcome
from rankfeed.stats import Meter

_FIRST_PAUSE_SECONDS = 0.01
_LONGEST_PAUSE_SECONDS = 0.25


class Listener(Protocol):
    """Is notified of each segment that is mapped and unmapped."""

    def attached(self, connection: Connection) -> None: ...

    def detached(self, connection: Connection) -> None: ...


class Attachment:
    """``position`` is the global step of the next slot; it survives the feeder. One consumer thread."""

    listener: Listener
    """Set before ``open``."""

    def __init__(self, rendezvous: Rendezvous, hello: Hello, meter: Meter, grace_seconds: float | None):
        self._rendezvous = rendezvous
        self._hello = hello
        self._meter = meter
        self._grace_seconds = grace_seconds
        self._connection: Connection | None = None
        self.closed = False
        self.position = 0
        self.slots = 0
        self.welcome: Welcome | None = None

    def open(self, deadline: float) -> Welcome:
        """Attaches for the first time, or raises ``NoFeeder`` after the deadline (monotonic seconds)."""
        try:
            with Deferred():
                return self._attach(deadline).welcome
        except Absent as e:
            run = self._rendezvous.run
            raise NoFeeder(
                f"no feeder answers for rank {self._hello.topology.rank} of run {run} ({e}); {others(run)}; start one "
                f"with: rankfeed feed VERSION --run {run}"
            ) from None
        except RankfeedError as e:
            hello = self._hello
            busy = isinstance(e, FeederError) and e.code == "busy"
            who = busy and holder(self._rendezvous.directory, hello.topology.rank, hello.feed)
            if who:
                e.args = (f"{e}; {who}",)
            if not self._rendezvous.is_named and f"run {self._rendezvous.run}" not in str(e):
                e.args = (f"{e} (run {self._rendezvous.run}, found because none was named)",)
            raise

    def next(self, _end: int = 0) -> Lease:
        """Waits for the slot of step ``position`` and returns it. Waits for the grace period if the feeder has
        ended."""
        while True:
            self.require_open()
            connection = self._connection or self._reattach()
            try:
                lease = self._in_hand(connection)
                if lease is not None:
                    return lease
                if connection.exhausted:
                    gc.collect()
                    if connection.exhausted:
                        raise self._exhausted(connection)
                    continue
                started = time.perf_counter_ns()
                try:
                    connection.receive()
                finally:
                    self._meter.waited(started)
            except Disconnected:
                self._detach(None)
            except RingExhausted:
                raise
            except RankfeedError as e:
                self._detach(e)
                raise

    def poll(self, _end: int = 0) -> Lease | None:
        """Returns the slot of step ``position`` if it exists already. Leaves errors to ``next``."""
        connection = self._connection
        if connection is None:
            return None
        lease = self._in_hand(connection)
        if lease is None and connection.has_frames():
            try:
                connection.receive()
            except Disconnected:
                return None
            lease = self._in_hand(connection)
        return lease

    @property
    def exhausted(self) -> bool:
        """Whether every slot is leased."""
        return self._connection is not None and self._connection.exhausted

    @property
    def connection(self) -> Connection | None:
        """The connection to the feeder; None while there is none."""
        return self._connection

    def seek(self, global_step: int) -> None:
        """Sets the step of the next slot."""
        self.position = global_step
        if self._connection is not None:
            self._connection.seek(global_step)

    def close(self) -> None:
        """Detaches finally. A thread that waits for a batch gets an exception."""
        self.closed = True
        with Deferred():
            self._detach(None)

    def require_open(self) -> None:
        if self.closed:
            raise RankfeedError("this feed is closed; make another Feed(…) (state_dict() of this one still holds)")

    def forget_in_child(self) -> None:
        if self._connection is not None:
            self._connection.forget_in_child()

    def _in_hand(self, connection: Connection) -> Lease | None:
        lease = connection.lease()
        if lease is None:
            if connection.at_end:
                raise ProtocolError(f"the feeder ended before step {self.position} of {connection.welcome.steps}")
            return None
        if lease.descriptor.global_step != self.position:
            raise ProtocolError(f"the feeder sent step {lease.descriptor.global_step}, expected {self.position}")
        self.position += 1
        return lease

    def _reattach(self) -> Connection:
        assert self.welcome is not None, "next() comes after open()"
        grace = self.welcome.grace_seconds if self._grace_seconds is None else self._grace_seconds
        started = time.perf_counter_ns()
        try:
            return self._attach(time.monotonic() + grace)
        except (Absent, FeederError) as e:
            if isinstance(e, FeederError) and e.code != "busy":
                raise
            raise FeederGone(
                f"the feeder of run {self._rendezvous.run} went away and none came back within {grace:g} s ({e}); "
                f"start it again, then resume at step {self.position}"
            ) from None
        finally:
            self._meter.found(time.perf_counter_ns() - started)

    def _attach(self, deadline: float) -> Connection:
        plan = self._rendezvous.plan if self.welcome is None else self.welcome.plan
        pause = _FIRST_PAUSE_SECONDS
        while True:
            try:
                connection = dial(self._rendezvous, self._hello, plan, self.position)
                break
            except (Absent, FeederError) as e:
                again = isinstance(e, Absent) or (e.code == "busy" and self.welcome is not None)
                self.require_open()
                left = deadline - time.monotonic()
                if left <= 0 or not again:
                    raise
                with Waiting():
                    time.sleep(min(pause, left))
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
        if self.welcome is not None and self.welcome.identity != connection.welcome.identity:
            connection.close()
            raise VersionMismatch(f"another feeder took over with other numbers: {connection.welcome}")
        self.welcome = connection.welcome
        try:
            self.listener.attached(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        self._meter.attached(connection.segment.stages())
        self.slots = connection.segment.layout.slots
        if self.closed:
            self._detach(None)
            self.require_open()
        return connection

    def _detach(self, fault: RankfeedError | None) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            reported = fault if isinstance(fault, (ProtocolError, CorruptBatch)) else None
            self._meter.detached()
            try:
                self.listener.detached(connection)
            finally:
                connection.close(reported)

    def _exhausted(self, connection: Connection) -> RingExhausted:
        slots = connection.segment.layout.slots
        return RingExhausted(
            f"all {slots} slots of the ring are held by batches that are still alive (step {self.position}); drop or "
            "release() batches, copy what must stay (or Feed(copy=True)), start the feeder with a larger --depth, "
            "or, under a DataLoader, use batch_size=None"
        )
