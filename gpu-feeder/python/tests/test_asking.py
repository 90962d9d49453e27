"""Tests arguments, environments and rendezvous: which feeder is asked for what, and which one is trusted."""

from __future__ import annotations

import os
import signal
import socket

import pytest

import manifests
import rankfeed
from fake_rows import VERSION
from processes import RUN
from rankfeed.columns import requests
from rankfeed.topology import Topology


def test_torchrun_overrides_slurm_and_slurm_the_default():
    slurm = {"SLURM_PROCID": "5", "SLURM_NTASKS": "8", "SLURM_LOCALID": "1", "SLURM_NODEID": "1"}
    slurm["SLURM_STEP_TASKS_PER_NODE"] = "4(x2)"
    torchrun = {"RANK": "3", "WORLD_SIZE": "4", "LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "2"}
    assert Topology.find(environ={}) == Topology(0, 0, 1, 1, "alone", is_one_node=True)
    assert Topology.find(environ=slurm) == Topology(5, 1, 8, 4, "slurm", is_one_node=False)
    assert Topology.find(environ={**slurm, **torchrun}) == Topology(3, 1, 4, 2, "torchrun", is_one_node=False)
    assert Topology.find(1, 2, environ=torchrun) == Topology(1, 1, 2, 2, "arguments", is_one_node=False)
    for given in ({"environ": torchrun | {"LOCAL_WORLD_SIZE": "4"}}, {"rank": 1, "world": 4, "local_world": 4},
                  {"environ": slurm | {"SLURM_STEP_TASKS_PER_NODE": "8", "SLURM_NODEID": "0"}}):  # fmt: skip
        assert Topology.find(**given).is_one_node
    del slurm["SLURM_STEP_TASKS_PER_NODE"], torchrun["LOCAL_WORLD_SIZE"]
    for given in ({"environ": torchrun}, {"environ": slurm}, {"rank": 1, "world": 4}):
        found = Topology.find(**given)
        assert found.local_world == found.world and not found.is_one_node
    slurm["SLURM_STEP_TASKS_PER_NODE"] = "4(x2)"
    uneven = {**slurm, "SLURM_STEP_TASKS_PER_NODE": "3(x1),5", "SLURM_LOCALID": "4"}
    assert Topology.find(environ=uneven).local_world == 5


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"RANK": "4", "WORLD_SIZE": "4"}, "rank 4 is not in a world of 4 .from torchrun"),
        ({"RANK": "x", "WORLD_SIZE": "4"}, "RANK is 'x'"),
        ({"RANK": "-1", "WORLD_SIZE": "4"}, "RANK is '-1'"),
        ({"RANK": "0", "WORLD_SIZE": "0"}, "world of 0"),
        ({"RANK": "0", "WORLD_SIZE": "2", "LOCAL_RANK": "2", "LOCAL_WORLD_SIZE": "2"}, "local rank 2"),
        ({"SLURM_PROCID": "0", "SLURM_NTASKS": "2", "SLURM_TASKS_PER_NODE": "many"}, "'many'"),
    ],
)
def test_invalid_environment_is_reported(environ, words):
    with pytest.raises(rankfeed.WrongWorld, match=words):
        Topology.find(environ=environ)


def test_hello_has_only_what_the_caller_set():
    assert requests(None, None, None, True) is None
    assert requests(["a"], {"a": "ragged"}, None, False) == [{"name": "a", "layout": "ragged"}]
    assert requests([], None, None, True) == [{"name": "row_id"}]
    assert requests(["b", "row_id"], None, {"b": 0.5}, True) == [{"name": "b", "padValue": 0.5}, {"name": "row_id"}]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((None, {"a": "ragged"}, None, True), "name the columns"),
        ((None, None, None, False), "name the columns"),
        (("tokens", None, None, True), r"write columns=\['tokens'\]"),
        ((["a"], {"b": "ragged"}, None, True), "b, not among"),
        ((["a"], {"a": "wide"}, None, True), "layout 'wide'"),
        ((["a"], None, {"a": float("nan")}, True), "not a finite number"),
        ((["a"], None, {"a": True}, True), "not a finite number"),
        (([1], None, None, True), "1 is not a name"),
        ((5, None, None, True), "columns=5 are not names"),
        ((["a"], "ragged", None, True), "layouts='ragged' is not a mapping"),
        ((["a"], None, 7, True), "pad_values=7 is not a mapping"),
        ((["a"], None, {"a": 10**400}, True), "column 'a': pad value of 1329 bits is not a finite number"),
        ((["a"], None, {"a": -(10**9000)}, True), "column 'a': pad value of 29898 bits is not a finite number"),
    ],
)
def test_invalid_request_is_reported(arguments, words):
    with pytest.raises(rankfeed.RankfeedError, match=words):
        requests(*arguments)


