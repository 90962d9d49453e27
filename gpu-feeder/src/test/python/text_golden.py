"""Writes src/test/resources/golden/text.json: batches of token ids as reference collators make them.

    python gpu-feeder/src/test/python/text_golden.py [--check]

transformers 5.23.0 made the file in the repository; ``--check`` compares instead of writing. Each case has the ``text`` section of a
feed file, rows, and the tensors of their batch. ``reference`` names what made them: a collator of transformers, the collator of
weighted-mtp (Alpaca prompts, padded to the limit), or ``plain``, list arithmetic below for what those do not have.
"""

import json
import random
import sys
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import (
    DataCollatorForLanguageModeling,
    DataCollatorForSeq2Seq,
    DataCollatorWithFlattening,
    PreTrainedTokenizerFast,
)

FILE = Path(__file__).resolve().parents[1] / "resources/golden/text.json"
VOCABULARY = 200
PAD, UNKNOWN, EOS, MASK = 0, 1, 2, 3
PICTURE = 4
SEED = 77
PHI, WORD = 0x9E3779B97F4A7C15, (1 << 64) - 1


def tokenizer(side: str = "right", pad: int = PAD) -> PreTrainedTokenizerFast:
    """Numbers separated by spaces are their own ids, but for those of special tokens."""
    special = {PAD: "<pad>", UNKNOWN: "<unk>", EOS: "</s>", MASK: "<mask>"}
    ids = {special.get(i, str(i)): i for i in range(VOCABULARY)}
    words = Tokenizer(models.WordLevel(ids, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token=special[pad], mask_token="<mask>", eos_token="</s>", unk_token="<unk>",
        padding_side=side,
    )  # fmt: skip


def rows_of(draw: random.Random, lengths: list[int]) -> list[dict]:
    rows = []
    for length in lengths:
        tokens = [draw.randrange(4, VOCABULARY) for _ in range(length)]
        rows.append({"tokens": tokens, "prompt": draw.randrange(0, length + 3)})
    return rows


def labels_after_prompt(row: dict) -> list[int]:
    cut = min(row["prompt"], len(row["tokens"]))
    return [-100] * cut + row["tokens"][cut:]


def values(batch: dict, names: list[str]) -> dict:
    return {name: value.tolist() if hasattr(value := batch[name], "tolist") else value for name in names}


def language_modeling(draw: random.Random):
    names = ["input_ids", "attention_mask", "labels"]
    for side in ("right", "left"):
        for multiple in (None, 1, 8):
            rows = rows_of(draw, [5, 1, 9, 3])
            collate = DataCollatorForLanguageModeling(tokenizer(side), mlm=False, pad_to_multiple_of=multiple)
            text = {"pad-side": side} | ({"pad-to-multiple-of": multiple} if multiple else {})
            batch = collate([{"input_ids": row["tokens"]} for row in rows])
            yield "DataCollatorForLanguageModeling", text, rows, values(batch, names)
    rows = rows_of(draw, [4, 6])
    rows[0]["tokens"][2] = EOS
    batch = DataCollatorForLanguageModeling(tokenizer(pad=EOS), mlm=False)([{"input_ids": r["tokens"]} for r in rows])
    text = {"pad-id": EOS, "ignore-ids": [EOS]}
    yield "DataCollatorForLanguageModeling", text, rows, values(batch, names)


def seq2seq(draw: random.Random):
    for side in ("right", "left"):
        for more, text in (({}, {}), ({"pad_to_multiple_of": 8}, {"pad-to-multiple-of": 8}),
                           ({"padding": "max_length", "max_length": 16}, {"pad-to-length": 16})):  # fmt: skip
            rows = rows_of(draw, [7, 2, 1, 12])
            collate = DataCollatorForSeq2Seq(tokenizer(side), **more)
            batch = collate([{"input_ids": row["tokens"], "labels": labels_after_prompt(row)} for row in rows])
            yield "DataCollatorForSeq2Seq", {"pad-side": side, "prompt": "prompt"} | text, rows, values(
                batch, ["input_ids", "attention_mask", "labels"]
            )
            targets = rows_of(draw, [3, 0, 5, 1])
            batch = collate(
                [{"input_ids": row["tokens"], "labels": t["tokens"]} for row, t in zip(rows, targets, strict=True)]
            )
            # Targets as a column of their own: ids without tensors next to them.
            yield "DataCollatorForSeq2Seq", {"pad-side": side, "pad-id": -100, "tensors": []} | text, targets, {
                "input_ids": batch["labels"].tolist()
            }


def flattening(draw: random.Random):
    tensors = ["position_ids", "labels", "seq_idx", "cu_seq_lens"]
    names = ["input_ids", "position_ids", "labels", "seq_idx", "cu_seq_lens_q", "cu_seq_lens_k", "max_length_q",
             "max_length_k"]  # fmt: skip
    for has_labels in (False, True):
        for first in (0, 2):
            rows = rows_of(draw, [5, 1, 9, 3])
            collate = DataCollatorWithFlattening(
                return_flash_attn_kwargs=True, return_seq_idx=True, position_ids_start=first
            )
            features = [
                {"input_ids": row["tokens"]} | ({"labels": labels_after_prompt(row)} if has_labels else {})
                for row in rows
            ]
            text = {"layout": "flat", "tensors": tensors, "first-position": first}
            text |= {"prompt": "prompt"} if has_labels else {}
            yield "DataCollatorWithFlattening", text, rows, values(collate(features), names)


def weighted_mtp(draw: random.Random):
    """The prompt is tokenized alone, the whole text padded and truncated to the limit; the prompt and padding are ignored."""
    limit, words = 10, tokenizer()
    for lengths in ([4, 9, 10, 11], [15, 1, 12, 3]):
        rows = rows_of(draw, lengths)
        rows[0]["prompt"] = lengths[0]  # an empty answer
        rows[2]["prompt"] = limit + 1 if lengths[2] > limit else lengths[2]  # a prompt longer than the limit
        batch = {"input_ids": [], "attention_mask": [], "labels": []}
        for row in rows:
            text = " ".join(map(str, row["tokens"]))
            prompt = " ".join(map(str, row["tokens"][: row["prompt"]]))
            whole = words(text, max_length=limit, padding="max_length", truncation=True)
            ids, mask = torch.tensor(whole["input_ids"]), torch.tensor(whole["attention_mask"])
            labels = ids.clone()
            labels[: len(words(prompt)["input_ids"])] = -100
            labels[mask == 0] = -100
            for name, tensor in (("input_ids", ids), ("attention_mask", mask), ("labels", labels)):
                batch[name].append(tensor.tolist())
        text = {"max-length": limit, "truncate": "right", "pad-to-length": limit, "prompt": "prompt"}
        yield "weighted-mtp", text, rows, batch


def mix(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
    return z ^ (z >> 31)


def draw_of(row_id: int, number: int) -> float:
    """The n-th random number of a row in its first cycle (docs/text.md)."""
    key = SEED
    for part in (8, row_id, 0):
        key = mix(((key ^ part) + PHI) & WORD)
    return (mix((key + number * PHI) & WORD) >> 11) * 2.0**-53


def row_id(index: int) -> int:
    """That the test gives the row."""
    return 1000 + 7 * index


def masked(draw: random.Random):
    for probability, replace, at_random in ((0.15, 0.8, 0.1), (0.5, 0.5, 0.5), (1.0, 0.0, 0.2), (0.3, 1.0, 0.0)):
        rows = rows_of(draw, [40, 7, 0, 23])
        for row in rows[:2]:
            row["tokens"][3] = EOS
        width = max(len(row["tokens"]) for row in rows)
        chosen = torch.tensor([[draw_of(row_id(i), 2 * t + 1) for t in range(width)] for i in range(4)]).double()
        second = torch.tensor([[draw_of(row_id(i), 2 * t + 2) for t in range(width)] for i in range(4)]).double()
        action = chosen / probability
        decisions = iter([(chosen < probability), (action < replace), (action < replace + at_random)])

        def bernoulli(p, generator=None, decisions=decisions):
            return (next(decisions) & (p > 0)).float()

        def randint(high, shape, dtype=None, generator=None, second=second):
            return (second * high).long()

        collate = DataCollatorForLanguageModeling(
            tokenizer(), mlm_probability=probability, mask_replace_prob=replace, random_replace_prob=at_random
        )
        real = torch.bernoulli, torch.randint
        torch.bernoulli, torch.randint = bernoulli, randint
        try:
            batch = collate([{"input_ids": row["tokens"]} for row in rows])
        finally:
            torch.bernoulli, torch.randint = real
        text = {"mask": {"id": MASK, "vocabulary": VOCABULARY, "probability": probability, "replace": replace,
                         "random": at_random, "special": [PAD, UNKNOWN, EOS, MASK]}}  # fmt: skip
        yield "DataCollatorForLanguageModeling", text, rows, values(batch, ["input_ids", "attention_mask", "labels"])


def plain(draw: random.Random):
    for _ in range(60):
        yield ("plain", *plain_case(draw))


def plain_case(draw: random.Random):
    flat, packed = draw.random() < 0.4, draw.random() < 0.4
    kind = draw.choice(["none", "prompt", "spans"])
    limit = draw.choice([None, 1, 2, 5, 8])
    truncate = draw.choice(["left", "right"])
    eos = None if packed or draw.random() < 0.4 else {
        "id": EOS, "add": draw.choice(["missing", "always"]), "truncated": draw.choice(["keep", "drop"])
    }  # fmt: skip
    future = draw.choice([None, 1, 3])
    tensors = ["labels", "position_ids", "seq_idx"]
    tensors += ["cu_seqlens"] if flat else [] if packed else ["attention_mask"]
    first = draw.choice([0, 1, 2])
    text: dict = {"tensors": tensors, "pad-id": 9, "ignore-ids": [5], "first-position": first}
    text |= {"layout": "flat"} if flat else {"pad-side": draw.choice(["left", "right"])}
    text |= {"max-length": limit, "truncate": truncate} if limit else {}
    text |= {"eos": eos} if eos else {}
    text |= {"future": future} if future else {}
    text |= {"members": "members"} if packed else {}
    text |= {} if kind == "none" else {kind: "prompts" if kind == "prompt" and packed else kind}
    rows = [plain_row(draw, packed) for _ in range(4)]
    sequences = [plain_sequences(row, text, packed, kind) for row in rows]
    width = 0 if flat else max(1, *(sum(len(s) for s in row) for row in sequences))
    batch: dict = {name: [] for name in ["input_ids", *tensors]}
    number, ends = 0, [0]
    for row in sequences:
        out: dict = {name: [] for name in batch}
        for k, sequence in enumerate(row):
            labels = [label for _, label in sequence]
            if sequence and (flat or packed):
                labels[0] = -100
            if future:
                labels = [[labels[t + k] if t + k < len(labels) else -100 for k in range(1, future + 1)]
                          for t in range(len(labels))]  # fmt: skip
            out["input_ids"] += [token for token, _ in sequence]
            out["labels"] += labels
            out["position_ids"] += range(first, first + len(sequence))
            out["seq_idx"] += [number if flat else k] * len(sequence)
            ends.append(ends[-1] + len(sequence))
            number += 1
        if not flat:
            pad = width - len(out["input_ids"])
            if not packed:
                out["attention_mask"] = [1] * len(out["input_ids"])
            ignored = [-100] * future if future else -100
            fillers = {"input_ids": 9, "labels": ignored, "position_ids": first, "seq_idx": -1, "attention_mask": 0}
            for name in batch:
                padding = [fillers[name]] * pad
                out[name] = padding + out[name] if text["pad-side"] == "left" else out[name] + padding
        for name in out:
            batch[name].append(out[name])
    if flat:
        batch = {name: [[value for row in rows_ for value in row]] for name, rows_ in batch.items()}
        batch["cu_seqlens"] = ends
        batch["max_seqlen"] = max(b - a for a, b in zip(ends, ends[1:], strict=False))
    return text, rows, batch


def plain_row(draw: random.Random, packed: bool) -> dict:
    members = [draw.randrange(1, 5) for _ in range(draw.randrange(0, 4))] if packed else [draw.randrange(0, 11)]
    length = sum(members)
    cuts = sorted(draw.sample(range(length + 1), min(2 * draw.randrange(0, 3), (length + 1) // 2 * 2)))
    return {
        "tokens": [draw.choice([EOS, 5, *range(10, 30)]) for _ in range(length)],
        "prompt": draw.randrange(0, 8),
        "prompts": [draw.randrange(0, 4) for _ in members],
        "spans": cuts,
        "members": members if packed else [],
    }


def plain_sequences(row: dict, text: dict, packed: bool, kind: str) -> list[list[tuple[int, int]]]:
    """The row's sequences after truncation, as (token, label)."""
    tokens, limit, eos = row["tokens"], text.get("max-length"), text.get("eos")
    pairs = list(zip(row["spans"][::2], row["spans"][1::2], strict=True))
    starts = np.cumsum([0, *row["members"]]).tolist() if packed else [0]
    items = []
    for i, token in enumerate(tokens):
        member = max(k for k, start in enumerate(starts) if start <= i and (k == 0 or k < len(row["members"])))
        predicted = True
        if kind == "prompt":
            predicted = i - starts[member] >= (row["prompts"][member] if packed else row["prompt"])
        elif kind == "spans":
            predicted = any(begin <= i < end for begin, end in pairs)
        items.append((token, token if predicted and token != 5 else -100, member))
    last = 0
    if eos and (eos["add"] == "always" or not tokens or tokens[-1] != EOS):
        predicted = kind != "spans" or any(begin < end == len(tokens) for begin, end in pairs)
        items.append((EOS, EOS if predicted else -100, last))
    if limit and len(items) > limit:
        if text["truncate"] == "left":
            items = items[len(items) - limit :]
        else:
            had = len(items) > len(tokens)
            cut = items[:limit]
            if eos and eos["truncated"] == "keep":
                end = items[-1] if had else (EOS, EOS if kind != "spans" or any(
                    begin < end == len(tokens) for begin, end in pairs) else -100, last)  # fmt: skip
                cut = [*items[: limit - 1], end]
            items = cut
    members = sorted({member for *_, member in items})
    return [[(token, label) for token, label, m in items if m == member] for member in members] or [[]]


def pictures(draw: random.Random):
    for _ in range(30):
        yield ("plain", *picture_case(draw))


def picture_case(draw: random.Random):
    """Placeholders become the tokens of patches, which are never to be predicted."""
    flat, kind, patches = draw.random() < 0.4, draw.choice(["none", "prompt", "spans"]), draw.choice([1, 2, 7])
    eos, future = draw.random() < 0.5, draw.choice([None, 2])
    rows = []
    for _ in range(4):
        row = plain_row(draw, packed=False)
        row["tokens"] = [PICTURE if draw.random() < 0.2 else token for token in row["tokens"]]
        row["images"] = row["tokens"].count(PICTURE)
        rows.append(row)
    sequences = []
    for row in rows:
        pairs = list(zip(row["spans"][::2], row["spans"][1::2], strict=True))
        items = []
        for i, token in enumerate(row["tokens"]):
            predicted = {"none": True, "prompt": i >= row["prompt"], "spans": any(a <= i < b for a, b in pairs)}[kind]
            copies = patches if token == PICTURE else 1
            items += [(token, token if predicted and token != PICTURE else -100)] * copies
        if eos:
            ends = any(a < b == len(row["tokens"]) for a, b in pairs)
            items.append((EOS, EOS if kind != "spans" or ends else -100))
        sequences.append(items)
    limit, truncate = draw.choice([None, 8, 12]), draw.choice(["left", "right"])
    if limit:
        kept = [items[-limit:] if truncate == "left" else items[:limit] for items in sequences]
        tokens = [[token for token, _ in items].count(PICTURE) for items in kept]
        limit = limit if tokens == [patches * row["images"] for row in rows] else None
        sequences = kept if limit else sequences
    text: dict = {"images": {"from": "images", "placeholder": PICTURE, "patches": patches}, "pad-id": 9}
    text |= {"eos": {"id": EOS, "add": "always"}} if eos else {}
    text |= {"max-length": limit, "truncate": truncate} if limit else {}
    text |= {} if kind == "none" else {kind: kind}
    text |= {"future": future} if future else {}
    text |= {"layout": "flat"} if flat else {"pad-side": draw.choice(["left", "right"])}
    width = max(1, *map(len, sequences))
    batch: dict = {"input_ids": [], "labels": [], "position_ids" if flat else "attention_mask": []}
    for items in sequences:
        labels = [label for _, label in items]
        if flat and labels:
            labels[0] = -100
        if future:
            labels = [(labels[t + 1 : t + 1 + future] + [-100] * future)[:future] for t in range(len(labels))]
        out = {"input_ids": [token for token, _ in items], "labels": labels}
        if flat:
            out["position_ids"] = list(range(len(items)))
        else:
            out["attention_mask"] = [1] * len(items)
            ignored = [-100] * future if future else -100
            for name, filler in (("input_ids", 9), ("labels", ignored), ("attention_mask", 0)):
                padding = [filler] * (width - len(items))
                out[name] = padding + out[name] if text["pad-side"] == "left" else out[name] + padding
        for name, made in out.items():
            batch[name].append(made)
    if flat:
        batch = {name: [[value for row in made for value in row]] for name, made in batch.items()}
        batch["cu_seqlens"] = np.cumsum([0, *map(len, sequences)]).tolist()
        batch["max_seqlen"] = max(map(len, sequences))
    return text, rows, batch


def main() -> None:
    cases = []
    for made in (language_modeling, seq2seq, flattening, weighted_mtp, masked, plain, pictures):
        for reference, text, rows, batch in made(random.Random(made.__name__)):
            cases.append({"reference": reference, "text": text, "rows": rows, "batch": batch})
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    content = f'{{"seed":{SEED},"cases":[\n{lines}\n]}}\n'
    if "--check" in sys.argv:
        if FILE.read_text() != content:
            sys.exit(f"{FILE} differs from what the collators make now")
    else:
        FILE.write_text(content)


if __name__ == "__main__":
    main()
