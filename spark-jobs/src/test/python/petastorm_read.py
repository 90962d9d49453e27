"""Reads a prepared table with petastorm itself, and compares what it gets with the rows that went in.

petastorm_read.py FOLDER URL: FOLDER/rows.jsonl has the rows in the order of id, a JSON object each; FOLDER/mapping.json
the fields, and for each what docs/format/petastorm.md says: [Arrow type, numpy type, codec, shape, nullable].
"""

import io
import json
import math
import sys

import numpy as np
import pyarrow.parquet as pq
from petastorm import make_batch_reader, make_reader
from petastorm.etl.dataset_metadata import get_schema_from_dataset_url


def same(value, wanted, field, where):
    if wanted is None:
        assert value is None, f"{where}: {value!r}, not null"
    elif field.shape != ():
        assert isinstance(value, np.ndarray) and value.dtype == np.dtype(field.numpy_dtype), f"{where}: {value!r}"
        np.testing.assert_array_equal(value, np.array(wanted, dtype=field.numpy_dtype), err_msg=where)
    elif isinstance(wanted, str) and wanted in ("NaN", "Infinity", "-Infinity") and not isinstance(value, str):
        assert value == float(wanted) or math.isnan(value) and wanted == "NaN", f"{where}: {value!r}, not {wanted}"
    elif isinstance(value, bytes):
        assert value == bytes.fromhex(wanted), f"{where}: {value!r}, not {wanted}"
    else:
        kind = np.str_ if isinstance(wanted, str) else field.numpy_dtype
        assert kind(value) == kind(wanted), f"{where}: {value!r}, not {wanted!r}"


def check_schema(schema, url, mapping):
    assert set(schema.fields) == set(mapping), set(schema.fields) ^ set(mapping)
    files = sorted(pq.ParquetDataset(url.removeprefix("file://"), validate_schema=False).pieces, key=lambda p: p.path)
    arrow = pq.read_schema(files[0].path)
    for name, (arrow_type, numpy_type, codec, shape, nullable) in mapping.items():
        field = schema.fields[name]
        shape = tuple(None if size < 0 else size for size in shape)
        reported = (str(arrow.field(name).type), np.dtype(field.numpy_dtype).type.__name__, str(field.codec).split("(")[0])
        wanted = (arrow_type, np.dtype(getattr(np, numpy_type)).type.__name__, codec)
        assert reported == wanted, f"{name}: {reported}, not {wanted}"
        assert (field.shape, bool(field.nullable)) == (shape, nullable), f"{name}: {field}"


def main(folder, url):
    with open(folder + "/rows.jsonl") as lines:
        wanted = [json.loads(line) for line in lines]
    with open(folder + "/mapping.json") as text:
        mapping = json.load(text)
    schema = get_schema_from_dataset_url(url)
    check_schema(schema, url, mapping)

    with make_reader(url, reader_pool_type="dummy", num_epochs=1, shuffle_row_groups=False) as reader:
        rows = sorted((row._asdict() for row in reader), key=lambda row: row["id"])
    assert len(rows) == len(wanted), f"{len(rows)} rows, not {len(wanted)}"
    for row, expected in zip(rows, wanted):
        for name, field in schema.fields.items():
            same(row[name], expected.get(name), field, f"make_reader, id {expected['id']}, {name}")

    batches = 0
    seen = {}
    with make_batch_reader(url, reader_pool_type="dummy", num_epochs=1, shuffle_row_groups=False) as reader:
        for batch in reader:
            batches += 1
            for at, number in enumerate(batch.id):
                seen[int(number)] = {name: getattr(batch, name)[at] for name in schema.fields}
    assert batches > 1, "one row group"
    for expected in wanted:
        for name, field in schema.fields.items():
            value = seen[expected["id"]][name]
            if field.shape != () and value is not None:
                value = np.load(io.BytesIO(value))
            if isinstance(value, (float, np.floating)) and math.isnan(value) and name not in expected:
                value = None  # a batch's columns are numpy arrays, in which a null number is NaN
            same(value, expected.get(name), field, f"make_batch_reader, id {expected['id']}, {name}")
    print(f"{len(rows)} rows, {len(schema.fields)} fields, {batches} batches")


if __name__ == "__main__":
    main(*sys.argv[1:])
