"""`rankfeed preview`: the numbers and pictures of its page are those that the client gets at the same step."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
from launch import PROJECT, rankfeed
from nodes import Feeder
from pictures import BROKEN, FEED, MISSING, SEED, SIDE, TEXT, TONES, album, file, uniform
from PIL import Image
from sheets import Text, sheet
from texts import BATCH, MASK
from tokenizers import Tokenizer

import rankfeed as client

TOKENIZER = PROJECT / "spark-jobs/src/test/resources/tokenizer/tiny.json"
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
PICTURES = (
    FEED.format(side=SIDE, broken="zeros")
    + """
      - name: album
        from: album
        steps: [decode, random-crop: {height: 40, width: 40}, shift-scale-rotate: {p: 1}]
        broken: zeros
"""
)


def given(run: str, step: int, **rank) -> client.Batch:
    with client.Feed(run, output="numpy", copy=True, normalize=False, **rank) as feed:
        for _ in range(feed.epochs):
            for batch in feed:
                if batch.global_step == step:
                    return batch
    raise AssertionError(f"no step {step}")


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """The page of a step, and the client's batch of it."""

    def run(version, feed: str, *words: object, step: int = STEP, **rank):
        config, out = tmp_path / "feed.yaml", tmp_path / "page.html"
        config.write_text(feed)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
        rankfeed("preview", version.path, "--config", config, "--step", step, "--out", out, *words)
        with Feeder(version.path, tmp_path / "rt", "shown", "--in-place", "--config", config):
            return sheet(out), given("shown", step, **rank)

    return run


def kinds(text: Text, ignored: tuple[int, ...] = ()) -> str:
    """By the page's own numbers, what each place must be colored as."""
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
    """Everything that the batch has of a row: ids, labels, and what there is for each place."""
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


def test_tokens_labels_and_masks_are_those_of_the_batch(texts, shown):
    page, batch = shown(texts, TEXTS, "--tokenizer", TOKENIZER)
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
    for name, (tokens, trained, padding, places, sequences) in page.counts.items():
        rows = [row.texts[name] for row in page.rows]
        assert tokens == sum(sequence >= 0 for text in rows for sequence in text.sequences)
        assert trained == sum(text.kinds.count("t") + text.kinds.count("r") for text in rows)
        assert places == batch[name].size and padding == places - tokens
        assert sequences == sum(bool(text.kinds.strip("p")) for text in rows)
    assert list(page.counts) == list(page.rows[0].texts)
    assert sum(count[0] for count in page.counts.values()) == batch.tokens
    assert sum(count[3] for count in page.counts.values()) == batch.places


def test_members_of_packed_sequences_are_told_apart(packed, shown):
    page, batch = shown(packed, MEMBERS, "--rank", 1, "--world", 2, rank=1, world=2)
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


def boxes(seed: int, row_id: int, size: tuple[int, int], *cycle: int) -> str:
    """The rectangle that `random-crop` draws, by docs/transforms.md."""
    x, y = (int(uniform(seed, row_id, *cycle, 1, number=n + 1) * (size[1 - n] - SIDE + 1)) for n in range(2))
    return f"crop x {x}, y {y}, {SIDE} × {SIDE}"


def test_pictures_are_shown_as_stored_and_as_the_batch_has_them(pictures, shown):
    page, batch = shown(pictures, PICTURES, step=9)
    assert [int(row.caption["id"]) for row in page.rows] == batch["id"].tolist()
    assert page.counts == {}
    firsts = batch["album.offsets"]
    seen = {"flip": 0, "images of lists": 0, "missing": 0, "text": 0}
    for i, row in enumerate(page.rows):
        number, row_id = int(row.caption["id"]), int(batch["row_id"][i])
        assert row.caption["row_id"] == str(row_id)
        assert row.caption["tone"] == f"{sorted(TONES).index(TONES[number % 3])} ({TONES[number % 3]})"
        items = range(firsts[i + 1] - firsts[i])
        files = {"image": file(number)} | {f"album {k}": (album(number) or [])[k] for k in items}
        names = ["image as stored", "pixels", "again"]
        assert list(row.pictures) == names + [n for k in items for n in (f"album {k} as stored", f"album {k}")]
        for name, content in files.items():
            before = row.pictures[f"{name} as stored"]
            of = number if name == "image" else number + int(name.split()[1])
            if of in (MISSING, TEXT):
                assert before.pixels is None
                assert before.notes == [
                    "missing" if of == MISSING else "is neither a PNG nor a JPEG, WebP, BMP or TIFF"
                ]
                seen["missing" if of == MISSING else "text"] += 1
            elif of not in BROKEN:
                stored = np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))
                assert np.abs(before.pixels.astype(int) - stored).max() <= 1, (number, name)
        for name, seed in (("pixels", SEED), ("again", 9)):
            picture = row.pictures[name]
            wanted = batch[name][i] if name == "pixels" else batch[name][i].transpose(1, 2, 0)
            assert (picture.pixels == wanted).all()
            assert (f"{name}.valid is 0: zeros" in picture.notes) == (not batch[f"{name}.valid"][i])
            if number in BROKEN:
                assert number == MISSING or picture.notes[0].startswith("image-")
                continue
            size = row.pictures["image as stored"].pixels.shape[:2]
            flips = uniform(seed, row_id, 1, 2, number=1) < 0.5
            seen["flip"] += flips
            steps = [f"decode {size[0]} × {size[1]}", boxes(seed, row_id, size, 1)]
            assert picture.notes == steps + ["flip horizontally"] * flips
        for k in items:
            picture = row.pictures[f"album {k}"]
            assert (picture.pixels == batch["album"][firsts[i] + k]).all()
            seen["images of lists"] += 1
            if number + k not in BROKEN:
                size = row.pictures[f"album {k} as stored"].pixels.shape[:2]
                degrees = -45 + 90 * uniform(SEED, row_id, 1, k, 2, number=2)
                assert picture.notes[1] == boxes(SEED, row_id, size, 1, k)
                assert float(re.match(r"rotate (-?[\d.]+)°", picture.notes[2])[1]) == pytest.approx(degrees, abs=0.006)
    assert seen["flip"] < 2 * len(page.rows)
    assert all(seen.values()), seen


def test_a_page_ends_at_its_limit_and_a_png_has_the_images(pictures, tmp_path):
    (tmp_path / "feed.yaml").write_text(PICTURES)
    words = ["preview", pictures.path, "--config", tmp_path / "feed.yaml", "--step", STEP]
    page, png = tmp_path / "page.html", tmp_path / "sheet.png"
    done = rankfeed(*words, "--out", page, "--max-bytes", "64 KiB")
    rows = int(re.search(r": (\d+) of 16 rows", done.stdout)[1])
    found = sheet(page)
    assert 0 < len(found.rows) == rows < 16
    assert found.cut[-1] == f"{16 - rows} more rows are not shown: the page ends after 64 KiB (--max-bytes)"
    assert page.stat().st_size < 80 << 10
    assert "3 of 16 rows" in rankfeed(*words, "--out", png, "--rows", 3).stdout
    assert Image.open(png).width >= 640
    refused = rankfeed(*words, "--out", png, "--max-bytes", "1 KiB", check=False)
    assert refused.returncode == 2 and "the sheet has more than 1 KiB" in refused.stderr
