"""A few rows of files at several depths, from the folders to the trainer, against a walk over the files."""

from __future__ import annotations

import jobs
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from launch import made, rankfeed
from nodes import Feeder

import rankfeed as client

WIDTH = 1000
JOB = """
dataset: folders
root: {root}
sources:
  rows: {{parquet: "{table}", partitions: {{fold: int}}}}
prepare:
  select: {{from: rows}}
  tensors: {{payload: {{dtype: int32, shape: [{width}]}}}}
sample:
  train: {{kind: sequential, where: "id % 13 = 7", batch: 8, lanes: 1}}
"""
# By file: the rows that it has.
FILES = {
    "fold=1/a.parquet": 300,
    "fold=1/below/this one/b.parquet": 500,
    "fold=1/below/empty.parquet": 0,
    "deep/er/fold=02/c.parquet": 400,
    "fold=-3/x%20y/d.parquet": 300,
}


def test_chosen_rows_of_nested_folders_equal_their_files(project, tmp_path, monkeypatch):
    random, first = np.random.default_rng(7), 0
    for name, rows in FILES.items():
        file = tmp_path / "in" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        payload = random.integers(-(2**31), 2**31, rows * WIDTH).astype(np.int32)
        table = pa.table(
            {
                "id": pa.array(range(first, first + rows), pa.int64()),
                "payload": pa.ListArray.from_arrays(pa.array(range(0, (rows + 1) * WIDTH, WIDTH), pa.int32()), payload),
            }
        )
        pq.write_table(table, file, row_group_size=70, data_page_size=1 << 16)
        first += rows
    job = tmp_path / "job.yaml"
    job.write_text(JOB.format(root=tmp_path / "root", table=tmp_path / "in", width=WIDTH), "utf-8")
    jobs.job("pipeline", job, "--run-id", "folders")

    expected = {}
    for file in (tmp_path / "in").rglob("*.parquet"):
        fold = next(int(part.removeprefix("fold=")) for part in file.parts if part.startswith("fold="))
        for row in pq.ParquetFile(file).read().to_pylist():
            if row["id"] % 13 == 7:
                expected[row["id"]] = (fold, row["payload"])
    assert 0 < 10 * len(expected) <= first

    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
    version = made(tmp_path / "root", "folders", "folders").path
    fed = {}
    with Feeder(version, tmp_path / "rt", "folders", "--in-place"), client.Feed("folders", output="numpy") as feed:
        for batch in feed:
            for i, number in enumerate(batch["id"].tolist()):
                assert number not in fed
                fed[number] = (int(batch["fold"][i]), batch["payload"][i].tolist())
    assert fed == expected


@pytest.mark.nightly
def test_mixed_files_and_partition_folders_are_refused(project, tmp_path):
    for name in ("a.parquet", "fold=1/b.parquet"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({"id": pa.array([1], pa.int64())}), tmp_path / "in" / name)
    job = tmp_path / "job.yaml"
    text = JOB.format(root=tmp_path / "root", table=tmp_path / "in", width=WIDTH)
    job.write_text("\n".join(line for line in text.splitlines() if "tensors" not in line), "utf-8")
    done = rankfeed("pipeline", job, check=False)
    assert done.returncode == 2, done.stderr[-3000:]
    assert "a.parquet" in done.stderr and "fold=1/b.parquet" in done.stderr
    assert not list((tmp_path / "root").rglob("manifest.json"))
