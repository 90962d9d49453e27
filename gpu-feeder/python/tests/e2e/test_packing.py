"""Rows packed into sequences by a job, from the table to the batch."""

from __future__ import annotations

import numpy as np
import pytest
from launch import rankfeed
from nodes import Feeder
from texts import ROWS, row

import rankfeed as client

FEED = """
feeds:
  {feed}:
    columns:
      - {{name: id, layout: ragged}}
      - {{name: kind}}
      - {{name: member_lengths, layout: ragged}}
      - {{name: input_ids, from: tokens, text: {{members: member_lengths, prompt: prompt_length, {more}}}}}
"""
TENSORS = "tensors: [attention_mask, labels, position_ids, seq_idx]"


@pytest.fixture
def packed_feeder(packed, tmp_path, monkeypatch):
    def start(name: str, feed: str, more: str, *words: object) -> Feeder:
        config = tmp_path / f"{name}.yaml"
        config.write_text(FEED.format(feed=feed, more=more))
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
        return Feeder(packed.path, tmp_path / "rt", name, "--in-place", "--config", config, *words)

    return start


def members_of(batch, i: int) -> list[int]:
    ends = batch["id.offsets"]
    return batch["id"][ends[i] : ends[i + 1]].tolist()


def sequence(members: list[int]) -> dict[str, list[int]]:
    """What the members' rows say the sequence must be."""
    out: dict[str, list[int]] = {"input_ids": [], "labels": [], "position_ids": [], "seq_idx": []}
    for k, number in enumerate(members):
        ids, prompt = row(number)
        labels = [-100] * prompt + ids[prompt:]
        labels[0] = -100
        out["input_ids"] += ids
        out["labels"] += labels
        out["position_ids"] += range(len(ids))
        out["seq_idx"] += [k] * len(ids)
    return out


def test_every_row_is_in_one_sequence_and_no_member_sees_another(packed_feeder):
    seen = []
    with (
        packed_feeder("padded", "valid", TENSORS),
        client.Feed("padded", feed="valid", output="numpy") as feed,
    ):
        for batch in feed:
            for i in range(batch.valid_rows):
                members = members_of(batch, i)
                seen += members
                assert {number % 3 for number in members} == {batch["kind"][i]}
                wanted = sequence(members)
                length = len(wanted["input_ids"])
                assert length <= 64
                assert batch["attention_mask"][i].tolist() == [1] * length + [0] * (batch["labels"].shape[1] - length)
                for name, values in wanted.items():
                    assert batch[name][i][:length].tolist() == values, name
                assert (batch["labels"][i][length:] == -100).all()
    assert sorted(seen) == [number for number in range(ROWS) if row(number)[0]]


def test_a_flat_batch_has_the_bounds_of_the_members(packed_feeder):
    with (
        packed_feeder("flat", "valid", "layout: flat, tensors: [position_ids, labels, cu_seqlens]"),
        client.Feed("flat", feed="valid", output="numpy") as feed,
    ):
        for batch in feed:
            members = [number for i in range(batch.valid_rows) for number in members_of(batch, i)]
            lengths = [len(row(number)[0]) for number in members]
            assert batch["cu_seqlens"].tolist() == np.concatenate([[0], np.cumsum(lengths)]).tolist()
            assert batch["max_seqlen"] == max(lengths)
            assert batch["input_ids"][0].tolist() == sequence(members)["input_ids"]
            assert batch["labels"][0].tolist() == sequence(members)["labels"]


def test_shares_count_sequences(packed_feeder):
    with packed_feeder("train", "train", TENSORS), client.Feed("train", output="numpy") as feed:
        for _ in range(feed.epochs):
            for batch in feed:
                assert sorted(batch["kind"].tolist()) == [0, 0, 1, 1]


def test_explain_lists_the_members_and_finds_a_sequence_by_one(packed):
    said = rankfeed("explain", packed.path, "--feed", "valid", "--step", 0).stdout
    heads, first = (line.split("\t") for line in said[said.index("place\t") :].splitlines()[:2])
    members = dict(member.split(":") for member in first[heads.index("members")].split(", "))
    assert all(int(length) == len(row(int(number))[0]) for number, length in members.items())
    assert first[heads.index("first_id")] == next(iter(members))
    for number in members:
        found = rankfeed("explain", packed.path, "--feed", "valid", "--row", number).stdout
        line = found.splitlines()[-1].split("\t")
        assert first[heads.index("row_id")] in line


@pytest.mark.nightly
def test_a_condition_on_a_column_of_the_members_is_refused(packed, work):
    job = work / "packed.yaml"
    refused = rankfeed(
        "pipeline", job, "--run-id", "wrong", "--dry-run", "--set", "sample.train.where=prompt_length > 3", check=False
    )
    assert refused.returncode == 2, refused.stderr
    assert "use first_id, kind, member_count, token_count" in refused.stderr
