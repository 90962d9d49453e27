"""Reads the numbers that pages of `rankfeed preview` show, and their batches."""

from __future__ import annotations

import base64
import html
import io
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from launch import rankfeed
from nodes import Feeder
from PIL import Image

import rankfeed as client

TOKEN = re.compile(
    r'<span class="(\w)" data-i="(-?\d+)"(?: data-l="([^"]*)")?(?: data-n="(\d+)")?>'
    r"(.*?)(?:<sub>(.*?)</sub>)?(?:<small> × \d+</small>)?</span>",
    re.DOTALL,
)
FIGURE = re.compile(
    r'<figure>(?:<img alt="([^"]*)" width="(\d+)" height="(\d+)" src="data:image/png;base64,([^"]+)">)?'
    r"<figcaption><b>([^<]*)</b>([^<]*)(.*?)</figcaption></figure>"
)


@dataclass(frozen=True)
class Text:
    """A column of a row, one entry for each position; `sequences` are −1 for padding."""

    ids: list[int]
    labels: list[list[int]]
    kinds: str
    shown: list[str]
    replaced: list[str]
    sequences: list[int]
    marks: dict[str, list[int]]


@dataclass(frozen=True)
class Picture:
    pixels: np.ndarray | None
    notes: list[str]


@dataclass(frozen=True)
class Row:
    caption: dict[str, str]
    texts: dict[str, Text]
    pictures: dict[str, Picture]


@dataclass(frozen=True)
class Sheet:
    """counts: by column tokens, trained tokens, padding, positions and sequences."""

    counts: dict[str, list[int]]
    rows: list[Row]
    cut: list[str]


def sheet(path: Path) -> Sheet:
    page = path.read_text("utf-8")
    assert page.endswith("</body></html>\n")
    # Self-contained: no script, and every address is data.
    assert not re.search(r"<script|<link|<iframe|@import|url\(|\son\w+=", page)
    assert set(re.findall(r'(?:src|href)="([^",]*),?', page)) <= {"data:image/png;base64"}
    counts = {}
    for name, cells in re.findall(r"<tr><th>([^<]*)</th>((?:<td>[^<]*</td>)+)", page):
        counts[html.unescape(name)] = [int(word) for word in re.findall(r"\d+", cells)]
    cut = [html.unescape(text) for text in re.findall(r'<p class="cut">([^<]*)</p>', page)]
    return Sheet(counts, [_row(part) for part in page.split("<section>")[1:]], cut)


def _row(part: str) -> Row:
    caption = {html.unescape(k): html.unescape(v) for k, v in re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", part)}
    texts = {}
    for text in part.split('<div class="text" data-column="')[1:]:
        name, _, rest = text.partition('"')
        texts[name] = _text(rest.partition('<div class="pictures">')[0])
    pictures = {}
    for alt, width, height, data, name, size, notes in FIGURE.findall(part):
        pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(data)))) if data else None
        if pixels is not None:
            assert (alt, f"{height} × {width}") == (name, size.strip())
            assert pixels.shape == (int(height), int(width), 3)
        found = [html.unescape(note) for note in re.findall(r"<span>([^<]*)</span>", notes)]
        pictures[html.unescape(name)] = Picture(pixels, found)
    assert len(pictures) == part.count("<figure>")
    return Row(caption, texts, pictures)


def _text(part: str) -> Text:
    text = Text([], [], "", [], [], [], {})
    kinds = ""
    for div in part.split('<div class="sequence ')[1:]:
        sequence = int(re.search(r'data-sequence="(-?\d+)"', div)[1])
        head = re.search(r"<p>([^<]*)</p>", div)[1]
        positions = 0
        for kind, token, labels, times, shown, replaced in TOKEN.findall(div):
            n = int(times or 1)
            text.ids.extend([int(token)] * n)
            text.labels.extend([[int(label) for label in labels.split()]] * n)
            text.shown.extend([html.unescape(shown)] * n)
            text.replaced.extend([html.unescape(replaced)] * n)
            kinds += kind * n
            positions += n
        count, *marks = head.split("; ")
        assert f": {positions} " in count, head
        assert count.startswith("padding:" if sequence < 0 else f"sequence {sequence}:")
        for mark in marks:
            name, first, *last = mark.replace(" to ", " ").split(" ")
            values = range(int(first), int(last[0]) + 1) if last else [int(first)] * positions
            text.marks.setdefault(name, []).extend(values)
        text.sequences.extend([sequence] * positions)
    return Text(text.ids, text.labels, kinds, text.shown, text.replaced, text.sequences, text.marks)


def given(run: str, step: int, **rank) -> client.Batch:
    with client.Feed(run, output="numpy", copy=True, normalize=False, **rank) as feed:
        for _ in range(feed.epochs):
            for batch in feed:
                if batch.global_step == step:
                    return batch
    raise AssertionError(f"no step {step}")


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """Returns the page of a step, and the client's batch of the step."""

    def run(version, feed: str, step: int, *words: object, **rank):
        config, out = tmp_path / "feed.yaml", tmp_path / "page.html"
        config.write_text(feed)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
        rankfeed("preview", version.path, "--config", config, "--step", step, "--out", out, *words)
        with Feeder(version.path, tmp_path / "rt", "shown", "--in-place", "--config", config):
            return sheet(out), given("shown", step, **rank)

    return run