def test_run_is_found_by_name_version_folder_or_as_the_only_one(feeder, tmp_path, monkeypatch):
    with pytest.raises(rankfeed.NoFeeder, match=f"feeds version {VERSION}; start one with: rankfeed feed {VERSION}"):
        rankfeed.Feed(VERSION, output="numpy")
    feeder()
    folder = tmp_path / "versions" / VERSION
    folder.mkdir(parents=True)
    manifests.write(folder, manifests.artifact("version", id=VERSION))
    for asked in (RUN, VERSION, folder, str(folder), None):
        with rankfeed.Feed(asked, output="numpy") as feed:
            assert feed.version == VERSION
    monkeypatch.delenv("RANKFEED_RUN")
    with rankfeed.Feed(output="numpy") as feed:
        assert len(feed) == 5
    other = feeder(directory=str(tmp_path / "rankfeed" / "other"))
    with pytest.raises(rankfeed.NoFeeder, match=f"several runs .* other, {RUN}"):
        rankfeed.Feed(output="numpy")
    with pytest.raises(rankfeed.NoFeeder, match="fed by several runs"):
        rankfeed.Feed(VERSION, output="numpy")
    other.stop(signal.SIGKILL)
    assert (tmp_path / "rankfeed" / "other" / "feeder.json").exists()
    for asked in (None, VERSION):
        with rankfeed.Feed(asked, output="numpy") as feed:
            assert feed.version == VERSION


def test_rank_without_feeder_is_reported_or_waited_for(feeder):
    running = feeder(ranks=[0, 1, 3])
    with pytest.raises(
        rankfeed.WrongWorld, match=rf"run {RUN} feeds ranks 0-1,3, not rank 2 of a world of 4; .*--ranks"
    ):
        rankfeed.Feed(output="numpy", rank=2, world=4, wait_seconds=600)
    with pytest.raises(rankfeed.WrongWorld, match="4 lanes, so train with at most 4 ranks"):
        rankfeed.Feed(output="numpy", rank=5, world=8, wait_seconds=600)
    running.stop(signal.SIGKILL)
    with pytest.raises(rankfeed.NoFeeder, match="rank 2"):
        rankfeed.Feed(output="numpy", rank=2, world=4)


def test_folder_without_version_is_reported(feeder, tmp_path):
    with pytest.raises(rankfeed.VersionMismatch, match="not a complete version"):
        rankfeed.Feed(tmp_path, output="numpy")
    manifests.write(tmp_path, manifests.artifact("version", id="../../etc"))
    with pytest.raises(rankfeed.VersionMismatch, match="not 16 hexadecimal digits"):
        rankfeed.Feed(tmp_path, output="numpy")


@pytest.mark.parametrize("run", ["../x", "a/b\0", ".hidden", "-x", "x" * 65, "", "ü"])
def test_a_run_name_never_leaves_the_rendezvous(feeder, run):
    with pytest.raises(rankfeed.RankfeedError, match=r"run name|not a complete version"):
        rankfeed.Feed(run, output="numpy", wait_seconds=60)


def test_directories_and_sockets_of_others_are_refused(feeder, tmp_path):
    feeder()
    directory = tmp_path / "rankfeed" / RUN
    directory.chmod(0o777)
    with pytest.raises(rankfeed.ProtocolError, match="can be written by others"):
        rankfeed.Feed(output="numpy")
    directory.chmod(0o700)
    os.rename(directory, tmp_path / "elsewhere")
    directory.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(rankfeed.NoFeeder, match=r"Not a directory|symbolic links"):
        rankfeed.Feed(output="numpy")
    directory.unlink()
    os.rename(tmp_path / "elsewhere", directory)
    socket_file = directory / "rank-0.sock"
    os.rename(socket_file, directory / "real.sock")
    socket_file.symlink_to(directory / "real.sock")
    with pytest.raises(rankfeed.ProtocolError, match="not a socket"):
        rankfeed.Feed(output="numpy")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_directory_of_another_user_is_refused(feeder, tmp_path):
    feeder()
    os.chown(tmp_path / "rankfeed" / RUN, 65534, 65534)
    with pytest.raises(rankfeed.ProtocolError, match="belongs to user 65534"):
        rankfeed.Feed(output="numpy")


