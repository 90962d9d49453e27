"""Feeds an imported version for one epoch, in the order of its plan, and prints the rows per second as a JSON line.

The last rows that do not fill a batch are not fed.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import time
from collections.abc import Iterator

import numpy as np
from stores import Value, number

import rankfeed


def values(batch: rankfeed.Batch, column: str) -> Iterator[Value]:
    """Yields the values of the rows of a batch, as the library of their format gives them."""
    data, offsets, lengths = (batch.get(name) for name in (column, f"{column}.offsets", f"{column}.lengths"))
    if offsets is None:
        yield from data if lengths is None else (row[:length] for row, length in zip(data, lengths.tolist(), strict=True))
        return
    for start, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        value = data[start:end]
        if data.dtype != np.uint8:
            yield value
        else:
            yield np.load(io.BytesIO(value.tobytes())) if column.endswith("npy") else value.tobytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    parser.add_argument("column")
    parser.add_argument("--rows", type=int, required=True)
    args = parser.parse_args()
    how = {"rank": 0, "world": 1, "columns": [args.column], "row_id": False, "output": "numpy", "wait_seconds": 120}
    seen, given = np.zeros(args.rows, bool), 0
    with rankfeed.serve(args.version) as run, rankfeed.Feed(run, **how) as feed:
        start = time.perf_counter()
        for batch in feed:
            given += batch.valid_rows
            for value in values(batch, args.column):
                seen[number(value)] = True
        seconds = time.perf_counter() - start
    distinct = np.count_nonzero(seen)
    if distinct < given or args.rows - given >= batch.valid_rows:
        sys.exit(f"{args.version}: {given} rows were fed, {distinct} different ones of {args.rows}")
    print(json.dumps({"imported": given / seconds}))


if __name__ == "__main__":
    main()
