"""The steps of a run by epoch and stage, as WELCOME states them (ring.md section 3)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from rankfeed.errors import ProtocolError

_LIMIT = 1 << 63
_REFUSED_BY_LOGGERS = re.compile(r"[^A-Za-z0-9_./ -]")


@dataclass(frozen=True)
class Stage:
    """Steps with one stage of the job and one batch size, from ``step`` on.

    batch: rows of a global batch. rows: those planned of each stratum in all of these steps; empty if not stated.
    """

    step: int
    stage: int
    batch: int
    rows: tuple[int, ...] = ()


@dataclass(frozen=True)
class Schedule:
    """The steps of a run, or of one pass of a sequential feed over ``rows`` rows.

    steps_per_epoch: 0 where epochs differ; ``epoch_starts`` has the first step of each of them then.
    rows: None where every batch is full.
    """

    steps: int
    epochs: int
    steps_per_epoch: int
    epoch_starts: tuple[int, ...]
    stages: tuple[Stage, ...]
    strata: tuple[str, ...] = ()
    rows: int | None = None

    @staticmethod
    def parse(payload: dict[str, Any]) -> Schedule:
        """Takes the members ``steps``, ``epochs``, ``stepsPerEpoch`` or ``epochStarts``, ``stages``, ``strata``."""
        steps, epochs = _number(payload, "steps"), _number(payload, "epochs")
        starts = payload.get("epochStarts")
        per_epoch = _number(payload, "stepsPerEpoch") if starts is None else 0
        if starts is not None:
            fits = isinstance(starts, list) and all(type(start) is int for start in starts)
            if not fits or len(starts) != epochs or not _ascends([*starts, steps]):
                raise ProtocolError(f"WELCOME: epochStarts do not fit {epochs} epochs of {steps} steps")
        elif not max(epochs - 1, 0) * per_epoch <= steps <= epochs * per_epoch:
            raise ProtocolError(f"WELCOME: {epochs} epochs of {per_epoch} steps are not {steps} steps")
        strata = payload.get("strata", [])
        if not isinstance(strata, list) or not all(isinstance(name, str) for name in strata):
            raise ProtocolError("WELCOME: strata must be a list of names")
        stages = payload.get("stages")
        if not isinstance(stages, list):
            raise ProtocolError("WELCOME: stages must be a list")
        found = tuple(_stage(stage, len(strata)) for stage in stages)
        if not _ascends([stage.step for stage in found]):
            raise ProtocolError("WELCOME: stages must ascend from step 0")
        rows = _number(payload, "poolRows") if payload.get("kind") == "sequential" else None
        return Schedule(steps, epochs, per_epoch, tuple(starts or ()), found, tuple(strata), rows)

    def epoch_at(self, step: int) -> int:
        """Returns the epoch of a step; of the end of the run, the number of epochs."""
        if step >= self.steps:
            return self.epochs if self.steps else 0
        return bisect_right(self.epoch_starts, step) - 1 if self.epoch_starts else step // self.steps_per_epoch

    def begin(self, epoch: int) -> int:
        """Returns the first step of an epoch; of the number of epochs or more, the end of the run."""
        if epoch >= self.epochs:
            return self.steps
        return self.epoch_starts[epoch] if self.epoch_starts else min(epoch * self.steps_per_epoch, self.steps)

    def length(self, epoch: int) -> int:
        """Returns the number of steps of an epoch; after the last one, of the last one."""
        epoch = min(epoch, self.epochs - 1)
        return self.begin(epoch + 1) - self.begin(epoch)

    def stage_at(self, step: int) -> Stage:
        """Returns the stage of a step, which is 0 or more."""
        return self.stages[bisect_right(self._stage_starts, step) - 1]

    def at(self, step: int) -> tuple[int, int]:
        """Returns the number of the stage of a step, and the rows of its global batch; those of the last step of a pass
        are fewer."""
        stage = self.stage_at(step)
        batch = stage.batch
        return stage.stage, batch if self.rows is None else max(0, min(batch, self.rows - step * batch))

    def quotas(self, step: int) -> dict[str, int]:
        """Returns the rows that the stage of a step has of each stratum, by ``quota_`` and its name, as loggers of
        metrics take it; empty where they are not stated."""
        return dict(zip(self._quotas, self.stage_at(step).rows, strict=True))

    @cached_property
    def _stage_starts(self) -> list[int]:
        return [stage.step for stage in self.stages]

    @cached_property
    def _quotas(self) -> list[str]:
        names = [_REFUSED_BY_LOGGERS.sub("_", name) for name in self.strata]
        counts = Counter(names)
        return [f"quota_{name}" if counts[name] == 1 else f"quota_{name}_{s}" for s, name in enumerate(names)]


def _stage(stage: object, strata: int) -> Stage:
    if not isinstance(stage, dict):
        raise ProtocolError("WELCOME: a stage must be an object")
    step, number, batch = (_number(stage, name) for name in ("step", "stage", "batch"))
    rows = stage.get("rows", [])
    if not isinstance(rows, list) or len(rows) != strata or not all(type(n) is int and n >= 0 for n in rows):
        raise ProtocolError(f"WELCOME: rows of the stage at step {step} must be {strata} numbers")
    return Stage(step, number, batch, tuple(rows))


def _ascends(steps: list[int]) -> bool:
    return bool(steps) and steps[0] == 0 and all(low < high for low, high in pairwise(steps))


def _number(value: dict[str, Any], name: str) -> int:
    found = value.get(name)
    if type(found) is not int or not 0 <= found < _LIMIT:
        raise ProtocolError(f"WELCOME: {name} is {found!r}, expected a number")
    return found
