"""Tests Ctrl-C in a loop over a feed: the next loop continues, and no batch is lost or duplicated."""

from __future__ import annotations

import random
import signal

import pytest

import rankfeed
from fake_feeder import DEFAULTS
from processes import wait_until

STEPS = 2000
LONGEST_SECONDS = 0.004


class Interrupts:
    """A timer raises KeyboardInterrupt at drawn moments: as SIGALRM, or as the SIGINT that a SIGALRM sends."""

    def __init__(self, seed, number):
        self.drawn, self.number = random.Random(seed), number
        self.sent = self.raised = 0

    def start(self):
        signal.setitimer(signal.ITIMER_REAL, self.drawn.uniform(1e-6, LONGEST_SECONDS))

    def send(self, number, frame):
        self.sent += 1
        if self.number == signal.SIGINT:
            signal.raise_signal(signal.SIGINT)
        else:
            raise KeyboardInterrupt


@pytest.fixture
def timer():
    before = {number: signal.getsignal(number) for number in (signal.SIGALRM, signal.SIGINT)}
    # A build in the background of a shell ignores SIGINT, and its children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    for number, handler in before.items():
        signal.signal(number, handler)


def iterate(feed, steps):
    for batch in feed:
        # No call here: Python would raise Ctrl-C before it.
        steps += [batch.global_step]


def same(batch, rng):
    return {name: array.copy() for name, array in batch.items()}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGALRM])
@pytest.mark.parametrize("options", [{}, {"copy": True}, {"transform": same}], ids=["slots", "copies", "transform"])
@pytest.mark.parametrize("seed", range(4))
def test_loop_interrupted_anywhere_continues(feeder, timer, number, options, seed):
    running = feeder(steps=STEPS, epochs=1, pool=STEPS * DEFAULTS["batch"])
    interrupts, steps = Interrupts(seed, number), []
    signal.signal(signal.SIGALRM, interrupts.send)
    with rankfeed.Feed(output="numpy", **options) as feed:
        while len(steps) < STEPS:
            try:
                interrupts.start()
                iterate(feed, steps)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                interrupts.raised += 1
        try:
            wait_until(lambda: interrupts.raised == interrupts.sent, f"{interrupts.sent} interrupts")
        except KeyboardInterrupt:
            interrupts.raised += 1
        assert interrupts.raised == interrupts.sent > 10
        assert steps == list(range(STEPS))
        assert feed.stats()["batches"] == STEPS
    assert running.wait_for("bye")[0]["held"] == 0
