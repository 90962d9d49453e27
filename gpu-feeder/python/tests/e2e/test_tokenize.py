"""Tokens of a job against those of Hugging Face's own package, one by one, through a real spark-submit."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from launch import PROJECT, rankfeed
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

JOB = """
dataset: tokens
root: {root}
sources:
  solutions: {{parquet: {table}, columns: [task_id, instruction, input, output]}}
  problems: {{jsonl: {problems}, schema: "task_id STRING, prompt STRING, canonical_solution STRING"}}
prepare:
  sql: >-
    SELECT id, ids, cut, whole.input_ids AS whole, whole.prompt_length AS whole_length,
    apart.input_ids AS apart, apart.prompt_length AS apart_length FROM
    (SELECT id, rf_tokenize('bpe', answer) AS ids, rf_tokenize('bpe', answer, 24, 'truncate') AS cut,
    rf_prompt('bpe', prompt, answer, 'whole', 512, 'truncate') AS whole,
    rf_prompt('bpe', prompt, answer, 'apart') AS apart FROM
    (SELECT concat('s/', task_id) AS id, rf_alpaca(instruction, input) AS prompt, output AS answer FROM solutions
    UNION ALL SELECT concat('p/', task_id), prompt, canonical_solution FROM problems))
  key: [id]
  tokenizers:
    bpe: {{file: {tokenizer}}}
"""

WITH_INPUT = (
    "Below is an instruction that describes a task, paired with an input that provides further context. "
    "Write a response that appropriately completes the request.\n\n"
    "### Instruction:\n{instruction}\n\n### Input:\n{input}\n\n### Response:\n"
)
WITHOUT_INPUT = (
    "Below is an instruction that describes a task. Write a response that appropriately completes the request.\n\n"
    "### Instruction:\n{instruction}\n\n### Response:\n"
)


def humaneval() -> list[dict]:
    """Returns the real problems if they exist, else a few with unusual texts."""
    file = PROJECT.parent / "shared" / "data" / "humaneval" / "HumanEval.jsonl.gz"
    if file.exists():
        return [json.loads(line) for line in gzip.open(file, "rt")]
    texts = ["def f(x):\n    return x\n", "", "ünïcödé 日本 \U0001f600\u0000\t  end", "<s>\r\n</s>"]
    return [{"task_id": str(i), "prompt": t, "canonical_solution": t * 3} for i, t in enumerate(texts)]


def trained(rows: list[str], file: Path) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=2000,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<s>", "</s>"],
        show_progress=False,
    )
    tokenizer.train_from_iterator(rows, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    tokenizer.enable_truncation(max_length=16)  # not to be followed: the job says nothing of it
    tokenizer.save(str(file))
    tokenizer.no_truncation()
    return tokenizer


@pytest.fixture(scope="module")
def texts(table, tmp_path_factory) -> tuple[Path, dict[str, tuple[str, str]]]:
    """Returns the file of problems, and prompt and answer of each row by id."""
    file = tmp_path_factory.mktemp("problems") / "problems.jsonl"
    problems = humaneval()
    file.write_text("".join(json.dumps(p) + "\n" for p in problems))
    rows = {f"p/{p['task_id']}": (p["prompt"], p["canonical_solution"]) for p in problems}
    for row in pq.read_table(table, columns=["task_id", "instruction", "input", "output"]).to_pylist():
        template = WITH_INPUT if row["input"].strip() else WITHOUT_INPUT
        rows[f"s/{row['task_id']}"] = (template.format(**row), row["output"])
    return file, rows


@pytest.mark.nightly
def test_tokens_equal_those_of_the_python_package(table, texts, tmp_path):
    problems, rows = texts
    file = tmp_path / "tokenizer.json"
    tokenizer = trained([answer for _, answer in rows.values()][:500], file)
    job = tmp_path / "job.yaml"
    job.write_text(JOB.format(root=tmp_path / "root", table=table, problems=problems, tokenizer=file))
    rankfeed("prepare", job, "--run-id", "tokens")
    prepared = json.loads((tmp_path / "root/tokens/runs/tokens/run.json").read_text())["prepared"]
    found = pq.read_table(tmp_path / "root/tokens/prepared" / prepared / "data").to_pylist()
    assert len(found) == len(rows)
    short = Tokenizer.from_file(str(file))
    short.enable_truncation(max_length=24)
    middle = Tokenizer.from_file(str(file))
    middle.enable_truncation(max_length=512)
    for row in found:
        prompt, answer = rows[row["id"]]
        ids = {name: np.frombuffer(row[name], np.int32).tolist() for name in ("ids", "cut", "whole", "apart")}
        head = tokenizer.encode(prompt).ids
        assert ids["ids"] == tokenizer.encode(answer).ids, row["id"]
        assert ids["cut"] == short.encode(answer).ids, row["id"]
        assert ids["whole"] == middle.encode(prompt + answer).ids, row["id"]
        assert row["whole_length"] == min(len(head), 512), row["id"]
        assert ids["apart"] == head + tokenizer.encode(answer, add_special_tokens=False).ids, row["id"]
        assert row["apart_length"] == len(head), row["id"]
