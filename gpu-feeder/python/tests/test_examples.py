"""The example trainers, as a user would start them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from fake_rows import row_ids
from processes import HERE, SOURCES, wait_until

EXAMPLES = HERE.parent / "examples"
CLASSIFIER = ["--tokens", "tokens", "--label", "label.valid", "--valid", "", "--progress-seconds", "0"]


def start(script: str, *words: object, launcher=(sys.executable,), **environment: str) -> subprocess.Popen:
    environment = {**os.environ, "PYTHONPATH": str(SOURCES), "OMP_NUM_THREADS": "1", **environment}
    command = [*launcher, str(EXAMPLES / script), *map(str, words)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finish(process: subprocess.Popen) -> str:
    output = process.communicate(timeout=180)[0]
    assert process.returncode == 0, output
    return output


@pytest.mark.parametrize("save_every", [1, 7])
def test_a_numpy_trainer_killed_again_and_again_sees_every_row_once(feeder, tmp_path, save_every):
    feeder(steps=200, epochs=2, ready_pause=0.001)
    log, cursor = tmp_path / "log" / "rank-0.log", tmp_path / "log" / "rank-0.cursor"

    def saved() -> int:
        if not cursor.exists():
            return 0
        state = json.loads(cursor.read_text())["feed"]
        return state["epoch"] * 200 + state["step"]

    for least in (20, 90, 210, 333):
        process = start("train_numpy.py", "--log", log.parent, "--save-every", save_every)
        wait_until(lambda least=least: saved() >= least, f"step {least}")
        process.send_signal(signal.SIGKILL)
        process.communicate()
    finish(start("train_numpy.py", "--log", log.parent, "--save-every", save_every))
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["rows"] for line in lines] == [row_ids(t, 8, 0, 1) for t in range(400)]
    assert [(line["epoch"], line["step"]) for line in lines] == [(t // 200, t % 200) for t in range(400)]


def test_a_killed_and_resumed_classifier_has_the_losses_of_a_whole_run(feeder, tmp_path):
    feeder(steps=12, columns=["row_id", "tokens", "label.valid"])
    output = finish(start("train_tokens.py", *CLASSIFIER, "--report", tmp_path / "whole"))
    assert "epoch 2/2 step 12/12 loss" in output
    facts = json.loads((tmp_path / "whole/rank-0.json").read_text())
    losses = facts["losses"]
    assert len(set(losses)) > 20
    assert (facts["rows"], facts["steps"], facts["world"]) == (192, 24, 1)

    checkpoint = tmp_path / "model.pt"
    words = [*CLASSIFIER, "--checkpoint", checkpoint, "--save-every", 5]
    running = start("train_tokens.py", *words)
    wait_until(checkpoint.exists, "a checkpoint")
    running.send_signal(signal.SIGKILL)
    running.communicate()
    finish(start("train_tokens.py", *words, "--report", tmp_path / "resumed"))
    resumed = json.loads((tmp_path / "resumed/rank-0.json").read_text())["losses"]
    assert resumed == losses[len(losses) - len(resumed) :]
    assert len(resumed) < len(losses)


def test_two_ranks_under_torchrun_train_together(feeder, tmp_path):
    feeder(ranks=[0, 1], columns=["row_id", "tokens", "label.valid"])
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    output = finish(start("train_tokens.py", *CLASSIFIER, "--report", tmp_path / "report", launcher=launcher))
    assert output.count("step 5/5") == 2, "rank 0 alone speaks"
    facts = [json.loads((tmp_path / f"report/rank-{rank}.json").read_text()) for rank in range(2)]
    assert facts[0]["losses"] == facts[1]["losses"]
    assert [fact["rows"] for fact in facts] == [40, 40]
