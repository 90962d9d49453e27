"""``rankfeed.inspect`` and ``rankfeed.simulate``: the command's answers as data, checked with the order."""

import pytest

import rankfeed
from test_golden_cache import FOLDER

pytestmark = pytest.mark.feeder


@pytest.fixture(autouse=True)
def jars_as_they_are(monkeypatch):
    monkeypatch.setenv("RANKFEED_BUILD", "never")


def test_a_version_is_described():
    facts = rankfeed.inspect(FOLDER)
    version = rankfeed.open(FOLDER)
    assert facts["id"] == version.manifest["id"]
    assert {feed["name"] for feed in facts["feeds"]} == set(version.feeds)
    assert [column["name"] for column in facts["columns"]] == version["train"].columns[1:]


def test_drawn_rows_are_those_of_the_order():
    order = rankfeed.Order.load(FOLDER / "order.json")["train"]
    simulated = rankfeed.simulate(FOLDER, feed="train")
    drawn = simulated["drawn by train"]
    assert [step["firstStep"] for step in drawn] == list(range(order.steps_per_epoch * order.epochs))
    strata = [stratum.name for stratum in order.strata]
    assert [sum(step[name] for name in strata) for step in drawn] == [order.batch_rows] * len(drawn)
    assert sum(stage["rows"] for stage in simulated["stages of train"]) == order.batch_rows * len(drawn)


def test_warnings_of_the_jvm_are_ignored(monkeypatch, tmp_path):
    monkeypatch.setenv("RANKFEED_JAVA_OPTS", f"-XX:SharedArchiveFile={tmp_path}/missing.jsa -Xlog:cds")
    assert rankfeed.inspect(FOLDER)["rows"] > 0


def test_errors_are_those_of_the_command(tmp_path):
    with pytest.raises(rankfeed.RankfeedError, match=r"did you mean .train."):
        rankfeed.simulate(FOLDER, feed="trian")
    with pytest.raises(rankfeed.RankfeedError, match=str(tmp_path)):
        rankfeed.inspect(tmp_path)
    with pytest.raises(rankfeed.RankfeedError, match="no committed run"):
        rankfeed.inspect(f"{tmp_path}@latest")
