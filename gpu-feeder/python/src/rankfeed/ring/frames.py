"""Frames on the control socket (ring.md section 2)."""

from __future__ import annotations

import json
import struct
from typing import Any, NamedTuple

from rankfeed.errors import SAME_RELEASE, ProtocolError

PROTOCOL_VERSION = 2

HELLO, WELCOME, ATTACHED, READY, RELEASE, SEEK, EOS, ERROR, DRAIN, BYE = range(1, 11)

MAX_PAYLOAD_BYTES = 1 << 20

_FRAME = struct.Struct("<BBHIQ")
_FROM_FEEDER = frozenset((WELCOME, READY, EOS, ERROR, DRAIN))
_WITH_PAYLOAD = frozenset((WELCOME, ERROR))

encode = _FRAME.pack
"""type, flags (0), slot, arg, token → the frame's 16 bytes."""


class Frame(NamedTuple):
    type: int
    slot: int
    arg: int
    token: int
    payload: dict[str, Any] | None


def encode_json(frame_type: int, token: int, payload: dict[str, Any]) -> bytes:
    body = json.dumps(payload, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode()
    if len(body) > MAX_PAYLOAD_BYTES:
        raise ProtocolError(f"a payload of {len(body)} bytes is over the limit of {MAX_PAYLOAD_BYTES}; ask for less")
    return encode(frame_type, 0, 0, len(body), token) + body


class FrameParser:
    """Cuts a byte stream into frames; bytes of an unfinished frame wait for the next call."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[Frame]:
        """Returns the frames that these bytes complete. Raises for a length above the limit before its bytes arrive."""
        if self._rest:
            data = self._rest + data
        frames = []
        at, end = 0, len(data)
        while end - at >= 16:
            frame_type, flags, slot, arg, token = _FRAME.unpack_from(data, at)
            if frame_type not in _FROM_FEEDER or flags:
                raise ProtocolError(f"frame of type {frame_type} with flags {flags} from the feeder; {SAME_RELEASE}")
            payload = None
            if frame_type in _WITH_PAYLOAD:
                if arg > MAX_PAYLOAD_BYTES:
                    raise ProtocolError(f"a payload of {arg} bytes from the feeder, at most {MAX_PAYLOAD_BYTES}")
                if end - at - 16 < arg:
                    break
                payload = _object(data[at + 16 : at + 16 + arg])
                at += arg
            frames.append(Frame(frame_type, slot, arg, token, payload))
            at += 16
        self._rest = data[at:]
        return frames


def _object(body: bytes) -> dict[str, Any]:
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError):
        raise ProtocolError("a payload from the feeder is not JSON") from None
    if not isinstance(payload, dict):
        raise ProtocolError("a payload from the feeder is not a JSON object")
    return payload
