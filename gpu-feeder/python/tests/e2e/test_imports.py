"""Versions over existing datasets: their values are those of the libraries that wrote them, by ``rankfeed.open`` and by
feeds through a kill; a file that changes is refused."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from launch import PROJECT, answer, rankfeed
from nodes import log_through_a_kill
from PIL import Image

import rankfeed as client
from plans.reader import Reader
from rankfeed.enn import Batches, predict

FOREIGN = PROJECT / "shard-export" / "src" / "test" / "resources" / "foreign"
EXPECTED = json.loads((FOREIGN / "expected.json").read_text())
FEED = "train"


def imported(dataset: Path, root: Path, *words: object, name: str = "pets") -> Path:
    """Returns the folder of the version."""
    rankfeed("import", dataset, "--as", name, "--root", root, *words)
    (version,) = (root / name / "versions").iterdir()
    return version


def raw(dtype: str, value) -> str | None:
    """Returns the bytes of a value in hexadecimal digits."""
    if value is None:
        return None
    if isinstance(value, str | bytes):
        return (value.encode() if isinstance(value, str) else value).hex()
    return np.asarray(value, np.dtype(dtype)).tobytes().hex()


@pytest.mark.parametrize("name", EXPECTED)
def test_rows_have_the_values_of_the_library(tmp_path, name):
    columns = EXPECTED[name]["columns"]
    wanted = [row for part in EXPECTED[name]["parts"] for row in part["rows"]]
    version = imported(FOREIGN / name, tmp_path / "root", "--columns", ",".join(columns), "--lanes", 2)
    for verify in (False, True):
        rows = client.open(version, verify=verify)[FEED]
        got = [{column: raw(columns[column]["dtype"], row[column]) for column in columns} for row in rows]
        assert Counter(map(str, got)) == Counter(str({column: row[column] for column in columns}) for row in wanted)
    table = rows[1:4].to_arrow()
    for column, field in columns.items():
        if field["dtype"] != "bool" and not field["shape"]:
            values = [raw(field["dtype"], value) for value in table[column].to_pylist()]
            assert values == [row[column] for row in got[1:4]]


def drawn_rows(draw: random.Random, numbers: range) -> list[dict]:
    return [
        {
            "key": number,
            "label": draw.choices([0, 1, 2], [6, 3, 1])[0],
            "text": None if number % 7 == 0 else "é" * draw.randrange(40),
            "tokens": [draw.randrange(1 << 30) for _ in range(draw.randrange(30))],
            "vector": [draw.randrange(100) / 4 for _ in range(5)],
        }
        for number in numbers
    ]


SCHEMA = pa.schema(
    {
        "key": pa.int64(),
        "label": pa.int64(),
        "text": pa.string(),
        "tokens": pa.list_(pa.int32()),
        "vector": pa.list_(pa.float32(), 5),
    }
)


@pytest.fixture(scope="module")
def arrow(tmp_path_factory) -> tuple[Path, Path, dict[int, dict]]:
    """The root of a version over Arrow files, the version, and the rows by key."""
    folder, draw = tmp_path_factory.mktemp("arrow"), random.Random(8)
    (folder / "data").mkdir()
    rows = []
    for part, size in enumerate((1, 300, 157)):
        found = drawn_rows(draw, range(len(rows), len(rows) + size))
        path = str(folder / "data" / f"part-{part}.arrow")
        with pa.OSFile(path, "wb") as out, pa.ipc.new_stream(out, SCHEMA) as file:
            for at in range(0, size, 64):
                file.write_batch(pa.RecordBatch.from_pylist(found[at : at + 64], SCHEMA))
        rows += found
    version = imported(folder / "data", folder / "root", "--strata", "label", "--lanes", 4, "--key", "key")
    return folder / "root", version, {row["key"]: row for row in rows}


def same(row: dict, got: dict) -> bool:
    lists = all(got[name].tolist() == row[name] for name in ("tokens", "vector"))
    return lists and got["text"] == row["text"] and got["label"] == row["label"]


def test_a_plan_over_an_import_is_fed_through_a_kill(arrow, tmp_path):
    _, version, rows = arrow
    numbers = {"seed": 11, "batch": 32, "epochs": 2, "rows": 320}
    stages = "[{until: 0.5, weights: {0: 1, 1: 1, 2: 1}}, {weights: {0: 6, 1: 3, 2: 1}}]"
    words = [word for name, value in numbers.items() for word in ("--set", f"{name}={value}")]
    words += ["--set", f"stages={stages}", "--set", "on-shortage=repeat", "--out", tmp_path / "plans"]
    plan = Path(answer(rankfeed("plan", version, *words, "--json").stdout)["path"])
    opened = client.open(version)[FEED]
    assert len(opened) == len(rows)
    assert all(same(rows[int(row["key"])], row) for row in opened)

    reader = Reader(json.loads((plan / "order.json").read_text())["feeds"][0])
    first = np.cumsum([0, *reader.pools])
    ids = [row["row_id"] for row in opened]

    def steps(rank: int, world: int) -> list[tuple]:
        return [tuple(ids[first[s] + i] for s, i in reader.batch(t, rank, world)) for t in range(reader.steps)]

    stop = 7
    fed = ["--in-place", "--plan", plan]
    before, after = log_through_a_kill(version, tmp_path, FEED, (2, 1), stop, fed)
    assert [[found for *_, found in rank] for rank in before] == [steps(rank, 2)[:stop] for rank in range(2)]
    assert [[found for *_, found in rank] for rank in after] == [steps(0, 1)[stop:]]
    with client.serve(str(version), plan=str(plan)) as run, client.Feed(run, rank=0, world=1, output="numpy") as feed:
        given = Counter()
        for batch in feed:
            lengths = batch["tokens.lengths"].tolist()
            for at, key in enumerate(batch["key"].tolist()):
                assert batch["tokens"][at, : lengths[at]].tolist() == rows[key]["tokens"]
                assert batch["vector"][at].tolist() == rows[key]["vector"]
                given[key] += 1
    assert sum(given.values()) == numbers["rows"]


def test_a_mixture_of_two_formats_has_the_rows_of_both(arrow, tmp_path):
    root, version, rows = arrow
    draw = random.Random(9)
    more = {row["key"]: row for row in drawn_rows(draw, range(1000, 1200))}
    (tmp_path / "arrays").mkdir()
    for name, dtype in (("key", "<i8"), ("label", "<i8"), ("vector", "<f4")):
        np.save(tmp_path / "arrays" / f"{name}.npy", np.array([row[name] for row in more.values()], dtype))
    arrays = imported(tmp_path / "arrays", root, "--lanes", 4, name="arrays")
    mix = tmp_path / "mix.yaml"
    members = {"files": str(version), "arrays": str(arrays)}
    mix.write_text(json.dumps({
        "members": members, "weights": {"files": 3, "arrays": 1}, "batch": 16, "rows": 480, "seed": 4,
        "fill": {"text": "", "tokens": {"values": []}},
    }))  # fmt: skip
    path = answer(rankfeed("plan", "--mixture", mix, "--json").stdout)["path"]
    known = rows | more
    with client.serve(path) as run, client.Feed(run, rank=0, world=1, output="numpy") as feed:
        counts = []
        for batch in feed:
            keys = batch["key"].tolist()
            assert batch["vector"].tolist() == [known[key]["vector"] for key in keys]
            assert batch["label"].tolist() == [known[key]["label"] for key in keys]
            counts.append(sum(key >= 1000 for key in keys))
    assert counts == [4] * 30


STEPS = """
feeds:
  train:
    columns:
      - {name: label}
      - name: pixels
        from: image
        steps:
          - decode
          - center-crop: {height: 12, width: 10}
