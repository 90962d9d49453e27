"""Finds the feeder's socket and attaches (ring.md sections 1 to 3)."""

from __future__ import annotations

import os
import select
import socket
import stat
import struct

from rankfeed.errors import SAME_RELEASE, ProtocolError, VersionMismatch, WrongWorld, from_feeder
from rankfeed.interrupts import Waiting
from rankfeed.rendezvous import Rendezvous
from rankfeed.ring import frames
from rankfeed.ring.connection import Connection, Disconnected
from rankfeed.ring.segment import Segment
from rankfeed.ring.welcome import Hello, Welcome
from rankfeed.topology import Topology, rank_list


class Absent(Exception):
    """No feeder answers at the rendezvous at present."""


def dial(rendezvous: Rendezvous, hello: Hello, plan: str | None, global_step: int) -> Connection:
    """Returns an attached connection that starts at a global step. Raises ``Absent`` if a later attempt may succeed."""
    connected = _connect(rendezvous, hello.topology)
    try:
        connected.sendall(frames.encode_json(frames.HELLO, frames.PROTOCOL_VERSION, hello.payload(plan, global_step)))
        parser = frames.FrameParser()
        welcome, slots = _greeted(connected, parser)
        _check(welcome, hello, rendezvous, plan, global_step)
        segment = Segment(welcome.segment, welcome.bytes)
    except FileNotFoundError:
        connected.close()
        raise Absent("the feeder's segment is gone") from None
    except OSError as e:
        connected.close()
        raise Absent(f"the connection broke: {e}") from None
    except BaseException:
        connected.close()
        raise
    try:
        _check_segment(segment, welcome, slots)
        connected.sendall(frames.encode(frames.ATTACHED, 0, 0, 0, 0))
    except OSError as e:
        segment.close()
        connected.close()
        raise Absent(f"the connection broke: {e}") from None
    except BaseException:
        segment.close()
        connected.close()
        raise
    return Connection(connected, parser, welcome, segment)


def _connect(rendezvous: Rendezvous, topology: Topology) -> socket.socket:
    name = rendezvous.socket_name(topology.rank)
    try:
        directory = rendezvous.open()
    except OSError as e:
        raise Absent(f"{rendezvous.directory}: {e.strerror}") from None
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
        if not stat.S_ISSOCK(status.st_mode) or status.st_uid != os.getuid():
            raise ProtocolError(f"{rendezvous.directory / name} is not a socket of this user: it is not trusted")
        # Through the descriptor: what was checked is what is used, and long paths do not matter.
        with Waiting():
            connected.connect(f"/proc/self/fd/{directory}/{name}")
        _pid, uid, _gid = struct.unpack("iII", connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        if uid != os.getuid():
            raise ProtocolError(f"{rendezvous.directory / name} is served by user {uid}: it is not trusted")
    except OSError as e:
        connected.close()
        if isinstance(e, FileNotFoundError):
            _require_fed(rendezvous, topology)
        raise Absent(f"{rendezvous.directory / name}: {e.strerror}") from None
    except BaseException:
        connected.close()
        raise
    finally:
        os.close(directory)
    return connected


def _require_fed(rendezvous: Rendezvous, topology: Topology) -> None:
    """Raises ``WrongWorld`` if a feeder serves the run without this rank: waiting would not change that."""
    state = rendezvous.serving() or {}
    ranks, lanes = state.get("ranks"), state.get("lanes")
    if not isinstance(ranks, list) or topology.rank in ranks:
        return
    remedy = "start the feeder with --ranks (or a --world) that has it"
    if isinstance(lanes, int) and topology.rank >= lanes:
        remedy = f"its plan has {lanes} lanes, so train with at most {lanes} ranks"
    raise WrongWorld(
        f"run {rendezvous.run} feeds {rank_list(ranks)}, not rank {topology.rank} of a world of {topology.world}; "
        f"{remedy}"
    )


def _greeted(connected: socket.socket, parser: frames.FrameParser) -> tuple[Welcome, int]:
    """As ``_welcome``. A HELLO or WELCOME that the other side does not understand is one of another release."""
    try:
        return _welcome(connected, parser)
    except ProtocolError as e:
        if SAME_RELEASE not in str(e):
            e.args = (f"{e}; client and feeder seem to be of different releases: {SAME_RELEASE}",)
        raise


def _welcome(connected: socket.socket, parser: frames.FrameParser) -> tuple[Welcome, int]:
    while True:
        poller = select.poll()
        poller.register(connected, select.POLLIN)
        with Waiting():
            poller.poll()
        data = connected.recv(frames.MAX_PAYLOAD_BYTES)
        if not data:
            raise Absent("the feeder closed the connection")
        for frame in parser.feed(data):
            payload = frame.payload or {}
            if frame.type == frames.ERROR:
                raise from_feeder(str(payload.get("code")), str(payload.get("message")))
            if frame.type != frames.WELCOME:
                raise ProtocolError(f"frame of type {frame.type} from the feeder, expected WELCOME")
            if frame.token != frames.PROTOCOL_VERSION:
                raise VersionMismatch(
                    f"the feeder speaks ring protocol {frame.token}, this client {frames.PROTOCOL_VERSION};"
                    f" {SAME_RELEASE}"
                )
            # The feeder says nothing more before ATTACHED, so no frame follows in these bytes.
            return Welcome.parse(payload), frame.slot


def _check(welcome: Welcome, hello: Hello, rendezvous: Rendezvous, plan: str | None, global_step: int) -> None:
    asked = (hello.feed, hello.topology.rank, hello.topology.world, global_step)
    if (welcome.feed, welcome.rank, welcome.world, welcome.step) != asked:
        raise ProtocolError(f"asked for (feed, rank, world, step) {asked}, welcomed to {welcome}")
    if plan is not None and welcome.plan != plan:
        raise VersionMismatch(
            f"the feeder feeds plan {welcome.plan} of version {welcome.version}, this run uses plan {plan}; "
            "feed the plan of this run"
        )
    if rendezvous.version is not None and welcome.version != rendezvous.version:
        raise VersionMismatch(f"the feeder feeds version {welcome.version}, asked for was {rendezvous.version}")


def _check_segment(segment: Segment, welcome: Welcome, slots: int) -> None:
    layout = segment.layout
    found = (layout.slots, layout.generation, layout.rank, layout.world, layout.plan, layout.version, layout.feed)
    reported = (slots, welcome.generation, welcome.rank, welcome.world, welcome.plan, welcome.version, welcome.feed)
    if found != reported or layout.max_rows != welcome.rows:
        raise ProtocolError(f"{segment.path} is of {found}, the feeder announced {reported}")


__all__ = ["Absent", "Disconnected", "dial"]
