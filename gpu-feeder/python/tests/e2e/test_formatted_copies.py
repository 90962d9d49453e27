"""Copies of a real catalog in other formats, against its files and the order of the second reader."""

from __future__ import annotations

import json
from pathlib import Path

import jobs
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from claims import Plan
from launch import PROJECT

import rankfeed as client
from plans.reader import Reader, Row

CATALOG = PROJECT.parent / "shared/data/products"
WORLD = 2
JOB = """
dataset: catalog
root: {root}
sources:
  products: {{parquet: {data}/products.parquet}}
  thumbnails: {{binary: {data}/thumbnails, glob: "*.jpg"}}
prepare:
  sql: |
    SELECT p.id AS product, p.title, p.price_min_usd AS price, p.variant_count AS variants, p.in_stock_any AS stock,
           t.content AS image
    FROM products p JOIN thumbnails t ON t.path = concat(p.handle, '.jpg')
  key: [product]
sample:
  train:
    batch: 32
    lanes: 4
    epochs: 2
    rows: 1920
    seed: 5
    strata:
      - {{column: variants, bins: {{one: [1, 1], few: [2, 9], many: [10, 1000]}}}}
    weights: {{one: 1, few: 2, many: 3}}
    on-shortage: repeat
    on-rare: leave-out
export:
  formats:
    - lanes
    - {{format: huggingface, ranks: {world}, shard-bytes: 4 MiB}}
    - {{format: image-mmap, columns: [image, product]}}
"""


def first_draws(plan: Plan, world: int) -> list[list[int]]:
    """Row ids of each rank as its first epoch first draws them, then those that no rank draws."""
    reader = Reader(plan.feed)
    rows: list[list[Row]] = [[] for _ in range(world)]
    seen = set()
    for t in range(plan.feed["stepsPerEpoch"]):
        for rank in range(world):
            for row in reader.batch(t, rank, world):
                if row not in seen:
                    seen.add(row)
                    rows[rank].append(row)
    shared = 0
    for stratum, count in enumerate(reader.pools):
        for row in (Row(stratum, index) for index in range(count)):
            lane = reader.place(row).lane
            if row not in seen:
                rows[(shared if lane < 0 else lane) % world].append(row)
            shared += lane < 0
    return [[plan.by_index[tuple(row)] for row in of] for of in rows]


def ids(metadata: Path) -> list[int]:
    return [row["id"] for row in json.loads(metadata.read_text())]


@pytest.mark.nightly
def test_copies_have_the_values_of_the_catalog_in_the_order_of_the_plan(tmp_path):
    if not CATALOG.is_dir():
        pytest.skip(f"no catalog at {CATALOG}")
    job = tmp_path / "job.yaml"
    job.write_text(JOB.format(root=tmp_path / "root", data=CATALOG, world=WORLD))
    jobs.job("pipeline", job, "--run-id", "first")
    root = tmp_path / "root" / "catalog"
    facts = json.loads((root / "runs" / "first" / "run.json").read_text())
    arrow, mapped = (root / "formats" / copy["id"] for copy in facts["formats"])
    plan = Plan(root, facts["version"], "train")
    stored = client.open(root / "versions" / facts["version"])["train"].to_arrow()
    products = dict(zip(stored["row_id"].to_pylist(), stored["product"].to_pylist(), strict=True))
    catalog = {row["id"]: row for row in pq.read_table(CATALOG / "products.parquet").to_pylist()}
    images = {
        id: (CATALOG / "thumbnails" / f"{row['handle']}.jpg").read_bytes()
        for id, row in catalog.items()
        if id in set(products.values())
    }

    count = 0
    for rank, expected in enumerate(first_draws(plan, WORLD)):
        folder = arrow / f"rank-{rank:05d}"
        assert ids(folder / "train_metadata.json") == expected
        files = sorted((folder / "train").glob("*.arrow"))
        assert len(files) > 1
        rows = [row for file in files for row in pa.ipc.open_stream(file.read_bytes()).read_all().to_pylist()]
        for id, row in zip(expected, rows, strict=True):
            of = catalog[products[id]]
            assert row == {
                "product": of["id"],
                "title": of["title"],
                "price": of["price_min_usd"],
                "variants": of["variant_count"],
                "stock": of["in_stock_any"],
                "image": images[of["id"]],
            }
        count += len(rows)
    assert count == len(products) > 1000

    expected = first_draws(plan, 1)[0]
    assert ids(mapped / "train_metadata.json") == expected
    stored_images = (mapped / "train.mmap").read_bytes()
    places = np.frombuffer(stored_images, np.uint64, 2 * len(expected), 8).reshape(-1, 2).tolist()
    for id, (offset, length) in zip(expected, places, strict=True):
        assert stored_images[offset : offset + length] == images[products[id]]
