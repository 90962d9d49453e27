"""From JSON lines of messages to labels with the shipped job and feed files: only answers are to be predicted."""

from __future__ import annotations

import json
from itertools import pairwise

import alone
import jobs
import numpy as np
import pytest
import torch
import yaml
from launch import PROJECT, House, made, made_once
from nodes import Feeder
from transformers import PreTrainedTokenizerFast

import rankfeed as client

RESOURCES = PROJECT / "schema/text/src/test/resources"
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
            template = (RESOURCES / "chat/published/qwen2_5_training.jinja").read_text()
            (work / "tokenizer_config.json").write_text(json.dumps({"chat_template": template}))
            over = {
                "root": root,
                "sources.chats.jsonl": work / "chats.jsonl",
                "prepare.tokenizers.model.file": RESOURCES / "tokenizer/tiny.json",
                "prepare.tokenizers.model.chat": work / "tokenizer_config.json",
            }
            job = PROJECT / "conf/jobs/chat-sft.yaml"
            jobs.job(
                "pipeline",
                job,
                "--run-id",
                "chats",
                *(w for o in over.items() for w in ("--set", "=".join(map(str, o)))),
            )
    return made(root, "chats", "chat-sft")


def test_labels_are_the_text_of_the_assistant(chats, tmp_path, monkeypatch):
    template = (RESOURCES / "chat/published/qwen2_5_training.jinja").read_text()
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


@torch.no_grad()
@pytest.mark.parametrize("layout", ["flat", pytest.param("padded", marks=pytest.mark.nightly)])
def test_conversations_of_shipped_feeds_are_separate(chats, tmp_path, monkeypatch, layout):
    """As the comment in the file says: flat, and padded without `layout` and `tensors`."""
    config = yaml.safe_load((PROJECT / "conf/feeds/chat-sft.yaml").read_text())
    for feed in config["feeds"].values():
        if layout == "padded":
            del feed["columns"][0]["text"]["layout"], feed["columns"][0]["text"]["tensors"]
    (tmp_path / "feed.yaml").write_text(yaml.safe_dump(config))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
    with (
        Feeder(chats.path, tmp_path / "rt", layout, "--in-place", "--config", tmp_path / "feed.yaml"),
        client.Feed(layout, feed="valid", device="cpu", columns=["input_ids"], row_id=False) as feed,
    ):
        batch = next(iter(feed))
        width = batch["input_ids"].shape[1]
        network = alone.model("qwen2", "sdpa", vocabulary=400)
        logits = network(**batch, use_cache=False).logits
        compared = 0
        for i, positions in enumerate(batch["position_ids"]):
            starts = [*(positions == 0).nonzero()[:, 0].tolist(), width]
            for begin, end in pairwise(starts):
                if layout == "flat" or batch["seq_idx"][i, begin] >= 0:
                    expected = network(batch["input_ids"][i, begin:end][None], use_cache=False).logits[0]
                    torch.testing.assert_close(logits[i, begin:end], expected, **alone.EXACT)
                    compared += 1
        assert compared > len(batch["input_ids"])
        del batch
