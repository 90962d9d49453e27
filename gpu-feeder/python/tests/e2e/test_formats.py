"""Tables in ORC, Arrow, Feather and CSV, as pyarrow, datasets and Python write them, value by value in one job."""

from __future__ import annotations

import csv
import datetime
import decimal
import json
import random
from pathlib import Path

import jobs
import pyarrow as pa
import pyarrow.feather
import pyarrow.orc
import pyarrow.parquet as pq

ROWS = 300
TEXTS = ["", "a", 'say "x, y"', "two\nlines", "tab\tand\rreturn", "Zürich 漢字 😀", " blanks ", "null", "\\n", "\0"]
TYPES = {
    "id": pa.int64(),
    "small": pa.int8(),
    "n": pa.int32(),
    "x": pa.float64(),
    "y": pa.float32(),
    "flag": pa.bool_(),
    "text": pa.string(),
    "blob": pa.binary(),
    "day": pa.date32(),
    "at": pa.timestamp("us"),
    "money": pa.decimal128(12, 2),
    "nums": pa.list_(pa.int64()),
    "more": pa.struct([("a", pa.int32()), ("b", pa.string())]),
    "words": pa.list_(pa.string()),
}
# Each column as text or a number of JSON.
READ = {
    "small": "small",
    "n": "n",
    "x": "x",
    "y": "cast(y AS double)",
    "flag": "flag",
    "text": "text",
    "blob": "lower(hex(blob))",
    "day": "unix_date(day)",
    "at": "unix_micros(cast(at AS timestamp))",
    "money": "cast(money AS string)",
    "nums": "nums",
    "a": "more.a",
    "b": "more.b",
    "words": "words",
    "unsigned": "unsigned",
    "half": "cast(half AS double)",
    "kind": "kind",
    "named": "named",
    "pair": "pair",
    "fold": "fold",
}
EPOCH = datetime.date(1970, 1, 1)
CSV = ["id", "n", "x", "flag", "text"]


def drawn(seed: int) -> dict[str, list]:
    """Columns of ROWS values of the types, of which one in six is null."""
    draw = random.Random(seed)

    def value(name: str, of: pa.DataType):
        if name != "id" and draw.random() < 1 / 6:
            return None
        texts = [draw.choice(TEXTS) for _ in range(draw.randrange(4))]
        return {
            "small": lambda: draw.randrange(-128, 128),
            "n": lambda: draw.choice([-(2**31), 2**31 - 1, draw.randrange(-99, 99)]),
            "x": lambda: draw.choice([0.1, -1e300, 5e-324, draw.gauss(0, 1)]),
            "y": lambda: draw.choice([0.5, -2.25, 1024.0]),
            "flag": lambda: draw.random() < 0.5,
            "text": lambda: "".join(texts),
            "blob": lambda: draw.randbytes(draw.randrange(5)),
            "day": lambda: EPOCH + datetime.timedelta(days=draw.randrange(-9999, 20_000)),
            "at": lambda: datetime.datetime(1970, 1, 2) + datetime.timedelta(microseconds=draw.randrange(10**15)),
            "money": lambda: decimal.Decimal(draw.randrange(-(10**11), 10**11)).scaleb(-2),
            "nums": lambda: [draw.choice([None, draw.randrange(-(2**63), 2**63)]) for _ in range(draw.randrange(4))],
            "more": lambda: {"a": draw.choice([None, 7]), "b": draw.choice(TEXTS)},
            "words": lambda: texts,
        }[name]()

    return {
        name: list(range(ROWS)) if name == "id" else [value(name, of) for _ in range(ROWS)]
        for name, of in TYPES.items()
    }


def table(columns: dict[str, list]) -> pa.Table:
    return pa.table({name: pa.array(values, TYPES[name]) for name, values in columns.items()})


def expected(row: dict) -> dict:
    """Returns a row in the form of the job's query."""
    at, day, more = row.get("at"), row.get("day"), row.get("more") or {}
    read = {name: row[name] for name in READ if name in row}
    micros = datetime.timedelta(microseconds=1)
    read |= {
        "blob": None if row.get("blob") is None else row["blob"].hex(),
        "at": None if at is None else (at.replace(tzinfo=None) - datetime.datetime(1970, 1, 1)) // micros,
        "day": None if day is None else (day - EPOCH).days,
        "money": None if row.get("money") is None else str(row["money"]),
        "a": more.get("a"),
        "b": more.get("b"),
    }
    read["named"] = dict(row["named"]) if "named" in row else None
    return {name: value for name, value in read.items() if value is not None}


