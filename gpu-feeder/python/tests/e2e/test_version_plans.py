"""Plans over a version: the feeder gives the rows that an independent reader of the order computes, and resumes.

No lane is touched.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from bisect import bisect_right
from pathlib import Path

import pytest
from claims import Plan
from launch import House, answer, rankfeed
from nodes import log_through_a_kill

import rankfeed as client
from plans.reader import Reader


def planned(house: House, *words: object, feed: str = "curriculum") -> tuple[dict, dict]:
    """Makes a plan; returns the answer of the command, and the feed in the order that it wrote."""
    told = answer(rankfeed("plan", house.path, "--feed", feed, "--json", *words).stdout)
    order = json.loads((Path(told["path"]) / "order.json").read_text())
    assert order["plan"] == told["plan"] == Path(told["path"]).name
    return told, next(one for one in order["feeds"] if one["name"] == feed)


def expected(house: House, order: dict, world: int) -> list[list[tuple]]:
    """What each rank is to be given: epoch, step in it, row ids."""
    stored = Plan(house.root, house.version, order["name"])
    reader = Reader(order)
    starts = order.get("epochStarts") or list(range(0, reader.steps, order["stepsPerEpoch"]))

    def step(t: int, rank: int) -> tuple:
        epoch = bisect_right(starts, t) - 1
        return epoch, t - starts[epoch], tuple(stored.by_index[tuple(row)] for row in reader.batch(t, rank, world))

    return [[step(t, rank) for t in range(reader.steps)] for rank in range(world)]


def lanes(house: House) -> dict[str, tuple[int, int]]:
    found = [path.stat() for path in sorted(house.path.rglob("*.arrow"))]
    return {str(number): (stat.st_mtime_ns, stat.st_size) for number, stat in enumerate(found)}


def numbers(seed: int, lanes: int = 4) -> list[str]:
    """Draws settings of the feed ``curriculum``."""
    draw = random.Random(seed)
    made = {"seed": draw.randrange(1 << 62), "epochs": draw.randint(1, 3), "lanes": draw.choice([1, 2, 4])}
    made["batch"] = draw.choice([4, 8, 20, 64]) * made["lanes"] // draw.choice([1, 1, made["lanes"]])
    made["batch"] -= made["batch"] % made["lanes"]
    made["rows"] = draw.randint(made["batch"], 900)
    weights = {part: draw.randint(0, 9) for part in ("low", "med", "high")}
    if draw.random() < 0.6 and any(weights.values()):
        made |= {"weights": weights, "balance": draw.choice([["is_correct"], []])}
    return [f"--set={key}={json.dumps(value)}" for key, value in made.items()]


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(2, 40))])
def test_feeder_gives_the_rows_of_the_plan(house, tmp_path, seed):
    stored = lanes(house)
    told, order = planned(house, *numbers(seed), "--set", "on-rare=leave-out", "--out", tmp_path / "orders")
    draw = random.Random(seed)
    worlds = [w for w in (1, 2, 4) if order["lanes"] % w == 0]
    world, other = draw.choice(worlds), draw.choice(worlds)
    stop = draw.randrange(Reader(order).steps + 1)
    words = ["--in-place", "--plan", told["path"]]
    before, after = log_through_a_kill(house.path, tmp_path, "curriculum", (world, other), stop, words)
    assert before == [rank[:stop] for rank in expected(house, order, world)]
    assert after == [rank[stop:] for rank in expected(house, order, other)]
    assert lanes(house) == stored


@pytest.mark.parametrize("feed", ["plain", pytest.param("curriculum", marks=pytest.mark.nightly)])
def test_other_feeds_keep_their_rows(house, tmp_path, feed):
    other = {"plain": "curriculum", "curriculum": "plain"}[feed]
    told, _ = planned(house, "--set", "seed=3", "--out", tmp_path, feed=feed)
    orders = [client.Order.load(file)[other] for file in (house.order_file, Path(told["path"]) / "order.json")]
    steps = orders[0].steps_per_epoch * orders[0].epochs
    for step in range(0, steps, 7):
        first, second = (order.batch(step, 1, 2) for order in orders)
        assert (list(first.stratum), list(first.index)) == (list(second.stratum), list(second.index))


def test_same_numbers_are_the_same_plan_whatever_their_words(house, tmp_path):
    out = ["--out", tmp_path]
    first, _ = planned(house, "--set", "weights={low: 1, med: 1, high: 2}", "--set", "balance=[is_correct]", *out)
    second, _ = planned(house, "--set", "weights={low: 3, med: 3, high: 6}", "--set", "balance=[is_correct]", *out)
    other, _ = planned(house, "--set", "seed=43", *out)
    assert first["plan"] == second["plan"] != other["plan"]
    made = client.plan(
        house.path, feed="curriculum", out=tmp_path, weights={"low": 1, "med": 1, "high": 2}, balance=["is_correct"]
    )
    assert made["plan"] == first["plan"]


def test_a_name_is_one_plan(house, tmp_path):
    planned(house, "--set", "seed=1", "--name", "mine", "--out", tmp_path)
    planned(house, "--set", "seed=1", "--name", "mine", "--out", tmp_path)
    words = ["plan", house.path, "--feed", "curriculum", "--set", "seed=2", "--name", "mine", "--out", tmp_path]
    refused = rankfeed(*words, check=False)
    assert refused.returncode == 2
    assert "names the plan" in refused.stderr
    assert len(list(tmp_path.glob("*/order.json"))) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "where=difficulty > 3"], "where chooses rows"),
        (["--set", "strata=[{column: length}]", "--set", "balance=[length]"], "'length' is not one of the version"),
        pytest.param(["--set", "lanes=3", "--set", "batch=33"], "take 1, 2, 4", marks=pytest.mark.nightly),
        pytest.param(["--set", "order=planned"], "no order but that of a hash", marks=pytest.mark.nightly),
        pytest.param(["--set", "epohcs=3"], "did you mean 'epochs'", marks=pytest.mark.nightly),
        pytest.param(["--set", "weights={lwo: 3}"], "lwo", marks=pytest.mark.nightly),
        (["--set", "rows=100000", "--set", "on-shortage=error"], "export a version with more rows"),
    ],
)
def test_what_a_version_cannot_do_is_refused(house, words, message):
    refused = rankfeed("plan", house.path, "--feed", "curriculum", "--dry-run", *words, check=False)
    assert refused.returncode == 2, refused.stderr
    assert re.search(message, refused.stderr), refused.stderr


@pytest.mark.parametrize("lanes", [1, 4])
def test_a_row_is_found_in_the_steps_of_the_plan(house, tmp_path, lanes):
    told, order = planned(house, "--set", f"lanes={lanes}", "--set", "seed=9", "--out", tmp_path)
    steps = expected(house, order, 1)[0]
    row = steps[-1][2][0]
    words = ["--feed", "curriculum", "--plan", told["path"], "--row", row]
    lines = rankfeed("explain", house.path, *words).stdout.splitlines()
    found = [line.split("\t")[:2] for line in lines if line[:1].isdigit()]
    assert found == [[str(epoch), str(step)] for epoch, step, rows in steps for one in rows if one == row]


def test_a_plan_is_found_by_name_id_and_path(house, tmp_path):
    house = house.linked(tmp_path / "house")
    told, _ = planned(house, "--set", "seed=11", "--name", "eleven")
    folder = Path(told["path"])
    assert folder.parent == house.root / "orders"
    words = ["explain", house.path, "--feed", "curriculum", "--step", 0]
    said = {
        rankfeed(*words, "--plan", plan).stdout.split("# feed", 1)[1]  # a JVM may print a warning before
        for plan in ("eleven", told["plan"], folder, folder / "order.json", folder.parent / "eleven.json")
    }
    assert len(said) == 1
    assert f"by plan {told['plan']} over it" in said.pop()
    other, _ = planned(house, "--set", "seed=12", "--out", tmp_path)
    (tmp_path / told["plan"]).mkdir()
    shutil.copy(Path(other["path"]) / "order.json", house.root / "orders" / told["plan"] / "order.json")
    refused = rankfeed(*words, "--plan", "eleven", check=False)
    assert refused.returncode == 3
    assert f"is the plan {other['plan']}" in refused.stderr


def test_a_version_of_a_list_is_planned_over(house_with_more_feeds, tmp_path):
    house = house_with_more_feeds
    _, order = planned(house, "--set", "epochs=3", "--out", tmp_path, feed="listed")
    stored = client.Order.load(house.order_file)["listed"]
    assert (order["epochs"], order["order"], order["members"][0]["cycles"]) == (3, "planned", "list")
    assert order["stepsPerEpoch"] == stored.steps_per_epoch


def test_a_sequential_feed_changes_its_batch_only(house, tmp_path):
    _, order = planned(house, "--set", "batch=64", "--out", tmp_path, feed="valid")
    assert order["batch"] == 64
    for change in ("where=true", "kind=train", "epochs=2"):
        words = ["plan", house.path, "--feed", "valid", "--set", change, "--dry-run"]
        assert rankfeed(*words, check=False).returncode == 2


def test_a_changed_file_is_refused(house, tmp_path):
    told, _ = planned(house, "--set", "seed=5", "--out", tmp_path)
    file = Path(told["path"]) / "order.json"
    file.write_text(file.read_text().replace('"seed": 5', '"seed": 6'))
    refused = rankfeed("feed", house.path, "--plan", file, "--in-place", "--dry-run", check=False)
    assert refused.returncode == 3
    assert "changed after it was written" in refused.stderr


def test_a_plan_over_another_version_is_refused(house, house_with_more_feeds, tmp_path):
    told, _ = planned(house, "--set", "seed=5", "--out", tmp_path)
    refused = rankfeed("explain", house_with_more_feeds.path, "--plan", told["path"], "--step", 0, check=False)
    assert refused.returncode == 2
    assert house.version in refused.stderr
