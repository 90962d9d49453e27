"""``selection.json`` of a version, and plans over versions whose stages choose rows."""

from __future__ import annotations

import hashlib
import json
import struct

import pyarrow.parquet as pq
import pytest
from claims import Plan, assert_epochs_are_the_pool
from launch import rankfeed
from nodes import Feeder, log_rows
from test_version_plans import expected, planned


@pytest.mark.parametrize("feed", ["staged", pytest.param("shaped", marks=pytest.mark.nightly)])
def test_stages_that_choose_rows_are_planned_again(house_with_more_feeds, tmp_path, feed):
    house = house_with_more_feeds
    printed, order = planned(house, "--set", "seed=9", "--out", tmp_path / "orders", feed=feed)
    own = json.loads(house.order_file.read_text())["feeds"]
    stored = next(one for one in own if one["name"] == feed)
    assert [one["quotas"] for one in order["segments"]] == [one["quotas"] for one in stored["segments"]]
    assert order["members"][0]["cycles"] == "list-first"
    with Feeder(house.path, tmp_path / "rt", feed, "--in-place", "--world", 2, "--plan", printed["path"]) as feeder:
        log = log_rows(feeder.env, 2, tmp_path / "log", feed)
    assert log == expected(house, order, 2)
    stages = "stages=[{until: 0.5, where: length < 301}, {}]"
    other = ["--set", "balance=[is_correct]", "--set", stages, "--dry-run"]
    refused = rankfeed("plan", house.path, "--feed", feed, *other, check=False)
    assert refused.returncode == 2
    assert "no stage of the export has the condition 'length < 301'" in refused.stderr


def test_selection_states_which_rows_the_version_stores(house_with_more_feeds):
    house = house_with_more_feeds
    selection = json.loads((house.path / "selection.json").read_text())
    order = json.loads(house.order_file.read_text())
    assert {one["version"] for feed in order["feeds"] for one in feed.get("members", [])} == {house.version}
    manifest = json.loads((house.path / "manifest.json").read_text())
    digest = hashlib.sha256((house.path / "selection.json").read_bytes()).hexdigest()
    assert {"kind": "selection", "sha256": digest} in manifest["inputs"]
    selected = {feed["name"]: feed for feed in selection["feeds"]}
    for feed in order["feeds"]:
        one = selected.pop(feed["name"])
        files = sorted((house.root / "plans" / house.plan / "rows").glob(f"{feed['name']}-*.parquet"))
        rows = pq.ParquetDataset([str(file) for file in files]).read(columns=["row_id", "file", "row"])
        values = zip(*(rows[name].to_pylist() for name in rows.column_names), strict=True)
        digest = hashlib.sha256(b"".join(struct.pack("<qiq", *row) for row in values))
        assert one["rowDigests"] == [digest.hexdigest()]
        assert one["lanes"] == feed["lanes"]
        strata = feed["members"][0]["strata"] if feed["kind"] == "train" else []
        for stratum, stored in zip(one.get("strata", []), strata, strict=True):
            assert {key: stratum[key] for key in stored} == stored
            assert stratum["name"].startswith("/".join(stratum["values"]) or stratum["name"])
    assert not selected
    staged, listed = (next(one for one in selection["feeds"] if one["name"] == name) for name in ("staged", "listed"))
    assert (staged["columns"], staged["list"]["by"], staged["list"]["seed"]) == (["is_correct"], "hash", 5)
    assert [stage["by"] for stage in staged["list"]["ordered"]] == ["length"]
    assert {stratum["name"].split("/")[1] for stratum in staged["strata"]} <= {"stages 0", "stages 1", "stages 0,1"}
    assert listed["list"] == {"by": "given", "ordered": []}


@pytest.mark.parametrize("feed", ["rotating", "growing"])
def test_orders_of_format_2_are_fed_from_their_version(house_with_more_feeds, tmp_path, feed):
    house = house_with_more_feeds
    order = json.loads(house.order_file.read_text())
    assert order["formatVersion"] == 2
    own = next(one for one in order["feeds"] if one["name"] == feed)
    rows = own["members"][0]["strata"]
    stop = {"rotating": 40, "growing": 13}[feed]
    words = ["--in-place", "--world", 2]
    with Feeder(house.path, tmp_path / "rt", feed, *words) as feeder:
        log_rows(feeder.env, 2, tmp_path / "log", feed, "--stop-after", stop)
    with Feeder(house.path, tmp_path / "rt", feed, *words) as feeder:
        log = log_rows(feeder.env, 2, tmp_path / "log", feed)
    assert log == expected(house, own, 2)
    if feed == "rotating":
        assert_epochs_are_the_pool(Plan(house.root, house.version, feed), log)
        assert rows[0]["rows"] % own["batch"] > 0
