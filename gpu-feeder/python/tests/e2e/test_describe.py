"""``inspect``, ``simulate`` and ``doctor``: answers as data, checked with the order and the machine."""

import subprocess
import sys

import pytest
import torch
from launch import PROJECT, answer

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


def doctor(*words: object, before: tuple[str, ...] = ()) -> tuple[int, list[dict]]:
    command = [*before, PROJECT / "rankfeed", "doctor", "--json", "--python", sys.executable, *words]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=600)
    return done.returncode, answer(done.stdout)["findings"]


def test_the_doctor_looks_at_this_machine(tmp_path):
    code, findings = doctor("--cache", tmp_path)
    by_check = {finding["check"]: finding for finding in findings}
    assert code == (4 if any(finding["level"] == "error" for finding in findings) else 0)
    assert by_check["torch"]["found"] == torch.__version__
    assert by_check["cache"]["found"].startswith(str(tmp_path))
    assert all(bool(finding["remedy"]) == (finding["level"] != "ok") for finding in findings)
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_names_a_small_shared_memory_first(tmp_path):
    small = ("unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size=32m tmpfs /dev/shm && exec "$@"', "sh")
    if subprocess.run([*small, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount in a namespace of its own")
    code, findings = doctor("--cache", tmp_path, before=small)
    assert code == 4
    assert (findings[0]["check"], findings[0]["level"]) == ("/dev/shm", "error")
    assert "--shm-size" in findings[0]["remedy"]
