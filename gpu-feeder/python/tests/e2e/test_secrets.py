"""No output of a run has a secret of its job, or a control character of its data."""

from __future__ import annotations

import json
import os
import random
import re
import string
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from launch import made, rankfeed

# What steers a terminal, or turns the direction of text. Ends of lines and tabs are layout.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
KINDS = [
    "plain",
    "\x1b[31mred",
    "bell\x07",
    "two\nlines",
    "back\x08\r",
    "\u202egpj.exe",
    "c1\x9b0m",
    "del\x7f",
    "u\u2028v",
]

JOB = """
dataset: secrets
root: ROOT
sources:
  rows: {parquet: INPUT, where: "kind <> 'https://a.blob.core.windows.net/c?sv=1&sig={QUERY}'"}
prepare:
  sql: >-
    SELECT id, kind, length FROM rows
    WHERE kind <> 'jdbc:postgresql://bob:{URL}@h/db' AND kind <> 'hf_{TOKEN}' AND kind <> 'fs.s3a.secret.key={PAIR}'
    AND kind <> 'Authorization: Bearer {HEADER}'
  key: [id]
sample:
  train:
    where: "kind <> 'password={WHERE}'"
    batch: 9
    lanes: 1
    strata: [{column: kind}]
    balance: [kind]
    on-shortage: repeat
"""


class Secrets:
    """One secret for each placeholder, and an assertion that a text has none of them."""

    PLACEHOLDERS = "QUERY URL TOKEN PAIR HEADER WHERE SET SETTING ENVIRONMENT CAST".split()

    def __init__(self, dice: random.Random):
        letters = string.ascii_letters + string.digits
        self.of = {placeholder: "Zq7" + "".join(dice.choices(letters, k=24)) for placeholder in self.PLACEHOLDERS}

    def into(self, text: str) -> str:
        for placeholder, secret in self.of.items():
            text = text.replace(f"{{{placeholder}}}", secret)
        return text

    def assert_absent(self, text: str, where: object) -> None:
        found = [placeholder for placeholder, secret in self.of.items() if secret in text]
        assert not found, f"{where} has the secrets of {found}"


@pytest.fixture
def secrets() -> Secrets:
    seed = random.randrange(1 << 32)
    print("seed", seed)
    return Secrets(random.Random(seed))


@pytest.fixture
def table(tmp_path) -> Path:
    folder = tmp_path / "input"
    folder.mkdir()
    ids = np.arange(90)
    rows = {"id": ids, "kind": [KINDS[i % len(KINDS)] for i in ids], "length": ids.astype(np.int32)}
    pq.write_table(pa.table(rows), folder / "part-\x1b[31m-\u202e.parquet")
    return folder


@pytest.fixture
def ran(secrets, tmp_path):
    """Runs a command whose output must have no secret and no control character; returns its standard output."""
    environment = {**os.environ, "SOME_API_KEY": secrets.of["ENVIRONMENT"], "PWD": str(tmp_path)}

    def run(*words: object, exit_code: int = 0) -> str:
        done = rankfeed(*words, check=False, env=environment)
        both = done.stdout + done.stderr
        assert done.returncode == exit_code, both
        secrets.assert_absent(both, words)
        assert not CONTROL.search(both), (words, CONTROL.search(both))
        return done.stdout

    return run


@pytest.fixture
def spark(secrets, table, tmp_path, ran):
    """Runs the job with words of its command, as `ran`."""
    job = tmp_path / "job.yaml"
    job.write_text(secrets.into(JOB).replace("ROOT", str(tmp_path / "root")).replace("INPUT", str(table)))
    submit = f"--conf spark.hadoop.fs.s3a.bucket.x.secret.key={secrets.of['SETTING']}"

    def run(*words: object, exit_code: int = 0) -> str:
        return ran("--spark", submit, "pipeline", job, *words, exit_code=exit_code)

    return run


@pytest.fixture
def sets(secrets) -> list[str]:
    return ["--set", secrets.into("sample.train.where=kind <> 'api_key={SET}'")]


@pytest.mark.nightly
def test_dry_run_has_no_secret_or_control_character(spark, sets):
    assert "<redacted>" in spark("--dry-run", "--verbose", *sets)


def test_output_has_no_secret_or_control_character(secrets, ran, spark, sets, tmp_path):
    spark("--run-id", "one", *sets)
    # Spark quotes the value without its name, and the SQL and settings that the process has.
    values = "concat('{ENVIRONMENT}', '{SETTING}', 'token={CAST}', kind)"
    broken = f"prepare.sql=SELECT id, kind, CAST({values} AS INT) AS length FROM rows"
    spark("--run-id", "two", "--verbose", "--set", secrets.into(broken), exit_code=3)
    version = made(tmp_path / "root", "one", "secrets").path
    described = ran("inspect", version, "--json")
    facts = json.loads(described[described.index("{\n") :])  # a JVM may write warnings before
    assert {row["stratum"] for row in facts["strata of train"]} == set(KINDS)
    assert str(version) in ran("inspect", version)
    ran("simulate", version)
    ran("explain", version, "--epoch", 0, "--step", 0, "--rank", 0, "--world", 1, "--columns", "kind")
    ran("verify", version)
    ran("feed", f"s3a://AKID:{secrets.of['URL']}@bucket/x\x1b[31m", exit_code=2)
    ran(f"s3a://AKID:{secrets.of['URL']}@bucket/\x07", exit_code=2)
    files = [file for file in (tmp_path / "root").rglob("*") if file.is_file()]
    for file in files:
        secrets.assert_absent(file.read_bytes().decode("latin-1"), file)
        if file.suffix in (".html", ".md"):
            assert not CONTROL.search(file.read_text("utf-8")), file
    names = {file.name for file in files}
    assert {"run.json", "report.html", "README.md", "manifest.json", "order.json"} <= names


@pytest.mark.nightly
def test_another_secret_is_another_table(secrets, table, tmp_path):
    """The stored query shows no secret, but a condition on one decides the rows."""
    ids = []
    for run in ("one", "two"):
        sets = {
            "root": tmp_path / "root",
            "sources.rows.parquet": table,
            "prepare.sql": f"SELECT id, kind, length FROM rows WHERE concat('token=', kind) <> 'token={run}-secret'",
        }
        job = tmp_path / "job.yaml"
        job.write_text(secrets.into(JOB))
        words = [word for key, value in sets.items() for word in ("--set", f"{key}={value}")]
        rankfeed("prepare", job, "--run-id", run, *words)
        facts = json.loads((tmp_path / "root" / "secrets" / "runs" / run / "run.json").read_text())
        ids.append(facts["prepared"])
        manifest = json.loads((tmp_path / "root/secrets/prepared" / ids[-1] / "manifest.json").read_text())
        assert "'token=<redacted>'" in manifest["job"]["prepare"]["sql"]
        assert len(manifest["job"]["redacted"]) == 64
    assert ids[0] != ids[1]
