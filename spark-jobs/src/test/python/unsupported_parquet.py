"""Writes src/test/resources/parquet-unsupported: valid Parquet files, each with a column `x` that a job refuses.

    .envs/test/bin/python spark-jobs/src/test/python/unsupported_parquet.py

pyarrow 26.0.1 wrote the files in the repository.
"""

import base64
import decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe

FOLDER = Path(__file__).resolve().parents[1] / "resources/parquet-unsupported"
IDS = pa.array(range(20))
FLOATS = pa.array(np.arange(20, dtype=np.float32))


def write(name: str, x: pa.Array, **options) -> Path:
    path = FOLDER / f"{name}.parquet"
    pq.write_table(pa.table({"id": IDS, "x": x}), path, **options)
    return path


def codec_lz4(path: Path) -> None:
    """Turns codec LZ4_RAW (7) in the footer into the deprecated LZ4 (5): the blocks stay without Hadoop's framing."""
    data = bytearray(path.read_bytes())
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    field = bytes([0x15, 7 << 1])  # an i32 of Thrift's compact protocol, one field further, zigzag
    at = data.find(field, footer)
    while at >= 0:
        data[at + 1] = 5 << 1
        at = data.find(field, at + 1)
    path.write_bytes(data)


class Keys(pe.KmsClient):
    def wrap_key(self, key, master):
        return base64.b64encode(master.encode() + key)

    def unwrap_key(self, wrapped, master):
        return base64.b64decode(wrapped)[len(master) :]


def encrypted(name: str, plaintext_footer: bool) -> None:
    factory = pe.CryptoFactory(lambda _config: Keys())
    config = pe.EncryptionConfiguration(
        footer_key="footer", column_keys={"column": ["x"]}, plaintext_footer=plaintext_footer
    )
    properties = factory.file_encryption_properties(pe.KmsConnectionConfig(), config)
    table = pa.table({"id": IDS, "x": FLOATS})
    with pq.ParquetWriter(FOLDER / f"{name}.parquet", table.schema, encryption_properties=properties) as writer:
        writer.write_table(table)


write("brotli", FLOATS, compression={"x": "brotli", "id": "snappy"})
write("decimal-60", pa.array([decimal.Decimal("1.5")] * 20, pa.decimal256(60, 2)))
codec_lz4(write("lz4", FLOATS, compression={"x": "lz4", "id": "snappy"}))
nulls = pa.array([None] * 10 + [0.5] * 10, pa.float32())
pages = {"data_page_version": "2.0", "data_page_size": 1, "write_batch_size": 10, "use_dictionary": False}
codec_lz4(write("lz4-after-nulls", nulls, compression={"x": "lz4", "id": "snappy"}, **pages))
encrypted("encrypted-footer", plaintext_footer=False)
encrypted("encrypted-column", plaintext_footer=True)
