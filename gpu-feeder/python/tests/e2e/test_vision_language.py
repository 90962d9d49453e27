"""Conversations about images, from JSON lines to a trained model: tokens, patches, labels, pixels and the resume."""

from __future__ import annotations

import io
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import jobs
import numpy as np
import pytest
from launch import PROJECT, House, made, made_once, rankfeed
from nodes import Feeder
from PIL import Image
from sheets import sheet

import rankfeed as client

RESOURCES = PROJECT / "schema/text/src/test/resources"
EXAMPLE = PROJECT / "gpu-feeder/python/examples/train_vision_language.py"
CATALOG = PROJECT.parent / "shared/data/products"
COLORS = {"red": (220, 30, 30), "green": (30, 200, 60), "blue": (40, 60, 220), "white": (240, 240, 240)}
ROWS, BATCH, EPOCHS, PATCHES, PLACEHOLDER = 320, 16, 8, 16, 320
TEMPLATE = (
    "{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}{{ m.content }}</s>{% endgeneration %}"
    "{% else %}{{ m.content }}?{% endif %}{% endfor %}"
)
FEED = """
feeds:
  train:
    columns:
      - {name: row_id}
      - {name: id}
      - name: input_ids
        from: tokens
        text: {spans: answers, rejected: empty, images: {from: images, placeholder: 320, patches: 16}}
      - name: pixel_values
        from: images
        steps: [decode, resize: {height: 32, width: 32}]
        broken: zeros
        normalize: {mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5]}
"""
CATALOG_JOB = """
dataset: catalog
root: {root}
sources:
  products: {{parquet: {data}/products.parquet}}
  thumbnails: {{binary: {data}/thumbnails, glob: "*.jpg"}}
prepare:
  sql: |
    SELECT id, chat.input_ids AS tokens, chat.assistant_spans AS answers, images
    FROM (SELECT p.id, array(t.content) AS images, rf_chat('model', to_json(array(
                   named_struct('role', 'user', 'content', concat('<image>', substr(p.title, 1, 20))),
                   named_struct('role', 'assistant', 'content',
                                substr(split(p.category_full_path, ' > ')[1], 1, 4))))) AS chat
          FROM products p JOIN thumbnails t ON t.path = concat(p.handle, '.jpg')
          WHERE size(split(p.category_full_path, ' > ')) > 1)
  key: [id]
  tokenizers:
    model: {{file: {tokenizer}, chat: {template}}}
sample:
  train: {{batch: 32, lanes: 4, rows: 2560, seed: 5}}
"""


def picture(number: int) -> tuple[str, bytes]:
    """Returns the name of a color and a PNG of it with noise."""
    name = list(COLORS)[number * 7 % 4]
    noise = np.random.default_rng(number).integers(-20, 15, (40, 48, 3))
    out = io.BytesIO()
    Image.fromarray((np.array(COLORS[name]) + noise).clip(0, 255).astype(np.uint8)).save(out, "png")
    return name, out.getvalue()


def conversation(number: int) -> dict:
    """Makes a conversation with, in turn: the image as a key, as a part of the content, in two turns, none, and a key
    whose file may be lost."""
    color, other = picture(number)[0], picture(number + 1)[0]
    path, next_path = f"{number % 9}/{number}.png", f"{(number + 1) % 9}/{number + 1}.png"
    match number % 5:
        case 0:
            turns = [{"from": "human", "value": "color"}, {"from": "gpt", "value": color[0]}]
            return {"image": path, "conversations": turns}
        case 1:
            asks = [{"type": "image", "image": path}, {"type": "text", "text": "color"}]
            turns = [{"role": "user", "content": asks}, {"role": "assistant", "content": color[0]}]
        case 2:
            turns = [
                {"role": "user", "content": [{"type": "image", "image": path}, {"type": "text", "text": "first"}]},
                {"role": "assistant", "content": color[0]},
                {"role": "user", "content": [{"type": "text", "text": "then"}, {"type": "image", "image": next_path}]},
                {"role": "assistant", "content": other[0]},
            ]
        case 3:
            turns = [{"from": "human", "value": "hello"}, {"from": "gpt", "value": "hi"}]
        case _:
            turns = [{"from": "human", "value": "color"}, {"from": "gpt", "value": color[0]}]
            path = f"lost/{number}.png" if number % 20 == 4 else path
            return {"id": f"c{number}", "image": path, "conversations": turns}
    return {"id": f"c{number}", "conversations": turns}


