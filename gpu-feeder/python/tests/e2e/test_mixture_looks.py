"""``explain``, ``preview``, ``verify``, ``simulate`` and ``diff`` of a mixture, compared with an independent reader."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest
from launch import answer, rankfeed
from sheets import sheet
from test_mixtures import below, drawn, expected, planned

from plans.reader import Reader

FEED = "feeds: {train: {columns: [{name: ids, from: input_ids, text: {tensors: []}}]}}"


@pytest.fixture(scope="module")
def mixed(house, house_with_more_feeds, tmp_path_factory):
    """Two versions by their ids, the folder of a mixture of them, and its feed."""
    folder = tmp_path_factory.mktemp("looked")
    houses = below(folder / "house", house, house_with_more_feeds)
    return houses, *planned(drawn(houses, 1), folder)


def told(*words: object) -> list[dict[str, str]]:
    """Returns the rows that ``explain`` prints, by column."""
    said = rankfeed("explain", *words).stdout
    heads, *lines = (line.split("\t") for line in said[said.index("# feed") :].splitlines()[1:])
    return [dict(zip(heads, line, strict=True)) for line in lines]


def row_names(feed: dict) -> list[tuple[str, str]]:
    """The member, and the name of each stratum."""
    return [(m["name"], f"{m['name']}/{s['name']}") for m in feed["members"] for s in m["strata"]]


def test_explain_names_the_member_of_each_row_and_finds_its_steps(mixed):
    houses, path, feed = mixed
    draw = random.Random(1)
    world = draw.choice([1, 2, 4])
    rank, t = draw.randrange(world), draw.randrange(Reader(feed).steps)
    given = expected(houses, feed, world)
    epoch, step, ids = given[rank][t]
    rows = told(path, "--epoch", epoch, "--step", step, "--rank", rank, "--world", world)
    batch, names = Reader(feed).batch(t, rank, world), row_names(feed)
    versions = {member["name"]: member for member in feed["members"]}
    assert [int(row["row_id"]) for row in rows] == list(ids)
    assert [(row["member"], row["stratum"]) for row in rows] == [names[row.stratum] for row in batch]
    assert [int(row["index"]) for row in rows] == [row.index for row in batch]
    for row in rows:
        member = versions[row["member"]]
        assert row["file"].startswith(f"house/versions/{member['version']}/lanes/{member['feed']}/")

    wanted = sorted(
        (t, rank, place, names[row.stratum][0])
        for rank in range(world)
        for t in range(Reader(feed).steps)
        for place, row in enumerate(Reader(feed).batch(t, rank, world))
        if given[rank][t][2][place] == ids[0]
    )
    seen = told(path, "--row", ids[0], "--world", world)
    assert wanted == sorted((int(s["global_step"]), int(s["rank"]), int(s["place"]), s["member"]) for s in seen)


def test_preview_shows_the_member_of_each_row(mixed, tmp_path):
    houses, path, feed = mixed
    config, out = tmp_path / "feed.yaml", tmp_path / "page.html"
    config.write_text(FEED)
    rankfeed("preview", path, "--config", config, "--step", 1, "--rank", 1, "--world", 2, "--rows", 8, "--out", out)
    names = row_names(feed)
    batch = Reader(feed).batch(1, 1, 2)[:8]
    captions = [row.caption for row in sheet(out).rows]
    assert [int(caption["row_id"]) for caption in captions] == list(expected(houses, feed, 2)[1][1][2])[:8]
    assert [caption["member"] for caption in captions] == [names[row.stratum][0] for row in batch]


def test_verify_checks_the_versions_of_all_members(mixed, tmp_path):
    _, path, feed = mixed
    versions = {member["version"] for member in feed["members"]}
    lines = re.findall(r"^(?:member|mixture) .*$", rankfeed("verify", path).stdout, re.MULTILINE)
    assert [re.search(r": version (\w+) of dataset house: .* intact", line)[1] for line in lines[:-1]] == sorted(
        versions, key=[member["version"] for member in feed["members"]].index
    )
    words = f"{len(feed['members'])} members, {len(versions)} version"
    assert lines[-1].startswith(f"mixture {path.name}: {words}") and lines[-1].endswith(": intact")

    root = tmp_path / "root"
    shutil.copytree(path.parent.parent, root)
    member = feed["members"][-1]
    lane = root / "house" / "versions" / member["version"] / "lanes" / member["feed"] / "lane-00000-00000.arrow"
    lane.write_bytes(lane.read_bytes()[:-1])
    damaged = rankfeed("verify", root / "mixtures" / path.name, check=False)
    assert damaged.returncode == 3
    assert re.search(rf"member .*\b{member['name']}\b.*: {lane}", damaged.stderr)

    shutil.rmtree(root / "house" / "versions" / member["version"])
    for command in ("verify", "simulate"):
        missing = rankfeed(command, root / "mixtures" / path.name, check=False)
        assert missing.returncode == 2
        assert member["version"] in missing.stderr and "copy the version to" in missing.stderr


def test_diff_lists_what_two_mixtures_do_not_share(mixed, tmp_path):
    houses, path, feed = mixed
    settings = drawn(houses, 1)
    name = min(settings["members"])
    other, now = planned(settings | {"seed": 5, "batch": 2 * settings["batch"]}, tmp_path)
    done = rankfeed("diff", path, other, "--json", "--exit-code", check=False)
    assert done.returncode == 10, done.stderr
    table = answer(done.stdout)
    numbers = {line["number"]: (line["before"], line["after"]) for line in table["numbers"]}
    assert numbers["seed"] == (feed["seed"], now["seed"]) and numbers["batch"] == (feed["batch"], now["batch"])
    assert all(line["before"] == line["after"] for line in table["members"])
    for side, one in (("before", feed), ("after", now)):
        rows: dict[tuple, int] = {}
        names = [(m["name"], s["name"]) for m in one["members"] for s in m["strata"]]
        for segment in one["segments"]:
            stage = segment.get("stage", segment["number"])
            for key, quota in zip(names, segment["quotas"], strict=True):
                rows[stage, *key] = rows.get((stage, *key), 0) + quota * one["lanes"]
        assert {(r["stage"], r["member"], r["stratum"]): r[side] for r in table["rows"]} == rows
    assert f"the same mixture: {path.name}\n" in rankfeed("diff", path, path, "--exit-code").stdout
    refused = rankfeed("diff", path, settings["members"][name]["version"], check=False)
    assert refused.returncode == 2
    assert "is a mixture, and" in refused.stderr and "compare two mixtures" in refused.stderr


@pytest.mark.parametrize("command", ["explain", "preview", "verify", "simulate"])
def test_a_plan_with_a_mixture_is_refused(mixed, tmp_path, command):
    config = tmp_path / "feed.yaml"
    config.write_text(FEED)
    more: dict[str, list] = {"explain": ["--step", 0], "preview": ["--config", config]}
    refused = rankfeed(command, Path(mixed[1]), "--plan", "seed7", *more.get(command, []), check=False)
    assert refused.returncode == 2
    assert "is a mixture, which is a plan itself; leave the plan out" in refused.stderr
