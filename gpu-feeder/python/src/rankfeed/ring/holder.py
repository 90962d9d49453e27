"""Finds the process that already has a rank's feed, for the message to a second one."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

_SHARED_MEMORY = Path("/dev/shm")
_LOCKS = Path("/proc/locks")


def holder(directory: Path, rank: int, feed: str) -> str:
    """Describes the process that holds the segment of a rank's feed and what to do, or "" if it cannot be determined.

    Read from /proc/locks, not asked of the file: closing a second descriptor of it would drop a lock of our own.
    """
    pid = _pid(directory, rank, feed)
    if pid == os.getpid():
        return "this process holds it: close() the earlier Feed, or use 'with Feed(...) as feed'"
    return f"process {pid} holds it: end that trainer, or give this one another rank or feed" if pid else ""


def _pid(directory: Path, rank: int, feed: str) -> int:
    mark = hashlib.sha256(str(directory).encode()).hexdigest()[:8]
    name = re.compile(rf"rankfeed-{os.getuid()}-{mark}-r{rank}-{re.escape(feed)}-\d+-\d+")
    try:
        inodes = {str(path.stat().st_ino) for path in _SHARED_MEMORY.iterdir() if name.fullmatch(path.name)}
        locks = [line.split() for line in _LOCKS.read_text().splitlines()]
    except OSError:
        return 0
    for lock in locks:
        # 1: POSIX  ADVISORY  WRITE 4567 00:17:12345 0 EOF
        if lock[1:4] == ["POSIX", "ADVISORY", "WRITE"] and lock[5].rpartition(":")[2] in inodes:
            return max(int(lock[4]), 0)
    return 0
