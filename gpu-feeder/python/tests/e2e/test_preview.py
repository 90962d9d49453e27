"""`rankfeed preview` of texts: the numbers of its page are those that the client gets at the same step."""

from __future__ import annotations

import numpy as np
from launch import PROJECT
from sheets import Text
from texts import BATCH, MASK
from tokenizers import Tokenizer

import rankfeed as client

TOKENIZER = PROJECT / "schema/text/src/test/resources/tokenizer/tiny.json"
STEP = 7  # in the second epoch of texts and sequences
TEXTS = """
feeds:
  train:
    columns:
      - {name: id}
      - {name: input_ids, from: tokens, text: {prompt: prompt_length}}
      - {name: flat_input_ids, from: tokens, text: {layout: flat, prompt: prompt_length,
                                                    tensors: [position_ids, labels, seq_idx, cu_seqlens]}}
      - {name: masked_input_ids, from: tokens, text: {mask: {id: 2, vocabulary: 64, special: [7]}}}
      - {name: left_input_ids, from: tokens, text: {pad-side: left, pad-to-multiple-of: 16, max-length: 20,
                                                    truncate: right, eos: {id: 1}, ignore-ids: [9],
                                                    tensors: [position_ids, labels]}}
      - {name: long_input_ids, from: tokens, text: {max-length: 30, rejected: empty, future: 3}}
      - {name: targets, from: tokens, text: {tensors: [], pad-id: -100}}
"""
MEMBERS = """
feeds:
  train:
    columns:
      - {name: kind}
      - {name: input_ids, from: tokens, text: {members: member_lengths, prompt: prompt_length}}
      - {name: flat_input_ids, from: tokens, text: {members: member_lengths, layout: flat, pad-side: left,
                                                    tensors: [position_ids, labels, cu_seqlens]}}
"""


def kinds(text: Text, ignored: tuple[int, ...] = ()) -> str:
    """Returns how each position must be colored, by the page's own numbers."""
    found = ""
    for token, labels, sequence in zip(text.ids, text.labels, text.sequences, strict=True):
        if sequence < 0:
            found += "p"
        elif not labels:
            found += "u"
        elif all(label == -100 for label in labels):
            found += "i" if token in ignored else "n"
        else:
            found += "r" if len(labels) == 1 and labels != [token] else "t"
    return found


def equal(text: Text, batch: client.Batch, name: str, i: int | slice) -> None:
    """Everything that the batch has of a row: ids, labels, and the values of each position."""
    prefix = name.removesuffix("input_ids")
    at = (0, i) if isinstance(i, slice) else i
    assert text.ids == batch[name][at].tolist(), name
    if f"{prefix}labels" in batch and prefix != name:
        labels = batch[f"{prefix}labels"][at]
        assert text.labels == labels.reshape(len(text.ids), -1).tolist(), name
    marks = ("attention_mask", "position_ids", "seq_idx")
    wanted = {f"{prefix}{mark}": batch[f"{prefix}{mark}"][at].tolist() for mark in marks if f"{prefix}{mark}" in batch}
    if len(text.ids):
        assert text.marks == (wanted if prefix != name else {}), name


def test_tokens_labels_and_masks_equal_the_batch(texts, shown):
    page, batch = shown(texts, TEXTS, STEP, "--tokenizer", TOKENIZER)
    words = Tokenizer.from_file(str(TOKENIZER))
    assert len(page.rows) == batch.valid_rows == BATCH
    assert [int(row.caption["id"]) for row in page.rows] == batch["id"].tolist()
    ends = batch["flat_cu_seqlens"]
    seen = ""
    for i, row in enumerate(page.rows):
        assert list(row.texts) == [name for name in batch if name.endswith("input_ids") or name == "targets"]
        assert not row.pictures
        for name, text in row.texts.items():
            equal(text, batch, name, slice(ends[i], ends[i + 1]) if name.startswith("flat") else i)
            wanted = {"left_input_ids": (9,), "masked_input_ids": (7,)}.get(name, ())
            assert text.kinds == kinds(text, wanted), name
            seen += text.kinds
            for token, word, (label, *_), below in zip(
                text.ids, text.shown, [labels or [None] for labels in text.labels], text.replaced, strict=True
            ):
                assert word == (words.decode([token], skip_special_tokens=False) if token >= 0 else str(token))
                if name == "masked_input_ids" and label not in (token, -100):
                    assert below == words.decode([label], skip_special_tokens=False)
                else:
                    assert below == ""
        length = len(row.texts["flat_input_ids"].ids)
        # Padding is known without a tensor that says so.
        assert row.texts["targets"].kinds.rstrip("p") == "u" * length
        assert row.texts["left_input_ids"].kinds.lstrip("p").count("p") == 0
        assert set(row.texts["long_input_ids"].sequences) <= ({-1} if length > 30 else {0, -1})
    assert set(seen) == set("tnpiru")
    assert any(MASK in row.texts["masked_input_ids"].ids for row in page.rows)
    for name, (tokens, trained, padding, positions, sequences) in page.counts.items():
        rows = [row.texts[name] for row in page.rows]
        assert tokens == sum(sequence >= 0 for text in rows for sequence in text.sequences)
        assert trained == sum(text.kinds.count("t") + text.kinds.count("r") for text in rows)
        assert positions == batch[name].size and padding == positions - tokens
        assert sequences == sum(bool(text.kinds.strip("p")) for text in rows)
    assert list(page.counts) == list(page.rows[0].texts)
    assert sum(count[0] for count in page.counts.values()) == batch.tokens
    assert sum(count[3] for count in page.counts.values()) == batch.padded_tokens


def test_members_of_packed_sequences_are_distinct(packed, shown):
    page, batch = shown(packed, MEMBERS, STEP, "--rank", 1, "--world", 2, rank=1, world=2)
    first, flat_first = 0, 0
    for i, row in enumerate(page.rows):
        lengths = [int(word.partition(":")[2]) for word in row.caption["members"].split(", ")]
        text, flat = row.texts["input_ids"], row.texts["flat_input_ids"]
        equal(text, batch, "input_ids", i)
        equal(flat, batch, "flat_input_ids", slice(first, first + sum(lengths)))
        numbers = [k for k, length in enumerate(lengths) for _ in range(length)]
        assert flat.sequences == numbers == [number for number in text.sequences if number >= 0]
        assert text.shown == [str(token) for token in text.ids]
        first += sum(lengths)
        bounds = batch["flat_cu_seqlens"][flat_first : flat_first + len(lengths) + 1]
        assert np.diff(bounds).tolist() == lengths
        flat_first += len(lengths)
    assert page.counts["flat_input_ids"][4] == page.counts["input_ids"][4] == flat_first > len(page.rows)
    assert page.counts["flat_input_ids"][2] == 0
