"""``Feed(transform=…)``: order, random numbers, memory and failures, in worker processes and in the trainer."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rankfeed
import sample_transforms as functions
from fake_rows import row_ids, row_key, tokens
from processes import wait_until

TESTS = Path(__file__).parent
MASK = 2**64 - 1


def alive(process: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


COLUMNS = ["row_id", "tokens"]


@pytest.fixture(params=["forkserver", "spawn"])
def start_method(request, monkeypatch):
    monkeypatch.setattr(multiprocessing, "get_start_method", lambda allow_none=False: request.param)


def uniform(key: int, draw: int) -> float:
    """Computes docs/transforms.md, "Randomness", with Python's integers."""
    z = (key + draw * 0x9E3779B97F4A7C15) & MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return ((z ^ (z >> 31)) >> 11) * 2.0**-53


def check_doubled(batch, step: int) -> None:
    rows = row_ids(step, 8, 0, 1)
    assert batch.global_step == step
    assert np.asarray(batch["row_id"]).tolist() == rows
    width = max(1, *(len(tokens(row)) for row in rows))
    expected = [[2 * t for t in tokens(row)] + [0] * (width - len(tokens(row))) for row in rows]
    assert np.asarray(batch["twice"]).tolist() == expected
    assert np.asarray(batch["noise"]).tolist() == [[uniform(row_key(row), n) for n in (1, 2)] for row in rows]
    assert batch["seeds"].dtype.itemsize == 8
    assert "_row_key" not in batch
    # numpy's own generator, keyed by the row: what a user would write to get the same numbers.
    normal = [np.random.Generator(np.random.Philox(key=row_key(row))).normal() for row in rows]
    assert np.asarray(batch["normal"]).tolist() == np.array(normal, np.float32).tolist()


@pytest.mark.parametrize("output", ["numpy", "torch"])
@pytest.mark.parametrize("copy", [False, True])
def test_workers_give_batches_in_order_across_epochs(feeder, start_method, output, copy):
    feeder(slots=5, columns=COLUMNS)
    numbers, processes = set(), set()
    with rankfeed.Feed(
        transform=functions.doubled,
        workers=3,
        worker_init=functions.remember_number,
        output=output,
        device=None if output == "numpy" else "cpu",
        copy=copy,
    ) as feed:
        for epoch in range(feed.epochs):
            for step, batch in enumerate(feed):
                check_doubled(batch, epoch * 5 + step)
                assert feed.state_dict()["step"] == (step + 1) % 5
                number, process = np.asarray(batch["worker"]).tolist()
                numbers.add(number)
                processes.add(process)
        assert numbers <= {0, 1, 2}
        assert len(processes) == len(numbers)
    wait_until(lambda: not any(alive(process) for process in processes), "the workers' end")


def test_trainer_without_workers_calls_the_function(feeder):
    feeder(columns=COLUMNS)
    with rankfeed.Feed(transform=functions.doubled, output="numpy") as feed:
        for step, batch in enumerate(feed):
            check_doubled(batch, step)
            assert batch["worker"].tolist() == [-1, os.getpid()]


@pytest.mark.parametrize("workers", [0, 2])
def test_arrays_changed_in_place_keep_their_types(feeder, workers):
    torch = pytest.importorskip("torch")
    feeder(slots=4, columns=["row_id", "tokens", "half", "text"])
    with rankfeed.Feed(transform=functions.in_place, workers=workers, output="torch") as feed:
        for batch in feed:
            rows = row_ids(batch.global_step, 8, 0, 1)
            assert batch["half"].dtype == torch.bfloat16
            assert batch["tokens"][1, :1].tolist() == [t + 1 for t in tokens(rows[1])[:1]] or not tokens(rows[1])
            assert batch.text("text")[1].startswith("row") or rows[1] % 3 == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_results_of_any_size_arrive(feeder, workers):
    feeder(slots=4, steps=12, columns=["row_id"], epochs=1)
    with rankfeed.Feed(transform=functions.growing, workers=workers, output="numpy") as feed:
        sizes = []
        for batch in feed:
            assert batch["many"].tolist() == list(range(len(batch["many"])))
            sizes.append(len(batch["many"]))
        assert sizes == [0, 1, 1000, 500_000, 3, 0] * 2


def test_held_batches_keep_values_and_too_many_are_refused(feeder):
    feeder(slots=4, columns=COLUMNS)
    with rankfeed.Feed(transform=functions.doubled, workers=2, output="numpy") as feed:
        iterator = iter(feed)
        held = [next(iterator) for _ in range(4)]
        with pytest.raises(rankfeed.RingExhausted, match=r"all 4 results .* --depth"):
            next(iterator)
        for step, batch in enumerate(held):
            check_doubled(batch, step)
        held.pop(0)
        check_doubled(next(iter(feed)), 4)
        for step, batch in enumerate(held, 1):
            check_doubled(batch, step)


