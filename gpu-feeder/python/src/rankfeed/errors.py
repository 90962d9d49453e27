"""The exceptions of this package, one class for each remedy. Every message is one line: what is wrong, where, what to
do."""

from __future__ import annotations

from rankfeed_cli.printable import printable

SAME_RELEASE = "install the same release of both"


class RankfeedError(Exception):
    """The base class of all exceptions that this package raises. Messages have no secrets or control characters."""

    def __init__(self, message: str = ""):
        super().__init__(printable(str(message)))


class NoFeeder(RankfeedError):
    """No feeder answers at the rendezvous."""


class FeederGone(RankfeedError):
    """The feeder went away and none came back before the grace period expired. The feed's cursor still holds."""


class WrongWorld(RankfeedError):
    """Rank or world size do not fit the plan or the feeder."""


class VersionMismatch(RankfeedError):
    """Protocol, plan or version are not the ones asked for."""


class RingExhausted(RankfeedError):
    """Every slot of the ring is held by this process, so no further batch can come."""


class ProtocolError(RankfeedError):
    """The other side broke the ring protocol, or this side was asked to."""


class CorruptBatch(RankfeedError):
    """A batch is not whole, or the feeder found damaged bytes."""


class TransformError(RankfeedError):
    """The function given to ``Feed(transform=…)`` raised, returned what no batch can hold, or lost its process.

    The cause is the function's exception, or shows its traceback in the worker process.
    """


class NoColumn(RankfeedError, KeyError):
    """A batch was asked for a column that it does not have."""

    # KeyError shows a message in quotes, as if it were the key.
    __str__ = Exception.__str__


class FeederError(RankfeedError):
    """The feeder refused or failed for another reason.

    ``code`` says which: ``busy`` (the rank's feed is taken), ``bad-column``, ``config`` (no such feed, or something
    else that cannot be), ``environment``, ``shm-full``, ``internal``.
    """

    def __init__(self, message: str, code: str = "internal"):
        super().__init__(message)
        self.code = code


_BY_CODE = {
    "protocol": ProtocolError,
    "version": VersionMismatch,
    "wrong-plan": VersionMismatch,
    "wrong-world": WrongWorld,
    "wrong-rank": WrongWorld,
    "corrupt": CorruptBatch,
}


def from_feeder(code: str, message: str) -> RankfeedError:
    """Returns the exception for an ERROR frame of the feeder (ring.md section 2)."""
    text = f"the feeder says: {' '.join(message.split())} ({code})"
    return _BY_CODE[code](text) if code in _BY_CODE else FeederError(text, code)
