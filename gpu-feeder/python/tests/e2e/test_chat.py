"""From JSON lines of messages to labels with the shipped job and feed files: only answers are to be predicted."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from launch import PROJECT, House, made, made_once, rankfeed
from nodes import Feeder
from transformers import PreTrainedTokenizerFast

import rankfeed as client

RESOURCES = PROJECT / "spark-jobs/src/test/resources"
ROWS = 300


def messages(number: int) -> list[dict]:
    turns = [{"role": "system", "content": "Be brief."}] if number % 5 == 0 else []
    for turn in range(1 + number % 3):
        turns += [
            {"role": "user", "content": f"question {number} {'é' * (number % 7)} {{{{ 7 * 7 }}}}"},
            {"role": "assistant", "content": f"answer {turn} 😀 {'word ' * (number % 20)}"},
        ]
    return turns


@pytest.fixture(scope="module")
def chats(work) -> House:
    root = work / "chats"
    with made_once(root) as mine:
        if mine:
            lines = [json.dumps({"id": str(number), "messages": messages(number)}) for number in range(ROWS)]
            (work / "chats.jsonl").write_text("\n".join(lines))
            template = (RESOURCES / "chat/qwen2_5_training.jinja").read_text()
            (work / "tokenizer_config.json").write_text(json.dumps({"chat_template": template}))
            over = {
                "root": root,
                "sources.chats.jsonl": work / "chats.jsonl",
                "prepare.tokenizers.model.file": RESOURCES / "tokenizer/tiny.json",
                "prepare.tokenizers.model.chat": work / "tokenizer_config.json",
            }
            job = PROJECT / "conf/jobs/chat-sft.yaml"
            rankfeed(
                "pipeline",
                job,
                "--run-id",
                "chats",
                *(w for o in over.items() for w in ("--set", "=".join(map(str, o)))),
            )
    return made(root, "chats", "chat-sft")


def test_labels_are_what_the_assistant_says(chats, tmp_path, monkeypatch):
    template = (RESOURCES / "chat/qwen2_5_training.jinja").read_text()
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(RESOURCES / "tokenizer/tiny.json"), chat_template=template)
    expected = {}
    for number in range(ROWS):
        made = tokenizer.apply_chat_template(messages(number), return_dict=True, return_assistant_tokens_mask=True)
        ids, mask = np.array(made["input_ids"]), np.array(made["assistant_masks"])
        expected[tuple(ids)] = np.where(mask == 1, ids, -100)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
    config = PROJECT / "conf/feeds/chat-sft.yaml"
    seen = 0
    with (
        Feeder(chats.path, tmp_path / "rt", "chats", "--in-place", "--config", config),
        client.Feed("chats", feed="train", output="numpy") as feed,
    ):
        for batch in feed:
            assert batch["max_length_q"] <= 2048
            ends = batch["cu_seq_lens_q"].tolist()
            for begin, end in pairwise(ends):
                ids, labels = batch["input_ids"][0, begin:end], batch["labels"][0, begin:end]
                wanted = expected[tuple(ids)]
                assert labels[1:].tolist() == wanted[1:].tolist()
                assert labels[0] == -100
                seen += 1
        assert seen > 0.7 * ROWS
