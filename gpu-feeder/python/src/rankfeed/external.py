"""Reads the values of versions over existing datasets, whose lanes have references to files (cache.md, section 6)."""

from __future__ import annotations

import hashlib
import json
import math
import os
import stat
import weakref
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from rankfeed import manifest
from rankfeed.errors import RankfeedError

if TYPE_CHECKING:
    import pyarrow as pa

_LIST = "external.arrow"
_STAMPS = "_stamps"
_MAX_OPEN = 256
_MAX_INLINE_BYTES = 8
# Types that numpy lacks, or that take whole bytes in files (cache.md, section 2).
_STORED = {"bool": "uint8", "bfloat16": "uint16"}
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# A named pipe in place of a file must not wait for its writer.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class ExternalFiles:
    """The files of a version over a dataset. Each is compared with its stamp when it is opened, and the last ones stay
    open. Safe for use by several threads.

    verify: compare the SHA-256 of a file with the list, too, when it is opened for the first time.
    root: the folder of the files; None: that of the import, or the one that ``rankfeed verify`` accepted.
    """

    def __init__(self, version: Path, stated: dict[str, Any], *, verify: bool, root: Path | None = None):
        import pyarrow as pa

        self._version, self._stated, self._verify = version, stated, verify
        self._elsewhere = None if root is None else root.absolute()
        self._after: dict[str, int] = stated["external"]["columns"]
        manifest.require_listed(stated, version, _LIST)
        with pa.memory_map(os.fspath(version / _LIST)) as source:
            self._list = pa.ipc.open_file(source).read_all()
        self._bytes = self._list["bytes"].to_numpy()
        file = version / _STAMPS
        self._remedy = f"'rankfeed verify {version} --external {stated['dataset']}=PATH'"
        try:
            head, _, stamps = file.read_text(encoding="utf-8").partition("\n")
            at = json.loads(head)
            stamped, digest = Path(at["root"]), at["list"]
            self._stamps = np.array(stamps.split(), dtype=np.int64).reshape(-1, 2)
        except (OSError, ValueError, TypeError, KeyError, OverflowError) as e:
            raise RankfeedError(f"{file} cannot be read ({e}); {self._remedy} writes it anew") from e
        if digest != manifest.listed(stated, version, _LIST)["sha256"] or len(self._stamps) != len(self._bytes):
            raise RankfeedError(f"{file} is of another version; {self._remedy} writes it anew")
        self._root = self._elsewhere or stamped
        self._command = f"rankfeed verify {version}"
        if self._root != stamped:
            self._command += f" --external {stated['dataset']}={self._root}"
        self._lock = Lock()
        _FILES.add(self)
        # By number, the one that was used last at the end.
        self._opened: dict[int, _File] = {}
        self._verified: set[int] = set()

    def __reduce__(self) -> tuple[Callable[[], ExternalFiles], tuple[()]]:
        """Another process opens the files itself."""
        return partial(ExternalFiles, self._version, self._stated, verify=self._verify, root=self._elsewhere), ()

    def resolved(self, rows: pa.Table, fields: list[dict[str, Any]]) -> pa.Table:
        """Returns rows of lanes with values in place of references."""
        sources = rows["_source"].to_pylist()
        for field in fields:
            if not is_inline(field):
                name = field["name"]
                files = [source + self._after[name] for source in sources]
                is_there = rows[f"{name}.valid"].to_pylist() if field["nullable"] else [1] * len(files)
                places = rows[name].to_pylist()
                values = [
                    self._value(file, place, field) if valid else bytes(_row_bytes(field) or 0)
                    for file, place, valid in zip(files, places, is_there, strict=True)
                ]
                try:
                    column = _column(field, values)
                except UnicodeDecodeError as e:
                    raise self._no_text(name, values.index(e.object), files, rows) from e
                rows = rows.set_column(rows.column_names.index(name), name, column)
        return rows

    def _value(self, file: int, place: int | list[int], field: dict[str, Any]) -> bytes:
        offset, length = (place, _row_bytes(field) or 0) if isinstance(place, int) else place
        if not 0 <= file < len(self._bytes) or min(offset, length) < 0 or offset + length > self._bytes[file]:
            raise RankfeedError(
                f"column {field['name']!r} of {self._version} refers to bytes {offset} to {offset + length} of file"
                f" {file}, which do not exist; 'rankfeed verify' checks the version"
            )
        try:
            opened = self._file(file)
            data = os.pread(opened.descriptor, length, offset)
        except OSError as e:
            path = f"{self._root}/{self._list['path'][file]}"
            raise RankfeedError(
                f"{path} of {self._version} cannot be read ({e.strerror}); restore it, or name the folder that the"
                f" dataset is in now with {self._remedy}"
            ) from e
        if len(data) != length:
            raise self._changed(file, "was cut")
        return data

    def _file(self, number: int) -> _File:
        with self._lock:
            file = self._opened.pop(number, None) or self._open(number)
            self._opened[number] = file
            if len(self._opened) > _MAX_OPEN:
                del self._opened[next(iter(self._opened))]
        return file

    def _open(self, number: int) -> _File:
        file = _File(_descriptor(self._root, self._list["path"][number].as_py()))
        found, (size, modified) = os.fstat(file.descriptor), self._stamps[number]
        if not stat.S_ISREG(found.st_mode):
            raise self._changed(number, "is not a regular file")
        if found.st_size != size or size != self._bytes[number]:
            raise self._changed(number, f"changed from {self._bytes[number]} to {found.st_size} bytes")
        if found.st_mtime_ns != modified:
            raise self._changed(number, "was modified")
        if self._verify and number not in self._verified:
            if file.sha256() != self._list["sha256"][number].as_py():
                raise self._changed(number, "has other bytes")
            self._verified.add(number)
        return file

    def _no_text(self, column: str, at: int, files: list[int], rows: pa.Table) -> RankfeedError:
        return RankfeedError(
            f"{self._root}/{self._list['path'][files[at]]}: the text in column {column!r} of row"
            f" {rows['_source_row'][at]} is not valid UTF-8; run '{self._command}', which names the files that changed"
            " since the dataset was imported"
        )

    def _changed(self, number: int, what: str) -> RankfeedError:
        return RankfeedError(
            f"{self._root}/{self._list['path'][number]} {what} since the dataset was imported or verified; if its"
            f" content is the same, run '{self._command}', otherwise restore it or import the dataset"
            " again"
        )


