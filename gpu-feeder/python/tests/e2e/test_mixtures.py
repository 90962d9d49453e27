"""Mixtures: the feeder gives the rows that an independent reader of the mixture computes, and resumes."""

from __future__ import annotations

import json
import random
import shutil
from bisect import bisect_right
from pathlib import Path

import pytest
from claims import Plan
from launch import House, answer, rankfeed
from nodes import log_through_a_kill

from plans.reader import Reader

Steps = list[list[tuple]]


def below(root: Path, *houses: House) -> dict[str, House]:
    """Links versions below one root; returns them by their ids."""
    return {one.version: one.linked(root) for one in houses}


@pytest.fixture(scope="module")
def houses(house, house_with_more_feeds, tmp_path_factory) -> dict[str, House]:
    return below(tmp_path_factory.mktemp("mixed") / "house", house, house_with_more_feeds)


def drawn(houses: dict[str, House], seed: int) -> dict:
    """Draws the settings of a mixture of feeds with 4 and 12 lanes."""
    draw = random.Random(seed)
    first, second = houses.values()
    members = {"hard": (first, "curriculum"), "wide": (first, "plain"), "list": (second, "listed")}
    names = draw.sample(sorted(members), draw.randint(2, 3))
    on_end = draw.choice(["repeat", "stop", "redistribute"])

    def weights() -> dict[str, int]:
        minimum = 1 if on_end == "redistribute" else 0
        return {name: draw.randint(minimum, 5) for name in names[1:]} | {names[0]: draw.randint(1, 5)}

    batch = 4 * draw.randint(1, 9)
    return {
        "members": {name: {"version": str(members[name][0].path), "feed": members[name][1]} for name in names},
        "stages": [{"until": 0.4, "weights": weights()}, {"weights": weights()}],
        "seed": draw.randrange(1 << 62),
        "batch": batch,
        "epochs": draw.randint(1, 3),
        "rows": batch * draw.randint(1, 12) + draw.randrange(batch),
        "on-end": on_end,
    }


def planned(settings: dict, folder: Path) -> tuple[Path, dict]:
    """Plans a mixture; returns its folder, and the feed in it."""
    file = folder / "mix.yaml"
    file.write_text(json.dumps(settings))
    path = Path(answer(rankfeed("plan", "--mixture", file, "--json").stdout)["path"])
    document = json.loads((path / "mixture.json").read_text())
    assert document["plan"] == path.name
    return path, document["feeds"][0]


def expected(houses: dict[str, House], feed: dict, world: int) -> Steps:
    """What each rank is to be given: epoch, step in it, row ids."""
    reader = Reader(feed)
    first: list[int] = []  # by stratum of the mixture, the first stratum of its member
    stored = []
    for member in feed["members"]:
        first += [len(first)] * len(member["strata"])
        house = houses[member["version"]]
        stored.append(Plan(house.root, house.version, member["feed"]).by_index)
    starts = list(range(0, reader.steps, feed["stepsPerEpoch"]))

    def step(t: int, rank: int) -> tuple:
        epoch = bisect_right(starts, t) - 1
        batch = reader.batch(t, rank, world)
        ids = tuple(stored[reader.member_of[row.stratum]][row.stratum - first[row.stratum], row.index] for row in batch)
        return epoch, t - starts[epoch], ids

    return [[step(t, rank) for t in range(reader.steps)] for rank in range(world)]


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(2, 30))])
def test_feeder_gives_the_rows_of_the_mixture(houses, tmp_path, seed):
    path, feed = planned(drawn(houses, seed), tmp_path)
    draw = random.Random(seed)
    world, other = draw.sample([1, 2, 4], 2)
    stop = draw.randrange(Reader(feed).steps + 1)
    words = ["--cache", tmp_path / "cache"] if seed % 2 else ["--in-place"]
    before, after = log_through_a_kill(path, tmp_path, feed["name"], (world, other), stop, words)
    assert before == [rank[:stop] for rank in expected(houses, feed, world)]
    assert after == [rank[stop:] for rank in expected(houses, feed, other)]


def test_a_mixture_is_refused_without_its_versions(houses, tmp_path):
    path, feed = planned(drawn(houses, 1), tmp_path)
    root = tmp_path / "root"
    shutil.copytree(path, root / "mixtures" / path.name)
    missing = rankfeed("feed", root / "mixtures" / path.name, "--in-place", "--dry-run", check=False)
    assert missing.returncode == 2
    assert feed["members"][0]["version"] in missing.stderr
    assert str(root) in missing.stderr
    file = root / "mixtures" / path.name / "mixture.json"
    file.write_text(file.read_text().replace('"window": 1', '"window": 2'))
    changed = rankfeed("feed", file, "--in-place", "--dry-run", check=False)
    assert changed.returncode == 3
    assert str(file) in changed.stderr


def test_a_corrupted_member_is_named_with_its_file(houses, tmp_path):
    path, feed = planned(drawn(houses, 1), tmp_path)
    root = tmp_path / "root"
    shutil.copytree(path.parent.parent, root)
    member = feed["members"][0]
    lane = root / "house" / "versions" / member["version"] / "lanes" / member["feed"] / "lane-00001-00000.arrow"
    damaged = bytearray(lane.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    lane.write_bytes(damaged)
    words = ["feed", root / "mixtures" / path.name, "--cache", tmp_path / "cache", "--run", "corrupted", "--world", 1]
    refused = rankfeed(*words, check=False, cwd=tmp_path)
    assert refused.returncode == 3
    assert str(lane) in refused.stderr