def tokenizer(work: Path) -> dict[str, Path]:
    """The tokenizer of the tests with a token for images, and a template."""
    words = json.loads((RESOURCES / "tokenizer/tiny.json").read_text())
    words["added_tokens"].append({**words["added_tokens"][0], "id": PLACEHOLDER, "content": "<image>"})
    (work / "vlm-tokenizer.json").write_text(json.dumps(words))
    (work / "vlm-config.json").write_text(json.dumps({"chat_template": TEMPLATE}))
    return {"file": work / "vlm-tokenizer.json", "chat": work / "vlm-config.json"}


@pytest.fixture(scope="module")
def conversations(work) -> House:
    root = work / "conversations"
    with made_once(root) as mine:
        if mine:
            lines = [json.dumps(conversation(number)) for number in range(ROWS)]
            gone = {"id": "gone", "image": "gone.png", "conversations": [{"from": "human", "value": "color"}]}
            (work / "conversations.jsonl").write_text("\n".join([*lines, json.dumps(gone), '{"image": "0/0.p', ""]))
            for number in range(4, ROWS, 20):
                file = work / "conversation-images" / f"lost/{number}.png"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.touch()
            for number in range(ROWS + 1):
                file = work / "conversation-images" / f"{number % 9}/{number}.png"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(picture(number)[1])
            over = {
                "root": root,
                "sources.conversations.jsonl": work / "conversations.jsonl",
                "sources.images.binary": work / "conversation-images",
                "sample.train": f"{{batch: {BATCH}, lanes: 4, epochs: {EPOCHS}, seed: 5}}",
                "export.batch-rows": 16,
                "prepare.quarantine-at-most": 1,
            } | {f"prepare.tokenizers.model.{key}": path for key, path in tokenizer(work).items()}
            sets = [word for key, value in over.items() for word in ("--set", f"{key}={value}")]
            jobs.job("pipeline", PROJECT / "conf/jobs/conversations.yaml", "--run-id", "conversations", *sets)
    return made(root, "conversations", "conversations")


@pytest.fixture
def feeder(tmp_path, monkeypatch):
    def start(house: House, run: str) -> Feeder:
        config = tmp_path / "feed.yaml"
        config.write_text(FEED)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
        return Feeder(house.path, tmp_path / "rt", run, "--in-place", "--config", config)

    return start


def batches(run: str) -> Iterator[client.Batch]:
    with client.Feed(run, output="numpy", normalize=False) as feed:
        for _ in range(feed.epochs):
            yield from feed


def test_rows_have_their_patches_labels_and_pixels(conversations, feeder):
    prepared = json.loads((conversations.root / "prepared" / conversations.prepared / "manifest.json").read_text())
    assert prepared["badRows"] == {"malformed-line": 1, "raised": 1}
    seen = set()
    with feeder(conversations, "rows"):
        for batch in batches("rows"):
            names, first = batch.text("id"), batch["pixel_values.offsets"]
            for i, name in enumerate(names):
                number = int(name.removeprefix("c"))
                given = conversation(number)
                assert name == given.get("id", str(number)), "the id of a line without one is its number"
                seen.add(number)
                colors = {3: [], 2: [picture(number), picture(number + 1)]}.get(number % 5, [picture(number)])
                ids, labels = batch["input_ids"][i], batch["labels"][i]
                assert (ids == PLACEHOLDER).sum() == PATCHES * len(colors)
                assert (labels[ids == PLACEHOLDER] == -100).all()
                predicted = {3: 3, 2: 4}.get(number % 5, 2)  # letters of the answers, each with its end
                assert (labels != -100).sum() == predicted
                images = slice(first[i], first[i + 1])
                is_lost = number % 20 == 4
                assert batch["pixel_values.valid"][images].tolist() == [0 if is_lost else 1] * len(colors)
                for (color, _), pixels in zip(colors, batch["pixel_values"][images], strict=True):
                    wanted = np.zeros(3) if is_lost else np.array(COLORS[color])
                    assert np.abs(pixels.mean((0, 1)) - wanted).max() < 8
            assert batch["row.valid"].all()
    assert seen == set(range(ROWS))


