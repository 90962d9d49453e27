"""Reads what the writers of package format.store wrote, each with its own library, and compares every value.

Usage: read_stores.py FOLDER, with FOLDER/expected.json: fields, and rows of null, hexadecimal bytes, or lists of them.
"""

from __future__ import annotations

import itertools
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import datasets
import lmdb
import msgpack
import numpy as np
import pyarrow.parquet
from megatron.core.datasets.indexed_dataset import IndexedDataset

ROOT = Path(sys.argv[1])
EXPECTED = json.loads((ROOT / "expected.json").read_text())
FIELDS = EXPECTED["fields"]
ROWS = EXPECTED["rows"]


def numpy_type(dtype: str) -> np.dtype:
    return np.dtype("uint16" if dtype == "bfloat16" else dtype).newbyteorder("<")


def hexadecimal(value: Any, field: dict) -> Any:
    """A value of a library as expected.json has it."""
    if value is None:
        return None
    if field["dtype"] in ("string", "binary"):
        if isinstance(value, list):
            return [hexadecimal(item, field) for item in value]
        assert isinstance(value, str if field["dtype"] == "string" else bytes), value
        return (value.encode() if isinstance(value, str) else value).hex()
    array = np.asarray(value, dtype=numpy_type(field["dtype"]))
    if array.size:
        shape = [array.shape[0] if dim is None else dim for dim in field["shape"]]
        assert list(array.shape) == shape, (field, array.shape)
    return array.tobytes().hex()


def compare(row: int, values: dict[str, Any]) -> None:
    assert list(values) == [field["name"] for field in FIELDS]
    for field, expected in zip(FIELDS, ROWS[row], strict=True):
        assert hexadecimal(values[field["name"]], field) == expected, (row, field, values[field["name"]], expected)


def feature(field: dict, dims: list) -> Any:
    if dims:
        return datasets.List(feature(field, dims[1:]), length=-1 if dims[0] is None else dims[0])
    return datasets.Value("uint16" if field["dtype"] == "bfloat16" else field["dtype"])


def huggingface() -> None:
    root = ROOT / "huggingface"
    whole = datasets.load_from_disk(str(root))
    assert list(whole) == ["train"]
    train = datasets.load_from_disk(str(root / "train"))
    assert train._fingerprint == whole["train"]._fingerprint
    assert train.features == datasets.Features({field["name"]: feature(field, field["shape"]) for field in FIELDS})
    assert train.split == "train"
    assert len(train) == len(ROWS)
    for row, values in enumerate(train):
        compare(row, values)
    train.save_to_disk(str(ROOT / "again"))
    again = datasets.load_from_disk(str(ROOT / "again"))
    assert again.features == train.features
    compare(len(ROWS) - 1, again[-1])
    parquet = str(ROOT / "train.parquet")
    train.to_parquet(parquet)
    assert b"features" in pyarrow.parquet.read_schema(parquet).metadata[b"huggingface"]
    table = datasets.Dataset.from_parquet(parquet, cache_dir=str(ROOT / "cache"))
    assert table.features == train.features
    for row, values in enumerate(table):
        compare(row, values)
    empty = datasets.load_from_disk(str(ROOT / "huggingface-empty" / "train"))
    assert len(empty) == 0
    assert empty.features == train.features


def huggingface_parquet() -> None:
    features = datasets.Features({field["name"]: feature(field, field["shape"]) for field in FIELDS})
    files = sorted(map(str, (ROOT / "parquet" / "train").iterdir()))
    assert [Path(file).suffix for file in files] == [".parquet"] * 3
    cache = str(ROOT / "cache-parquet")
    for table in (
        datasets.load_dataset("parquet", data_files=files, split="train", cache_dir=cache),
        datasets.load_dataset("parquet", data_files=files, split="train", cache_dir=cache, streaming=True),
        datasets.Dataset.from_parquet(files, cache_dir=cache),
    ):
        assert table.features == features
        rows = 0
        for row, values in enumerate(table):
            compare(row, values)
            rows += 1
        assert rows == len(ROWS)
    for file in files:
        assert datasets.Features.from_arrow_schema(pyarrow.parquet.read_schema(file)).arrow_schema == features.arrow_schema
        # Each value also without the features, by pyarrow alone.
        assert pyarrow.parquet.read_table(file).schema.remove_metadata() == features.arrow_schema.remove_metadata()
    # The library cannot load a file without rows, its own neither.
    empty = pyarrow.parquet.read_table(next((ROOT / "parquet-empty" / "train").iterdir()))
    assert empty.num_rows == 0
    assert datasets.Features.from_arrow_schema(empty.schema) == features


def unpacked(value: Any, field: dict) -> Any:
    """A value of MessagePack: tensors as the package msgpack-numpy restores them."""
    if isinstance(value, dict):
        assert list(value) == [b"nd", b"type", b"kind", b"shape", b"data"]
        assert value[b"nd"] is True
        assert value[b"kind"] == b""
        return np.ndarray(buffer=value[b"data"], dtype=np.dtype(value[b"type"]), shape=value[b"shape"])
    if field["dtype"] == "bfloat16" and value is not None:
        return int(np.float32(value).view(np.uint32)) >> 16
    return value


def check_environment(folder: Path, count: int) -> list[bytes]:
    with lmdb.open(str(folder), readonly=True, lock=False) as env:
        assert env.stat()["entries"] == count + 1
        with env.begin() as txn, txn.cursor() as cursor:
            entries = list(cursor)
            assert [key for key, _ in entries] == sorted([str(row).encode() for row in range(count)] + [b"__len__"])
            assert txn.get(b"__len__") == str(count).encode()
            assert txn.get(str(count).encode()) is None
            values = [txn.get(str(row).encode()) for row in range(count)]
            assert dict(entries) == {str(row).encode(): value for row, value in enumerate(values)} | {
                b"__len__": str(count).encode()
            }
    change(folder)
    return values


