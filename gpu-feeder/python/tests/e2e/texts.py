"""A table of token ids with prompts, its version, and feeders of it."""

from __future__ import annotations

import random

import jobs
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from launch import House, made, made_once
from nodes import Feeder

ROWS, BATCH, LANES, EPOCHS, SEED, VOCABULARY = 96, 16, 4, 3, 7, 64
PAD, EOS, MASK = 0, 1, 2
EMPTY, LONGEST = 5, 11
JOB = """
dataset: texts
root: {root}
sources:
  texts: {{parquet: {table}}}
prepare:
  select: {{from: texts, columns: [id, tokens, prompt_length]}}
  key: [id]
sample:
  train: {{batch: {batch}, lanes: {lanes}, epochs: {epochs}, seed: {seed}}}
export:
  batch-rows: 16
"""
NUMBERED = """
feeds:
  train:
    columns:
      - {{name: id}}
      - {{name: input_ids, from: tokens, text: {text}}}
"""
ALONE = """
feeds:
  train:
    columns:
      - {{name: input_ids, from: tokens, text: {text}}}
"""


def row(number: int) -> tuple[list[int], int]:
    """Returns token ids and the length of the prompt. Ids count up by one, so that a model can learn to predict
    them."""
    draw = random.Random(number)
    length = {EMPTY: 0, LONGEST: 60}.get(number, draw.randrange(1, 40))
    first = draw.randrange(3, VOCABULARY)
    return [3 + (first + i) % (VOCABULARY - 3) for i in range(length)], draw.randrange(0, length + 1)


@pytest.fixture(scope="module")
def texts(work) -> House:
    root = work / "texts"
    with made_once(root) as mine:
        if mine:
            table, job = work / "texts.parquet", work / "texts.yaml"
            rows = [row(number) for number in range(ROWS)]
            columns = {
                "id": pa.array(range(ROWS), pa.int64()),
                "tokens": pa.array([tokens for tokens, _ in rows], pa.list_(pa.int32())),
                "prompt_length": pa.array([prompt for _, prompt in rows], pa.int32()),
            }
            pq.write_table(pa.table(columns), table)
            job.write_text(
                JOB.format(root=root, table=table, batch=BATCH, lanes=LANES, epochs=EPOCHS, seed=SEED), "utf-8"
            )
            jobs.job("pipeline", job, "--run-id", "texts")
    return made(root, "texts", "texts")


@pytest.fixture
def text_feeder(texts, tmp_path, monkeypatch):
    """Starts feeders of the texts by rules; the client of this process finds them."""

    def start(name: str, text: str, *words: object, template: str = NUMBERED) -> Feeder:
        config = tmp_path / f"{name}.yaml"
        config.write_text(template.format(text=text))
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
        return Feeder(texts.path, tmp_path / "rt", name, "--in-place", "--config", config, *words)

    return start


PACKED = """
dataset: packed
root: {root}
sources:
  texts: {{parquet: {table}}}
prepare:
  sql: SELECT id, id % 3 AS kind, tokens, prompt_length FROM texts WHERE size(tokens) > 0
  key: [id]
  pack: {{to: 64, within: [kind]}}
sample:
  train:
    where: kind < 2
    batch: 4
    lanes: 2
    rows: 16
    epochs: 2
    seed: 3
    strata: [{{column: kind}}]
    balance: [kind]
    on-shortage: repeat
  valid: {{kind: sequential, batch: 4, lanes: 2}}
"""


@pytest.fixture(scope="module")
def packed(work, texts) -> House:
    root = work / "packed"
    with made_once(root) as mine:
        if mine:
            job = work / "packed.yaml"
            job.write_text(PACKED.format(root=root, table=work / "texts.parquet"), "utf-8")
            jobs.job("pipeline", job, "--run-id", "packed")
    return made(root, "packed", "packed")
