"""One mapped segment, and the lock that shows the feeder that this process can still see it."""

from __future__ import annotations

import fcntl
import mmap
import os
import re
import stat

import numpy as np

from rankfeed.errors import ProtocolError
from rankfeed.ring import layout as ring_layout
from rankfeed.ring.stages import StageTable

_FILE = re.compile(r"/dev/shm/rankfeed-(\d+)-[0-9a-f]{8}-r\d+-[a-z][a-z0-9_-]{0,30}-\d+-\d+")


class Segment:
    """The mapping outlives ``close`` for as long as an array looks at it; the lock goes with ``close``.

    The file is opened once: closing any other descriptor of it in this process would drop the lock. mmap keeps a
    duplicate of its own, closed with the mapping, so ``close`` comes only when no slot is leased.
    """

    def __init__(self, path: str, length: int):
        match = _FILE.fullmatch(path)
        if match is None or int(match[1]) != os.getuid():
            raise ProtocolError(f"{path!r} is not the name of a ring segment of this user")
        self.path = path
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        # A list, since taking the last element is one step: two threads that let go at once close it once.
        self._descriptors = [descriptor]
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
                raise ProtocolError(f"{path} is not a private file of this user: it is not trusted")
            if status.st_size != length:
                raise ProtocolError(f"{path} has {status.st_size} bytes, the feeder announced {length}")
            self._lock(descriptor)
            flags = mmap.MAP_SHARED | getattr(mmap, "MAP_POPULATE", 0)
            self.memory = mmap.mmap(descriptor, length, flags, mmap.PROT_READ | mmap.PROT_WRITE)
            self.layout = ring_layout.parse(self.memory, length, path)
        except BaseException:
            self.close()
            raise

    def _lock(self, descriptor: int) -> None:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ProtocolError(f"{self.path} is locked by another process; a rank's feed has one client") from None

    def slot(self, number: int) -> np.ndarray:
        """Returns a slot's bytes as a new array, the base of every array of one batch, so that it dies after the last
        one."""
        layout = self.layout
        return np.frombuffer(self.memory, np.uint8, layout.stride, layout.data + number * layout.stride)

    def data(self) -> np.ndarray:
        """The bytes of all slots."""
        layout = self.layout
        return np.frombuffer(self.memory, np.uint8, layout.slots * layout.stride, layout.data)

    def stages(self) -> StageTable:
        """The timers that feeder and client write."""
        return StageTable(self.memory, self.layout.stage_table)

    def fileno(self) -> int:
        """The only descriptor; to be sent to another process, never to be closed elsewhere in this one."""
        return self._descriptors[0]

    def close(self) -> None:
        """Drops the lock."""
        try:
            descriptor = self._descriptors.pop()
        except IndexError:
            return
        os.close(descriptor)
