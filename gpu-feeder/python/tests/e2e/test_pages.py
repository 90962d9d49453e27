"""Pages are executed, block after block, each in an environment that its own install line makes from the wheels.

What another machine has is replaced by a real one here.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from cluster import Cluster, free_ports
from hadoop import MiniHadoop
from launch import PROJECT, rankfeed
from pages import DOCS, Reader, blocks, merged
from PIL import Image
from test_wheels import environment_of, wheels  # noqa: F401

pytestmark = pytest.mark.nightly


@pytest.fixture
def reader(tmp_path, wheels):  # noqa: F811
    """Makes the reader of a page, who works in ``tmp_path / "work"``."""

    def make(page: str, replaced: dict[str, str] | None = None, **variables: str) -> Reader:
        environment = environment_of(DOCS / page, wheels, tmp_path / "installed")
        return Reader(tmp_path / "work", replaced, environment, **variables)

    return make


def test_the_tutorial_trains(reader):
    said = reader("tutorial.md").follow(DOCS / "tutorial.md")
    assert "continues at 1" in said
    (last,) = [line for line in said.splitlines() if line.startswith("epoch 7: ")]
    assert int(last.split("%")[0].removeprefix("epoch 7: ")) > 60


def test_tutorial_changes_are_comments_of_the_draft(tmp_path):
    (script,) = [block.text for block in blocks(DOCS / "tutorial.md") if block.title == "make_data.py"]
    (changes,) = [block.text for block in blocks(DOCS / "tutorial.md") if block.title == "shapes.yaml, changed"]
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True)
    rankfeed("init", "shapes", "--yes", cwd=tmp_path)
    draft = (tmp_path / "shapes.yaml").read_text()
    changed = re.sub(r"(?m)^( *)# (?=(strata|balance|on-shortage): )", r"\1", draft)
    changed = changed.replace("epochs: 1\n", "epochs: 8\n")
    assert yaml.safe_load(changed) == merged(yaml.safe_load(draft), yaml.safe_load(changes))


EMPTY = [
    f"how-to/{name}.md"
    for name in "balance curriculum delta experiments mixtures changing-tables existing-datasets".split()
]


@pytest.mark.parametrize("page", EMPTY)
def test_a_page_works_in_an_empty_folder(reader, page):
    reader(page).follow(DOCS / page)


def test_a_table_of_ones_own(tmp_path, reader):
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
    said = reader("guide.md", {"/data/": f"{tmp_path}/data/"}).follow(DOCS / "guide.md")
    assert "next: " in said


SCALARS = """
import json
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

events = EventAccumulator("metrics")
events.Reload()
print(json.dumps({name: events.Scalars(name)[-1].value for name in events.Tags()["scalars"]}))
"""
"""Prints the last value of each scalar in the folder of TensorBoard."""


def test_timers_reach_tensorboard_and_mlflow(reader, texts):
    page = "how-to/timers.md"
    user = reader(page, {"/shared/rankfeed/solutions@latest": str(texts.path)})
    assert "rows/s, waited" in user.follow(DOCS / page)
    with sqlite3.connect(user.work / "metrics.db") as metrics:
        logged = dict(metrics.execute("SELECT key, value FROM latest_metrics"))
    assert logged["feed/rows"] > 0
    assert {"feed/fill_p99", "feed/trainer_seconds", "feed/wait_slot_count"} <= logged.keys()
    drawn = subprocess.run(
        [user.python, "-c", SCALARS], cwd=user.work, env=user.variables, check=True, capture_output=True, text=True
    )
    assert json.loads(drawn.stdout) == pytest.approx(logged, rel=1e-6)  # TensorBoard stores float32


def test_metrics_of_a_feeder(reader, texts):
    page = "how-to/metrics.md"
    replaced = {"/shared/rankfeed/solutions@latest": str(texts.path), "9464": str(free_ports(1)[0])}
    said = reader(page, replaced).follow(DOCS / page)
    assert "ready\n" in said
    assert "rankfeed_ready 1.0" in said


SAME_GRADIENTS = """\
        mine = [parameter.grad for parameter in model.parameters()]
        optimizer.zero_grad()
        (loss_of(batch, device) / told).backward()
        for parameter, gradient in zip(model.parameters(), mine, strict=True):
            assert (parameter.grad - gradient).abs().max() <= 1e-4 * parameter.grad.abs().max()
            parameter.grad = gradient
