"""A second planner and reader of format 2 (plans/), written from the page plan.md: its claims on drawn plans and
mixtures, its golden files, and format 1 as its special case."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from plans.claims import check
from plans.drawn import mixed, replan, until_accepted
from plans.golden import digests, mixtures, replans
from plans.mixture import mixture
from plans.planner import plan
from plans.shares import carried

GOLDEN = Path(__file__).resolve().parents[3] / "sampling/src/test/resources/golden"
MANY = [24, pytest.param(800, marks=pytest.mark.nightly)]


@pytest.mark.parametrize("count", MANY)
@pytest.mark.parametrize("mode", ["pass", "stream", "padded"])
def test_plan_over_a_version_keeps_every_claim(mode, count):
    for seed in range(count):
        random = Random(f"{mode} {seed}")
        check(until_accepted(lambda: replan(random, mode), plan)[1])  # noqa: B023


@pytest.mark.parametrize("count", MANY)
def test_plan_whose_batch_changes_keeps_every_claim(count):
    for seed in range(count):
        random = Random(f"scheduled {seed}")
        check(until_accepted(lambda: replan(random, "stream", True), plan, lambda o: "epochStarts" in o)[1])  # noqa: B023


@pytest.mark.parametrize("count", MANY)
@pytest.mark.parametrize("on_end", ["repeat", "stop", "redistribute"])
def test_mixture_keeps_every_claim(on_end, count):
    for seed in range(count):
        random = Random(f"{on_end} {seed}")
        check(until_accepted(lambda: mixed(random, on_end), mixture)[1])  # noqa: B023


def test_format_1_is_the_special_case_of_one_member():
    for case in json.loads((GOLDEN / "order-1000.json").read_text())["orders"][::40]:
        order = case["order"]
        member = {"name": "all", "lanes": order["lanes"], "strata": order["strata"]}
        member["cycles"] = "list" if order["order"] == "planned" else "list-first"
        assert digests({**order, "members": [member]}) == case["digests"], order


@pytest.mark.parametrize("stride", [10, pytest.param(1, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(("file", "make"), [("order-2-plans.json", replans), ("order-2-mixtures.json", mixtures)])
def test_golden_files_are_those_of_this_planner(file, make, stride):
    cases = json.loads((GOLDEN / file).read_text())["cases"]
    for seed in range(0, len(cases), stride):
        request, order = make(seed)
        assert cases[seed]["request"] == request
        assert {**request, **cases[seed]["order"]} == {**request, **order}
        assert cases[seed]["digests"] == digests(order)


def test_one_plan_as_a_mixture_is_that_plan_shuffled():
    random = Random(5)
    for _ in range(40):
        request, order = until_accepted(lambda: replan(random, "stream"), plan, lambda o: o["window"] == 1)
        stored = order["members"][0]
        alone = {"plans": [order], "on-end": "repeat", "stages": [{"end": {"run": "0"}, "weights": ["1"]}]}
        alone |= {name: request[name] for name in ("seed", "epochs", "rows")}
        if order["lanes"] != stored["lanes"] or stored["cycles"] != "shuffled" or len(order["segments"]) > 1:
            continue
        found = mixture(alone | {"batch": order["batch"]})
        assert digests(found) == digests(order)


def test_strata_of_a_member_follow_their_shares_over_all_pieces_of_a_stage():
    random = Random(3)
    for _ in range(300):
        weights = [random.choice([0, 1, 1, random.randrange(1, 1000)]) for _ in range(random.randrange(2, 40))]
        given, whole = [0] * len(weights), 0
        for units in [random.randrange(1, 100) for _ in range(random.randrange(1, 9))] if any(weights) else []:
            whole += units
            exact = [Fraction(whole * w, sum(weights)) for w in weights]
            more = carried(units, [x - g for x, g in zip(exact, given, strict=True)])
            given = [g + q for g, q in zip(given, more, strict=True)]
            assert all(q == 0 for q, w in zip(more, weights, strict=True) if w == 0)
            assert all(abs(g - x) < Fraction(6, 5) for g, x in zip(given, exact, strict=True))
