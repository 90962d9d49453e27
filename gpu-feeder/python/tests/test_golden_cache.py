"""Reads the golden version, which Java wrote, with pyarrow."""

import hashlib
import json
from pathlib import Path

import pyarrow as pa

FOLDER = Path(__file__).parents[3] / "schema/src/test/resources/golden/version"
MANIFEST = json.loads((FOLDER / "manifest.json").read_bytes())
ORDER = json.loads((FOLDER / "order.json").read_bytes())
LANES = 2


def table(path):
    with pa.memory_map(str(FOLDER / path)) as source:
        reader = pa.ipc.open_file(source)
        batches = [reader.get_batch(i) for i in range(reader.num_record_batches)]
        for batch in batches:
            batch.validate(full=True)
        return reader, [b.num_rows for b in batches], pa.Table.from_batches(batches).to_pydict()


def expected(n):
    return {
        "_source": 0,
        "_source_row": n,
        "label": n - 50,
        "box": [n + i / 4 for i in range(6)],
        "ids": [n * 10 + i for i in range(n % 6)],
        "text": "" if n % 5 == 0 else f"row {n} ✓",
        "blob": bytes([n % 256]) * (n % 4),
        "score": n / 8 if n % 3 else 0.0,
        "score.valid": 1 if n % 3 else 0,
        "good": 1 - n % 2,
        "names": [f"{n}.{i} ✓" for i in range(n % 3)],
        "files": [bytes([n % 256]) * i for i in range(n % 4 - 1)],
        "files.valid": int(n % 4 > 0),
    }


def check(path, rows, lane):
    reader, batch_rows, columns = table(path)
    assert reader.metadata[b"rankfeed.lane"] == lane.encode()
    assert len(reader.metadata[b"rankfeed.crc32c"].split(b",")) == len(batch_rows)
    assert sum(batch_rows) == len(rows)
    assert all(count == ORDER["storage"]["batchRows"] for count in batch_rows[:-1])
    names = list(columns)
    assert names[0] == "_row_id"
    for i, n in enumerate(rows):
        assert {name: columns[name][i] for name in names[1:]} == expected(n), (path, i)
    return columns["_row_id"]


def test_every_listed_file_equals_the_manifest():
    for entry in MANIFEST["files"]:
        data = (FOLDER / entry["path"]).read_bytes()
        assert len(data) == entry["bytes"]
        assert hashlib.sha256(data).hexdigest() == entry["sha256"]


def test_lanes_hold_the_rows_of_the_plan_in_order():
    easy, hard = (s["rows"] for s in ORDER["feeds"][0]["strata"])
    shard_rows = ORDER["storage"]["shardRows"]
    ids = []
    for lane in range(LANES):
        rows = list(range(lane, easy // LANES * LANES, LANES))
        rows += [100 + i for i in range(lane, hard // LANES * LANES, LANES)]
        for shard in range(0, len(rows), shard_rows):
            path = f"lanes/train/lane-{lane:05d}-{shard // shard_rows:05d}.arrow"
            ids += check(path, rows[shard : shard + shard_rows], str(lane))
        valid = [200 + i for i in range(lane, ORDER["feeds"][1]["rows"], LANES)]
        ids += check(f"lanes/valid/lane-{lane:05d}-00000.arrow", valid, str(lane))
    shared = [easy - 1, 100 + hard - 1]
    ids += check("lanes/train/shared-00000.arrow", shared, "shared")
    assert len(set(ids)) == MANIFEST["rows"]


def test_fields_say_their_dtype_and_shape():
    reader, _, _ = table("lanes/train/shared-00000.arrow")
    for field in MANIFEST["schema"]["fields"]:
        metadata = reader.schema.field(field["name"]).metadata
        assert metadata[b"rankfeed.dtype"] == field["dtype"].encode()
        assert json.loads(metadata[b"rankfeed.shape"]) == field["shape"]
    assert not any(field.nullable for field in reader.schema)
