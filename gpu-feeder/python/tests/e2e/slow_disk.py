"""Runs a command that sees a folder through a slow disk: a read-only file system (FUSE) of this process. The kernel
caches its pages and reads ahead, as it does with a disk.

    unshare -rm python slow_disk.py FOLDER WHERE BYTES_PER_SECOND COMMAND…
"""

from __future__ import annotations

import ctypes
import errno
import os
import select
import struct
import subprocess
import sys
import time
from pathlib import Path

LOOKUP, FORGET, GETATTR, OPEN, READ, STATFS, RELEASE = 1, 2, 3, 14, 15, 17, 18
FLUSH, INIT, OPENDIR, READDIR, RELEASEDIR, BATCH_FORGET = 25, 26, 27, 28, 29, 42
MS_RDONLY, MS_NOSUID, MS_NODEV, MNT_DETACH = 1, 2, 4, 2
ASYNC_READ = 1
REQUEST_BYTES = 1 << 20
LOOK_MILLIS = 20
FOREVER = 1 << 30


class SlowDisk:
    """The file system: nodes are numbered as they are looked up, and all reads take turns."""

    def __init__(self, folder: Path, where: Path, bytes_per_second: float):
        self._nodes = [Path(), folder]  # the root has number 1
        self._numbers = {folder: 1}
        self._rate = bytes_per_second
        self._where = where
        self._device = os.open("/dev/fuse", os.O_RDWR)
        self._free_at = 0.0
        self._libc = ctypes.CDLL(None, use_errno=True)
        options = f"fd={self._device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}"
        words = (b"slow", os.fsencode(where), b"fuse", MS_RDONLY | MS_NOSUID | MS_NODEV, options.encode())
        if self._libc.mount(*words):
            raise OSError(ctypes.get_errno(), "mount", str(where))

    def close(self) -> None:
        self._libc.umount2(os.fsencode(self._where), MNT_DETACH)
        os.close(self._device)

    def serve(self) -> None:
        """Answers what the kernel asks in the next milliseconds."""
        poller = select.poll()
        poller.register(self._device, select.POLLIN)
        if not poller.poll(LOOK_MILLIS):
            return
        request = os.read(self._device, REQUEST_BYTES)
        _, kind, unique, node = struct.unpack_from("<IIQQ", request)
        if kind in (FORGET, BATCH_FORGET):
            return
        try:
            code, answer = 0, self._answer(kind, node, request[40:])
        except OSError as e:
            code, answer = -(e.errno or errno.EIO), b""
        os.write(self._device, struct.pack("<IiQ", 16 + len(answer), code, unique) + answer)

    def _answer(self, kind: int, node: int, body: bytes) -> bytes:
        if kind == INIT:
            _, minor, ahead = struct.unpack_from("<III", body)
            return struct.pack("<IIIIHHIIHHI28x", 7, min(minor, 31), ahead, ASYNC_READ, 12, 9, 4096, 1, 0, 0, 0)
        path = self._nodes[node]
        if kind == LOOKUP:
            return self._entry(path / os.fsdecode(body.rstrip(b"\0")))
        if kind == GETATTR:
            return struct.pack("<QII", FOREVER, 0, 0) + attributes(path)
        if kind in (OPEN, OPENDIR):
            return struct.pack("<QII", 0, 0, 0)
        if kind == READ:
            return self._read(path, *struct.unpack_from("<QQI", body)[1:])
        if kind == READDIR:
            return listing(path, *struct.unpack_from("<QQI", body)[1:])
        if kind == STATFS:
            return struct.pack("<5Q4I24x", FOREVER, FOREVER, FOREVER, FOREVER, FOREVER, 4096, 255, 4096, 0)
        if kind in (RELEASE, RELEASEDIR, FLUSH):
            return b""
        raise OSError(errno.ENOSYS, "not implemented")

    def _entry(self, path: Path) -> bytes:
        found = attributes(path)
        if path not in self._numbers:
            self._numbers[path] = len(self._nodes)
            self._nodes.append(path)
        return struct.pack("<QQQQII", self._numbers[path], 0, FOREVER, FOREVER, 0, 0) + found

    def _read(self, path: Path, offset: int, size: int) -> bytes:
        with path.open("rb") as file:
            file.seek(offset)
            found = file.read(size)
        self._free_at = max(self._free_at, time.monotonic()) + len(found) / self._rate
        time.sleep(max(0.0, self._free_at - time.monotonic()))
        return found


def attributes(path: Path) -> bytes:
    s = path.lstat()
    seconds = [int(s.st_atime), int(s.st_mtime), int(s.st_ctime)]
    fractions = [s.st_atime_ns % 10**9, s.st_mtime_ns % 10**9, s.st_ctime_ns % 10**9]
    numbers = [s.st_mode, s.st_nlink, s.st_uid, s.st_gid, 0, 4096, 0]
    return struct.pack("<6Q10I", s.st_ino, s.st_size, s.st_blocks, *seconds, *fractions, *numbers)


def listing(path: Path, offset: int, size: int) -> bytes:
    """Entries of a folder from a number on, as many as fit."""
    found = b""
    for number, name in enumerate(sorted(os.listdir(path))[offset:], offset + 1):
        raw = os.fsencode(name)
        kind = (path / name).lstat().st_mode >> 12
        entry = struct.pack("<QQII", number, number, len(raw), kind) + raw
        entry += b"\0" * (-len(entry) % 8)
        if len(found) + len(entry) > size:
            break
        found += entry
    return found


def main(folder: str, where: str, bytes_per_second: str, *command: str) -> int:
    disk = SlowDisk(Path(folder).resolve(), Path(where), float(bytes_per_second))
    try:
        # The command must not hold the device, and looks up the mount's folder while this process answers.
        running = subprocess.Popen(command, close_fds=True)
        while running.poll() is None:
            disk.serve()
        return running.returncode
    finally:
        disk.close()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
