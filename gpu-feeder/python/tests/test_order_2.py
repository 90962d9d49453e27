"""The client's reader of orders of format 2, against the golden files that another planner and reader has made."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from rankfeed.order import Order, OrderError, TrainOrder
from rankfeed.order.feeds import parse_feed

GOLDEN = Path(__file__).resolve().parents[3] / "sampling/src/test/resources/golden"
PLANS = json.loads((GOLDEN / "order-2-plans.json").read_text())["cases"]
MIXTURES = json.loads((GOLDEN / "order-2-mixtures.json").read_text())["cases"]
THOUSAND = json.loads((GOLDEN / "order-1000.json").read_text())["orders"]
NUMBERS = "seed lanes batch epochs stepsPerEpoch epochStarts mode order window segments".split()
PLACE = {"dataset": "d", "version": "0123456789abcdef", "feed": "train"}


def document(case: dict) -> dict:
    """Returns the feed of a case, as a file has it."""
    order = {**case["request"], **case["order"]}
    members = [{**PLACE, **member} for member in order["members"]]
    return {"name": "train", "kind": "train", "members": members} | {n: order[n] for n in NUMBERS if n in order}


def stretches(order: TrainOrder) -> list[tuple[int, int]]:
    """Returns the steps of the run in parts whose batches have one size."""
    return [(segment.step, segment.step + segment.steps) for segment in order.segments]


def digests(order: TrainOrder, parts: list[tuple[int, int]], world: int) -> list[str]:
    found = [hashlib.sha256() for _ in range(world)]
    for first, last in parts:
        rows = order.batches(first, last, None, world)
        for rank, run in enumerate(found):
            record = np.empty(rows.index[:, rank].size, dtype=[("stratum", "<i4"), ("index", "<i8")])
            record["stratum"], record["index"] = rows.stratum[:, rank].ravel(), rows.index[:, rank].ravel()
            run.update(record.tobytes())
    return [run.hexdigest()[:16] for run in found]


def jumps(order: TrainOrder) -> list[tuple[int, int]]:
    return [(step, step + 1) for step in range(order.steps)]


@pytest.mark.parametrize(
    ("parts", "stride"),
    [(stretches, 8), (jumps, 40)] + [pytest.param(p, 1, marks=pytest.mark.nightly) for p in (stretches, jumps)],
)
@pytest.mark.parametrize("cases", [PLANS, MIXTURES], ids=["plans", "mixtures"])
def test_batches_are_the_golden_ones_forward_and_by_jump(cases, parts, stride):
    for case in cases[::stride]:
        order = parse_feed(document(case), 2)
        for world, expected in case["digests"].items():
            assert digests(order, parts(order), int(world)) == expected, (case["request"], world)


def test_format_1_is_the_special_case_of_one_member():
    for case in THOUSAND[::25]:
        if "seed" not in case["order"] or case["order"]["seed"] < 0:
            continue
        feed = {"name": "train", **case["order"]}
        strata = [{"name": stratum["name"], "rows": stratum["rows"]} for stratum in feed["strata"]]
        cycles = "list" if feed["order"] == "planned" else "list-first"
        member = {"name": "train", "lanes": feed["lanes"], "cycles": cycles, "strata": strata, **PLACE}
        second = {name: value for name, value in feed.items() if name != "strata"} | {"members": [member]}
        first, second = parse_feed(feed), parse_feed(second, 2)
        for one, other in zip(first.batches(0, first.steps, 0, 1), second.batches(0, first.steps, 0, 1), strict=True):
            assert np.array_equal(one, other)


def test_rank_draws_from_its_own_stored_lanes_and_every_place_is_one_row():
    for case in PLANS[::40] + MIXTURES[::40]:
        order = parse_feed(document(case), 2)
        stored = [member.lanes for member in order.members]
        strata = [len(member.strata) for member in order.members]
        of = np.repeat(np.arange(len(strata)), strata)
        places: dict[tuple, tuple] = {}
        for first, last in stretches(order):
            for rank in range(order.lanes):
                rows = order.batches(first, last, rank, order.lanes)
                assert np.array_equal(rows.member, of[rows.stratum])
                assert np.all((rows.lane < 0) | (rows.lane % order.lanes == rank))
                assert np.all(rows.lane < np.array(stored)[rows.member])
                for row in zip(*(column.ravel().tolist() for column in rows), strict=True):
                    stratum, index, lane, ordinal, member = row
                    assert places.setdefault((member, lane, ordinal), (stratum, index)) == (stratum, index)


def test_batches_of_stages_have_their_sizes():
    case = next(case for case in PLANS if "epochStarts" in case["order"])
    order = parse_feed(document(case), 2)
    sizes = [order.batch_at(step) for step in range(order.steps)]
    assert sizes == [order.batch(step, 0, 1).index.size for step in range(order.steps)]
    assert max(sizes) == order.batch_rows and len(set(sizes)) > 1
    assert order.epoch_starts == tuple(case["order"]["epochStarts"]) and order.steps_per_epoch == 0
    with pytest.raises(OrderError, match="differ in size; ask for fewer steps"):
        order.batches(0, order.steps, 0, 1)


def test_an_order_is_read_from_its_file(tmp_path):
    path = tmp_path / "mixture.json"
    feeds = [
        document(MIXTURES[3]),
        {"name": "valid", "kind": "sequential", "lanes": 2, "batch": 4, "rows": 9, "steps": 3},
    ]
    text = {"format": "rankfeed.order", "formatVersion": 2, "plan": "p", "feeds": feeds}
    path.write_text(json.dumps(text))
    order = Order.load(path)
    assert (order.dataset, order.plan, list(order.feeds)) == (None, "p", ["train", "valid"])
    assert [member.version for member in order["train"].members] == [PLACE["version"]] * len(order["train"].members)
    columns = {"columns": {"fields": []}, "fill": {}}
    path.write_text(json.dumps({**text, **columns}))
    assert Order.load(path).plan == "p"
    path.write_text(json.dumps({**text, "dataset": "d"}))
    assert Order.load(path).dataset == "d"
    path.write_text(json.dumps({**text, "dataset": "d", **columns}))
    with pytest.raises(OrderError, match="unknown members"):
        Order.load(path)
    path.write_text(json.dumps({**text, "storage": {}}))
    with pytest.raises(OrderError, match=r"mixture\.json: .*unknown members \['storage'\]"):
        Order.load(path)
    for version in (0, 3, True, 2.0, "2"):
        path.write_text(json.dumps({**text, "formatVersion": version}))
        with pytest.raises(OrderError, match="known are rankfeed"):
            Order.load(path)


def changed(feed: dict, path: tuple, value: object) -> dict:
    copy = json.loads(json.dumps(feed))
    at = copy
    for step in path[:-1]:
        at = at[step]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("members", 0, "lanes"), 7, r"member '\w+': 7 stored lanes are not a multiple of the 2 lanes"),
        (("members", 0, "lanes"), 1 << 17, r"member '\w+': lanes is 131072, expected an integer from 1"),
        (("members", 0, "cycles"), "sorted", r"member '\w+': cycles is 'sorted', expected one of list, "),
        (("members", 0, "version"), "x", r"member '\w+': version is 'x', expected 16 hexadecimal digits"),
        (("members", 0, "strata", 1, "rows"), -1, r"member '\w+': stratum 's1': rows is -1"),
        (("members", 0, "strata", 1, "rows"), 0, r"a quota of a stratum without rows"),
        (("members", 0, "strata", 1, "name"), "a", r"member '\w+': strata are .* not sorted by name"),
        (("members", 0, "name"), "A", r"member 'A': the name must match"),
        (("members", 0, "strata", 1, "rows"), (1 << 63) - (1 << 16), r"from a pool of 92233.* out of bounds"),
        (("members", 0, "dataset"), None, r"member: missing members \['dataset'\]"),
        (("members",), [], r"members are missing, are listed twice"),
        (("members",), {}, r"members must be a list"),
        (("segments", 0, "batch"), 5, r"segment at step 0: batch 5 is not a multiple of 2 lanes"),
        (("segments", 0, "batch"), 10, r"batch is 10, expected an integer from 1 to 9"),
        (("segments", 0, "batch"), None, r"quotas must have one number per stratum and add up to 40"),
        (("segments", 1, "base"), [12, 13], r"segment at step 8: base must be the units drawn before it, \[12, 12\]"),
        (("segments", 1, "step"), 9, r"a segment starts at step 9, expected 8"),
        (("segments",), [], r"segments are missing"),
        (("epochStarts",), [0, 5, 12], r"epochStarts must have one step for each of 3 epochs"),
        (("epochStarts",), [1, 5, 9], r"epochStarts must"),
        (("epochStarts",), [0, 5], r"epochStarts must"),
        (("epochStarts",), None, r"either stepsPerEpoch or epochStarts"),
        (("epochs",), (1 << 31) - 1, r"epochStarts must have one step for each of 2147483647 epochs"),
        (("stepsPerEpoch",), 4, r"either stepsPerEpoch or epochStarts"),
        (("window",), 2, r"window 2 and mode stream do not fit its epochs"),
        (("mode",), "pass", r"do not fit its epochs"),
        (("strata",), [], r"unknown members \['strata'\]"),
    ],
)  # fmt: skip
def test_damaged_order_is_refused_with_the_name_of_the_member(path, value, message):
    feed = document(PLANS[2])
    assert len(parse_feed(feed, 2).strata) == 2
    with pytest.raises(OrderError, match=f"feed 'train': {message}|feed: {message}|{message}"):
        parse_feed(changed(feed, path, value), 2)


def test_own_batch_requires_epoch_starts_and_a_pass_has_its_rows():
    feed = changed(document(PLANS[2]), ("epochStarts",), None) | {"stepsPerEpoch": 4}
    with pytest.raises(OrderError, match="requires epochStarts"):
        parse_feed(feed, 2)
    feed = document(PLANS[0])
    with pytest.raises(OrderError, match="48 rows in an epoch of a pass over 59 rows in 60 lanes"):
        member = feed["members"][0] | {"lanes": 60, "strata": [{"name": "s0", "rows": 59}]}
        parse_feed(feed | {"members": [member]}, 2)
    with pytest.raises(OrderError, match="one segment for each of 7 epochs"):
        parse_feed(changed(feed, ("segments", 1, "number"), 2), 2)
    counters = {"lanes": 1 << 16, "strata": [{"name": f"{n:03}", "rows": 1} for n in range(65)]}
    with pytest.raises(OrderError, match="lanes times strata exceed 4194304"):
        parse_feed(
            changed(feed, ("members", 0), feed["members"][0] | counters) | {"lanes": 1 << 16, "batch": 1 << 16}, 2
        )
