"""Reads a set of files with the library of its format, and compares each value with the rows that were written.

formats_read.py LIBRARY FOLDER: FOLDER/schema.json has the fields, FOLDER/rows.jsonl for each row its id and the bytes of each value in
hexadecimal; FOLDER/train… is the set.
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

MISSING = object()
Row = tuple[Any, dict[str, Any]]


def items(packed: bytes) -> list[bytes]:
    """The items of a packed list: their number, their lengths, their bytes."""
    (count,) = struct.unpack_from("<i", packed)
    found, at = [], 4 + 4 * count
    for length in struct.unpack_from(f"<{count}i", packed, 4):
        found.append(packed[at : at + length])
        at += length
    return found


def expected(field: dict[str, Any], value: str | None) -> Any:
    """The value in Python: a number, an array, str, bytes or a list. The bits of bfloat16 are uint16."""
    if value is None:
        return MISSING
    raw, dtype = bytes.fromhex(value), field["dtype"]
    if dtype in ("string", "binary"):
        parts = items(raw) if field["shape"] else [raw]
        parts = [part.decode() for part in parts] if dtype == "string" else parts
        return parts if field["shape"] else parts[0]
    array = np.frombuffer(raw, "uint16" if dtype == "bfloat16" else dtype)
    return array.reshape([-1 if size == -1 and array.size else max(size, 0) for size in field["shape"]]) if field["shape"] else array[0]


def webdataset(folder: Path, fields: list[dict[str, Any]]) -> Iterator[Row]:
    import webdataset as wds

    shards = [str(path) for path in sorted((folder / "train").glob("*.tar"))]
    for sample in wds.WebDataset(shards, shardshuffle=False).decode():
        row = {}
        for field in fields:
            name = field["name"]
            if not field["shape"] and field["dtype"] not in ("string", "binary"):
                number = sample["json"][name]
                row[name] = MISSING if number is None else bits(field["dtype"], number)
            else:
                found = [sample[key] for key in (f"{name}.npy", f"{name}.txt", f"{name}.bin", f"{name}.json") if key in sample]
                row[name] = found[0] if found else MISSING
        yield int(sample["__key__"]), row


def bits(dtype: str, number: Any) -> Any:
    if dtype == "bfloat16":
        return np.uint16(np.float32(number).view(np.uint32) >> 16)
    return np.dtype(dtype).type(number)


def mds(folder: Path, fields: list[dict[str, Any]]) -> Iterator[Row]:
    from streaming import StreamingDataset

    for sample in StreamingDataset(local=str(folder), split="train", batch_size=1, shuffle=False, keep_zip=False):
        row = {}
        for field in fields:
            name = field["name"]
            row[name] = MISSING if field["nullable"] and not sample[f"{name}.valid"] else sample[name]
        yield None, row


def tfrecord(folder: Path, fields: list[dict[str, Any]]) -> Iterator[Row]:
    from tfrecord.example_pb2 import Example
    from tfrecord.reader import tfrecord_iterator
    from tfrecord.tools.tfrecord2idx import create_index

    for path in sorted((folder / "train").glob("*.tfrecord")):
        create_index(str(path), str(folder / "index"))
        assert path.with_suffix(".tfindex").read_text() == (folder / "index").read_text(), path
        for record in tfrecord_iterator(str(path)):
            features = Example.FromString(bytes(record)).features.feature
            yield None, {field["name"]: feature(field, features) for field in fields}


def tensorflow(folder: Path, fields: list[dict[str, Any]]) -> Iterator[Row]:
    """Checks the checksums, too. Columns of one shape without null are parsed as their type and shape."""
    import tensorflow as tf

    fixed = [field for field in fields if not field["nullable"] and -1 not in field["shape"]]
    parsers = {}
    for field in fixed:
        is_bytes = field["dtype"] in ("string", "binary", "float64")
        stored = tf.string if is_bytes else tf.float32 if "float" in field["dtype"] else tf.int64
        parsers[field["name"]] = tf.io.FixedLenFeature([] if is_bytes else field["shape"], stored)
    for record in tf.data.TFRecordDataset(sorted(map(str, (folder / "train").glob("*.tfrecord")))):
        features = tf.train.Example.FromString(record.numpy()).features.feature
        row = {field["name"]: feature(field, features) for field in fields}
        parsed = tf.io.parse_single_example(record, parsers)
        for field in fixed:
            values = parsed[field["name"]]
            if field["dtype"] == "float64":
                row[field["name"]] = tf.io.decode_raw(values, tf.float64).numpy().reshape(field["shape"])
            else:
                array = values.numpy()  # of a string its bytes
                row[field["name"]] = converted(field, [array] if isinstance(array, bytes) else array.reshape(-1))
        yield None, row


def feature(field: dict[str, Any], features: Any) -> Any:
    if field["name"] not in features:
        return MISSING
    found = features[field["name"]]
    return converted(field, getattr(found, found.WhichOneof("kind")).value)


def converted(field: dict[str, Any], values: Any) -> Any:
    dtype, shape = field["dtype"], field["shape"]
    if dtype in ("string", "binary"):
        found = [value.decode() for value in values] if dtype == "string" else list(values)
        return found if shape else found[0]
    if dtype == "float64":
        array = np.frombuffer(values[0], "<f8")
    elif dtype == "bfloat16":
        array = (np.array(values, "float32").view(np.uint32) >> 16).astype("uint16")
    else:
        array = np.array(values, "float32" if dtype.startswith("float") else "int64").astype(dtype)
    return array.reshape([-1 if size == -1 and array.size else max(size, 0) for size in shape]) if shape else array[0]


def equal(found: Any, wanted: Any, field: dict[str, Any]) -> bool:
    if found is MISSING or wanted is MISSING or not isinstance(wanted, np.generic | np.ndarray):
        return found is wanted or found == wanted
    found = np.asarray(found)
    stored = {"bool": (np.dtype("bool"), np.dtype("uint8"))}.get(field["dtype"], (wanted.dtype,))
    return found.dtype in stored and found.shape == wanted.shape and found.astype(wanted.dtype).tobytes() == wanted.tobytes()


def main() -> None:
    name, folder = sys.argv[1], Path(sys.argv[2])
    fields = json.loads((folder / "schema.json").read_text())
    wanted = [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]
    metadata = json.loads((folder / "train_metadata.json").read_text())
    assert [row["id"] for row in metadata] == [row["id"] for row in wanted]
    count = 0
    readers = {"webdataset": webdataset, "mds": mds, "tfrecord": tfrecord, "tensorflow": tensorflow}
    for (key, found), row in zip(readers[name](folder, fields), wanted, strict=True):
        assert key is None or key == row["id"], (key, row["id"])
        for field in fields:
            value = expected(field, row["values"][field["name"]])
            assert equal(found[field["name"]], value, field), (count, field, found[field["name"]], value)
        count += 1
    print(f"{name}: {count} rows equal")


if __name__ == "__main__":
    main()
