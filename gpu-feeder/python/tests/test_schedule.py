"""Epochs of different lengths, batches that change by stage, and stages of a plan, as a trainer sees them."""

from __future__ import annotations

import pickle

import pytest

import rankfeed
from fake_rows import row_ids
from rankfeed.ring.schedule import Schedule, Stage

STARTS = [0, 4, 7, 9]
STAGES = [
    {"step": 0, "stage": 0, "batch": 4, "rows": [12, 8]},
    {"step": 5, "stage": 2, "batch": 8, "rows": [0, 32]},
]
SIZES = [4] * 5 + [8] * 4
PARTS = {"starts": STARTS, "stages": STAGES, "welcome": {"strata": ["a", "b/c"]}}
UNIFORM = {"steps": 10, "epochs": 2, "stepsPerEpoch": 5, "stages": [{"step": 0, "stage": 0, "batch": 8}]}


def test_batches_have_the_rows_of_their_stage(feeder):
    feeder(**PARTS)
    with rankfeed.Feed(output="numpy", world=2, rank=0) as feed:
        got = [[(b.epoch, b.step, b.global_step, b.stage, b.global_rows, b.valid_rows) for b in feed] for _ in range(3)]
        assert [len(epoch) for epoch in got] == [4, 3, 2]
        stages = [0] * 5 + [2] * 4
        places = [(e, s) for e, count in enumerate((4, 3, 2)) for s in range(count)]
        steps = enumerate(zip(places, stages, SIZES, strict=True))
        wanted = [(*at, t, stage, size, size // 2) for t, (at, stage, size) in steps]
        assert [at for epoch in got for at in epoch] == wanted
        assert list(feed) == []
        assert [feed.batch_at(step) for step in range(9)] == SIZES
        assert (feed.epochs, feed.rows_per_batch) == (3, 4)
        for step in (-1, 9, 1.0, True):
            with pytest.raises(rankfeed.RankfeedError, match="not in this run of 9 steps"):
                feed.batch_at(step)


def test_every_step_is_resumed_and_sought(feeder):
    feeder(**PARTS)
    with rankfeed.Feed(output="numpy") as feed:
        states, lengths = [], []
        for _ in range(3):
            for _batch in feed:
                states.append(feed.state_dict())
                lengths.append(len(feed))
        assert [(s["epoch"], s["step"]) for s in states] == [
            (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (3, 0),
        ]  # fmt: skip
        assert lengths == [4, 4, 4, 3, 3, 3, 2, 2, 2]
        for step, state in enumerate(states[:-1], 1):
            feed.load_state_dict(state)
            first = next(iter(feed))
            assert (first.global_step, first["row_id"].tolist()) == (step, row_ids(step, SIZES[step], 0, 1))
            first.release()
            feed.seek(step)
            assert feed.state_dict() == state
        feed.seek(9)
        assert list(feed) == []
        for epoch, step in ((0, 5), (2, 3), (3, 1), (4, 0), (-1, 0), (-9, 0), (0, -1)):
            with pytest.raises(rankfeed.RankfeedError, match=f"epoch {epoch}, step {step} is not in this run"):
                feed.load_state_dict({**states[0], "epoch": epoch, "step": step})


def test_stats_have_the_stage_and_its_rows(feeder):
    feeder(**PARTS)
    with rankfeed.Feed(output="numpy") as feed:
        found = []
        for _ in range(3):
            for _batch in feed:
                stats = feed.stats()
                found.append((stats["stage"], stats["quota_a"], stats["quota_b/c"]))
        assert found == [(0, 12, 8)] * 5 + [(2, 0, 32)] * 4


def test_feed_without_stages_is_one_stage(feeder):
    feeder(kind="sequential", epochs=1, steps=3, pool=19)
    with rankfeed.Feed(output="numpy") as feed:
        assert [(b.stage, b.global_rows, b.valid_rows) for b in feed] == [(0, 8, 8), (0, 8, 8), (0, 3, 3)]
        assert [feed.batch_at(step) for step in range(3)] == [8, 8, 3]
        stats = feed.stats()
        assert stats["stage"] == 0 and not any(name.startswith("quota_") for name in stats)


@pytest.mark.parametrize("output", ["numpy", "torch"])
def test_stage_and_global_rows_stay_with_a_batch(feeder, output):
    feeder(**PARTS)
    with rankfeed.Feed(output=output, device=None if output == "numpy" else "cpu", copy=True) as feed:
        feed.seek(6)
        batch = next(iter(feed))
        others = [batch, batch.copy(), batch.to("cpu"), pickle.loads(pickle.dumps(batch)), *batch.split(3)]
        assert {(other.global_step, other.stage, other.global_rows) for other in others} == {(6, 2, 8)}
        rebuilt = rankfeed.Batch(dict(batch))
        assert (rebuilt.stage, rebuilt.global_rows) == (-1, -1)


def test_names_of_quotas_are_those_that_loggers_take():
    stage = Stage(0, 0, 8, (1, 2, 3, 4))
    schedule = Schedule(1, 1, 1, (), (stage,), ("C++/x", "C--/x", "C##/x", "é y"))
    assert schedule.quotas(0) == {"quota_C__/x_0": 1, "quota_C--/x": 2, "quota_C__/x_2": 3, "quota__ y": 4}


def test_run_that_ends_within_an_epoch():
    schedule = Schedule(8, 2, 5, (), (Stage(0, 0, 8),))
    assert [schedule.epoch_at(step) for step in range(9)] == [0] * 5 + [1] * 3 + [2]
    assert [schedule.begin(epoch) for epoch in range(4)] == [0, 5, 8, 8]
    assert [schedule.length(epoch) for epoch in range(3)] == [5, 3, 3]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"steps": None}, "steps is None"),
        ({"steps": 11}, "2 epochs of 5 steps are not 11 steps"),
        ({"steps": 4}, "are not 4 steps"),
        ({"stepsPerEpoch": -1}, "stepsPerEpoch is -1"),
        ({"epochStarts": [0]}, "epochStarts do not fit"),
        ({"epochStarts": [0, 10]}, "epochStarts do not fit"),
        ({"epochStarts": [1, 5]}, "epochStarts do not fit"),
        ({"epochStarts": [0, 5.0]}, "epochStarts do not fit"),
        ({"stages": None}, "stages must be a list"),
        ({"stages": []}, "stages must ascend from step 0"),
        ({"stages": [3]}, "a stage must be an object"),
        ({"stages": [{"step": 0, "stage": 0}]}, "batch is None"),
        ({"stages": [{"step": 1, "stage": 0, "batch": 8}]}, "stages must ascend"),
        ({"strata": "a"}, "strata must be a list of names"),
        ({"strata": ["a"]}, "rows of the stage at step 0 must be 1 numbers"),
        ({"stages": [{"step": 0, "stage": 0, "batch": 8, "rows": [1]}]}, "must be 0 numbers"),
    ],
)  # fmt: skip
def test_invalid_schedule_is_refused(change, words):
    assert Schedule.parse(UNIFORM).length(0) == 5
    with pytest.raises(rankfeed.ProtocolError, match=words):
        Schedule.parse(UNIFORM | change)
