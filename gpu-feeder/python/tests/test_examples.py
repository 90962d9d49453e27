"""The example trainers, as a user would start them."""

from __future__ import annotations

import atexit
import json
import os
import runpy
import sys
import time
from pathlib import Path

import pytest

from fake_rows import row_ids
from processes import DEADLINE_SECONDS, FORKS, HERE, SOURCES, wait_until

EXAMPLES = HERE.parent / "examples"
CLASSIFIER = ["--tokens", "tokens", "--label", "label.valid", "--valid", "", "--progress-seconds", "0"]


class Script:
    """An example in a process of its own, forked from one that has imported torch."""

    def __init__(self, folder: Path, script: str, words: tuple, target):
        self._output = folder / f"{script}-{time.monotonic_ns()}.out"
        environment = {**os.environ, "PYTHONPATH": str(SOURCES), "OMP_NUM_THREADS": "1"}
        arguments = (str(EXAMPLES / script), list(map(str, words)), environment, self._output)
        self._process = FORKS.Process(target=target, args=arguments)
        self._process.start()

    def kill(self) -> None:
        self._process.kill()
        self._process.join(DEADLINE_SECONDS)

    def finish(self) -> str:
        self._process.join(DEADLINE_SECONDS)
        output = self._output.read_text()
        assert self._process.exitcode == 0, output
        return output


def alone(script: str, words: list[str], environment: dict[str, str], output: Path) -> None:
    """Runs in the process, like ``python SCRIPT WORDS``."""
    os.environ.clear()
    os.environ.update(environment)
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    main(script, words)


def main(script: str, words: list[str]) -> None:
    sys.argv = [script, *words]
    try:
        runpy.run_path(script, run_name="__main__")
    finally:
        # A forked process of multiprocessing does not run these; a script's interpreter does.
        atexit._run_exitfuncs()


def two_ranks(script: str, words: list[str], environment: dict[str, str], output: Path) -> None:
    """Runs like ``torchrun --standalone --nproc-per-node 2 SCRIPT WORDS``, without a new interpreter."""
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    here = LaunchConfig(
        min_nodes=1, max_nodes=1, nproc_per_node=2, run_id="examples", rdzv_backend="c10d",
        rdzv_endpoint="localhost:0", max_restarts=0,
    )  # fmt: skip
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.environ.clear()
    os.environ.update(environment)
    elastic_launch(here, sys.executable)(script, *words)


@pytest.fixture
def start(tmp_path):
    """Starts an example with words; ``target`` says how."""
    started = []

    def run(script: str, *words: object, target=alone) -> Script:
        started.append(Script(tmp_path, script, words, target))
        return started[-1]

    yield run
    for script in started:
        script._process.kill()


@pytest.mark.parametrize("save_every", [7, pytest.param(1, marks=pytest.mark.nightly)])
def test_numpy_trainer_killed_often_reads_every_row_once(feeder, start, tmp_path, save_every):
    feeder(steps=200, epochs=2, ready_pause=0.001)
    log, cursor = tmp_path / "log" / "rank-0.log", tmp_path / "log" / "rank-0.cursor"

    def saved() -> int:
        if not cursor.exists():
            return 0
        state = json.loads(cursor.read_text())["feed"]
        return state["epoch"] * 200 + state["step"]

    for minimum in (20, 90, 210, 333):
        process = start("train_numpy.py", "--log", log.parent, "--save-every", save_every)
        wait_until(lambda minimum=minimum: saved() >= minimum, f"step {minimum}")
        process.kill()
    start("train_numpy.py", "--log", log.parent, "--save-every", save_every).finish()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["rows"] for line in lines] == [row_ids(t, 8, 0, 1) for t in range(400)]
    assert [(line["epoch"], line["step"]) for line in lines] == [(t // 200, t % 200) for t in range(400)]


@pytest.mark.usefixtures("torch_forks")
def test_killed_and_resumed_classifier_has_the_same_losses(feeder, start, tmp_path):
    feeder(steps=12, columns=["row_id", "tokens", "label.valid"], ready_pause=0.01)
    output = start("train_tokens.py", *CLASSIFIER, "--report", tmp_path / "whole").finish()
    assert "epoch 2/2 step 12/12 loss" in output
    facts = json.loads((tmp_path / "whole/rank-0.json").read_text())
    losses = facts["losses"]
    assert len(set(losses)) > 20
    assert (facts["rows"], facts["steps"], facts["world"]) == (192, 24, 1)

    checkpoint = tmp_path / "model.pt"
    words = [*CLASSIFIER, "--checkpoint", checkpoint, "--save-every", 5]
    running = start("train_tokens.py", *words)
    wait_until(checkpoint.exists, "a checkpoint")
    running.kill()
    start("train_tokens.py", *words, "--report", tmp_path / "resumed").finish()
    resumed = json.loads((tmp_path / "resumed/rank-0.json").read_text())["losses"]
    assert resumed == losses[len(losses) - len(resumed) :]
    assert len(resumed) < len(losses)


@pytest.mark.usefixtures("torch_forks")
@pytest.mark.nightly
def test_two_ranks_under_torchrun_train_together(feeder, start, tmp_path):
    feeder(ranks=[0, 1], columns=["row_id", "tokens", "label.valid"])
    output = start("train_tokens.py", *CLASSIFIER, "--report", tmp_path / "report", target=two_ranks).finish()
    assert output.count("step 5/5") == 2, "rank 0 alone speaks"
    facts = [json.loads((tmp_path / f"report/rank-{rank}.json").read_text()) for rank in range(2)]
    assert facts[0]["losses"] == facts[1]["losses"]
    assert [fact["rows"] for fact in facts] == [40, 40]
