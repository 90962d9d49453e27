"""Names of runs: the same cases as RunNameTest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rankfeed
from rankfeed import names
from rankfeed.rendezvous import Rendezvous
from rankfeed.version_names import folder_of

CASES = json.loads((Path(__file__).resolve().parents[3] / "schema/src/test/resources/run-names.json").read_text())


@pytest.mark.parametrize("run", CASES["run-id"]["valid"])
def test_a_valid_id_is_the_folder_of_its_facts(run, tmp_path):
    assert names.require_id(run) == run
    facts = tmp_path / "runs" / run.replace(":", "-").replace("+", "-") / "run.json"
    facts.parent.mkdir(parents=True)
    facts.write_text(json.dumps({"state": "committed", "version": "0123456789abcdef"}))
    assert folder_of(f"{tmp_path}@{run}") == tmp_path / "versions" / "0123456789abcdef"


@pytest.mark.parametrize("run", CASES["run-id"]["refused"])
def test_invalid_ids_are_refused_with_a_short_line(run):
    with pytest.raises(rankfeed.RankfeedError) as refused:
        names.require_id(run)
    assert len(str(refused.value)) < 300
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("run", ["..", ".", "a\0b", "a\n", "x" * 201, " a"])
def test_a_version_of_such_a_run_is_refused(run, tmp_path):
    with pytest.raises(rankfeed.RankfeedError, match=r"run id .* must match"):
        rankfeed.open(f"{tmp_path}@{run}")


@pytest.mark.parametrize("run", CASES["run"]["valid"])
def test_a_valid_name_of_a_fed_run(run):
    assert Rendezvous(run).directory.name == run
    assert names.is_fed(run)


@pytest.mark.parametrize("run", CASES["run"]["refused"])
def test_other_names_of_fed_runs_are_refused(run):
    with pytest.raises(rankfeed.RankfeedError, match="run name"):
        Rendezvous(run)
    assert not names.is_fed(run)
