"""The shared golden vectors of the order, which the Java implementation made and this one has never seen."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rankfeed.order import Order
from rankfeed.order.comb import floor_sum
from rankfeed.order.feeds import parse_feed
from rankfeed.order.permutation import permute
from rankfeed.order.values import OrderError
from rankfeed.order.words import key, mix, stir, word

GOLDEN = Path(__file__).resolve().parents[3] / "sampling/src/test/resources/golden"
VECTORS = json.loads((GOLDEN / "order-vectors.json").read_text())
THRESHOLDS = json.loads((GOLDEN / "order-thresholds.json").read_text())["orders"]
THOUSAND = json.loads((GOLDEN / "order-1000.json").read_text())["orders"]


def feed(order: dict):
    """Makes a feed of a vector. Vectors have seeds of 64 bits; an order.json has only those from 0."""
    if "seed" not in order:
        return parse_feed({"name": "valid", **order})
    return replace(parse_feed({"name": "train", **order, "seed": 0}), seed=order["seed"])


@pytest.mark.parametrize(
    ("member", "number"), [("seed", -1), ("lanes", 1 << 17), ("batch", 1 << 25), ("epochs", 1 << 31)]
)
def test_a_number_out_of_its_range_is_refused(member, number):
    order = {"name": "train", **VECTORS["orders"][0]["order"], "seed": 0}
    parse_feed(order)
    with pytest.raises(OrderError, match=f"{member} is {number}, expected an integer from"):
        parse_feed({**order, member: number})


def test_primitives():
    golden = VECTORS["primitives"]
    assert {"mix", "key", "perm", "floorSum"} <= set(golden)
    for case in golden["mix"]:
        z = word(int(case["z"], 16))
        assert (int(mix(z)[0]), int(stir(z)[0])) == (int(case["mix"], 16), int(case["stir"], 16))
    for case in golden["key"]:
        assert int(key(case["seed"], *case["words"])[0]) == int(case["key"], 16)
    for case in golden["perm"]:
        images = permute(case["n"], word(int(case["key"], 16)), np.arange(len(case["images"])))
        assert images.tolist() == case["images"]
    for case in golden["floorSum"]:
        found = floor_sum(np.array([case["n"]]), case["m"], case["a"], np.array([case["b"]]))
        assert found.tolist() == [case["sum"]]


@pytest.mark.parametrize("case", VECTORS["orders"], ids=lambda case: case["name"])
def test_batches_of_written_out_plans(case):
    order = feed(case["order"])
    for batch in case["batches"]:
        rows = order.batch(batch["step"], batch["rank"], batch["world"])
        assert np.stack([rows.stratum, rows.index], axis=1).tolist() == batch["rows"], batch


@pytest.mark.parametrize("case", VECTORS["sequential"], ids=lambda case: f"{case['order']['rows']}-rows")
def test_batches_of_sequential_feeds(case):
    order = feed(case["order"])
    for batch in case["batches"]:
        rows = order.batch(batch["step"], batch["rank"], batch["world"])
        assert rows.index.tolist() == batch["rows"], batch
        assert not rows.stratum.any()


def digests(order, world: int) -> list[str]:
    """Returns digests of each rank's run: stratum (int32) and index (int64) of every row."""
    rows = order.batches(0, order.steps, None, world)
    found = []
    for rank in range(world):
        stratum, index = rows.stratum[:, rank].ravel(), rows.index[:, rank].ravel()
        record = np.empty(index.size, dtype=[("stratum", "<i4"), ("index", "<i8")])
        record["stratum"], record["index"] = stratum, index
        found.append(hashlib.sha256(record.tobytes()).hexdigest()[:16])
    return found


@pytest.mark.parametrize("stride", [5, pytest.param(1, marks=pytest.mark.nightly)])
def test_whole_runs_of_1000_seeded_configurations_equal(stride):
    assert len(THOUSAND) == 1000
    for case in THOUSAND[::stride]:
        order = feed(case["order"])
        for world, expected in case["digests"].items():
            assert len(expected) == int(world)
            assert digests(order, int(world)) == expected, (case["order"], world)


@pytest.mark.parametrize("stride", [4, pytest.param(1, marks=pytest.mark.nightly)])
def test_jump_to_every_step_gives_the_run(stride):
    assert len(THRESHOLDS) > 50
    for case in THRESHOLDS[::stride]:
        order = feed(case["order"])
        for world, expected in case["digests"].items():
            assert digests(order, int(world)) == expected, (case["order"], world)
        world = max(map(int, case["digests"]))
        run = order.batches(0, order.steps, 0, world)
        for step in range(order.steps):
            jump = order.batch(step, 0, world)
            for one, every in zip(jump, run, strict=True):
                assert one.tolist() == every[step].tolist(), (case["order"], step)


def test_rank_alone_has_its_rows_among_all():
    for case in THOUSAND[::50]:
        order = feed(case["order"])
        for world in map(int, case["digests"]):
            whole = order.batches(0, order.steps, None, world)
            for rank in range(world):
                alone = order.batches(0, order.steps, rank, world)
                for one, every in zip(alone, whole, strict=True):
                    assert one.tolist() == every[:, rank].tolist()


def test_every_row_of_a_lane_has_its_own_ordinal():
    for case in THOUSAND[:100]:
        order = feed(case["order"])
        if order.kind != "train":
            continue
        for s, stratum in enumerate(order.strata):
            index = np.arange(stratum.rows)
            lane, ordinal = order._draws.places(np.full(stratum.rows, s), index)
            begin = sum(t.rows // order.lanes for t in order.strata[:s])
            own = stratum.rows // order.lanes
            for one in range(order.lanes):
                assert ordinal[lane == one].tolist() == list(range(begin, begin + own))
            shared = sum(t.rows % order.lanes for t in order.strata[:s])
            assert ordinal[lane == -1].tolist() == list(range(shared, shared + stratum.rows % order.lanes))


def test_an_order_is_read_from_its_file(tmp_path):
    members = [{"name": f"f{i}", **case["order"]} for i, case in enumerate(VECTORS["orders"][:2])]
    members.append({"name": "valid", **VECTORS["sequential"][0]["order"]})
    document = {"format": "rankfeed.order", "formatVersion": 1, "dataset": "d", "plan": "p", "feeds": members}
    path = tmp_path / "order.json"
    path.write_text(json.dumps({**document, "storage": {"batchRows": 4, "shardRows": 8}}))
    order = Order.load(path)
    assert (order.plan, sorted(order.feeds)) == ("p", ["f0", "f1", "valid"])
    batch = VECTORS["orders"][1]["batches"][0]
    rows = order["f1"].batch(batch["step"], batch["rank"], batch["world"])
    assert rows.index.tolist() == [index for _, index in batch["rows"]]


def test_stage_of_a_segment_does_not_change_the_order():
    feed = {"name": "train", **VECTORS["orders"][0]["order"], "seed": 0}
    cut = {**feed, "segments": [{**segment, "stage": 0} for segment in feed["segments"]]}
    assert parse_feed(cut) == parse_feed(feed)
    with pytest.raises(OrderError, match="stage"):
        parse_feed({**cut, "segments": [{**segment, "stage": -1} for segment in feed["segments"]]})
