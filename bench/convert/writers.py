"""One peer, one process: reads the Parquet table, writes it in its own format, and counts what it wrote. Prints one JSON line.

The clock of the start runs from the moment that compare.py starts the process to the first line of work: interpreter, imports, session.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from clock import cpu_seconds

PROCESSES = 2
SHARD_BYTES = 64 << 20


def files(table: Path) -> list[str]:
    return sorted(str(path) for path in table.glob("*.parquet"))


def rows_of(paths: list[str]):
    """Yields rows as the guides of the peers read Parquet: by batches of pyarrow; lists become arrays without a copy."""
    import numpy as np
    import pyarrow.parquet as pq
    for path in paths:
        for batch in pq.ParquetFile(path).iter_batches(4096):
            numbers = batch["row"].to_numpy()
            if "tokens" in batch.schema.names:
                values = batch["tokens"].flatten().to_numpy().reshape(len(batch), -1)
                yield from ({"row": int(n), "tokens": np.ascontiguousarray(row)} for n, row in zip(numbers, values, strict=True))
            else:
                yield from ({"row": int(n), "image": image} for n, image in zip(numbers, batch["image"].to_pylist(), strict=True))


def mds_part(paths: list[str], out: str) -> None:
    from streaming import MDSWriter

    columns = {"row": "int64", "tokens": "ndarray:int16:512"} if "tokens" in Path(paths[0]).parent.name else {"row": "int64", "image": "bytes"}
    with MDSWriter(out=out, columns=columns, size_limit=SHARD_BYTES, progress_bar=False) as writer:
        for row in rows_of(paths):
            writer.write(row)


def mds(table: Path, out: Path, processes: int):
    import streaming  # noqa: F401  imported before the clock of the work starts

    def work() -> int:
        all_files = files(table)
        if processes == 1:
            mds_part(all_files, str(out))
        else:
            from streaming.base.util import merge_index

            parts = [(all_files[i::processes], str(out / str(i))) for i in range(processes)]
            with multiprocessing.get_context("fork").Pool(processes) as pool:
                pool.starmap(mds_part, parts)
            merge_index(str(out))
        return sum(shard["samples"] for shard in json.loads((out / "index.json").read_text())["shards"])

    return work


def litdata_rows(path: str):
    yield from rows_of([path])


def litdata(table: Path, out: Path):
    import litdata as package

    def work() -> int:
        package.optimize(
            fn=litdata_rows, inputs=files(table), output_dir=str(out), chunk_bytes=SHARD_BYTES, num_workers=PROCESSES, verbose=False
        )
        index = json.loads((out / "index.json").read_text())
        return sum(chunk["chunk_size"] for chunk in index["chunks"])

    return work


def huggingface(table: Path, out: Path):
    import datasets

    datasets.disable_progress_bars()

    def work() -> int:
        found = datasets.load_dataset("parquet", data_files=files(table), split="train", num_proc=PROCESSES, cache_dir=str(out / "cache"))
        found.save_to_disk(str(out / "saved"), num_proc=PROCESSES)
        return found.num_rows

    return work


def petastorm(table: Path, out: Path):
    import numpy as np
    from petastorm.codecs import NdarrayCodec, ScalarCodec
    from petastorm.etl.dataset_metadata import materialize_dataset
    from petastorm.unischema import Unischema, UnischemaField, dict_to_spark_row
    from pyspark.sql import SparkSession
    from pyspark.sql.types import LongType

    tokens = "tokens" in table.name
    row = UnischemaField("row", np.int64, (), ScalarCodec(LongType()), False)
    value = (
        UnischemaField("tokens", np.int16, (512,), NdarrayCodec(), False)
        if tokens
        else UnischemaField("image", np.uint8, (None,), NdarrayCodec(), False)
    )
    schema = Unischema("Rows", [row, value])
    builder = SparkSession.builder.master(f"local[{PROCESSES}]").config("spark.driver.memory", "2g").config("spark.ui.enabled", "false")
    spark = builder.getOrCreate()

    def packed(found):
        array = np.array(found.tokens, np.int16) if tokens else np.frombuffer(found.image, np.uint8)
        return dict_to_spark_row(schema, {"row": found.row, "tokens" if tokens else "image": array})

    def work() -> int:
        with materialize_dataset(spark, f"file://{out}", schema, 128):
            rows = spark.read.parquet(str(table)).rdd.map(packed)
            spark.createDataFrame(rows, schema.as_spark_schema()).write.parquet(f"file://{out}")
        return parquet_rows(out)

    return work


def spark(table: Path, out: Path):
    """Reads and writes with Spark, with the codec of rankfeed."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.getOrCreate()

    def work() -> int:
        session.read.parquet(str(table)).write.option("compression", "zstd").parquet(str(out))
        return sum(path.stat().st_size > 0 for path in out.glob("*.parquet")) and session.read.parquet(str(out)).count()

    return work


def parquet_rows(folder: Path) -> int:
    import pyarrow.parquet as pq

    return sum(pq.ParquetFile(path).metadata.num_rows for path in folder.glob("*.parquet"))


def flushed(folder: Path) -> int:
    """Waits until every file is on the disk, as rankfeed does before it says that a version is complete; returns their
    bytes."""
    size = 0
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
            size += path.stat().st_size
    return size


WRITERS = {
    "mds:1": lambda table, out: mds(table, out, 1),
    "mds:2": lambda table, out: mds(table, out, PROCESSES),
    "litdata": litdata,
    "huggingface": huggingface,
    "petastorm": petastorm,
    "spark": spark,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=WRITERS)
    parser.add_argument("--table", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--began", type=float, required=True)
    args = parser.parse_args()
    work = WRITERS[args.name](args.table, args.out)
    started = time.time()
    rows = work()
    size = flushed(args.out)
    times = {"start": started - args.began, "seconds": time.time() - started}
    print(json.dumps({**times, "rows": rows, "bytes": size, "cpu": cpu_seconds(os.getpid())}), flush=True)


if __name__ == "__main__":
    main()
