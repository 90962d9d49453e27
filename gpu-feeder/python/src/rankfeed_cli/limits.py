"""Limits of this process under which a Java virtual machine does not start, and then says nothing that helps."""

from __future__ import annotations

import os
import resource
from pathlib import Path

from rankfeed_cli.failure import ENVIRONMENT, Failure

GIB = 1 << 30
ADDRESS_BYTES = 5 * GIB
"""A JVM reserves a heap of a quarter of the memory, 1.25 GiB for classes and code, and 64 MiB a thread for malloc."""
DATA_BYTES = 1 * GIB
FILES = 256
THREADS = 128


def require() -> None:
    """Raises ``Failure`` if a limit is lower than a JVM needs; commands check further needs themselves."""
    _require("address space", "-v", resource.RLIMIT_AS, ADDRESS_BYTES, "bytes", "unlimited")
    _require("data segment", "-d", resource.RLIMIT_DATA, DATA_BYTES, "bytes", "unlimited")
    _raise_files()
    _require("open files", "-n", resource.RLIMIT_NOFILE, FILES, "open files", "65536")
    limit, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    if os.getuid() != 0 and limit != resource.RLIM_INFINITY and limit < 64 * THREADS:
        running = _own_threads()
        _require("processes and threads of this user", "-u", resource.RLIMIT_NPROC, running + THREADS,
                 f"threads, of which {running} are running", "65536")  # fmt: skip


def _require(name: str, option: str, limit: int, needed: int, unit: str, to: str) -> None:
    value, hard = resource.getrlimit(limit)
    if value == resource.RLIM_INFINITY or value >= needed:
        return
    is_enough = hard == resource.RLIM_INFINITY or hard >= needed
    remedy = f"run 'ulimit {option} {to if hard == resource.RLIM_INFINITY else 'hard'}'"
    if not is_enough:
        remedy = (
            f"raise the hard limit, which is {hard:,} (Limit…= of a systemd unit, docker run --ulimit,"
            f" /etc/security/limits.conf), then run 'ulimit {option} {to}'"
        )
    raise Failure(
        ENVIRONMENT, f"the limit of {name} is {value:,} (ulimit {option}); Java needs {needed:,} {unit}; {remedy}"
    )


def _raise_files() -> None:
    """Raises the limit of open files to the hard limit, as Java does: the trainers that a feeder starts inherit it."""
    value, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if value != hard and value < FILES:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _own_threads() -> int:
    user = os.getuid()
    count = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.stat().st_uid == user:
                count += len(os.listdir(process / "task"))
        except OSError:
            continue  # it ended
    return count
