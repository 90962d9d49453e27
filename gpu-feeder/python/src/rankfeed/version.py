"""Gives random access to the rows of a version without a feeder. Requires pyarrow."""

from __future__ import annotations

import json
import operator
import os
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from rankfeed import manifest
from rankfeed.errors import RankfeedError
from rankfeed.external import ExternalFiles
from rankfeed.order import Order, SequentialOrder, TrainOrder
from rankfeed.version_names import default_order, resolve

if TYPE_CHECKING:
    import pyarrow as pa

_SELECTION = "selection.json"
_NUMBERS = "rows are named by a number, a slice, or a list of numbers"


def open_version(
    path: str | os.PathLike[str], *, verify: bool = False, external: str | os.PathLike[str] | None = None
) -> Version:
    """Opens the version in a folder, or at ``ROOT/DATASET@latest`` or ``ROOT/DATASET@RUN-ID``, on this machine::

        version = rankfeed.open("build/rankfeed/shop@latest")
        rows = version["train"]
        rows[0]                      # a dict: numbers, strings, numpy arrays
        rows[10:20].to_arrow()
        rows[[3, 1, 4]].to_torch()   # rows by their numbers, read together

    Args:
        verify: compare the SHA-256 of every file of a feed with the manifest before its first row. It reads the whole
            feed once. Without it the lengths of the files are compared. A file of an existing dataset is compared when
            it is opened for the first time; without ``verify``, its length and time are compared.
        external: the folder of the files that an imported version is over, where it is at another path on this machine.

    Raises:
        RankfeedError: no version is there, or its manifest or order was changed.
    """
    folder, order = resolve(os.fspath(path))
    if (folder / "mixture.json").is_file() or (folder.parent.name == "mixtures" and Path(f"{folder}.json").is_file()):
        raise RankfeedError(
            f"{folder} is a mixture, and not a version; feed it with rankfeed.serve, or open the version of a member"
        )
    return Version(folder, verify=verify, order=order, external=external)


class Version:
    """A version of a dataset: its ``manifest``, its ``order``, and the rows of each feed by name.

    order: the id of an order over it, in place of its default order.
    external: the folder of the files that it is over, in place of that of the import.
    """

    def __init__(
        self,
        folder: Path,
        *,
        verify: bool = False,
        order: str | None = None,
        external: str | os.PathLike[str] | None = None,
    ):
        self.folder = folder
        self._verify = verify
        self._root = None if external is None else Path(external)
        self.manifest = manifest.read(folder, "rankfeed.version")
        if self._root is not None and "external" not in self.manifest:
            raise RankfeedError(f"{folder} is not an imported version; leave out external={os.fspath(self._root)!r}")
        if any(file["path"] == "order.json" for file in self.manifest["files"]):
            manifest.require_listed(self.manifest, folder, "order.json")
            self.order = Order.load(folder / "order.json")
        else:
            self.order = default_order(folder, self.manifest["id"], order)
            self._require_order()

    @property
    def feeds(self) -> list[str]:
        return list(self.order.feeds)

    @cached_property
    def external(self) -> ExternalFiles | None:
        """The files that the lanes of a version over an existing dataset refer to."""
        if "external" not in self.manifest:
            return None
        return ExternalFiles(self.folder, self.manifest, verify=self._verify, root=self._root)

    def __getitem__(self, feed: str) -> FeedRows:
        """Returns the rows of a feed, in the order of the plan's lists: stratum after stratum, or as they are in the
        table."""
        return FeedRows(self, feed)

    def _require_order(self) -> None:
        """Raises ``RankfeedError`` unless the order is over the rows that this version stores."""
        manifest.require_listed(self.manifest, self.folder, _SELECTION)
        selection = json.loads((self.folder / _SELECTION).read_bytes())
        stored = {feed["name"]: _stored(feed) for feed in selection["feeds"]}
        for name, feed in self.order.feeds.items():
            if isinstance(feed, SequentialOrder):
                is_over = True
                found: tuple[int, Any] = (feed.lanes, feed.rows)
            else:
                member = feed.members[0]
                place = (member.dataset, member.version, member.feed, len(feed.members))
                is_over = place == (self.manifest["dataset"], self.manifest["id"], name, 1)
                found = (member.lanes, tuple((stratum.name, stratum.rows) for stratum in member.strata))
            if not is_over or stored.get(name) != found:
                raise RankfeedError(
                    f"order {self.order.plan} is not over version {self.manifest['id']}: feed {name!r} has another"
                    " version, or other lanes, strata or rows; run the job of the version again, with another --run-id"
                )

    def check(self, path: str) -> None:
        """Raises ``RankfeedError`` if a file of the manifest has another length or, with ``verify``, other bytes."""
        require = manifest.require_listed if self._verify else manifest.require_length
        require(self.manifest, self.folder, path)

    def __repr__(self) -> str:
        rows = ", ".join(f"{feed}: {len(self[feed]):,} rows" for feed in self.feeds)
        return f"Version({self.manifest['dataset']} {self.manifest['id']}: {rows})"


