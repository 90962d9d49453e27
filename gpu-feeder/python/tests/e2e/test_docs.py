"""The documentation does what it says: every block that runs or names a file is executed in its page's order."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from cluster import Cluster
from hadoop import MiniHadoop
from launch import PROJECT, rankfeed
from pages import Reader, blocks
from PIL import Image
from test_wheels import UV

import rankfeed as rankfeed_client

DOCS = PROJECT / "docs"


# Pages whose blocks run in a checkout, and what runs them.
ELSEWHERE = {
    "CONTRIBUTING.md": "the site's test below, and CI",
    "python-transforms.md": "test_python_transforms.py",
    "how-to/airflow.md": "test_airflow.py",
    "testing.md": "CI",
}
FOLLOWED = [
    *(
        "tutorial.md guide.md install.md index.md text.md transforms.md explanation/order.md reference/feed-file.md"
    ).split(),
    *(f"how-to/{name}.md" for name in "hive delta images chat balance curriculum cluster nodes hdfs".split()),
    *(f"how-to/from-{name}.md" for name in "webdataset streaming datasets".split()),
]


def test_every_page_that_can_be_executed_is():
    pages = {str(page.relative_to(DOCS)): blocks(page) for page in DOCS.rglob("*.md")}
    executed = {page for page, found in pages.items() if any(block.runs for block in found)}
    assert executed == {*FOLLOWED, *ELSEWHERE}


def test_the_readme_shows_commands_that_are_tested():
    found = blocks(PROJECT / "README.md")
    commands = {line.split("  ")[0] for block in found if block.language == "bash" for line in block.text.splitlines()}
    assert commands == {
        "pip install 'rankfeed[spark,images]' torch",  # test_wheels.py
        "rankfeed quickstart",  # test_wheels.py
        "rankfeed init /data/my-table",  # InitIT
        "./rankfeed quickstart",  # test_quickstart.py
        "mvn verify",  # CI
    }
    for block in found:
        if block.language == "python":
            compile(block.text, "README.md", "exec")


def optional(schema):
    """The schema of parts of a file: nothing is required."""
    if isinstance(schema, dict):
        return {key: optional(value) for key, value in schema.items() if key not in ("required", "oneOf")}
    return [optional(value) for value in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize("page", ["job-file.md", "functions.md", "text.md", "format/petastorm.md"])
def test_parts_of_files_have_valid_keys(page):
    schemas = [json.loads((DOCS / "schema" / f"{kind}.schema.json").read_text()) for kind in ("job", "feed")]
    parts = [block for block in blocks(DOCS / page) if block.language == "yaml" and not block.title]
    assert parts or page == "format/petastorm.md"
    for block in parts:
        part = yaml.safe_load(block.text)
        part = {"feeds": {"train": part}} if "columns" in part else part
        jsonschema.validate(part, optional(schemas["feeds" in part]))


def test_messages_of_the_troubleshooting_page_are_those_of_the_code():
    roots = [PROJECT / name for name in "schema sampling shard-export spark-jobs gpu-feeder".split()]
    files = [file for root in roots for kind in ("java", "py") for file in root.glob(f"**/src/**/*.{kind}")]
    code = "\n".join(file.read_text() for file in files if "test" not in file.parts)
    page = (DOCS / "troubleshooting.md").read_text()
    messages = re.findall(r"^\| (`[^|]+) \|", page, re.MULTILINE)
    assert len(messages) > 25
    parts = [
        part.strip()
        for message in messages
        for quoted in re.findall("`([^`]+)`", message)
        for part in quoted.split("…")
    ]
    unknown = [part for part in parts if part and part not in code]
    assert unknown == ["Java heap space"], "only the JVM's own message is not in the code"


def test_the_site_is_built_without_a_warning(tmp_path):
    mkdocs = [Path(sys.executable).parent / "mkdocs", "build", "--strict", "--quiet"]
    words = ["-f", PROJECT / "conf" / "docs" / "mkdocs.yml", "--site-dir", tmp_path]
    done = subprocess.run([*mkdocs, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Feed" in (tmp_path / "reference" / "python.html").read_text()
    assert (tmp_path / "source" / "conf" / "feeds" / "default.yaml.html").is_file()


@pytest.mark.nightly
def test_the_tutorial_trains(tmp_path):
    said = Reader(tmp_path / "work").follow(DOCS / "tutorial.md")
    assert "continues at 1" in said
    (last,) = [line for line in said.splitlines() if line.startswith("epoch 7: ")]
    assert int(last.split("%")[0].removeprefix("epoch 7: ")) > 60


@pytest.mark.nightly
@pytest.mark.parametrize("page", ["how-to/balance.md", "how-to/curriculum.md", "how-to/delta.md"])
def test_a_page_works_in_an_empty_folder(tmp_path, page):
    Reader(tmp_path / "work").follow(DOCS / page)


@pytest.mark.nightly
def test_a_table_of_ones_own(tmp_path):
    draw = random.Random(3)
    rows = 8000
    columns = {
        "id": [f"review-{number}" for number in range(rows)],
        "tokens": [[draw.randrange(100) for _ in range(draw.randrange(1, 30))] for _ in range(rows)],
        "embedding": [[draw.random() for _ in range(8)] for _ in range(rows)],
        "label": [draw.choice(["good", "bad"]) for _ in range(rows)],
        "stars": [draw.randrange(1, 6) for _ in range(rows)],
        "split": [draw.choices(["train", "valid"], [9, 1])[0] for _ in range(rows)],
    }
    (tmp_path / "data" / "reviews").mkdir(parents=True)
    pq.write_table(pa.table(columns), tmp_path / "data" / "reviews" / "part-0.parquet")
    said = Reader(tmp_path / "work", {"/data/": f"{tmp_path}/data/"}).follow(DOCS / "guide.md")
    assert "next: " in said


@pytest.mark.nightly
def test_images_with_a_broken_one(tmp_path):
    photos = tmp_path / "data" / "photos"
    draw = random.Random(5)
    items = []
    for number in range(400):
        kind = draw.choice(["cat", "dog"])
        (photos / kind).mkdir(parents=True, exist_ok=True)
        color = tuple(draw.randrange(256) for _ in range(3))
        Image.new("RGB", (80 + number % 40, 70), color).save(photos / kind / f"{number}.jpg")
        items.append({"id": str(number), "file": f"{kind}/{number}.jpg", "kind": kind})
    broken = photos / "dog" / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff\xe0 no image")
    items.append({"id": "broken", "file": "dog/broken.jpg", "kind": "dog"})
    (tmp_path / "data" / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    Reader(tmp_path / "work", {"/data/": f"{tmp_path}/data/"}).follow(DOCS / "how-to" / "images.md")
    assert "<img" in (tmp_path / "work" / "sheet.html").read_text()


@pytest.mark.nightly
def test_conversations(tmp_path):
    made = blocks(DOCS / "tutorial.md")
    (script,) = [block.text for block in made if block.title == "make_data.py"]
    for folder in ("data", "models"):
        (tmp_path / folder).mkdir()
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path / "data", check=True)
    (tmp_path / "data" / "model").rename(tmp_path / "models" / "chat")
    replaced = {"/data/": f"{tmp_path}/data/", "/models/": f"{tmp_path}/models/"}
    Reader(tmp_path / "work", replaced).follow(DOCS / "how-to" / "chat.md")


@pytest.mark.nightly
def test_hive(tmp_path, spark_home):
    metastore = f"jdbc:derby:;databaseName={tmp_path}/metastore"
    settings = f"--conf spark.hadoop.javax.jdo.option.ConnectionURL={metastore};create=true"
    settings += f" --conf spark.sql.warehouse.dir={tmp_path}/warehouse"
    settings += f" --conf spark.driver.extraJavaOptions=-Dderby.system.home={tmp_path}"
    tables = (
        "CREATE DATABASE shop; CREATE TABLE shop.clicks (id BIGINT, price DOUBLE) PARTITIONED BY (day STRING)"
        " STORED AS PARQUET; INSERT INTO shop.clicks SELECT id, id / 7, concat('2026-01-0', 1 + id % 3) FROM range(900)"
    )
    sql = [spark_home / "bin" / "spark-sql", *settings.split(), "-e", tables]
    done = subprocess.run(sql, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    uris = "--conf spark.hadoop.hive.metastore.uris=thrift://metastore:9083"
    Reader(tmp_path / "work", {uris: settings}).follow(DOCS / "how-to" / "hive.md")


@pytest.mark.nightly
def test_hdfs(tmp_path):
    (tmp_path / "hadoop").mkdir()
    with MiniHadoop(tmp_path / "hadoop") as hadoop:
        replaced = {"hdfs://namenode:8020": hadoop.uri}
        reader = Reader(tmp_path / "work", replaced, HADOOP_CONF_DIR=str(hadoop.conf))
        assert " rows" in reader.follow(DOCS / "how-to" / "hdfs.md")


@pytest.mark.nightly
def test_a_cluster(tmp_path, table, spark_home):
    (tmp_path / "cluster").mkdir()
    with Cluster(spark_home, tmp_path / "cluster") as cluster:
        jar = PROJECT / "spark-jobs" / "target" / "rankfeed-spark-jobs.jar"
        replaced = {
            "spark://head:7077": f"{cluster.url} --conf spark.driver.host=127.0.0.1",
            "/shared/solutions": str(table),
            "/shared/": f"{tmp_path}/shared/",
            "rankfeed-spark-jobs.jar": str(jar),
            "spark-submit": str(spark_home / "bin" / "spark-submit"),
        }
        Reader(tmp_path / "work", replaced).follow(DOCS / "how-to" / "cluster.md")
    manifests = list((tmp_path / "shared" / "rankfeed" / "solutions" / "versions").glob("*/manifest.json"))
    assert len(manifests) == 1, "both runs make the same version"


@pytest.mark.nightly
def test_several_nodes(tmp_path, table):
    replaced = {"/shared/": f"{tmp_path}/shared/", "node0 ": "127.0.0.1 "}
    job = tmp_path / "job.yaml"
    job.write_text(
        f"dataset: solutions\nroot: {tmp_path}/shared/rankfeed\nsources:\n  solutions: {{parquet: {table}}}\n"
        "prepare:\n  select: {from: solutions, columns: [task_id, is_correct, output]}\n  key: [task_id]\n"
        "sample:\n  train: {batch: 64, lanes: 8}\n"
    )
    rankfeed("pipeline", job)
    page = DOCS / "how-to" / "nodes.md"
    nodes = []
    for node in range(2):
        reader = Reader(tmp_path / f"work{node}", {**replaced, "/local/": f"{tmp_path}/local{node}/"})
        reader.follow(page)
        runtime = tmp_path / f"r{node}"
        runtime.mkdir(mode=0o700)
        nodes.append(reader.start(f"node{node}.sh", XDG_RUNTIME_DIR=str(runtime)))
    said = [node.communicate(timeout=300)[0] for node in nodes]
    assert [node.returncode for node in nodes] == [0, 0], said
    assert (
        len({line.split(" trained on ")[1] for node in said for line in node.splitlines() if " trained on " in line})
        == 1
    )


@pytest.fixture(scope="module")
def solutions(table, tmp_path_factory) -> Path:
    """The root of a dataset `solutions` with token ids and a prompt's length."""
    root = tmp_path_factory.mktemp("solutions") / "rankfeed-data"
    job = root.with_name("job.yaml")
    job.write_text(
        f"dataset: solutions\nroot: {root}\nsources:\n  solutions: {{parquet: {table}}}\n"
        "prepare:\n  sql: SELECT task_id, is_correct, output, prompt_length, CAST(tokens AS ARRAY<INT>) AS tokens FROM"
        " (SELECT *, 2 AS prompt_length, array(3, 4, 5 + difficulty) AS tokens FROM solutions)\n  key: [task_id]\n"
        "sample:\n  train: {batch: 64, lanes: 8}\n"
    )
    rankfeed("pipeline", job, "--run-id", "monday")
    return root


