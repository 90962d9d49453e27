"""Training through feeder, cache and ring is training over the plan's rows: the same loss, bit for bit."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from nodes import HERE, Feeder


def losses(path) -> list[float]:
    return [float.fromhex(text) for text in json.loads(path.read_text())]


def run(*words: object, env=None) -> None:
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        env=env or os.environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.fixture(scope="module")
def in_process(house, tmp_path_factory):
    out = tmp_path_factory.mktemp("loss") / "plan.json"
    run(
        HERE / "train_small.py",
        "--feed",
        "curriculum",
        "--out",
        out,
        "--dataset",
        house.root,
        "--version",
        house.version,
    )
    return losses(out)


def test_world_1_has_the_same_loss_bit_for_bit(house, runtime, in_process, tmp_path):
    with Feeder(house.path, runtime, "loss-1", "--in-place") as feeder:
        run(HERE / "train_small.py", "--feed", "curriculum", "--out", tmp_path / "fed.json", env=feeder.env)
    fed = losses(tmp_path / "fed.json")
    assert fed == in_process
    assert len(set(fed)) > len(fed) // 2, "the loss does not move: the comparison would show nothing"


@pytest.mark.nightly
def test_world_4_has_the_same_loss_within_rounding(house, runtime, in_process, tmp_path):
    with Feeder(house.path, runtime, "loss-4", "--in-place") as feeder:
        torchrun = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "4"]
        run(*torchrun, HERE / "train_small.py", "--feed", "curriculum", "--out", tmp_path / "fed.json", env=feeder.env)
    assert losses(tmp_path / "fed.json") == pytest.approx(in_process, rel=1e-4)