class FeedRows(Sequence[dict[str, Any]]):
    """The rows of a feed, a slice of them, or some of them. Files are mapped when the first row is read. An array
    of a row is a read-only view of the mapped file, except of booleans and of files of an imported version: copy it to
    change it."""

    def __init__(
        self, version: Version, feed: str, rows: range | np.ndarray | None = None, lanes: _LaneRows | None = None
    ):
        self._version = version
        self._feed = version.order[feed]
        self._rows = range(_count(self._feed)) if rows is None else rows
        self._lanes = lanes

    @property
    def columns(self) -> list[str]:
        return ["row_id", *(field["name"] for field in self._version.manifest["schema"]["fields"])]

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice | Sequence[int] | np.ndarray) -> FeedRows: ...
    def __getitem__(self, index: int | slice | Sequence[int] | np.ndarray) -> dict[str, Any] | FeedRows:
        if isinstance(index, slice):
            return FeedRows(self._version, self._feed.name, self._rows[index], self._mapped())
        if isinstance(index, Sequence | np.ndarray) and not isinstance(index, str) and getattr(index, "ndim", True):
            return FeedRows(self._version, self._feed.name, _picked(self._rows, index), self._mapped())
        number: Any = index
        found = self._mapped().row(int(self._rows[operator.index(number)]))
        return {name: values[0] for name, values in self._values(self._resolved(found)).items()}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for i in range(len(self)):
            yield self[i]

    def to_arrow(self) -> pa.Table:
        """Returns a table of these rows. Missing values are null; elements of fixed shapes are in C order."""
        pa = _pyarrow()
        import pyarrow.compute as pc

        found = self._taken()
        columns: dict[str, Any] = {"row_id": found["_row_id"]}
        for field in self._version.manifest["schema"]["fields"]:
            column = found[field["name"]]
            if field["dtype"] == "bool" and not field["shape"]:
                column = column.cast(pa.bool_())
            if field["nullable"]:
                is_there = pc.equal(found[f"{field['name']}.valid"], 1)
                column = pc.if_else(is_there, column, pa.scalar(None, column.type))
            columns[field["name"]] = column
        return pa.table(columns)

    def to_torch(self) -> dict[str, Any]:
        """Returns by column a tensor of all rows in the column's dtype (bfloat16 as uint16), a list of tensors for
        ragged columns, or a list of values for strings, bytes, and columns in which a value is missing."""
        import torch

        values = self._values(self._taken())
        tensors: dict[str, Any] = {"row_id": torch.from_numpy(np.array(values["row_id"], np.int64))}
        for field in self._version.manifest["schema"]["fields"]:
            name, shape = field["name"], field["shape"]
            column = values[name]
            if field["dtype"] in ("string", "binary") or any(value is None for value in column):
                tensors[name] = column
            elif shape[:1] == [None]:
                tensors[name] = [torch.from_numpy(value.copy()) for value in column]
            else:
                dtype = "uint16" if field["dtype"] == "bfloat16" else field["dtype"]
                tensors[name] = torch.from_numpy(np.array(column, dtype).reshape(len(column), *shape))
        return tensors

    def __repr__(self) -> str:
        return f"FeedRows({self._feed.name}: {len(self):,} rows of {', '.join(self.columns)})"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_lanes": None}  # another process maps the files itself

    def _taken(self) -> pa.Table:
        rows = self._rows
        numbers = np.arange(rows.start, rows.stop, rows.step) if isinstance(rows, range) else rows
        return self._resolved(self._mapped().take(numbers))

    def _resolved(self, found: pa.Table) -> pa.Table:
        external = self._version.external
        return external.resolved(found, self._version.manifest["schema"]["fields"]) if external else found

    def _mapped(self) -> _LaneRows:
        """Maps the files of the feed one after the other: the shared rows, then lane after lane."""
        if self._lanes is None:
            pa = _pyarrow()
            tables = []
            for path in self._files():
                file = self._version.folder / path
                self._version.check(path)
                try:
                    with pa.memory_map(os.fspath(file)) as source:
                        tables.append(pa.ipc.open_file(source).read_all().replace_schema_metadata(None))
                except (OSError, pa.ArrowInvalid) as e:
                    raise RankfeedError(f"{file} cannot be read ({e}); 'rankfeed verify' checks the version") from e
            rows = sum(table.num_rows for table in tables)
            if rows != _count(self._feed) or not tables:
                raise RankfeedError(
                    f"feed {self._feed.name!r} of {self._version.folder} has {rows} rows in its files,"
                    f" its order says {_count(self._feed)}; 'rankfeed verify' checks the version"
                )
            self._lanes = _LaneRows(pa.concat_tables(tables), self._feed)
        return self._lanes

    def _files(self) -> list[str]:
        """Lists the files of the feed: shared rows first, then lane after lane."""
        name = re.compile(f"lanes/{re.escape(self._feed.name)}/(lane-[0-9]{{5}}|shared)-[0-9]{{5}}\\.arrow")
        files = [file["path"] for file in self._version.manifest["files"] if name.fullmatch(file["path"])]
        return sorted(files, key=lambda file: ("/lane-" in file, file))

    def _values(self, found: pa.Table) -> dict[str, list[Any]]:
        values: dict[str, list[Any]] = {"row_id": found["_row_id"].to_pylist()}
        for field in self._version.manifest["schema"]["fields"]:
            column = []
            for row_id, value in zip(values["row_id"], found[field["name"]], strict=True):
                try:
                    column.append(_value(field, value))
                except UnicodeDecodeError as e:
                    raise RankfeedError(
                        f"the text in column {field['name']!r} of row id {row_id} of {self._version.folder} is not"
                        " valid UTF-8; read it with to_arrow, or cast the column to binary in the job's query"
                    ) from e
            if field["nullable"]:
                valid = found[f"{field['name']}.valid"].to_pylist()
                column = [value if is_there else None for value, is_there in zip(column, valid, strict=True)]
            values[field["name"]] = column
        return values


