"""Times to wait, in seconds."""

from __future__ import annotations

import math
import os
from numbers import Real

from rankfeed.errors import RankfeedError

_WAIT = "RANKFEED_WAIT_SECONDS"


def checked(name: str, value: object) -> float:
    """Checks a time; infinity waits without a limit, and NaN is refused."""
    if isinstance(value, bool) or not isinstance(value, Real) or math.isnan(value) or value < 0:
        raise RankfeedError(f"{name}={value!r}: expected seconds, 0 or more")
    return float(value)


def to_wait() -> float:
    """Returns the time to wait for a feeder that does not run, from the environment."""
    text = os.environ.get(_WAIT) or "0"
    try:
        return checked(_WAIT, float(text))
    except (ValueError, RankfeedError):
        raise RankfeedError(f"environment variable {_WAIT} is {text!r}, expected seconds, 0 or more") from None