@pytest.mark.nightly
@pytest.mark.parametrize("page", ["explanation/order.md", "reference/feed-file.md", "text.md", "install.md"])
def test_pages_about_a_version(tmp_path, solutions, house, page):
    work = tmp_path / "work"
    work.mkdir()
    (work / "rankfeed-data").symlink_to(solutions)
    (version,) = (solutions / "solutions" / "versions").iterdir()
    replaced = {
        "rankfeed quickstart\n": "rankfeed --version  # test_wheels.py runs it\n",
        "VERSION_DIR": str(version),
        "VERSION ": f"{version} ",
        "torchrun …": "true",
        "/data/out/codecontests/versions/0123456789abcdef": f"{version} -- true",
        "/data/out/codecontests@latest": f"{solutions}/solutions@latest -- true; #",
        "hdfs://name/out/codecontests@monday": f"{solutions}/solutions@monday -- true; #",
        "mvn -B package -DskipTests\n": "exit 0  # test_wheels.py builds them\n",
    }
    Reader(work, replaced).follow(DOCS / page)


@pytest.mark.nightly
def test_image_steps(tmp_path):
    shapes = next(block.text for block in blocks(DOCS / "tutorial.md") if block.title == "make_data.py")
    work = tmp_path / "work"
    work.mkdir()
    subprocess.run([sys.executable, "-c", shapes], cwd=work, check=True)
    (work / "train.py").write_text("import rankfeed\nfor batch in rankfeed.Feed():\n    print(batch['pixels'].shape)\n")
    rankfeed("init", "shapes", "--yes", cwd=work)
    rankfeed("pipeline", "shapes.yaml", "--run-id", "first", cwd=work)
    replaced = {"VERSION_DIR": f"{work}/rankfeed-data/shapes@first", "{name: label}": "{name: label_id}"}
    assert "[8, 3, 224, 224]" in Reader(work, replaced).follow(DOCS / "transforms.md")


