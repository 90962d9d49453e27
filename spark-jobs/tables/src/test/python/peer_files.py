"""Writes files by the libraries of their formats, and the rows that these libraries read of them (expected.json).

    .envs/formats/bin/python peer_files.py FOLDER
"""

import io
import json
import pathlib
import sys

import datasets
import lmdb
import numpy as np
import tfrecord
import webdataset
from streaming import MDSWriter, StreamingDataset
from tfrecord.reader import tfrecord_loader

ROWS = 9
root = pathlib.Path(sys.argv[1])
rng = np.random.default_rng(5)
expected = {}


def plain(value):
    """The value as JSON has it: bytes in hexadecimal, arrays as lists."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return [plain(item) for item in value.values()]
    return [plain(item) for item in value] if isinstance(value, list) else value


def expect(path, columns, rows):
    expected[path] = {"columns": columns, "rows": [[plain(row.get(name)) for name in columns.values()] for row in rows]}


def web(name):
    with webdataset.TarWriter(str(root / name), encoder=True) as out:
        for n in range(ROWS):
            sample = {
                "__key__": f"part/{n:03d}",
                "cls": int(rng.integers(-5, 5)),
                "txt": f"text {n} ä",
                "x.npy": rng.normal(size=(n % 3 + 1, 2)).astype("f4"),
                "half.npy": rng.normal(size=3).astype("f2"),
                "json": {"n": n},
                "bin": rng.bytes(n),
            }
            out.write(sample if n != 4 else {key: value for key, value in sample.items() if key != "cls"})
    rows = [dict(row) for row in webdataset.WebDataset(str(root / name), shardshuffle=False, empty_check=False)]
    for row in rows:
        for key, value in row.items():
            if key.endswith("npy"):
                row[key] = np.load(io.BytesIO(value))
            elif key in ("cls", "txt", "json"):
                row[key] = int(value) if key == "cls" else value.decode()
    columns = ["__key__", "cls", "txt", "x.npy", "half.npy", "json", "bin"]
    expect(name, {key.replace(".", "_"): key for key in columns}, rows)


def records(name):
    writer = tfrecord.TFRecordWriter(str(root / name))
    for n in range(ROWS):
        writer.write(
            {
                "n": (int(rng.integers(-(2**63), 2**63)), "int"),
                "tokens": (rng.integers(0, 50_000, 2 + n).tolist(), "int"),
                "x": (float(np.float32(rng.normal())), "float"),
                "name": (f"name {n}".encode(), "byte"),
            }
        )
    writer.close()
    kinds = {"n": "int", "tokens": "int", "x": "float", "name": "byte"}
    rows = list(tfrecord_loader(str(root / name), None, kinds))
    for row in rows:
        row.update(n=row["n"][0], x=row["x"][0], name=bytes(row["name"]))
    expect(name, {key: key for key in kinds}, rows)


def saved(name):
    rows = [{"id": n, "image": {"bytes": rng.bytes(n), "path": None}, "words": ["a"] * n} for n in range(ROWS)]
    features = datasets.Features(
        {
            "id": datasets.Value("int64"),
            "image": datasets.Image(decode=False),
            "words": datasets.List(datasets.Value("string")),
        }
    )
    datasets.Dataset.from_list(rows, features=features).save_to_disk(root / "saved")
    read = datasets.load_from_disk(root / "saved")
    expect(name, {key: key for key in features}, [dict(row) for row in read])


def shards(name, compression):
    columns = {
        "n": "int",
        "small": "uint8",
        "big": "uint64",
        "half": "float16",
        "text": "str",
        "raw": "bytes",
        "json": "json",
        "fixed": "ndarray:int16:2,3",
        "open": "ndarray:float32",
    }
    rows = []
    with MDSWriter(out=str(root / name), columns=columns, compression=compression, hashes=["sha1", "xxh64"]) as out:
        for n in range(ROWS):
            row = {
                "n": -n,
                "small": np.uint8(250 + n % 5),
                "big": np.uint64(2**64 - 1 - n),
                "half": np.float16(n / 2),
                "text": f"text {n} ä",
                "raw": rng.bytes(n),
                "json": {"n": n},
                "fixed": rng.integers(-9, 9, (2, 3)).astype("i2"),
                "open": rng.normal(size=(n + 1, 2)).astype("f4"),
            }
            out.write(row)
            rows.append(row)
    read = list(StreamingDataset(local=str(root / name), shuffle=False, batch_size=1))
    assert [row["n"] for row in read] == [row["n"] for row in rows]
    for row in read:
        row.update(open=row["open"].ravel(), json=json.dumps(row["json"]))
    if compression:
        # The library has decompressed it.
        (root / name / "shard.00000.mds").unlink()
    zipped = "" if compression is None else "." + compression.split(":")[0]
    expect(f"{name}/shard.00000.mds{zipped}", {key: key for key in columns}, read)


def entries(name, sizes):
    """Keys are replaced and deleted in several transactions, so that pages are free and out of order."""
    with lmdb.open(str(root / name), map_size=1 << 26) as env:
        for _ in range(3):
            with env.begin(write=True) as transaction:
                for _ in range(500):
                    key = rng.bytes(int(rng.integers(1, 40)))
                    transaction.put(key, rng.bytes(int(rng.choice(sizes))))
                for key in [key for key, _ in transaction.cursor()][::4]:
                    transaction.delete(key)
        with env.begin() as transaction:
            rows = [{"key": key, "value": value} for key, value in transaction.cursor()]
    expect(f"{name}/data.mdb", {"key": "key", "value": "value"}, rows)


web("a.tar")
web("a.tar.gz")
records("a.tfrecord")
for codec in (None, "zstd:7", "gz", "bz2:9"):
    shards(f"mds-{codec}".split(":")[0], codec)
entries("small.lmdb", [0, 1, 100])
entries("large.lmdb", [10, 2000, 2040, 4080, 4081, 70_000])
saved("saved/data-00000-of-00001.arrow")
(root / "expected.json").write_text(json.dumps(expected))
