"""1,000 plans over one version and 300 mixtures: the numbers of the second planner, and in every slot the rows of the
second reader, also where a run continues at another world size, in a fifth of them after kill -9. No lane is there when
a plan is made."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import pytest
from launch import House
from many import Child, divisors, expected, mixture, numbers, replan, row_ids, stored, without_lanes, words

from plans import mixture as second
from plans.planner import Refused, plan

KILL_EVERY = 5  # runs; the start of a JVM takes longer than a run
FEEDS = ("curriculum", "plain", "rotating", "growing", "listed")


def feed_of(folder: Path, file: str, name: str) -> dict[str, Any]:
    feeds = json.loads((folder / file).read_text())["feeds"]
    return next(feed for feed in feeds if feed["name"] == name)


def feeds(house: House) -> list[str]:
    selection = json.loads((house.path / "selection.json").read_text())
    return [feed["name"] for feed in selection["feeds"] if feed["name"] in FEEDS]


def planned(child: Child, draw: Random, house: House, out: Path) -> tuple[Path, dict[str, Any]]:
    """Plans a drawn feed until a request is accepted; returns the plan's folder, and the feed in it."""
    for _ in range(100):
        member = stored(house, draw.choice(feeds(house)))
        settings, request = replan(draw, member)
        printed, refusal = child.plan(house.path, "--feed", member["name"], "--out", out, *words(settings))
        if printed:
            folder = Path(printed["path"])
            order = feed_of(folder, "order.json", member["name"])
            assert request is None or numbers(order) == numbers(plan(request)), settings
            return folder, order
        if request:
            with pytest.raises(Refused):
                plan(request)
    raise AssertionError(refusal)


def worlds_and_stop(draw: Random, order: dict[str, Any]) -> tuple[int, int, int, int]:
    steps = order["segments"][-1]["step"] + order["segments"][-1]["steps"]
    worlds = divisors(order["lanes"])
    return draw.choice(worlds), draw.choice(worlds), draw.randrange(steps + 1), steps


def report(child: Child) -> None:
    seconds = [nanos / 1e9 for nanos in child.nanos]
    print(f"{len(seconds)} plans in one process: median {median(seconds):.4f} s, longest {max(seconds):.3f} s")


@pytest.mark.parametrize("count", [4, pytest.param(1000, marks=pytest.mark.nightly)])
def test_plans_over_one_version_give_the_rows_of_the_second_reader(house_with_more_feeds, tmp_path, count):
    house = house_with_more_feeds
    bare = without_lanes(house, tmp_path / "bare")
    with Child(tmp_path / "planner.log") as planner, Child(tmp_path / "feeder.log") as feeder:
        for seed in range(count):
            draw = Random(f"plan {seed}")
            folder, order = planned(planner, draw, bare, tmp_path / "orders")
            ids = [row_ids(house, order["name"])]
            world, other, stop, steps = worlds_and_stop(draw, order)
            for size, part, kill in ((world, range(stop), False), (other, range(stop, steps), seed % KILL_EVERY == 0)):
                found = feeder.fed(house.path, folder, order["name"], size, part, kill)
                assert found == expected(order, ids, size, part), (seed, folder, size)
        report(planner)
    assert not list(bare.root.rglob("*.arrow"))


@pytest.mark.parametrize("count", [3, pytest.param(300, marks=pytest.mark.nightly)])
def test_mixtures_give_the_rows_of_the_second_reader(house, house_with_more_feeds, tmp_path, count):
    houses = {one.version: one for one in (house, house_with_more_feeds)}
    bare = {version: without_lanes(one, tmp_path / "bare" / "house") for version, one in houses.items()}
    root = tmp_path / "root"
    for one in houses.values():
        one.linked(root / "house")
    with Child(tmp_path / "planner.log") as planner, Child(tmp_path / "feeder.log") as feeder:
        for seed in range(count):
            draw = Random(f"mixture {seed}")
            made = mixed(planner, draw, bare, tmp_path)
            shutil.copytree(made, root / "mixtures" / made.name)
            order = feed_of(made, "mixture.json", "train")
            ids = [row_ids(houses[member["version"]], member["feed"]) for member in order["members"]]
            world, other, stop, steps = worlds_and_stop(draw, order)
            for size, part, kill in ((world, range(stop), False), (other, range(stop, steps), seed % KILL_EVERY == 0)):
                found = feeder.fed(root / "mixtures" / made.name, None, "train", size, part, kill)
                assert found == expected(order, ids, size, part), (seed, made, size)
        report(planner)
    assert not list((tmp_path / "bare").rglob("*.arrow"))


def mixed(child: Child, draw: Random, bare: dict[str, House], folder: Path) -> Path:
    """Plans a drawn mixture until a request is accepted; returns its folder."""
    while True:
        members = {}
        for name in draw.sample(["ada", "bo", "cy", "dee"], draw.randint(1, 3)):
            house = bare[draw.choice(sorted(bare))]
            path, order = planned(child, draw, house, folder / "orders")
            if draw.random() < 0.3:  # a feed that the plan does not change
                order = feed_of(path, "order.json", draw.choice(feeds(house)))
            members[name] = ({"version": str(house.path), "feed": order["name"], "plan": str(path)}, order)
        settings, request = mixture(draw, members)
        file = folder / "mix.yaml"
        file.write_text(json.dumps(settings))
        printed, refusal = child.plan("--mixture", file)
        if printed is None:
            with pytest.raises(Refused):
                second.mixture(request)
            assert "too few rows" in refusal or "stage" in refusal, refusal
            continue
        made = Path(printed["path"])
        assert numbers(feed_of(made, "mixture.json", "train")) == numbers(second.mixture(request)), settings
        return made