"""


def test_steps_and_a_transform_work_on_files_as_they_are(tmp_path):
    draw, pictures = np.random.default_rng(4), {}
    for number in range(40):
        kind = ("cat", "dog")[number % 2]
        pixels = draw.integers(0, 256, (20 + number % 5, 30, 3), dtype=np.uint8)
        (tmp_path / "photos" / kind).mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels).save(tmp_path / "photos" / kind / f"{number}.png")
        top = (pixels.shape[0] - 12) // 2
        pictures[pixels[top : top + 12, 10:20].tobytes()] = number % 2
    version = imported(tmp_path / "photos", tmp_path / "root", "--lanes", 2, "--batch", 8)
    (tmp_path / "feed.yaml").write_text(STEPS)

    def transform(batch, rng):
        return {"label": batch["label"], "inverse": 255 - batch["pixels"]}

    got = {}
    with client.serve(version, config=tmp_path / "feed.yaml") as run:
        how = {"rank": 0, "world": 1, "output": "numpy", "transform": transform, "wait_seconds": 120}
        with client.Feed(run, **how) as feed:
            for batch in feed:
                for pixels, label in zip(batch["inverse"], batch["label"], strict=True):
                    got[(255 - pixels).tobytes()] = int(label)
    assert got == pictures


@pytest.mark.parametrize("change", ["cut", "written", "linked", "removed"])
def test_a_file_that_changed_is_refused(tmp_path, change):
    shutil.copytree(FOREIGN / "image-mmap", tmp_path / "data")
    version = imported(tmp_path / "data", tmp_path / "root", "--lanes", 2)
    (file,) = (file for file in (tmp_path / "data").iterdir() if file.suffix == ".mmap")
    data, stamp = file.read_bytes(), file.stat().st_mtime_ns
    wanted = [row["image"] for row in client.open(version)[FEED]]
    if change == "cut":
        file.write_bytes(data[:-1])
    elif change == "written":
        file.write_bytes(bytes([data[0], data[1] ^ 1]) + data[2:])
    elif change == "linked":
        file.rename(tmp_path / "other")
        file.symlink_to(tmp_path / "other")
    else:
        file.unlink()
    with pytest.raises(client.RankfeedError, match=str(file)):
        list(client.open(version)[FEED])
    file.unlink(missing_ok=True)
    file.write_bytes(data)
    os.utime(file, ns=(stamp + 5, stamp + 5))
    with pytest.raises(client.RankfeedError, match="was modified since"):
        list(client.open(version)[FEED])
    rankfeed("verify", version)
    assert [row["image"] for row in client.open(version)[FEED]] == wanted


def test_lists_of_fixed_lists_are_fed(tmp_path):
    rows = {key: [[key, -step] for step in range(key % 4)] for key in range(16)}
    schema = pa.schema({"key": pa.int64(), "pairs": pa.list_(pa.list_(pa.int16(), 2))})
    (tmp_path / "data").mkdir()
    with pa.OSFile(str(tmp_path / "data" / "pairs.arrow"), "wb") as out, pa.ipc.new_stream(out, schema) as file:
        file.write_table(pa.table({"key": list(rows), "pairs": list(rows.values())}, schema))
    version = imported(tmp_path / "data", tmp_path / "root", "--lanes", 2, "--batch", 8)
    fed = {}
    with client.serve(str(version)) as run, client.Feed(run, rank=0, world=1, output="numpy") as feed:
        for batch in feed:
            lengths = batch["pairs.lengths"].tolist()
            for key, pairs, length in zip(batch["key"].tolist(), batch["pairs"].tolist(), lengths, strict=True):
                fed[key] = pairs[:length]
    assert fed == rows


# Characters that Python takes for ends of lines, and JSON does not escape.
@pytest.mark.parametrize("folder", ["next\x85line", "line\u2028separator"])
def test_any_folder_and_bfloat16_open(tmp_path, folder):
    store = tmp_path / folder
    store.mkdir()
    meta = {"N": 4, "feature_dim": 5, "features_dtype": "bfloat16", "features_path": "features.mmt"}
    (store / "meta.json").write_text(json.dumps(meta))
    features = np.arange(20, dtype="<u2").reshape(4, 5)
    features.tofile(store / "features.mmt")
    rows = client.open(imported(store, tmp_path / "root", "--lanes", 2))[FEED]
    assert sorted(row["X"].tolist() for row in rows) == features.tolist()


def test_row_ids_of_a_store_order_its_predictions(tmp_path):
    pytest.importorskip("torch")
    version = imported(FOREIGN / "enn-ids", tmp_path / "root", "--lanes", 2)
    features = np.fromfile(FOREIGN / "enn-ids" / "features.mmt", "<f4").reshape(-1, 5)
    ids = np.fromfile(FOREIGN / "enn-ids" / "row_ids.mmt", "<i8")
    found, outputs = predict(lambda x: 2 * x, Batches(client.open(version)[FEED], 3))
    assert found.tolist() == ids.tolist()
    assert (outputs.numpy() == 2 * features).all()
