"""Writes src/test/resources/parquet-types: Parquet files of types and encodings, and the values that pyarrow reads.

    .envs/test/bin/python spark-jobs/src/test/python/parquet_types.py

pyarrow 26.0.1 wrote the files in the repository. A value in expected.json is a text: digits of a number, hexadecimal
bytes, the bits of a float as a double, or the days, microseconds or nanoseconds since 1970.
"""

import datetime
import decimal
import json
import struct
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

FOLDER = Path(__file__).resolve().parents[1] / "resources/parquet-types"
ROWS = 16
FLOATS = [0.0, -0.0, float("nan"), float("inf"), float("-inf"), 0.1]
HALVES = [np.float16(value) for value in [*FLOATS, 6e-8, -6e-8, 65504.0, -65504.0]]
DAYS = [datetime.date(1, 1, 1), datetime.date(1582, 10, 4), datetime.date(1582, 10, 15), datetime.date(1969, 12, 31)]
MICROS = [-62135596800000000, -12219292800000001, -12219292800000000, -1, 0, 253402300799999999]
NANOS = [-(2**63), -1, 0, 1, 2**63 - 1]


def limits(digits: int, scale: int) -> list[decimal.Decimal]:
    with decimal.localcontext(prec=40):
        largest = decimal.Decimal(10**digits - 1).scaleb(-scale)
        return [largest, -largest, decimal.Decimal(1).scaleb(-scale), -decimal.Decimal(1).scaleb(-scale)]


def column(values: list, of: pa.DataType) -> pa.Array:
    """The values in turn, with a null after them."""
    values = [*values, None]
    return pa.array([values[row % len(values)] for row in range(ROWS)], of)


def text(scalar: pa.Scalar) -> str | list | None:
    if not scalar.is_valid:
        return None
    kind = scalar.type
    if isinstance(kind, pa.BaseExtensionType):
        return text(scalar.value)
    if pa.types.is_list(kind):
        return [text(element) for element in scalar.values]
    if pa.types.is_floating(kind):
        value = float(scalar.as_py())
        return str(struct.unpack(">q", struct.pack(">d", value if value == value else float("nan")))[0])
    if pa.types.is_decimal(kind):
        return format(scalar.as_py(), "f")
    if pa.types.is_temporal(kind):
        return str(scalar.value)
    return scalar.as_py().hex() if isinstance(scalar.as_py(), bytes) else str(scalar.as_py())


COLUMNS = {
    "half": column(HALVES, pa.float16()),
    "single": column([*FLOATS, 1e-45, 3.4028234663852886e38], pa.float32()),
    "double": column([*FLOATS, 5e-324, -1.7976931348623157e308], pa.float64()),
    "small": column([-(2**31), -1, 0, 2**31 - 1], pa.int32()),
    "large": column([-(2**63), -1, 0, 2**63 - 1], pa.int64()),
    "bytes": column([b"\0\0\0", b"\xff\xff\xff", b"abc"], pa.binary(3)),
    "decimal9": column(limits(9, 2), pa.decimal128(9, 2)),
    "decimal18": column(limits(18, 4), pa.decimal128(18, 4)),
    "decimal38": column(limits(38, 10), pa.decimal128(38, 10)),
    "day": column(DAYS, pa.date32()),
    "at": column(MICROS, pa.timestamp("us", "UTC")),
    "nanos": column(NANOS, pa.timestamp("ns")),
    "time_millis": column([0, 1, 86_399_999], pa.time32("ms")),
    "time_micros": column([0, 1, 86_399_999_999], pa.time64("us")),
    "time_nanos": column([0, 1, 86_399_999_999_999], pa.time64("ns")),
    "uuid": column([bytes(16), b"\xff" * 16, b"0123456789abcdef"], pa.uuid()),
}
LISTS = {
    "halves": column([[], HALVES, [None]], pa.list_(pa.float16())),
    "times": column([[], NANOS, [None]], pa.list_(pa.timestamp("ns"))),
    "clocks": column([[], [0, 86_399_999_999], [None]], pa.list_(pa.time64("us"))),
    "nested": column([[], [HALVES, [], [None]], [None]], pa.list_(pa.list_(pa.float16()))),
}
IDS = {"id": pa.array(range(ROWS))}

FOLDER.mkdir(exist_ok=True)
options = {"compression": "lz4", "write_page_checksum": True}
pq.write_table(pa.table(IDS | COLUMNS | LISTS), FOLDER / "plain.parquet", **options)
for version in ("1.0", "2.0"):
    pq.write_table(
        pa.table(IDS | COLUMNS),
        FOLDER / f"split-{version}.parquet",
        use_dictionary=False,
        use_byte_stream_split=list(COLUMNS),
        data_page_version=version,
        row_group_size=7,
        **options,
    )
lists = pa.table(IDS | LISTS | {"single": COLUMNS["single"]})
pq.write_table(lists, FOLDER / "lists.parquet", use_dictionary=False)
pq.write_table(lists, FOLDER / "split-lists.parquet", use_dictionary=False, use_byte_stream_split=["single"])
read = pq.read_table(FOLDER / "plain.parquet")
expected = {name: [text(value) for value in read[name]] for name in read.column_names if name != "id"}
lines = [f"{json.dumps(name)}: {json.dumps(values)}" for name, values in expected.items()]
(FOLDER / "expected.json").write_text("{" + ",\n".join(lines) + "}\n", "utf-8")

# Row groups whose statistics do not have NaN, and one whose dictionary has only -0.0.
nan = float("nan")
numbers = [1.0, nan, -0.0, -0.0, nan, nan, 5.0, 6.0]
floats = {
    "id": pa.array(range(8)),
    "d": pa.array(numbers, pa.float64()),
    "f": pa.array(numbers, pa.float32()),
    "s": pa.array([{"d": number} for number in numbers], pa.struct([("d", pa.float64())])),
}
pq.write_table(pa.table(floats), FOLDER / "nan.parquet", row_group_size=2)