def write_csv(file: Path, rows: list[dict]) -> None:
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(CSV)
        for row in rows:
            flag = {True: "true", False: "false", None: None}[row["flag"]]
            writer.writerow([flag if name == "flag" else row[name] for name in CSV])


def more_types(rows: pa.Table) -> pa.Table:
    """Types that only Arrow has."""
    ids = rows["id"].to_pylist()
    return (
        rows.append_column("unsigned", pa.array([2**32 - 1 - n for n in ids], pa.uint32()))
        .append_column("half", pa.array([n / 2 for n in ids], pa.float16()))
        .append_column("kind", pa.array([f"kind {n % 3}" for n in ids]).dictionary_encode())
        .append_column(
            "named", pa.array([[(f"k{n % 3}", n), ("k", None)] for n in ids], pa.map_(pa.string(), pa.int32()))
        )
        .append_column("pair", pa.array([[n, -n] for n in ids], pa.list_(pa.int16(), 2)))
    )


def test_formats_have_the_values_of_their_libraries(tmp_path):
    from datasets import Dataset

    sources, rows = {}, {}
    for seed, name in enumerate(["orc", "saved", "feather", "stream", "csv"]):
        columns = drawn(seed)
        rows[name] = table(columns)
        (tmp_path / name).mkdir()

    orc = rows["orc"].combine_chunks()
    for fold in (1, 2):
        (tmp_path / "orc" / f"fold={fold}").mkdir()
        # Of a slice pyarrow's writer takes other values of structs.
        part = pa.Table.from_pylist(orc.to_pylist()[fold - 1 :: 2], orc.schema)
        pyarrow.orc.write_table(part, tmp_path / "orc" / f"fold={fold}" / "a.orc", compression="zstd")
    fold = pa.array([1 + n % 2 for n in range(ROWS)], pa.int32())
    rows["orc"] = orc.append_column("fold", fold)
    sources["orc"] = {"orc": f"{tmp_path}/orc", "partitions": {"fold": "int"}}

    Dataset(rows["saved"]).save_to_disk(tmp_path / "saved", num_shards=3)
    sources["saved"] = {"arrow": f"{tmp_path}/saved"}

    rows["feather"] = more_types(rows["feather"])
    pyarrow.feather.write_feather(rows["feather"], tmp_path / "feather" / "a.feather", "lz4", chunksize=70)
    sources["feather"] = {"arrow": f"{tmp_path}/feather"}

    rows["stream"] = more_types(rows["stream"])
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(tmp_path / "stream" / "a.arrow", rows["stream"].schema, options=options) as out:
        for at in range(0, ROWS, 110):
            out.write_table(rows["stream"].slice(at, 110))
    sources["stream"] = {"arrow": f"{tmp_path}/stream"}

    # Python's writer makes no difference between an empty text and none.
    plain = [row | {"text": row["text"] or None} for row in rows["csv"].select(CSV).to_pylist()]
    write_csv(tmp_path / "csv" / "a.csv", plain)
    rows["csv"] = pa.Table.from_pylist(plain, rows["csv"].select(CSV).schema)
    schema = "id BIGINT, n INT, x DOUBLE, flag BOOLEAN, text STRING"
    sources["csv"] = {"csv": f"{tmp_path}/csv", "schema": schema}

    queries = []
    for name, columns in rows.items():
        known = set(columns.column_names) | ({"a", "b"} if "more" in columns.column_names else set())
        fields = [f"'{column}', {sql}" for column, sql in READ.items() if column in known]
        queries.append(f"SELECT '{name}' AS source, id, to_json(named_struct({', '.join(fields)})) AS row FROM {name}")
    described = {
        "dataset": "formats",
        "root": str(tmp_path / "root"),
        "sources": sources,
        "prepare": {"sql": " UNION ALL ".join(queries), "key": ["source", "id"]},
        "sample": {"all": {"batch": 8, "lanes": 1}},
    }
    job = tmp_path / "job.yaml"
    job.write_text(json.dumps(described), "utf-8")
    jobs.job("prepare", job, "--run-id", "formats")

    root = tmp_path / "root" / "formats"
    prepared = json.loads((root / "runs" / "formats" / "run.json").read_text())["prepared"]
    read = pq.read_table(sorted((root / "prepared" / prepared).rglob("*.parquet"))).to_pylist()
    assert len(read) == ROWS * len(rows)
    found = {(row["source"], row["id"]): json.loads(row["row"]) for row in read}
    for name, columns in rows.items():
        for row in columns.to_pylist():
            assert found[name, row["id"]] == expected(row), (name, row["id"])