def test_preview_shows_text_and_every_image_of_a_row(conversations, feeder, work, tmp_path):
    out, several, up = tmp_path / "page.html", 0, feeder(conversations, "shown")
    words = ["--config", tmp_path / "feed.yaml", "--tokenizer", work / "vlm-tokenizer.json", "--out", out]
    rankfeed("preview", conversations.path, *words)
    with up, closing(batches("shown")) as steps:
        batch = next(steps)
        firsts = batch["pixel_values.offsets"]
        for i, row in enumerate(sheet(out).rows):
            text, images = row.texts["input_ids"], range(firsts[i + 1] - firsts[i])
            assert text.ids == batch["input_ids"][i].tolist()
            assert [label for (label,) in text.labels] == batch["labels"][i].tolist()
            assert text.marks == {"attention_mask": batch["attention_mask"][i].tolist()}
            assert text.kinds.count("i") == text.shown.count("<image>") == PATCHES * len(images)
            assert text.kinds.replace("i", "").strip("nt") == "p" * text.kinds.count("p")
            names = [name for k in images for name in (f"images {k} as stored", f"pixel_values {k}")]
            assert list(row.pictures) == names
            for k in images:
                assert (row.pictures[f"pixel_values {k}"].pixels == batch["pixel_values"][firsts[i] + k]).all()
            several += len(images) > 1
    assert several


def training(tmp_path: Path, up: Feeder, *words: object) -> subprocess.Popen:
    command = [sys.executable, EXAMPLE, "--placeholder", PLACEHOLDER, "--vocabulary", PLACEHOLDER + 1, *words]
    command += ["--progress-seconds", 0]
    return subprocess.Popen(
        list(map(str, command)), env=up.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=tmp_path
    )


def losses(tmp_path: Path, up: Feeder, *words: object) -> list[float]:
    process = training(tmp_path, up, *words, "--report", tmp_path / "report")
    said, _ = process.communicate(timeout=240)
    assert process.returncode == 0, said[-3000:]
    return json.loads((tmp_path / "report/rank-0.json").read_text())["losses"]


def killed_at(tmp_path: Path, up: Feeder, mark: str, *words: object) -> None:
    process = training(tmp_path, up, *words)
    said = []
    for line in process.stdout:
        said.append(line)
        if mark in line:
            break
    process.kill()
    process.communicate()
    assert mark in said[-1], said[-20:]


@pytest.mark.nightly
def test_model_learns_from_images_and_resumes_with_same_losses(conversations, feeder, tmp_path):
    with feeder(conversations, "learning") as up:
        whole = losses(tmp_path, up)
        killed_at(tmp_path, up, "epoch 4/8 step 9/20", "--checkpoint", tmp_path / "model.pt", "--save-every", 7)
        resumed = losses(tmp_path, up, "--checkpoint", tmp_path / "model.pt", "--save-every", 7)
    assert len(whole) == EPOCHS * ROWS // BATCH
    assert resumed == whole[-len(resumed) :]
    assert len(resumed) in (len(whole) - 63, len(whole) - 60), "saved every 7 steps and at the ends of epochs"
    # Who does not look knows an answer's end, but not which of four letters it is.
    assert sum(whole[-20:]) / 20 < 0.5 * math.log(4) / 2


@pytest.mark.nightly
@pytest.mark.skipif(not CATALOG.exists(), reason="needs the product catalog")
def test_model_learns_the_categories_of_the_catalog(feeder, tmp_path):
    words = tokenizer(tmp_path)
    job = tmp_path / "catalog.yaml"
    job.write_text(
        CATALOG_JOB.format(root=tmp_path / "out", data=CATALOG, tokenizer=words["file"], template=words["chat"])
    )
    jobs.job("pipeline", job, "--run-id", "catalog")
    house = made(tmp_path / "out", "catalog", "catalog")
    with feeder(house, "catalog") as up:
        whole = losses(tmp_path, up)
        killed_at(tmp_path, up, "step 30/80", "--checkpoint", tmp_path / "model.pt", "--save-every", 20)
        resumed = losses(tmp_path, up, "--checkpoint", tmp_path / "model.pt", "--save-every", 20)
    assert resumed == whole[20:]
    assert sum(whole[-10:]) < 0.3 * sum(whole[:10])
