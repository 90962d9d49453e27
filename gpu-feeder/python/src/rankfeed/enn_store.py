"""Memory-mapped stores of ENN-PyTorch: files of elements without a header next to ``meta.json``."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from rankfeed.errors import RankfeedError

PARTS = ("all", "train", "val")
_DTYPES = "bool int8 uint8 int16 int32 int64 float16 float32 float64".split()
_MAX_META_BYTES = 1 << 20


class Store:
    """The rows of a part of a store, or of the same part of several, one after the other."""

    def __init__(self, folders: list[Path], part: str):
        self._parts: list[tuple[dict[str, np.ndarray], range]] = []
        before = 0
        for folder in folders:
            meta = _json(folder / "meta.json")
            arrays = _arrays(folder, meta, before)
            before += len(arrays["X"])
            self._parts.append((arrays, _range(folder, meta, len(arrays["X"]), part)))
        kinds = [{name: (a.dtype.name, a.shape[1:]) for name, a in arrays.items()} for arrays, _ in self._parts]
        for folder, kind in zip(folders, kinds, strict=True):
            if kind != kinds[0]:
                raise RankfeedError(f"{folder} has {kind}, but {folders[0]} has {kinds[0]}; open them one by one")
        if len({(folder / "row_ids.mmt").exists() for folder in folders}) > 1:
            raise RankfeedError(
                f"some of the stores in {folders[0].parent} have row_ids.mmt; all must have it, or none"
            )

    @classmethod
    def root(cls, folder: Path, part: str) -> Store:
        """Opens a store, or the stores that ``multinode.json`` lists, in its order."""
        listed = folder / "multinode.json"
        if not listed.exists():
            return cls([folder], part)
        found = _json(listed, list | dict)
        names = [*found.values()] if isinstance(found, dict) else found
        if not names:
            raise RankfeedError(f"{listed} lists no folder")
        return cls([_inside(folder, name, listed) for name in names], part)

    def __len__(self) -> int:
        return sum(len(rows) for _, rows in self._parts)

    def rows(self, begin: int, end: int) -> dict[str, np.ndarray]:
        """Returns a copy of some rows."""
        return {name: self._copied(name, begin, end) for name in self._parts[0][0]}

    def row_ids(self) -> np.ndarray:
        return self._copied("row_ids", 0, len(self))

    def _copied(self, name: str, begin: int, end: int) -> np.ndarray:
        pieces = []
        for arrays, rows in self._parts:
            piece = rows[max(begin, 0) : max(end, 0)]
            pieces.append(arrays[name][piece.start : piece.stop])
            begin, end = begin - len(rows), end - len(rows)
        return np.concatenate(pieces)


def _arrays(folder: Path, meta: Mapping[str, Any], first_id: int) -> dict[str, np.ndarray]:
    file = folder / "meta.json"
    rows = _size(meta, "N", file, 0)
    features = _inside(folder, meta.get("features_path", "features.mmt"), file)
    shape = (rows, _size(meta, "feature_dim", file, 1))
    arrays = {"X": _mapped(features, meta.get("features_dtype"), "float64", shape, file)}
    if isinstance(meta.get("labels_path"), str) and not meta.get("features_only", False):
        dims = meta.get("label_shape")
        if not isinstance(dims, list) or any(type(dim) is not int or dim < 1 for dim in dims):
            raise RankfeedError(f"{file}: label_shape must be a list of sizes of at least 1, not {dims!r}")
        labels = _inside(folder, meta["labels_path"], file)
        arrays["Y"] = _mapped(labels, meta.get("labels_dtype"), "int64", (rows, *dims), file)
    ids = folder / "row_ids.mmt"
    own = _mapped(ids, "int64", "int64", (rows,), file) if ids.exists() else np.arange(first_id, first_id + rows)
    return {**arrays, "row_ids": own}


def _mapped(file: Path, dtype: Any, default: str, shape: tuple[int, ...], meta: Path) -> np.ndarray:
    dtype = default if dtype is None else dtype
    if dtype not in _DTYPES:
        raise RankfeedError(f"{meta}: {dtype!r} of {file.name} is not one of {', '.join(_DTYPES)}")
    stored = np.dtype(dtype).newbyteorder("<")
    stated = math.prod(shape) * stored.itemsize
    try:
        found = file.stat().st_size
        if found == stated:
            # An empty file cannot be mapped.
            return np.asarray(np.memmap(file, stored, "r", shape=shape)) if found else np.empty(shape, stored)
    except OSError as e:
        raise RankfeedError(f"{file} cannot be read: {e.strerror}") from e
    raise RankfeedError(
        f"{file} has {found} bytes, but {meta.name} states {stated} ({dtype} {list(shape)}); write the store again"
    )


def _range(folder: Path, meta: Mapping[str, Any], rows: int, part: str) -> range:
    """Returns the rows of a part. Stores without ranges have those of their fractions, as their own reader takes them:
    rounded down."""
    file = folder / "meta.json"
    if part == "all":
        return range(rows)
    fractions = meta.get("fractions", [1.0, 0.0])
    if not isinstance(fractions, list) or len(fractions) != 2 or not all(0 <= _number(f) <= 1 for f in fractions):
        raise RankfeedError(f"{file}: fractions must be two numbers from 0 to 1, not {fractions!r}")
    validation = int(rows * fractions[1])
    start, end = (0, rows - validation) if part == "train" else (rows - validation, rows)
    begins, ends = meta.get(f"{part}_start", start), meta.get(f"{part}_end", end)
    if type(begins) is not int or type(ends) is not int or not 0 <= begins <= ends <= rows:
        raise RankfeedError(f"{file}: {part}_start {begins!r} and {part}_end {ends!r} are not a range of {rows} rows")
    return range(begins, ends)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def _size(meta: Mapping[str, Any], name: str, file: Path, least: int) -> int:
    size = meta.get(name)
    if type(size) is not int or size < least:
        raise RankfeedError(f"{file}: {name} must be an integer of at least {least}, not {size!r}")
    return size


def _inside(folder: Path, name: object, file: Path) -> Path:
    path = PurePosixPath(name) if isinstance(name, str) and "\0" not in name else PurePosixPath("/")
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise RankfeedError(f"{file}: {name!r} must be a path in the folder of the file, without '..'")
    return folder / path


def _json(file: Path, kind: Any = dict) -> Any:
    try:
        with open(file, "rb") as opened:
            if os.fstat(opened.fileno()).st_size > _MAX_META_BYTES:
                raise RankfeedError(f"{file} has more than {_MAX_META_BYTES} bytes, and is not of a store")
            # Python's json reads NaN, as such files have.
            found = json.loads(opened.read())
    except OSError as e:
        raise RankfeedError(f"{file} cannot be read: {e.strerror}; name the folder of a store") from e
    except (ValueError, RecursionError) as e:
        raise RankfeedError(f"{file} is not JSON: {e}") from e
    if not isinstance(found, kind):
        raise RankfeedError(f"{file} must have {'an object' if kind is dict else 'an object or a list'}")
    return found