def test_resume_continues_at_the_next_batch_of_the_loop(feeder):
    feeder(slots=4, columns=COLUMNS)
    with rankfeed.Feed(transform=functions.doubled, workers=2, output="numpy") as feed:
        iterator = iter(feed)
        for step in range(3):
            check_doubled(next(iterator), step)
        state = feed.state_dict()
        assert state["step"] == 3
        feed.seek(8)
        check_doubled(next(iter(feed)), 8)
        feed.load_state_dict(state)
        assert [batch.global_step for batch in feed] == [3, 4]
        check_doubled(feed.peek(), 5)
        check_doubled(next(iter(feed)), 5)


@pytest.mark.parametrize("workers", [0, 2])
def test_function_exception_names_step_and_rows(feeder, workers):
    feeder(slots=4, columns=COLUMNS)
    with rankfeed.Feed(transform=functions.fails_at_row_16, workers=workers, output="numpy") as feed:
        seen = []
        with pytest.raises(rankfeed.TransformError) as caught:
            seen += [batch.global_step for batch in feed]
        text = str(caught.value)
        assert text.startswith("the transform failed: KeyError: ") and "a defect of the function" in text
        assert text.endswith("; at step 2 of epoch 0, row ids 16, 17, 18, 19, 20, 21, 22, 23")
        cause = caught.value.__cause__
        assert "fails_at_row_16" in str(cause) if workers else isinstance(cause, KeyError)
        assert feed.state_dict()["step"] == 2
        feed.seek(3)
        assert [batch.global_step for batch in feed] == [3, 4]


@pytest.mark.parametrize(("function", "end"), [(functions.dies_at_row_16, "signal 9 \\(SIGKILL\\)"),
                                               (functions.exits_at_row_16, "exit code 7")])  # fmt: skip
def test_lost_process_is_named_with_rows_and_replaced(feeder, start_method, function, end):
    feeder(slots=4, columns=COLUMNS)
    with rankfeed.Feed(transform=function, workers=2, output="numpy") as feed:
        iterator = iter(feed)
        assert [next(iterator).global_step for _ in range(2)] == [0, 1]
        with pytest.raises(rankfeed.TransformError, match=f"worker .* {end}.* at step 2 of epoch 0, row ids 16, 17"):
            next(iterator)
        feed.seek(3)
        assert [batch.global_step for epoch in range(2) for batch in feed] == [3, 4, 5, 6, 7, 8, 9]


def test_workers_killed_between_batches_are_replaced(feeder):
    feeder(slots=4, columns=COLUMNS, steps=20)
    with rankfeed.Feed(transform=functions.doubled, workers=2, output="numpy") as feed:
        iterator = iter(feed)
        victim = next(iterator)["worker"][1]
        os.kill(victim, signal.SIGKILL)
        steps = []
        for _ in range(3):
            try:
                for batch in feed:
                    steps.append(batch.global_step)
            except rankfeed.TransformError as e:
                assert "SIGKILL" in str(e)
        assert steps == list(range(1, len(steps) + 1))
        assert len(steps) >= 19


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize(
    ("function", "reason"),
    [(functions.returns_text, "'words'.* dtype <U1"), (functions.returns_a_list, "returned list, expected a dict")],
)
def test_unsupported_result_is_refused(feeder, workers, function, reason):
    feeder(columns=COLUMNS)
    with (
        rankfeed.Feed(transform=function, workers=workers, output="numpy") as feed,
        pytest.raises(rankfeed.TransformError, match=reason),
    ):
        next(iter(feed))


def test_invalid_arguments_are_refused(feeder):
    feeder(slots=4)
    refused = [
        ({"workers": 2}, "workers and worker_init are for a transform"),
        ({"transform": 3}, "transform=3 cannot be called"),
        ({"transform": functions.doubled, "workers": -1}, "workers=-1"),
        ({"transform": functions.doubled, "worker_init": functions.remember_number}, "worker_init is for worker"),
        ({"transform": functions.doubled, "workers": 3}, "workers=3 need a ring of at least 5 slots.*has 4.*--depth 5"),
    ]
    for arguments, reason in refused:
        with pytest.raises(rankfeed.RankfeedError, match=reason):
            rankfeed.Feed(**arguments)
    rankfeed.Feed(transform=functions.doubled, workers=2).close()


def test_worker_that_cannot_start_is_reported_with_traceback(feeder):
    feeder(slots=4)
    with (
        rankfeed.Feed(transform=functions.doubled, workers=1, worker_init=functions.refuse_to_start) as feed,
        pytest.raises(rankfeed.TransformError, match="worker 0 could not start: ValueError: no licence") as caught,
    ):
        next(iter(feed))
    assert "refuse_to_start" in str(caught.value.__cause__)