@pytest.mark.nightly
def test_the_front_page(tmp_path):
    assert "what each rank got" in Reader(tmp_path / "work").follow(DOCS / "index.md")


def with_packages(folder: Path, *packages: str) -> Path:
    """The programs of a new environment with the libraries that a page leaves."""
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, folder], check=True)
    install = [UV, "pip", "install", "--quiet", *packages, "pyarrow==26.0.1"]
    subprocess.run(install, env={**os.environ, "VIRTUAL_ENV": str(folder)}, check=True)
    return folder / "bin"


def page_with(packages: list[str], write: str, work: Path, page: str) -> str:
    """Follows a page over what a script with these libraries writes in its folder."""
    programs = with_packages(work.with_name("env"), *packages)
    work.mkdir()
    done = subprocess.run([f"{programs}/python", "-c", write], cwd=work, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    reader = Reader(work)
    reader.variables["PATH"] = f"{programs}:{reader.variables['PATH']}"
    return reader.follow(DOCS / "how-to" / page)


def rows_of(work: Path, name: str) -> rankfeed_client.FeedRows:
    return rankfeed_client.open(work / "rankfeed-data" / f"{name}@first")["train"]


def fed(work: Path, name: str, monkeypatch) -> dict[str, list[int]]:
    """The shapes of a batch with the feed file that `rankfeed init` wrote."""
    monkeypatch.setenv("RANKFEED_BUILD", "never")
    version = f"{work}/rankfeed-data/{name}@first"
    with (
        rankfeed_client.serve(version, config=work / f"{name}-feed.yaml") as run,
        rankfeed_client.Feed(run, rank=0, world=1, device="cpu") as feed,
    ):
        return {column: list(tensor.shape) for column, tensor in feed.peek().items()}


@pytest.mark.nightly
def test_shards_of_webdataset(tmp_path, monkeypatch):
    write = """
import io, json, webdataset
with webdataset.ShardWriter("shards-%02d.tar", maxcount=150) as shards:
    for n in range(400):
        jpg = b"\\xff\\xd8\\xff" if n == 7 else open("one.jpg", "rb").read()
        shards.write({"__key__": f"{n:05}", "jpg": jpg, "json": {"label": n % 3, "caption": f"a picture, number {n}"}})
"""
    work = tmp_path / "work"
    Image.new("RGB", (40, 40), (9, 99, 200)).save(tmp_path / "one.jpg")
    write = write.replace('"one.jpg"', repr(str(tmp_path / "one.jpg")))
    write = "import os; os.mkdir('shards')\n" + write.replace("shards-%02d", "shards/%02d")
    page_with(["webdataset==1.0.2"], write, work, "from-webdataset.md")
    assert {row["key"]: row["label"] for row in rows_of(work, "samples")}["00004"] == 1
    shapes = fed(work, "samples", monkeypatch)
    assert shapes["image_pixels"][1:] == [3, 224, 224]
    assert len(shapes["label"]) == 1


@pytest.mark.nightly
def test_shards_of_litdata_and_mosaicml(tmp_path, monkeypatch):
    write = """
import numpy as np
from streaming import MDSWriter
with MDSWriter(out="mds", columns={"tokens": "ndarray:int32"}) as out:
    for n in range(400):
        out.write({"tokens": np.arange(n, n + 1 + n % 9, dtype=np.int32)})
"""
    both = ["mosaicml-streaming==0.13.0", "litdata==0.2.76", "torch==2.15.0", "pandas<3"]
    script = tmp_path / "optimize.py"
    script.write_text("""
import litdata
import numpy as np

def sample(n):
    return {"tokens": np.arange(n, n + 1 + n % 9, dtype=np.int32)}

if __name__ == "__main__":
    litdata.optimize(sample, list(range(400)), "litdata", num_workers=1, chunk_bytes="1MB")
""")
    write += f"import subprocess, sys; subprocess.run([sys.executable, {str(script)!r}], check=True)\n"
    page_with(both, write, tmp_path / "work", "from-streaming.md")
    for name in ("mds", "litdata"):
        assert len(fed(tmp_path / "work", name, monkeypatch)["tokens"]) == 2
        row = rows_of(tmp_path / "work", name)[0]
        assert row["tokens"].tolist() == list(range(row["tokens"][0], row["tokens"][0] + 1 + row["tokens"][0] % 9))


@pytest.mark.nightly
def test_a_data_set_of_hugging_face(tmp_path, monkeypatch):
    write = """
import json
for split, rows in {"train": 300, "valid": 60}.items():
    with open(f"{split}.jsonl", "w") as file:
        for n in range(rows):
            row = {"id": f"{split}-{n}", "question": f"What is {n} plus {n}, please?" * 3, "answer": 2 * n}
            file.write(json.dumps(row) + "\\n")
"""
    page_with(["datasets==5.0.1"], write, tmp_path / "work", "from-datasets.md")
    assert {row["split"] for row in rows_of(tmp_path / "work", "questions")} == {"train"}
    assert {"question_ids", "answer"} <= set(fed(tmp_path / "work", "questions", monkeypatch))
