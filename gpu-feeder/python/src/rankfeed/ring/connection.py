"""One connection to a feeder: receives and sends frames, and tracks the owners of slots."""

from __future__ import annotations

import contextlib
import os
import select
import socket
from collections import deque
from functools import partial

from rankfeed.errors import CorruptBatch, ProtocolError, RankfeedError, from_feeder
from rankfeed.interrupts import Waiting
from rankfeed.ring import frames
from rankfeed.ring.lease import Descriptor, Lease
from rankfeed.ring.outbox import Outbox
from rankfeed.ring.segment import Segment
from rankfeed.ring.views import SlotViews
from rankfeed.ring.welcome import Welcome

_FEEDERS, _READY, _LEASED = 0, 1, 2
_CHUNK_BYTES = 16384
_LONGEST_WAIT_MS = 250


class Disconnected(Exception):
    """The feeder has ended or is stopping; everything that it had sent was received."""


class Connection:
    """An attached connection. Used by one thread at a time, except for releases, which any thread may call."""

    def __init__(self, connected: socket.socket, parser: frames.FrameParser, welcome: Welcome, segment: Segment):
        self._socket = connected
        self._parser = parser
        self._outbox = Outbox(connected, segment.layout.slots // 2)
        self._owners = bytearray(segment.layout.slots)
        self._leases: list[tuple[int, Lease] | None] = [None] * segment.layout.slots
        self._ready: deque[tuple[int, int, int]] = deque()
        self._descriptor = segment.layout.descriptor
        self._views = SlotViews(segment.layout)
        self._schedule = welcome.schedule
        self._pid = os.getpid()
        self._detached = False
        self._end: BaseException | None = None
        self._ended_stream = -1
        self.stream = 0
        self.welcome = welcome
        self.segment = segment

    def lease(self) -> Lease | None:
        """Returns the next READY slot of this stream that was received; None if there is none yet."""
        while self._ready:
            slot, stream, token = self._ready.popleft()
            if stream != self.stream:
                self.give_back(slot, stream, token)
                continue
            layout = self.segment.layout
            begin, end, global_step, epoch, step, rows, of_stream, tokens, padded_tokens, *columns = (
                self._descriptor.unpack_from(self.segment.memory, layout.slot_table + slot * layout.descriptor_bytes)
            )
            if begin != token or end != token or of_stream != stream or rows > layout.max_rows:
                raise CorruptBatch(
                    f"slot {slot} of {self.segment.path} is not whole: fill {begin} to {end} of stream {of_stream} "
                    f"with {rows} rows, announced {token} of {stream}; start feeder and trainer again"
                )
            self._owners[slot] = _LEASED
            give_back = partial(self.give_back, slot, stream, token)
            stage, global_rows = self._schedule.at(global_step)
            descriptor = Descriptor(global_step, epoch, step, rows, tokens, padded_tokens, columns, stage, global_rows)
            lease = Lease(self.segment.slot(slot), descriptor, self._views, give_back)
            # Kept, so that the end of its base is seen.
            self._leases[slot] = (stream, lease)
            self._outbox.may_wait = bool(self._ready)
            return lease
        self._outbox.flush()
        return None

    @property
    def at_end(self) -> bool:
        """Whether the feeder has ended this stream and no received slot of it is left."""
        return self._ended_stream == self.stream and not self._ready

    @property
    def exhausted(self) -> bool:
        """Whether every slot is leased."""
        return self._owners.count(_LEASED) == len(self._owners)

    def fileno(self) -> int:
        """The descriptor of the socket, which is readable when frames have arrived."""
        return self._socket.fileno()

    def has_frames(self) -> bool:
        """Whether ``receive`` would return at once."""
        poller = select.poll()
        poller.register(self._socket, select.POLLIN)
        return self._end is not None or bool(poller.poll(0))

    def receive(self) -> None:
        """Waits for frames, a quarter of a second at most, and receives them. Raises ``Disconnected`` or the feeder's
        error when no received slot is left."""
        if self._end is not None:
            raise self._end
        try:
            data = self._received()
        except (OSError, ValueError) as e:
            # ValueError: another thread closed the socket.
            raise Disconnected(str(e)) from None
        if data is None:
            return
        if not data:
            raise Disconnected("the feeder closed the connection")
        for frame in self._parser.feed(data):
            self._take(frame)

    def _received(self) -> bytes | None:
        while True:
            is_flushed = self._outbox.flush()
            try:
                return self._socket.recv(_CHUNK_BYTES, socket.MSG_DONTWAIT)
            except BlockingIOError:
                poller = select.poll()
                poller.register(self._socket, select.POLLIN if is_flushed else select.POLLIN | select.POLLOUT)
                with Waiting():
                    if not poller.poll(_LONGEST_WAIT_MS):
                        return None

    def _take(self, frame: frames.Frame) -> None:
        if frame.type == frames.READY:
            slot = frame.slot
            if slot >= len(self._owners) or self._owners[slot] != _FEEDERS or frame.arg > self.stream:
                raise ProtocolError(f"READY of slot {slot}, stream {frame.arg}, which the feeder may not fill")
            self._owners[slot] = _READY
            self._ready.append((slot, frame.arg, frame.token))
        elif frame.type == frames.EOS:
            self._ended_stream = frame.arg
        elif frame.type == frames.ERROR:
            payload = frame.payload or {}
            self._end = from_feeder(str(payload.get("code")), str(payload.get("message")))
        elif frame.type == frames.DRAIN:
            self._end = Disconnected("the feeder is stopping")
        else:
            raise ProtocolError(f"frame of type {frame.type} from the feeder in the middle of a run")

    def seek(self, global_step: int) -> None:
        """Requests batches from this step on; releases the slots that the feeder sent before."""
        self.stream += 1
        self._outbox.put(frames.encode(frames.SEEK, 0, 0, self.stream, global_step))
        ready, self._ready = self._ready, deque()
        for slot, stream, token in ready:
            self.give_back(slot, stream, token)

    def give_back(self, slot: int, stream: int, token: int) -> None:
        """Returns a slot to the feeder. Any thread may call it; in a forked child it does nothing."""
        if os.getpid() != self._pid:
            return
        self._owners[slot] = _FEEDERS
        if self._detached:
            self._close_if_idle()
        else:
            self._outbox.put_soon(frames.encode(frames.RELEASE, 0, slot, stream, token))

    def close(self, fault: RankfeedError | None = None) -> None:
        """Sends BYE or an error and closes the socket. Leased batches stay valid; the last one keeps the lock."""
        if self._detached:
            return
        if os.getpid() == self._pid:
            bye = frames.encode(frames.BYE, 0, 0, self._held(), 0)
            self._outbox.put(bye if fault is None else _told(fault))
        self._outbox.closed = True
        self._detached = True
        self._ready.clear()
        # Lock before socket: the feeder looks at the lock when it sees the end of the stream.
        self._close_if_idle()
        # A thread that waits for frames would not see the descriptor's end.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _held(self) -> int:
        """Counts the batches of this stream that were leased and not released."""
        return sum(
            owner == _LEASED and lease is not None and lease[0] == self.stream
            for owner, lease in zip(self._owners, self._leases, strict=True)
        )

    def forget_in_child(self) -> None:
        """Closes the socket in a forked child, so that the feeder sees the parent's end."""
        self._detached = True
        self._outbox.closed = True
        self._socket.close()

    def _close_if_idle(self) -> None:
        if not self._owners.count(_LEASED):
            self.segment.close()


def _told(fault: RankfeedError) -> bytes:
    code, exit_code = ("corrupt", 3) if isinstance(fault, CorruptBatch) else ("protocol", 1)
    return frames.encode_json(frames.ERROR, exit_code, {"code": code, "message": str(fault)})
