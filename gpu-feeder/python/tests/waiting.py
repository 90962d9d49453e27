"""Waits for events of other processes, with a deadline."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from typing import TypeVar

DEADLINE_SECONDS = 300  # a guard against hangs: on a busy machine the start of two ranks takes a minute
_PAUSE_SECONDS = 0.005

Found = TypeVar("Found")


def wait_until(
    condition: Callable[[], Found],
    what: str,
    seconds: float = DEADLINE_SECONDS,
    process: subprocess.Popen | None = None,
    log: Callable[[], str] = str,
) -> Found:
    """Calls the condition until it returns a true value, and returns the value.

    Fails after the deadline, or when the process that it waits for has ended; ``log`` is then part of the message.
    """
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        code = process.poll() if process else None
        assert code is None, f"ended with {code} before {what}: {log()}"
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}: {log()}"
        time.sleep(_PAUSE_SECONDS)
    return found