def test_unpicklable_function_needs_cloudpickle(feeder, monkeypatch):
    feeder(slots=4, columns=COLUMNS)
    with rankfeed.Feed(transform=lambda batch, rng: {"a": batch["row_id"] + 1}, workers=1, output="numpy") as feed:
        assert next(iter(feed))["a"].tolist() == [row + 1 for row in row_ids(0, 8, 0, 1)]
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(rankfeed.RankfeedError, match="pip install cloudpickle"):
        rankfeed.Feed(transform=lambda batch, rng: batch, workers=1, output="numpy")


def test_pixels_of_a_transform_are_normalized(feeder):
    said = {"pixels": {"mean": [0, 0, 0], "std": [1, 1, 1], "dtype": "float32", "channelsLast": False}}
    feeder(slots=4, columns=["row_id"], welcome={"normalize": said})
    with rankfeed.Feed(transform=functions.large_images, workers=1, output="numpy") as feed:
        pixels = next(iter(feed))["pixels"]
        assert pixels.shape == (8, 3, 4, 4) and (pixels == 1).all()


def test_numbers_are_not_normalized_as_pixels(feeder):
    feeder(columns=["row_id", "image"])
    how = {"image": rankfeed.Normalize((0, 0, 0), (1, 1, 1))}
    with (
        rankfeed.Feed(transform=functions.floats, output="numpy", normalize=how) as feed,
        pytest.raises(rankfeed.RankfeedError, match=r"'image' is float32 \[8, 2, 3\].*normalize=False"),
    ):
        next(iter(feed))


def test_restarted_feeder_is_followed(feeder):
    running = feeder(slots=4, columns=COLUMNS, die_after=4)
    with rankfeed.Feed(transform=functions.doubled, workers=2, output="numpy", grace_seconds=30) as feed:
        iterator = iter(feed)
        check_doubled(next(iterator), 0)
        running.wait_for("hello", 1)
        wait_until(lambda: not running.process.is_alive(), "the feeder's end")
        feeder(slots=4, columns=COLUMNS)
        for step in range(1, 5):
            check_doubled(next(iterator), step)


SCRIPT = """
import sys
import rankfeed

def transform(batch, rng):
    return {"a": batch["row_id"] * 3}

if len(sys.argv) > 1 or __name__ == "__main__":
    with rankfeed.Feed(transform=transform, workers=2, output="numpy") as feed:
        print([batch["a"].tolist() for batch in feed][4])
"""


@pytest.mark.parametrize(("arguments", "expected"), [((), "[96, 99"), (("unguarded",), "if __name__ == '__main__':")])
def test_a_script_needs_the_guard_of_multiprocessing(feeder, tmp_path, arguments, expected):
    feeder(slots=4, columns=COLUMNS)
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, script, *arguments], check=False, capture_output=True, text=True, timeout=120
    )
    assert expected in done.stdout + done.stderr
    assert (done.returncode == 0) == (not arguments)


def test_function_of_interactive_session_is_sent_by_value(feeder):
    feeder(slots=4, columns=COLUMNS)
    done = subprocess.run([sys.executable, "-c", SCRIPT], check=False, capture_output=True, text=True, timeout=120)
    assert "[96, 99" in done.stdout, done.stderr


def test_worker_does_not_outlive_a_killed_trainer(feeder, tmp_path):
    feeder(slots=4, columns=COLUMNS)
    pid_file = tmp_path / "worker.pid"
    code = (
        "import rankfeed, sample_transforms\n"
        "with rankfeed.Feed(transform=sample_transforms.never_returns, workers=1, output='numpy') as feed:\n"
        "    next(iter(feed))\n"
    )
    environment = dict(
        os.environ, PYTHONPATH=os.pathsep.join([str(TESTS), str(TESTS.parent / "src")]), PID_FILE=str(pid_file)
    )
    with subprocess.Popen([sys.executable, "-c", code], env=environment) as trainer:
        process = int(wait_until(lambda: pid_file.exists() and pid_file.read_text(), "the worker's process id"))
        trainer.kill()
    wait_until(lambda: not alive(process), "the worker's end")


def test_up_to_8_row_ids_of_a_failed_batch_are_named(feeder):
    feeder(slots=4, columns=COLUMNS, batch=16)
    with rankfeed.Feed(transform=functions.fails_at_row_16, output="numpy") as feed:
        with pytest.raises(rankfeed.TransformError) as caught:
            list(feed)
        assert str(caught.value).endswith("row ids 16, 17, 18, 19, 20, 21, 22, 23 and 8 more")