_FILES: weakref.WeakSet[ExternalFiles] = weakref.WeakSet()


def _renew_locks() -> None:
    # A thread that a forked child does not have may have held a lock.
    for files in _FILES:
        files._lock = Lock()


os.register_at_fork(after_in_child=_renew_locks)


class _File:
    """A file that is closed with its last reference: a thread may read it when it is no longer among the last ones."""

    def __init__(self, descriptor: int):
        self.descriptor = descriptor

    def sha256(self) -> bytes:
        with open(self.descriptor, "rb", buffering=0, closefd=False) as file:
            return hashlib.file_digest(file, "sha256").digest()

    def __del__(self, close: Callable[[int], None] = os.close) -> None:
        close(self.descriptor)


def is_inline(field: dict[str, Any]) -> bool:
    """Returns whether lanes have the values of a field in place of references."""
    size = _row_bytes(field)
    return size is not None and size <= _MAX_INLINE_BYTES


def _row_bytes(field: dict[str, Any]) -> int | None:
    """Returns the bytes of a value of a field, None if values differ in length."""
    if field["dtype"] in ("string", "binary") or None in field["shape"]:
        return None
    size: int = math.prod(field["shape"]) * _dtype(field).itemsize
    return size


def _dtype(field: dict[str, Any]) -> np.dtype[Any]:
    dtype: np.dtype[Any] = np.dtype(_STORED.get(field["dtype"], field["dtype"]))
    return dtype


def _column(field: dict[str, Any], values: list[bytes]) -> pa.Array:
    """Returns values as a column of a lane that has no references."""
    import pyarrow as pa

    if field["dtype"] == "binary":
        return pa.array(values, pa.binary())
    if field["dtype"] == "string":
        return pa.array([value.decode() for value in values], pa.string())
    dtype = _dtype(field)
    elements = pa.array(np.frombuffer(b"".join(values), dtype))
    if None not in field["shape"]:
        return pa.FixedSizeListArray.from_arrays(elements, math.prod(field["shape"]))
    offsets = np.cumsum([0, *(len(value) // dtype.itemsize for value in values)])
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), elements)


def _descriptor(root: Path, path: str) -> int:
    """Opens a file below a folder without following links."""
    *folders, name = path.split("/")
    if any(part in ("", ".", "..") for part in (*folders, name)):
        raise RankfeedError(f"{path!r} is not a path below {root}")
    at = os.open(root, _FOLDER)
    try:
        for folder in folders:
            below = os.open(folder, _FOLDER | os.O_NOFOLLOW, dir_fd=at)
            os.close(at)
            at = below
        return os.open(name, _FILE, dir_fd=at)
    finally:
        os.close(at)
