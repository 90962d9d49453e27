"""``Feed(transform=…)`` with a real feeder: the guide's code, every world size, a killed feeder, a notebook."""

from __future__ import annotations

import random
import re
import signal
import sys

import nbformat
import numpy as np
import pytest
from launch import rankfeed
from nbclient import NotebookClient
from pictures import BROKEN, EPOCHS, ROWS, SEED, given, key

import rankfeed as client
import sample_transforms

FEED = """
depth: 4
feeds:
  train:
    columns:
      - {name: row_id}
      - {name: id}
    transform-seed: 3
"""


@pytest.fixture(scope="module")
def guide(project) -> dict[str, str]:
    """Returns the first block of code of each language in docs/python-transforms.md, without the call above the
    example."""
    example = (project / "docs" / "python-transforms.md").read_text("utf-8").partition("## Example")[2]
    return {language: code for language, code in reversed(re.findall(r"```(\w+)[^\n]*\n(.*?)```", example, re.DOTALL))}


@pytest.mark.nightly
def test_guide_trains_on_two_ranks_with_its_random_numbers(guide, picture_feeder, pictures, tmp_path):
    plain = guide["yaml"].replace("columns:\n", "columns:\n      - {name: id}\n")
    with picture_feeder("plain", text=plain):
        before = given("plain")
    script = guide["python"]
    use = '                batch["pixels"]  # float32 [rows, 3, 48, 48]\n'
    assert use in script
    path = repr(str(tmp_path / "batch"))
    script = script.replace(
        use,
        f"                name = {path} + f'-{{feed.topology.rank}}-{{batch.global_step}}.npz'\n"
        "                np.savez(name, epoch=batch.epoch, **{n: t.numpy() for n, t in batch.items()})\n",
    )
    (tmp_path / "train.py").write_text(script)
    (tmp_path / "feed.yaml").write_text(guide["yaml"])
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", 2]
    words = ["--run", "guide", "--in-place", "--config", tmp_path / "feed.yaml", "--", *torchrun, tmp_path / "train.py"]
    rankfeed("feed", pictures.path, *words)
    by_row = {(epoch, int(row["row_id"])): row for (epoch, _), row in before.items()}
    scope = {}
    exec(script.partition("def one_thread")[0], scope)
    augment, seen = scope["augment"], 0
    for file in tmp_path.glob("batch-*.npz"):
        batch = np.load(file)
        epoch = int(batch["epoch"])
        for row_id, pixels, label, valid in zip(
            batch["row_id"], batch["pixels"], batch["label"], batch["valid"], strict=True
        ):
            row = by_row[epoch, int(row_id)]
            seed = key(SEED, 7, int(row_id), epoch)
            augment.set_random_state(np.random.Generator(np.random.Philox(key=seed)), random.Random(seed))
            wanted = augment(image=row["pixels"])["image"].transpose(2, 0, 1) / 127.5 - 1
            assert np.abs(pixels - wanted).max() < 1e-5
            assert (label, valid) == (row["label"], row["id"] not in BROKEN)
            seen += 1
    assert seen == ROWS * EPOCHS


@pytest.mark.parametrize(
    "starts", [((1, 0), (4, 2)), pytest.param(((1, 0), (1, 2), (2, 1), (4, 2)), marks=pytest.mark.nightly)]
)
def test_worlds_workers_and_killed_feeder_change_no_number(picture_feeder, starts):
    rows = {}
    for world, workers in starts:
        run = f"world-{world}-{workers}"
        with picture_feeder(run, "--world", world, text=FEED):
            rows[run] = given(run, world, transform=sample_transforms.seeds, workers=workers)
    first = picture_feeder("killed", text=FEED).start()
    found = {}
    with client.Feed("killed", output="numpy", transform=sample_transforms.seeds, workers=2, grace_seconds=60) as feed:
        for epoch in range(feed.epochs):
            for batch in feed:
                for i, number in enumerate(batch["id"].tolist()):
                    found[epoch, number] = {name: batch[name][i].copy() for name in batch}
                if batch.global_step == 3:
                    first.process.send_signal(signal.SIGKILL)
                    first.process.wait()
                    second = picture_feeder("killed", text=FEED).start()
    assert second.stop() == 143
    for (epoch, _), row in found.items():
        assert int(row["seeds"]) == key(3, 7, int(row["row_id"]), epoch)
    for other in rows.values():
        assert other.keys() == found.keys()
        assert [at for at, row in other.items() if any((row[name] != found[at][name]).any() for name in row)] == []
    assert len({int(row["seeds"]) for row in found.values()}) == ROWS * EPOCHS


def test_function_of_a_notebook_runs_in_workers(picture_feeder, tmp_path):
    cells = [
        "import rankfeed",
        "def transform(batch, rng):\n    return {'twice': batch['id'] * 2}",
        "with rankfeed.Feed('notebook', transform=transform, workers=2, output='numpy') as feed:\n"
        "    print('sum', sum(int(batch['twice'].sum()) for batch in feed))",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    with picture_feeder("notebook", text=FEED):
        NotebookClient(
            notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
        ).execute()
    assert f"sum {sum(range(ROWS)) * 2}" in notebook.cells[-1].outputs[0]["text"]
