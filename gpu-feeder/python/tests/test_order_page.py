"""The primitives and the five golden plans written out on the format page (plan.md section 9)."""

import numpy as np
import pytest

from rankfeed.order import Member, Segment, Stratum, TrainOrder
from rankfeed.order.comb import floor_sum
from rankfeed.order.permutation import permute
from rankfeed.order.words import key, mix, word


def plan(mode, order, lanes, batch, epochs, steps, pools, segments, seed=42):
    strata = tuple(Stratum(f"s{i}", n) for i, n in enumerate(pools))
    member = Member("train", lanes, "list" if order == "planned" else "list-first", strata)
    return TrainOrder("train", seed, lanes, batch, epochs, steps, mode, order, 1, (member,), tuple(segments))


PLAN_B = plan(
    "stream", "global", 2, 4, 1, 10, (14, 20, 6),
    [
        Segment(0, 3, 0, (4, 2, 0), (0, 0, 0), 1, 2),
        Segment(3, 4, 1, (2, 5, 1), (4, 2, 0), 1, 3),
        Segment(7, 3, 2, (1, 3, 2), (6, 7, 1), 1, 2),
    ],
)  # fmt: skip
PLAN_D = plan(
    "pass", "global", 4, 8, 2, 12, (96,),
    [Segment(0, 12, 0, (24,), (0,), 5, 8), Segment(12, 12, 1, (24,), (24,), 5, 7)],
)  # fmt: skip


def pairs(rows):
    return list(zip(rows.stratum.tolist(), rows.index.tolist(), strict=True))


def test_primitives_are_those_of_the_page():
    assert int(mix(word(1))[0]) == 0x5692161D100B05E5
    assert int(key(42, 1, 0, 0, 0)[0]) == 0x7C15E27C53336E6F
    assert floor_sum(np.array([7]), 10, 3, np.array([4])).tolist() == [6]
    assert permute(10, key(42, 9), np.arange(10)).tolist() == [0, 6, 2, 9, 7, 1, 5, 3, 8, 4]
    assert permute(100, key(42, 9), np.arange(10)).tolist() == [9, 7, 86, 50, 52, 33, 43, 87, 2, 47]


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 99, 100, 101, 1000, 4096, 5003])
def test_a_permutation_takes_each_value_once(n):
    assert sorted(permute(n, key(7, n), np.arange(n)).tolist()) == list(range(n))


def test_permutations_at_once_equal_one_by_one():
    n = np.array([5, 5, 63, 64, 100, 1, 7000])
    keys = key(3, np.arange(7))
    x = np.array([4, 0, 62, 63, 17, 0, 6999])
    expected = [permute(int(a), k, np.array([b]))[0] for a, k, b in zip(n, keys, x, strict=True)]
    assert permute(n, keys, x).tolist() == [int(value) for value in expected]


def test_floor_sum_equals_the_sum():
    random = np.random.default_rng(11)
    for _ in range(200):
        n, m, a, b = (int(value) for value in random.integers((0, 1, 0, 0), (40, 50, 120, 200)))
        assert floor_sum(np.array([n]), m, a, np.array([b]))[0] == sum((a * i + b) // m for i in range(n))


def test_plan_a_is_a_plain_strided_split():
    a = plan("stream", "planned", 2, 2, 1, 5, (10,), [Segment(0, 5, 0, (5,), (0,), 2, 0)])
    assert [a.batch(t, 0, 2).index.tolist() for t in range(5)] == [[0], [2], [4], [6], [8]]
    assert [a.batch(t, 1, 2).index.tolist() for t in range(5)] == [[1], [3], [5], [7], [9]]


@pytest.mark.parametrize(
    ("step", "rank", "world", "expected"),
    [
        (0, 0, 1, [(0, 1), (0, 2), (1, 1), (0, 0)]),
        (0, 0, 2, [(0, 2), (0, 0)]),
        (0, 1, 2, [(1, 1), (0, 1)]),
        (3, 0, 1, [(1, 7), (1, 5), (1, 4), (0, 8)]),
        (3, 0, 2, [(1, 4), (0, 8)]),
        (3, 1, 2, [(1, 5), (1, 7)]),
        (9, 0, 1, [(2, 4), (1, 19), (1, 18), (0, 13)]),
        (9, 0, 2, [(2, 4), (1, 18)]),
        (9, 1, 2, [(1, 19), (0, 13)]),
    ],
)
def test_plan_b_a_curriculum_of_three_stages(step, rank, world, expected):
    assert pairs(PLAN_B.batch(step, rank, world)) == expected


def test_plan_c_repeats_a_stratum_of_one_row():
    c = plan("stream", "global", 4, 4, 1, 6, (1, 6), [Segment(0, 6, 0, (3, 3), (0, 0), 1, 2)])
    steps = []
    for t in range(6):
        drawn = [pairs(c.batch(t, rank, 4))[0] for rank in range(4)]
        steps.append("".join("A" if stratum == 0 else str(index) for stratum, index in drawn))
    assert steps == ["0AA3", "AA23", "AA24", "A15A", "45AA", "01AA"]


def test_plan_d_two_passes_over_the_pool():
    assert PLAN_D.batch(0, 0, 1).index.tolist() == [4, 2, 6, 0, 1, 5, 7, 3]
    assert PLAN_D.batch(0, 0, 2).index.tolist() == [2, 0, 6, 4]
    assert PLAN_D.batch(12, 0, 1).index.tolist() == [9, 76, 67, 21, 60, 18, 39, 34]
    assert PLAN_D.batch(12, 0, 2).index.tolist() == [60, 76, 34, 18]
    for epoch in range(2):
        seen = np.concatenate([PLAN_D.batch(epoch * 12 + t, 0, 1).index for t in range(12)])
        assert sorted(seen.tolist()) == list(range(96))


def test_plan_e_a_longer_curriculum_on_eight_lanes():
    e = plan(
        "stream", "global", 8, 32, 1, 1000, (11520, 15360, 5120),
        [
            Segment(0, 300, 0, (840, 360, 0), (0, 0, 0), 89, 296),
            Segment(300, 400, 1, (480, 960, 160), (840, 360, 0), 119, 259),
            Segment(700, 300, 2, (120, 600, 480), (1320, 1320, 160), 89, 290),
        ],
    )  # fmt: skip
    assert pairs(e.batch(777, 0, 4)) == [
        (1, 11796), (1, 11804), (1, 11792), (2, 2264), (2, 2284), (2, 2276), (0, 10808), (1, 11800),
    ]  # fmt: skip
    assert pairs(e.batch(777, 3, 4)) == [
        (1, 11795), (2, 2279), (1, 11803), (2, 2259), (0, 10807), (2, 2267), (1, 11807), (1, 11799),
    ]  # fmt: skip


def test_step_has_the_same_rows_at_every_world():
    for t in range(10):
        whole = sorted(pairs(PLAN_B.batch(t, 0, 1)))
        assert sorted(pairs(PLAN_B.batch(t, 0, 2)) + pairs(PLAN_B.batch(t, 1, 2))) == whole
