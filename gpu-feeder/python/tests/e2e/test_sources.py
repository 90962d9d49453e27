"""Hive tables, job files from anywhere, relative roots and odd inputs, through a real spark-submit."""

from __future__ import annotations

import json
import os
import resource
import subprocess
from pathlib import Path

import pytest
from claims import assert_same_plan
from huggingface_hub import DatasetCard
from launch import HERE, job_over, made, rankfeed


def metastore(folder: Path) -> list[str]:
    settings = {
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={folder}/metastore;create=true",
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={folder}",
        "spark.ui.enabled": "false",
    }
    return [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]


@pytest.fixture(scope="module")
def hive(spark_home, table, tmp_path_factory) -> Path:
    """A partitioned Hive table in an embedded Derby metastore."""
    folder = tmp_path_factory.mktemp("hive")
    statement = (
        "CREATE DATABASE demo; CREATE TABLE demo.solutions USING parquet PARTITIONED BY (split) "
        f"AS SELECT * FROM parquet.`{table}`"
    )
    sql = [str(spark_home / "bin" / "spark-sql"), "--master", "local[2]", *metastore(folder), "-e", statement]
    done = subprocess.run(sql, capture_output=True, text=True, cwd=folder, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


@pytest.mark.nightly
def test_a_hive_table_gives_the_same_plan(house, hive, tmp_path):
    job = job_over("{hive: demo.solutions}", tmp_path)
    words = ["pipeline", job, "--run-id", "hive", "--set", f"root={tmp_path / 'root'}"]
    rankfeed("--spark", " ".join(metastore(hive)), *words, cwd=tmp_path)
    assert_same_plan(house, made(tmp_path / "root", "hive"))
    assert not (tmp_path / "metastore_db").exists() and not (tmp_path / "spark-warehouse").exists()


@pytest.mark.nightly
def test_job_file_on_other_file_system_or_shipped_runs(project, spark_home, table, house, tmp_path):
    """`file:` stands for any Hadoop file system here; --files brings the job next to the driver.

    A relative root is in the working directory.
    """
    jar = project / "spark-jobs" / "target" / "rankfeed-spark-jobs.jar"
    roots = {"uri": str(tmp_path / "root"), "files": "out/put"}
    submit = [str(spark_home / "bin" / "spark-submit"), "--master", "local[2]", "--conf", "spark.ui.enabled=false"]
    for run, shipped, job in [
        ("uri", [], (HERE / "house.yaml").as_uri()),
        ("files", ["--files", str(HERE / "house.yaml")], "house.yaml"),
    ]:
        words = [job, "--run-id", run, "--set", f"root={roots[run]}", "--set", f"sources.solutions.parquet={table}"]
        command = [*submit, *shipped, "--class", "io.rankfeed.spark.PrepareJob", str(jar), *words]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, timeout=300, env=os.environ, check=False
        )
        assert done.returncode == 0, done.stderr[-3000:]
    prepared = [
        json.loads((tmp_path / root / "house" / "runs" / run / "run.json").read_text())["prepared"]
        for run, root in roots.items()
    ]
    assert prepared == [house.prepared] * 2


@pytest.mark.nightly
def test_folder_with_an_empty_parquet_file_is_read(table, house, tmp_path):
    import pyarrow.parquet as pq

    folder = tmp_path / "input"
    folder.mkdir()
    rows = pq.read_table(table)
    pq.write_table(rows, folder / "part-0.parquet")
    pq.write_table(rows.slice(0, 0), folder / "part-1.parquet")
    words = ["prepare", HERE / "house.yaml", "--run-id", "empty", "--set", f"root={tmp_path / 'root'}"]
    rankfeed(*words, "--set", f"sources.solutions.parquet={folder}")
    facts = json.loads((tmp_path / "root" / "house" / "runs" / "empty" / "run.json").read_text())
    read, whole = (
        json.loads((root / "prepared" / prepared / "manifest.json").read_text())["rows"]
        for root, prepared in [(tmp_path / "root" / "house", facts["prepared"]), (house.root, house.prepared)]
    )
    assert read == whole


@pytest.mark.nightly
def test_locked_or_absent_metastore_is_reported(hive, spark_home, tmp_path):
    job = job_over("{hive: demo.solutions}", tmp_path)
    words = ["prepare", job, "--set", f"root={tmp_path / 'root'}"]
    derby = ["java", "-cp", f"{spark_home}/jars/*", "org.apache.derby.tools.ij"]
    with subprocess.Popen(derby, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as holder:
        holder.stdin.write(f"connect 'jdbc:derby:{hive}/metastore';\nVALUES 'held';\n")
        holder.stdin.flush()
        assert any("1 row selected" in line for line in holder.stdout)
        held = rankfeed("--spark", " ".join(metastore(hive)), *words, cwd=tmp_path, check=False)
        holder.stdin.close()
    assert (held.returncode, "the Derby metastore is in use" in held.stderr) == (4, True), held.stderr[-3000:]
    uris = "--conf spark.ui.enabled=false --conf spark.hadoop.hive.metastore.uris=thrift://127.0.0.1:1"
    absent = rankfeed("--spark", uris, *words, cwd=tmp_path, check=False)
    said = absent.stderr[-3000:]
    assert (absent.returncode, "the Hive metastore cannot be reached" in said) == (4, True), said


@pytest.mark.nightly
def test_full_disk_at_spill_exits_with_4_and_commits_nothing(project, table, tmp_path):
    """No file may grow beyond Spark's copy of the jar; a shuffle without compression wants more."""
    jar = project / "spark-jobs" / "target" / "rankfeed-spark-jobs.jar"
    limit = jar.stat().st_size + (1 << 20)
    done = rankfeed(
        "--spark", "--conf spark.shuffle.compress=false --conf spark.ui.enabled=false",
        "prepare", HERE / "house.yaml", "--set", f"root={tmp_path / 'root'}", "--set", "prepare.tensors=",
        "--set", f"sources.solutions.parquet={table}",
        "--set", f"prepare.sql=SELECT task_id, repeat(output, {limit // 10_000}) AS output FROM solutions",
        check=False, env={**os.environ, "RANKFEED_DELTA": "off"}, restore_signals=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    assert done.returncode == 4, done.stderr[-3000:]
    assert "File too large" in done.stderr
    assert not list((tmp_path / "root").rglob("manifest.json"))


def test_the_hub_s_own_parser_reads_the_cards(house):
    prepared = house.root / "prepared" / house.prepared
    for folder, splits in ((prepared, {"train"}), (house.path, {"curriculum", "plain", "valid"})):
        manifest = json.loads((folder / "manifest.json").read_text())
        card = DatasetCard.load(folder / "README.md")
        data = card.data.to_dict()
        assert data["pretty_name"] == "house"
        assert data["tags"] == ["rankfeed"]
        assert data["size_categories"] == ["n<1K" if manifest["rows"] < 1_000 else "1K<n<10K"]
        (config,) = data["configs"]
        assert {each["split"] for each in config["data_files"]} == splits
        for each in config["data_files"]:
            assert list(folder.glob(each["path"])), each
        info = data["dataset_info"]
        assert sum(each["num_examples"] for each in info["splits"]) == manifest["rows"]
        assert {each["name"] for each in info["features"]} >= {"_row_id", "_source", "_source_row"}
        again = DatasetCard(str(card))
        assert again.data.to_dict() == data
        assert again.text == card.text
