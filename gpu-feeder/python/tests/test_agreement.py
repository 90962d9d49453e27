"""Before the first batch the ranks of a world compare what they are fed: real processes and stores, fake feeders."""

from __future__ import annotations

import os
import socket
from datetime import timedelta
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

import agreeing
import rankfeed
from fake_rows import PLAN, VERSION
from processes import DEADLINE_SECONDS, RUN, forked

OTHER = "feedfeedfeedfeed"


@pytest.fixture
def nodes(feeder, tmp_path):
    """Runs the ranks of a world, rank r on the feeder of run r; returns what each printed, and its exit code."""
    running = []

    def start(
        *runs: str, port: int, feeds: tuple[int, ...] = (), group="gloo", **environment: object
    ) -> list[tuple[BaseProcess, Path]]:
        counts = feeds or (1,) * len(runs)
        started = []
        for rank, run in enumerate(runs):
            if not counts[rank]:
                continue
            own = {
                "RANKFEED_RUN": run, "RANK": rank, "WORLD_SIZE": len(runs), "LOCAL_RANK": 0, "LOCAL_WORLD_SIZE": 1,
                "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port,
            }  # fmt: skip
            more = {key: value[rank] if isinstance(value, tuple) else value for key, value in environment.items()}
            env = os.environ | {key: str(value) for key, value in (own | more).items()}
            said = tmp_path / f"said-{len(running)}"
            running.append((forked(agreeing.run, env, said, counts[rank], group), said))
            started.append(running[-1])
        return started

    feeder(ranks=[0, 1, 2, 3])
    feeder(ranks=[0, 1, 2, 3], directory=str(tmp_path / "rankfeed" / "other"), welcome={"feedFile": OTHER})
    yield start
    for process, _ in running:
        process.kill()
        process.join()


def ended(ranks: list[tuple[BaseProcess, Path]]) -> list[tuple[int | None, str]]:
    for process, _ in ranks:
        process.join(DEADLINE_SECONDS)
    return [(process.exitcode, said.read_text()) for process, said in ranks]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.mark.usefixtures("torch_forks")
def test_ranks_with_equal_feeds_train_at_each_new_feed(nodes):
    for code, said in ended(nodes(RUN, RUN, port=free_port(), feeds=(2, 2))):
        assert (code, said) == (0, f"took {VERSION} {PLAN} 0\n" * 2)


@pytest.mark.usefixtures("torch_forks")
def test_difference_is_raised_by_every_rank_with_both_sides(nodes):
    host = socket.gethostname()
    for code, said in ended(nodes(RUN, RUN, "other", RUN, port=free_port())):
        assert code == 1
        assert said.startswith("VersionMismatch: the ranks of feed 'train' would train on different data: ")
        assert f"ranks 0-1,3 on {host}: version {VERSION}, plan {PLAN}, feed file none, protocol 2; " in said
        assert f"rank 2 on {host}: version {VERSION}, plan {PLAN}, feed file {OTHER}, protocol 2. Name the" in said


@pytest.fixture
def job():
    """Runs a store in this process, which outlives the ranks like that of torchrun's agent."""
    from torch.distributed import TCPStore

    store = TCPStore("127.0.0.1", 0, None, True, timedelta(seconds=60), wait_for_workers=False)
    yield {"port": store.port, "group": "fake", "TORCHELASTIC_RUN_ID": "job"}
    del store


@pytest.mark.usefixtures("torch_forks")
def test_missing_rank_is_named_by_all_waiting_ranks(nodes, job):
    for code, said in ended(nodes(RUN, RUN, RUN, RUN, feeds=(1, 0, 1, 0), GROUP_SECONDS=4, **job)):
        assert code == 1
        assert said.startswith("WrongWorld: ranks 1,3 of 4 did not ask for a batch of feed 'train' within 4 s"), said


@pytest.mark.nightly
@pytest.mark.usefixtures("torch_forks")
def test_missing_rank_0_is_named(nodes, job):
    ((code, said),) = ended(nodes(RUN, RUN, feeds=(0, 1), GROUP_SECONDS=2, **job))
    assert code == 1
    assert said.startswith("WrongWorld: rank 0 of 2 did not ask for a batch of feed 'train' within 2 s"), said


