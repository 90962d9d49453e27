"""A feeder with eight ranks and metrics, whose trainer takes batches until the tests end."""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass

import jobs
import pytest
from cluster import free_ports
from launch import House, made, made_once
from nodes import Feeder
from texts import JOB

from waiting import wait_until

RANKS = 8
# The first argument is the file that ends it.
TRAINER = f"""
import os, sys, time
import rankfeed

feeds = [rankfeed.Feed(output="numpy", rank=rank, world={RANKS}) for rank in range({RANKS})]
while not os.path.exists(sys.argv[1]):
    for batches in zip(*feeds):
        end = time.perf_counter() + 0.02
        while time.perf_counter() < end:
            pass
    for feed in feeds:
        feed.load_state_dict({{"plan": feed.plan, "feed": "train", "epoch": 0, "step": 0}})
"""


@dataclass
class Node:
    """A feeder whose eight ranks take batches, and its address."""

    feeder: Feeder
    port: int

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
            return answer.read().decode()


@pytest.fixture(scope="module")
def wide(work, texts) -> House:
    """The texts as a version of eight lanes."""
    root = work / "wide"
    with made_once(root) as mine:
        if mine:
            job = work / "wide.yaml"
            text = JOB.format(root=root, table=work / "texts.parquet", batch=16, lanes=RANKS, epochs=200, seed=3)
            job.write_text(text.replace("dataset: texts", "dataset: wide"), "utf-8")
            jobs.job("pipeline", job, "--run-id", "wide")
    return made(root, "wide", "wide")


@pytest.fixture(scope="module")
def node(wide, tmp_path_factory) -> Iterator[Node]:
    folder = tmp_path_factory.mktemp("rt")
    (port,) = free_ports(1)
    words = ("--in-place", "--world", RANKS, "--metrics", f"127.0.0.1:{port}")
    with Feeder(wide.path, folder, "metrics", *words) as feeder:
        stop, script = folder / "stop", folder / "train.py"
        script.write_text(TRAINER)
        trainer = subprocess.Popen([sys.executable, script, stop], env=feeder.env)
        try:
            node = Node(feeder, port)
            rows = re.compile(r"^rankfeed_rows_total\S* [1-9]", re.MULTILINE)
            wait_until(lambda: len(rows.findall(node.get("/metrics"))) == RANKS, "rows of all ranks", process=trainer)
            yield node
        finally:
            stop.touch()
            try:
                trainer.wait(60)
            finally:
                trainer.kill()