"""


@pytest.mark.parametrize("parts", [1, 4])
def test_a_batch_in_parts(reader, texts, parts):
    page = "how-to/memory.md"
    first, step = "    tokens = part[", "        optimizer.step()"
    # Two parts fail at the second one, when the first has left gradients.
    out_of_memory = (
        f"    if parts < {parts} and (parts == 1 or model[0].weight.grad is not None):\n"
        "        raise torch.OutOfMemoryError\n"
    )
    replaced = {
        "/shared/rankfeed/solutions@latest": str(texts.path),
        first: out_of_memory + first,
        step: SAME_GRADIENTS + step,
    }
    said = reader(page, replaced).follow(DOCS / page)
    assert said.count("out of memory: continuing with") == {1: 0, 4: 2}[parts]
    assert f"trained with {parts} part(s) of a batch" in said


def test_diagnoses(tmp_path, reader, texts):
    page = "how-to/diagnose.md"
    said = reader(page, {"/shared/rankfeed/solutions@latest": str(texts.path)}).follow(DOCS / page)
    assert said.count("utilization: ") == 2, said
    assert (tmp_path / "work" / "pictures" / "diagnosis.svg").is_file()
    assert (tmp_path / "work" / "sweep" / "feed.yaml").read_text().startswith("workers: ")


def test_the_doctor_of_a_machine(tmp_path, reader):
    (tmp_path / "local").mkdir()
    page = "how-to/doctor.md"
    said = reader(page, {"/local/rankfeed": f"{tmp_path}/local/rankfeed"}).follow(DOCS / page)
    assert re.search(r"^ok +torch +2\.", said, re.MULTILINE), said
    assert re.search(r"^0 errors, \d+ warnings?$", said, re.MULTILINE), said


def test_images_with_a_broken_one(tmp_path, reader):
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
    reader("how-to/images.md", {"/data/": f"{tmp_path}/data/"}).follow(DOCS / "how-to" / "images.md")
    assert "<img" in (tmp_path / "work" / "sheet.html").read_text()


def test_conversations(tmp_path, reader):
    made = blocks(DOCS / "tutorial.md")
    (script,) = [block.text for block in made if block.title == "make_data.py"]
    for folder in ("data", "models"):
        (tmp_path / folder).mkdir()
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path / "data", check=True)
    (tmp_path / "data" / "model").rename(tmp_path / "models" / "chat")
    replaced = {"/data/": f"{tmp_path}/data/", "/models/": f"{tmp_path}/models/"}
    reader("how-to/chat.md", replaced).follow(DOCS / "how-to" / "chat.md")


def test_queries_of_the_functions_page(tmp_path):
    (script,) = [block.text for block in blocks(DOCS / "tutorial.md") if block.title == "make_data.py"]
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True)
    solution = {"task_id": "t1", "instruction": "Add two numbers.", "input": "1 2", "output": "3"}
    (tmp_path / "solutions.jsonl").write_text(json.dumps(solution) + "\n")
    queries = [block.text for block in blocks(DOCS / "functions.md") if block.language == "sql"]
    assert len(queries) == 2
    for number, query in enumerate(queries):
        job = {
            "dataset": f"query-{number}",
            "root": "data",
            "sources": {
                "solutions": {"jsonl": "solutions.jsonl"},
                "chats": {"jsonl": "chats.jsonl", "schema": "id STRING, messages STRING, tools STRING"},
            },
            "prepare": {
                "sql": query,
                "key": [query.split()[1].rstrip(",")],
                "tokenizers": {"llama": {"file": "model/tokenizer.json", "chat": "model/tokenizer_config.json"}},
            },
        }
        used = next(name for name in job["sources"] if f"FROM {name}" in query)
        job["sources"] = {used: job["sources"][used]}
        (tmp_path / "job.yaml").write_text(yaml.safe_dump(job))
        assert " in 1 row group" in rankfeed("prepare", "job.yaml", cwd=tmp_path).stderr


def test_hive(tmp_path, spark_home, reader):
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
    reader("how-to/hive.md", {uris: settings}).follow(DOCS / "how-to" / "hive.md")


def test_hdfs(tmp_path, reader):
    (tmp_path / "hadoop").mkdir()
    with MiniHadoop(tmp_path / "hadoop") as hadoop:
        replaced = {"hdfs://namenode:8020": hadoop.uri}
        page = reader("how-to/hdfs.md", replaced, HADOOP_CONF_DIR=str(hadoop.conf))
        assert " rows" in page.follow(DOCS / "how-to" / "hdfs.md")


def test_a_cluster(tmp_path, table, spark_home, reader):
    (tmp_path / "cluster").mkdir()
    with Cluster(spark_home, tmp_path / "cluster") as cluster:
        jar = PROJECT / "spark-jobs" / "target" / "rankfeed-spark-jobs.jar"
        replaced = {
            "spark://head:7077": f"{cluster.url} --conf spark.driver.host=127.0.0.1",
            "/shared/solutions": str(table),
            "/shared/": f"{tmp_path}/shared/",
            "rankfeed-spark-jobs.jar": str(jar),
        }
        reader("how-to/cluster.md", replaced).follow(DOCS / "how-to" / "cluster.md")
    manifests = list((tmp_path / "shared" / "rankfeed" / "solutions" / "versions").glob("*/manifest.json"))
    assert len(manifests) == 1, "both runs make the same version"


def test_several_nodes(tmp_path, table, wheels):  # noqa: F811
    replaced = {"/shared/": f"{tmp_path}/shared/", "node0 ": "127.0.0.1 "}
    job = tmp_path / "job.yaml"
    job.write_text(
        f"dataset: solutions\nroot: {tmp_path}/shared/rankfeed\nsources:\n  solutions: {{parquet: {table}}}\n"
        "prepare:\n  select: {from: solutions, columns: [task_id, is_correct, output]}\n  key: [task_id]\n"
        "sample:\n  train: {batch: 64, lanes: 8}\n"
    )
    rankfeed("pipeline", job)
    page = DOCS / "how-to" / "nodes.md"
    environment = environment_of(page, wheels, tmp_path / "installed")
    nodes = []
    for node in range(2):
        local = {**replaced, "/local/": f"{tmp_path}/local{node}/"}
        reader = Reader(tmp_path / f"work{node}", local, environment)
        reader.follow(page)
        runtime = tmp_path / f"r{node}"
        runtime.mkdir(mode=0o700)
        nodes.append(reader.start(f"node{node}.sh", XDG_RUNTIME_DIR=str(runtime)))
    said = [node.communicate(timeout=300)[0] for node in nodes]
    assert [node.returncode for node in nodes] == [0, 0], said
    # Ranks write to one stream: a line may have two texts.
    assert len({rows for node in said for rows in re.findall(r"trained on (\d+) rows of epoch 0", node)}) == 1


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


@pytest.mark.parametrize("page", ["explanation/order.md", "reference/feed-file.md", "text.md", "install.md"])
def test_pages_about_a_version(tmp_path, solutions, house, page, reader):
    work = tmp_path / "work"
    work.mkdir()
    (work / "rankfeed-data").symlink_to(solutions)
    (version,) = (solutions / "solutions" / "versions").iterdir()
    replaced = {
        "VERSION_DIR": str(version),
        "VERSION ": f"{version} ",
        "torchrun …": "true",
        "/models/llama": str(PROJECT / "schema" / "text" / "src" / "test" / "resources" / "tokenizer" / "tiny.json"),
        "/data/out/codecontests/versions/0123456789abcdef": f"{version} -- true",
        "/data/out/codecontests@latest": f"{solutions}/solutions@latest -- true; #",
        "hdfs://name/out/codecontests@monday": f"{solutions}/solutions@monday -- true; #",
        "mvn -B package -DskipTests\n": "exit 0  # test_wheels.py builds them\n",
    }
    reader(page, replaced).follow(DOCS / page)


def test_image_steps(tmp_path, reader):
    shapes = next(block.text for block in blocks(DOCS / "tutorial.md") if block.title == "make_data.py")
    work = tmp_path / "work"
    work.mkdir()
    subprocess.run([sys.executable, "-c", shapes], cwd=work, check=True)
    (work / "train.py").write_text("import rankfeed\nfor batch in rankfeed.Feed():\n    print(batch['pixels'].shape)\n")
    rankfeed("init", "shapes", "--yes", cwd=work)
    rankfeed("pipeline", "shapes.yaml", "--run-id", "first", cwd=work)
    replaced = {"VERSION_DIR": f"{work}/rankfeed-data/shapes@first", "{name: label}": "{name: label_id}"}
    assert "[8, 3, 224, 224]" in reader("transforms.md", replaced).follow(DOCS / "transforms.md")


def test_python_transforms(tmp_path, pictures, reader):
    page = reader("python-transforms.md", {"VERSION_DIR": f"{pictures.path} --in-place"})
    page.follow(DOCS / "python-transforms.md")


def test_the_front_page(reader):
    assert "what each rank got" in reader("index.md").follow(DOCS / "index.md")


def test_the_readme(reader, table):
    replaced = {
        "rankfeed init /data/my-table": f"rankfeed init {table} --yes",
        "./rankfeed quickstart": "true",  # test_quickstart.py
        "mvn verify": "true",
    }
    assert "what each rank got" in reader("../README.md", replaced).follow(PROJECT / "README.md")
