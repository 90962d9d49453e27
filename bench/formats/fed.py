"""Feeds a version for all epochs of a plan. Prints the rows per second of the first epoch and the median of the last five as a JSON line.

In the first epoch each row's number is checked. The last rows that do not fill a batch are not fed.
"""

from __future__ import annotations

import argparse
import io
import json
import statistics
import sys
import time
from collections import deque
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import rankfeed
from stores import Value, number

LAST = 5
"""Number of epochs at the end, of which the median is printed."""


def values(batch: rankfeed.Batch, column: str) -> Iterator[Value]:
    """Returns the values of the rows of a batch, as the library of their format gives them."""
    data, offsets, lengths = (batch.get(name) for name in (column, f"{column}.offsets", f"{column}.lengths"))
    if offsets is None:
        return iter(data) if lengths is None else (row[:length] for row, length in zip(data, lengths.tolist(), strict=True))
    rows = (data[start:end] for start, end in pairwise(offsets.tolist()))
    if column.endswith("npy"):
        return (np.load(io.BytesIO(row.tobytes())) for row in rows)
    return (row.tobytes() for row in rows) if data.dtype == np.uint8 else rows


def epoch(feed: rankfeed.Feed, column: str, rows: int, check: bool) -> float:
    """Returns the rows per second of one epoch, of which each value is made."""
    seen, given = np.zeros(rows, bool), 0
    start = time.perf_counter()
    for batch in feed:
        given += batch.valid_rows
        if not check:
            deque(values(batch, column), maxlen=0)
            continue
        for value in values(batch, column):
            seen[number(value)] = True
    seconds = time.perf_counter() - start
    distinct = np.count_nonzero(seen) if check else given
    if distinct < given or rows - given >= batch.valid_rows:
        sys.exit(f"{given} rows were fed, {distinct} different ones of {rows}")
    return given / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    parser.add_argument("column")
    parser.add_argument("--plan", required=True)
    parser.add_argument("--epochs", type=int, required=True, help="of the plan")
    parser.add_argument("--rows", type=int, required=True)
    args = parser.parse_args()
    how = {"rank": 0, "world": 1, "columns": [args.column], "row_id": False, "output": "numpy", "wait_seconds": 120}
    with rankfeed.serve(args.version, plan=args.plan) as run, rankfeed.Feed(run, **how) as feed:
        rates = [epoch(feed, args.column, args.rows, round_number == 0) for round_number in range(args.epochs)]
    print(json.dumps({"first": rates[0], "fed": statistics.median(rates[-LAST:])}))


if __name__ == "__main__":
    main()
