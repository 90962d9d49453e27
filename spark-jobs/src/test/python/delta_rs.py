"""Writes src/test/resources/delta-rs: a Delta table whose log has statistics that do not include every value.

    python3 -m venv /tmp/delta && /tmp/delta/bin/pip install deltalake==1.6.6 pyarrow
    /tmp/delta/bin/python spark-jobs/src/test/python/delta_rs.py

deltalake 1.6.6 wrote the files in the repository. Its statistics leave out NaN, and have decimals as rounded floats.
"""

import decimal
import shutil
from pathlib import Path

import deltalake
import pyarrow as pa

FOLDER = Path(__file__).resolve().parents[1] / "resources/delta-rs"


def main() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    values = [0.0, 1.0, 2.0, float("nan"), 4.0]
    small = [decimal.Decimal("1234567890123456.78")] * 5
    large = [decimal.Decimal("123456789012345678901234567890.12")] * 5
    columns = {
        "id": pa.array(range(5), pa.int64()),
        "d": pa.array(values, pa.float64()),
        "f": pa.array(values, pa.float32()),
        "s": pa.array([{"d": value} for value in values]),
        "decimal18": pa.array(small, pa.decimal128(18, 2)),
        "decimal38": pa.array(large, pa.decimal128(38, 2)),
    }
    deltalake.write_deltalake(FOLDER, pa.table(columns))


if __name__ == "__main__":
    main()