def test_socket_without_listener_is_no_feeder(feeder, tmp_path):
    directory = tmp_path / "rankfeed" / RUN
    directory.mkdir(mode=0o700)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(directory / "rank-0.sock"))
    listener.listen()
    listener.close()
    with pytest.raises(rankfeed.NoFeeder, match="Connection refused"):
        rankfeed.Feed(output="numpy")


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"version_or_run": b"x"}, r"Feed\(b'x'\): expected a run's name"),
        ({"version_or_run": 5}, r"Feed\(5\): expected a run's name"),
        ({"feed": None}, "feed=None is not a feed"),
        ({"rank": "0", "world": 1}, "rank='0' is not a whole number"),
        ({"rank": 0, "world": 1.0}, "world=1.0 is not a whole number"),
        ({"rank": 0, "world": 1, "local_rank": "0"}, "local_rank='0' is not a whole number"),
        ({"wait_seconds": "x"}, "wait_seconds='x': expected seconds, 0 or more"),
        ({"wait_seconds": float("nan")}, "wait_seconds=nan: expected seconds"),
        ({"wait_seconds": True}, "wait_seconds=True: expected seconds"),
        ({"grace_seconds": -1}, "grace_seconds=-1: expected seconds"),
        ({"grace_seconds": float("nan")}, "grace_seconds=nan: expected seconds"),
        ({"output": "torch", "device": "gpu7"}, "device='gpu7' is not a torch device"),
    ],
)
def test_invalid_argument_is_reported_without_a_feeder(feeder, keywords, words):
    with pytest.raises(rankfeed.RankfeedError, match=words):
        rankfeed.Feed(**{"output": "numpy", **keywords})


def test_unknown_run_is_reported_with_known_runs(feeder, tmp_path):
    with pytest.raises(rankfeed.NoFeeder, match=rf"rank 0 of run nope .*; no run is fed here; RANKFEED_RUN is {RUN};"):
        rankfeed.Feed("nope", output="numpy")
    feeder()
    feeder(directory=str(tmp_path / "rankfeed" / "other"))
    with pytest.raises(rankfeed.NoFeeder, match=rf"; runs here: other, {RUN}; RANKFEED_RUN is {RUN}; start one"):
        rankfeed.Feed("nope", output="numpy")


def test_refusal_of_a_discovered_run_names_it(feeder, monkeypatch):
    feeder(refuse="config")
    with pytest.raises(rankfeed.FeederError, match=r"it is config \(config\)$"):
        rankfeed.Feed(output="numpy")
    monkeypatch.delenv("RANKFEED_RUN")
    for asked in (None, VERSION):
        with pytest.raises(rankfeed.FeederError, match=rf"\(run {RUN}, found because none was named\)") as reported:
            rankfeed.Feed(asked, output="numpy")
        assert reported.value.code == "config"


@pytest.mark.parametrize("text", ["nan", "-1", "soon"])
def test_invalid_wait_of_the_environment_is_reported(feeder, monkeypatch, text):
    monkeypatch.setenv("RANKFEED_WAIT_SECONDS", text)
    with pytest.raises(rankfeed.RankfeedError, match=f"RANKFEED_WAIT_SECONDS is '{text}', expected seconds, 0 or more"):
        rankfeed.Feed(output="numpy")


def test_the_wait_may_come_from_the_environment(feeder, monkeypatch):
    monkeypatch.setenv("RANKFEED_WAIT_SECONDS", "0.1")
    with pytest.raises(rankfeed.NoFeeder):
        rankfeed.Feed(output="numpy")


def test_output_and_device_are_checked(feeder):
    with pytest.raises(rankfeed.RankfeedError, match="expected auto, torch or numpy"):
        rankfeed.Feed(output="jax")
    with pytest.raises(rankfeed.RankfeedError, match="device is for torch"):
        rankfeed.Feed(output="numpy", device="cpu")