@pytest.mark.usefixtures("torch_forks")
@pytest.mark.parametrize("starts", [2, pytest.param(3, marks=pytest.mark.nightly)])
def test_restart_compares_again_in_a_store_of_the_agent(nodes, job, starts):
    """The counts of restarts are those of each node's agent, which may differ."""
    all_starts = (((0, 0), RUN, [0, 0]), ((0, 1), "other", [1, 1]), ((0, 2), RUN, [0, 0]))
    for restarts, second, codes in all_starts[:starts]:
        found = ended(nodes(RUN, second, TORCHELASTIC_RESTART_COUNT=restarts, **job))
        assert [code for code, _ in found] == codes, found
        assert all(("VersionMismatch" in said) == bool(code) for code, said in found), found


LATEST = {"latest": True}


@pytest.mark.parametrize(
    ("welcome", "local_world"), [(LATEST, 1), (LATEST | {"ranksHere": 2}, 4)], ids=["torchrun", "ranks"]
)
def test_latest_on_several_nodes_without_group_is_refused(feeder, welcome, local_world):
    feeder(welcome=welcome)
    with rankfeed.Feed(output="numpy", rank=0, world=4, local_rank=0, local_world=local_world) as feed:
        for take in (feed.peek, lambda: next(iter(feed))):
            with pytest.raises(
                rankfeed.VersionMismatch,
                match=rf"rank 0 of 4 is fed version {VERSION}, which was @latest .*no torch process group.*@RUN-ID",
            ):
                take()


def test_unknown_nodes_without_group_are_not_one_node(feeder, monkeypatch):
    feeder(welcome=LATEST)  # a feeder on each of two nodes may be started for all ranks
    for environ, arguments in (({}, {"rank": 0, "world": 4}), ({"RANK": "0", "WORLD_SIZE": "4"}, {})):
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        with (
            rankfeed.Feed(output="numpy", **arguments) as feed,
            pytest.raises(rankfeed.VersionMismatch, match=r"LOCAL_WORLD_SIZE=4, or Feed\(..., local_world=4\)"),
        ):
            feed.peek()
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "4")
    with rankfeed.Feed(output="numpy") as feed:
        assert feed.peek().step == 0


@pytest.mark.parametrize(("welcome", "local_world"), [(LATEST, 4), ({"ranksHere": 2}, 1)])
def test_one_node_or_named_version_needs_no_group(feeder, welcome, local_world):
    feeder(welcome=welcome)
    with rankfeed.Feed(output="numpy", rank=0, world=4, local_rank=0, local_world=local_world) as feed:
        assert next(iter(feed)).step == 0


def test_trainer_of_launcher_gets_the_version_of_launcher(feeder, monkeypatch):
    feeder()
    monkeypatch.setenv("RANKFEED_VERSION", VERSION)
    monkeypatch.setenv("RANKFEED_PLAN", PLAN)
    with rankfeed.Feed(output="numpy") as feed:
        assert feed.version == VERSION
    monkeypatch.setenv("RANKFEED_VERSION", OTHER)
    with pytest.raises(rankfeed.VersionMismatch, match=f"feeds version {VERSION}, asked for was {OTHER}"):
        rankfeed.Feed(output="numpy")
    monkeypatch.setenv("RANKFEED_VERSION", VERSION)
    monkeypatch.setenv("RANKFEED_PLAN", OTHER)
    with pytest.raises(rankfeed.VersionMismatch, match="wrong-plan"):
        rankfeed.Feed(output="numpy")
    with rankfeed.Feed(RUN, output="numpy") as feed:  # another run than the launcher's has other ids
        assert feed.plan == PLAN


def test_second_feeder_has_same_version_and_feed_file(feeder):
    first = feeder(die_after=2, slots=2)
    with rankfeed.Feed(output="numpy", copy=True, grace_seconds=60) as feed:
        batches = iter(feed)
        next(batches), next(batches)
        first.stop()
        feeder(welcome={"feedFile": OTHER})
        with pytest.raises(rankfeed.VersionMismatch, match=f"another feeder took over .*{OTHER}"):
            next(batches)