def change(folder: Path) -> None:
    """LMDB itself writes to a copy of the environment, which shows that its pages are those that LMDB expects."""
    copy = folder.with_name(folder.name + "-copy")
    shutil.copytree(folder, copy)
    with lmdb.open(str(copy), map_size=1 << 30) as env:
        before = env.stat()["entries"]
        with env.begin(write=True) as txn:
            for key in range(0, before - 1, 3):
                assert txn.delete(str(key).encode())
            for key in range(before):
                txn.put(f"new{key}".encode(), bytes(key % 5000))
        with env.begin() as txn:
            assert len(list(txn.cursor())) == env.stat()["entries"] == 2 * before - len(range(0, before - 1, 3))
        (copy / "compact").mkdir()
        env.copy(str(copy / "compact"), compact=True)
    with lmdb.open(str(copy / "compact"), readonly=True, lock=False) as env, env.begin() as txn:
        assert txn.get(f"new{before - 1}".encode()) == bytes((before - 1) % 5000)


def lmdb_() -> None:
    for row, value in enumerate(check_environment(ROOT / "lmdb/train", len(ROWS))):
        values = msgpack.unpackb(value)
        compare(row, {field["name"]: unpacked(values.pop(field["name"]), field) for field in FIELDS})
        assert not values
    for row, value in enumerate(check_environment(ROOT / "lmdb-raw/train", EXPECTED["images"])):
        assert value == bytes([row % 251]) * (row * 37 % 9000)
    check_environment(ROOT / "lmdb-empty/train", 0)
    captions = EXPECTED["captions"]
    with lmdb.open(str(ROOT / "lmdb-value/train"), readonly=True, lock=False) as env, env.begin() as txn:
        assert env.stat()["entries"] == 2 * len(captions) + 1
        for row, (image, caption, label) in enumerate(captions):
            assert txn.get(f"{row}".encode()).hex() == image
            meta = json.loads(txn.get(f"meta:{row}".encode()))
            assert list(meta) == ["id", "caption", "y"]
            assert meta["caption"] == (None if caption is None else bytes.fromhex(caption).decode())
            assert meta["y"] == int.from_bytes(bytes.fromhex(label), "little", signed=True)


def megatron() -> None:
    codes = {1: "u1", 2: "i1", 3: "<i2", 4: "<i4", 5: "<i8", 6: "<f8", 7: "<f4", 8: "<u2"}
    for at, field in enumerate(EXPECTED["megatron"]):
        prefix = ROOT / "megatron/train" / (field["name"] + "_document")
        index = prefix.with_suffix(".idx").read_bytes()
        assert index[:17] == b"MMIDIDX\0\0" + (1).to_bytes(8, "little")
        dtype = np.dtype(codes[index[17]])
        count = int.from_bytes(index[18:26], "little")
        documents = int.from_bytes(index[26:34], "little")
        lengths = np.frombuffer(index, "<i4", count, 34)
        offsets = np.frombuffer(index, "<i8", count, 34 + 4 * count)
        ends = np.frombuffer(index, "<i8", documents, 34 + 12 * count)
        assert len(index) == 34 + 12 * count + 8 * documents
        assert list(ends) == list(range(count + 1))
        tokens = np.memmap(prefix.with_suffix(".bin"), dtype, "r")
        for row in range(count):
            start = offsets[row] // dtype.itemsize
            assert tokens[start : start + lengths[row]].tobytes().hex() == EXPECTED["sequences"][row][at]
        library = IndexedDataset(str(prefix))
        assert library.index.dtype == dtype
        assert [sequence.tobytes().hex() for sequence in library] == [row[at] for row in EXPECTED["sequences"]]
        assert list(library.document_indices) == list(ends)


def megatron_packed() -> None:
    """Each row is one document, with one sequence for each member."""
    library = IndexedDataset(str(ROOT / "megatron-packed/train/tokens_document"))
    rows = EXPECTED["packed"]
    assert [sequence.tolist() for sequence in library] == [member for row in rows for member in row]
    assert library.document_indices.tolist() == [0, *itertools.accumulate(len(row) for row in rows)]


def enn() -> None:
    folder = ROOT / "enn/train"
    meta = json.loads((folder / "meta.json").read_text())
    shape = (meta["N"], meta["feature_dim"])
    features = np.memmap(folder / meta["features_path"], meta["features_dtype"], "r", shape=shape)
    labels = np.memmap(folder / meta["labels_path"], meta["labels_dtype"], "r", shape=(meta["N"], *meta["label_shape"]))
    x = np.frombuffer(bytes.fromhex("".join(EXPECTED["x"])), "<f4").reshape(meta["N"], -1)
    y = np.frombuffer(bytes.fromhex("".join(EXPECTED["y"])), "<i4")
    assert np.array_equal(features, x, equal_nan=True)
    assert np.array_equal(labels, y)
    assert meta["has_nonfinite"] == (not np.isfinite(x).all())
    sizes = np.abs(np.concatenate([x[np.isfinite(x)].astype("f8"), y.astype("f8")]))
    assert meta["scale_max_abs"] == sizes.max()
    assert meta["scale_min_positive"] == sizes[sizes > 0].min()


huggingface()
huggingface_parquet()
lmdb_()
megatron()
megatron_packed()
enn()
print(f"{len(ROWS)} rows, {len(FIELDS)} fields")
