"""Pages about moving from other libraries, over shards that those libraries write.

Each page is followed in an environment that its own install line makes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pages import DOCS, Reader
from PIL import Image
from test_wheels import UV, environment_of, wheels  # noqa: F401

import rankfeed as rankfeed_client

pytestmark = pytest.mark.nightly


def with_packages(folder: Path, *packages: str) -> Path:
    """Makes a new environment with libraries that a page no longer needs."""
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, folder], check=True)
    install = [UV, "pip", "install", "--quiet", *packages]
    subprocess.run(install, env={**os.environ, "VIRTUAL_ENV": str(folder)}, check=True)
    return folder


@pytest.fixture
def follow(tmp_path, wheels):  # noqa: F811
    """Follows a page over what a script writes in its folder, with other packages or those of the page."""

    def follow(page: str, write: str, *packages: str) -> Path:
        environment = environment_of(DOCS / "how-to" / page, wheels, tmp_path / "installed")
        writer = with_packages(tmp_path / "writer", *packages) if packages else environment
        reader = Reader(tmp_path / "work", environment=environment)
        words = [writer / "bin" / "python", "-c", write]
        done = subprocess.run(words, cwd=reader.work, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        reader.follow(DOCS / "how-to" / page)
        return reader.work

    return follow


def rows_of(work: Path, name: str) -> rankfeed_client.FeedRows:
    return rankfeed_client.open(work / "rankfeed-data" / f"{name}@first")["train"]


def fed(work: Path, name: str, monkeypatch) -> dict[str, list[int]]:
    """Returns the shapes of a batch with the feed file that `rankfeed init` wrote."""
    monkeypatch.setenv("RANKFEED_BUILD", "never")
    version = f"{work}/rankfeed-data/{name}@first"
    with (
        rankfeed_client.serve(version, config=work / f"{name}-feed.yaml") as run,
        rankfeed_client.Feed(run, rank=0, world=1, device="cpu") as feed,
    ):
        return {column: list(tensor.shape) for column, tensor in feed.peek().items()}


def test_shards_of_webdataset(tmp_path, monkeypatch, follow):
    write = """
import io, json, webdataset
with webdataset.ShardWriter("shards-%02d.tar", maxcount=150) as shards:
    for n in range(400):
        jpg = b"\\xff\\xd8\\xff" if n == 7 else open("one.jpg", "rb").read()
        shards.write({"__key__": f"{n:05}", "jpg": jpg, "json": {"label": n % 3, "caption": f"a picture, number {n}"}})
"""
    Image.new("RGB", (40, 40), (9, 99, 200)).save(tmp_path / "one.jpg")
    write = write.replace('"one.jpg"', repr(str(tmp_path / "one.jpg")))
    write = "import os; os.mkdir('shards')\n" + write.replace("shards-%02d", "shards/%02d")
    work = follow("from-webdataset.md", write, "webdataset==1.0.2")
    assert {row["key"]: row["label"] for row in rows_of(work, "samples")}["00004"] == 1
    shapes = fed(work, "samples", monkeypatch)
    assert shapes["image_pixels"][1:] == [3, 224, 224]
    assert len(shapes["label"]) == 1


def test_shards_of_litdata_and_mosaicml(tmp_path, monkeypatch, follow):
    write = """
import numpy as np
from streaming import MDSWriter
with MDSWriter(out="mds", columns={"tokens": "ndarray:int32"}) as out:
    for n in range(400):
        out.write({"tokens": np.arange(n, n + 1 + n % 9, dtype=np.int32)})
"""
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
    work = follow("from-streaming.md", write)
    for name in ("mds", "litdata"):
        assert len(fed(work, name, monkeypatch)["tokens"]) == 2
        row = rows_of(work, name)[0]
        assert row["tokens"].tolist() == list(range(row["tokens"][0], row["tokens"][0] + 1 + row["tokens"][0] % 9))


def test_a_data_set_of_hugging_face(monkeypatch, follow):
    write = """
import json
for split, rows in {"train": 300, "valid": 60}.items():
    with open(f"{split}.jsonl", "w") as file:
        for n in range(rows):
            row = {"id": f"{split}-{n}", "question": f"What is {n} plus {n}, please?" * 3, "answer": 2 * n}
            file.write(json.dumps(row) + "\\n")
"""
    work = follow("from-datasets.md", write)
    assert {row["split"] for row in rows_of(work, "questions")} == {"train"}
    assert {"question_ids", "answer"} <= set(fed(work, "questions", monkeypatch))


def test_a_store_of_enn(follow):
    write = """
import json, os
import numpy as np

os.mkdir("store")
features = np.random.default_rng(1).random((400, 8), np.float32)
features.tofile("store/features.mmt")
features.sum(1).astype(np.float64).tofile("store/labels.mmt")
meta = {"N": 400, "feature_dim": 8, "features_path": "features.mmt", "labels_path": "labels.mmt", "label_shape": []}
meta |= {"features_dtype": "float32", "labels_dtype": "float64", "scale_max_abs": float("nan")}
meta |= {"train_start": 0, "train_end": 360, "val_start": 360, "val_end": 400}
with open("store/meta.json", "w") as file:
    json.dump(meta, file, indent=2)
"""
    work = follow("from-enn.md", write)
    features = np.fromfile(work / "store" / "features.mmt", np.float32).reshape(400, 8)
    rows = rows_of(work, "store")
    assert len(rows) == 360
    assert all((row["x"] == features[row["row_ids"]]).all() for row in rows)