class _Places:
    """Where rows are in the concatenation of all files of a feed (cache.md, section 1)."""

    def __init__(self, feed: TrainOrder | SequentialOrder):
        # Of a train feed, the lanes of the version: a plan over it may have fewer.
        self._lanes = feed.lanes if isinstance(feed, SequentialOrder) else feed.members[0].lanes
        self._is_table = isinstance(feed, SequentialOrder)
        counts = [feed.rows] if isinstance(feed, SequentialOrder) else [stratum.rows for stratum in feed.strata]
        rows = np.array(counts, dtype=np.int64)
        self._first = _sums(rows)
        self._whole = rows // self._lanes
        self._before = _sums(self._whole)
        self._shared_before = _sums(rows % self._lanes)
        self._lane_before = _sums((rows[:1] - np.arange(self._lanes) + self._lanes - 1) // self._lanes)

    def of(self, rows: np.ndarray) -> np.ndarray:
        if self._is_table:
            in_table: np.ndarray = self._lane_before[rows % self._lanes] + rows // self._lanes
            return in_table
        stratum = np.searchsorted(self._first, rows, side="right") - 1
        index = rows - self._first[stratum]
        lane_rows = self._before[-1]
        in_lane = (
            self._shared_before[-1] + index % self._lanes * lane_rows + self._before[stratum] + index // self._lanes
        )
        in_whole = self._whole[stratum] * self._lanes
        in_shared = self._shared_before[stratum] + index - in_whole
        places: np.ndarray = np.where(index < in_whole, in_lane, in_shared)
        return places


def _sums(counts: np.ndarray) -> np.ndarray:
    """Returns the sum of the counts before each place, and of all."""
    sums: np.ndarray = np.concatenate([[0], np.cumsum(counts)])
    return sums


class _LaneRows:
    """The mapped rows of a feed. A table would copy all record batches into one before it takes rows of them."""

    def __init__(self, table: pa.Table, feed: TrainOrder | SequentialOrder):
        self._schema, self._batches, self._places = table.schema, table.to_batches(), _Places(feed)
        self._starts = _sums(np.array([batch.num_rows for batch in self._batches], dtype=np.int64))[:-1]

    def row(self, row: int) -> pa.Table:
        """Returns a row where it is mapped, without a copy."""
        place = int(self._places.of(np.array([row]))[0])
        number = int(np.searchsorted(self._starts, place, side="right")) - 1
        batch = self._batches[number].slice(place - int(self._starts[number]), 1)
        return _pyarrow().Table.from_batches([batch])

    def take(self, rows: np.ndarray) -> pa.Table:
        pa = _pyarrow()
        rows = self._places.of(rows)
        of = np.searchsorted(self._starts, rows, side="right") - 1
        order = np.argsort(of, kind="stable")
        parts = []
        for mine in np.split(order, np.flatnonzero(np.diff(of[order])) + 1) if len(rows) else []:
            number = of[mine[0]]
            parts.append(self._batches[number].take(pa.array(rows[mine] - self._starts[number])))
        return pa.Table.from_batches(parts, self._schema).take(pa.array(np.argsort(order)))


def _picked(rows: range | np.ndarray, index: Sequence[int] | np.ndarray) -> np.ndarray:
    """Returns the rows of a list that are at these places; negative ones count from its end."""
    try:
        numbers = np.asarray(index)
    except ValueError as e:  # lists of several lengths
        raise TypeError(_NUMBERS) from e
    if numbers.ndim != 1 or (len(numbers) and not np.issubdtype(numbers.dtype, np.integer)):
        raise TypeError(_NUMBERS)
    outside = numbers[(numbers < -len(rows)) | (numbers >= len(rows))]
    if len(outside):
        raise IndexError(f"row {outside[0]} does not exist: there are {len(rows):,} rows")
    places = numbers.astype(np.int64)
    places[places < 0] += len(rows)
    return rows.start + rows.step * places if isinstance(rows, range) else rows[places]


def _stored(feed: dict[str, Any]) -> tuple[int, Any]:
    """Returns the lanes of a feed of a ``selection.json`` with its rows, by stratum where it has strata."""
    if feed["kind"] == "sequential":
        return feed["lanes"], feed["rows"]
    return feed["lanes"], tuple((stratum["name"], stratum["rows"]) for stratum in feed["strata"])


def _value(field: dict[str, Any], value: Any) -> Any:
    """Returns a Python value for a scalar, a numpy array for a tensor."""
    if field["dtype"] in ("string", "binary"):
        return value.as_py()
    if not field["shape"]:
        return bool(value.as_py()) if field["dtype"] == "bool" else value.as_py()
    array = value.values.to_numpy(zero_copy_only=False)
    inner = field["shape"][1:] if field["shape"][0] is None else field["shape"]
    shaped = array.reshape(-1, *inner) if field["shape"][0] is None else array.reshape(inner)
    return shaped.astype(bool) if field["dtype"] == "bool" else shaped


def _count(feed: TrainOrder | SequentialOrder) -> int:
    return feed.rows if isinstance(feed, SequentialOrder) else sum(stratum.rows for stratum in feed.strata)


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise RankfeedError("reading rows without a feeder needs pyarrow: pip install 'rankfeed[arrow]'") from None
    return pyarrow
