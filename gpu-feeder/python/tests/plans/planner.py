"""Plans over a stored version (plan.md sections 3.7 and 3.8): from a member's pools and numbers to an order."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

from .shares import Refused, largest_remainder
from .words import key, multiplier


class Stage(NamedTuple):
    """``end``: ("until", fraction), ("until-epoch", epochs), ("rows", count), ("steps", last) or ("run", 0)."""

    end: tuple[str, Fraction]
    weights: list[Fraction]
    batch: int


def half_up(x: Fraction) -> int:
    return floor(x + Fraction(1, 2))


def stage_ends(stages: list[Stage], epochs: int, per_epoch: int, batch: int) -> list[int]:
    """The steps before which stages end, where all have one batch."""
    run, before, ends = epochs * per_epoch, 0, []
    for stage in stages:
        kind, number = stage.end
        if kind == "until":
            end = half_up(number * run)
        elif kind == "until-epoch":
            end = half_up(number * per_epoch)
        elif kind == "rows":
            end = before + int(number) // batch
        elif kind == "steps":
            end = int(number)
        else:
            end = run
        if end > run or end < before or (end == before and kind != "until"):
            raise Refused(f"a stage ends before step {end}, begins at {before}, the run has {run}")
        ends.append(end)
        before = end
    if before != run:
        raise Refused("the last stage ends before the run")
    return ends


def schedule(stages: list[Stage], epochs: int, rows: int) -> tuple[list[int], list[int]]:
    """Ends of stages and first steps of epochs where the batch changes.

    An epoch takes steps while they fit into its rows, so that where all batches are one it has rows div batch steps.
    """
    ends: list[int] = []
    starts = [0]
    t, epoch, taken = 0, 0, 0
    for stage in stages:
        kind, number = stage.end
        begin, left = t, None
        goal = number * epochs if kind == "until" else number
        if kind == "rows":
            left = int(number) // stage.batch
        while epoch < epochs:
            steps = (rows - taken) // stage.batch
            if kind in ("until", "until-epoch"):
                if epoch > goal or (epoch == goal and taken == 0):
                    break
                if epoch == floor(goal):
                    part = half_up(((goal - epoch) * rows - taken) / stage.batch)
                    if part < steps:
                        t, taken = t + max(0, part), taken + max(0, part) * stage.batch
                        break
            if left is not None and left <= steps:
                t, taken = t + left, taken + left * stage.batch
                if left == steps:
                    epoch, taken = epoch + 1, 0
                    starts.append(t)
                break
            left = None if left is None else left - steps
            t, epoch, taken = t + steps, epoch + 1, 0
            starts.append(t)
        else:
            if left or (kind in ("until", "until-epoch") and goal > epochs):
                raise Refused("a stage ends after the run")
        if t == begin:
            raise Refused("a stage has no step")
        ends.append(t)
    if epoch < epochs:
        raise Refused("the last stage ends before the run")
    return ends, starts[:epochs]


def segment(order: dict[str, Any], step: int, steps: int, number: int, quotas: list[int], base: list[int], batch: int):
    assert sum(quotas) == steps * batch // order["lanes"]
    c = 0 if order["order"] == "planned" else key(order["seed"], 3, number) % steps
    found = {"step": step, "steps": steps, "number": number, "quotas": quotas, "base": base}
    found |= {"m": multiplier(steps, order["lanes"]), "c": c}
    return found if batch == order["batch"] else {**found, "batch": batch}


def stages_of(request: dict[str, Any]) -> list[Stage]:
    """The stages of a request: ends and weights are decimal strings."""
    found = []
    for stage in request["stages"]:
        ((kind, number),) = stage["end"].items()
        weights = [Fraction(w) for w in stage["weights"]]
        found.append(Stage((kind, Fraction(number)), weights, stage.get("batch", request["batch"])))
    return found


def plan(request: dict[str, Any]) -> dict[str, Any]:
    """Returns the order of one member: its numbers, from which a reader makes every batch."""
    (member,) = request["members"]
    strata, lanes, epochs, mode = member["strata"], request["lanes"], request["epochs"], request["mode"]
    batch, rows = request["batch"], request["rows"]
    if member["lanes"] % lanes or batch % lanes:
        raise Refused(f"lanes {lanes} of {member['lanes']} stored ones, batch {batch}")
    if rows < batch:
        raise Refused("an epoch does not fill a batch")
    made = {name: request[name] for name in ("members", "seed", "lanes", "batch", "epochs", "mode", "order")}
    made |= {"window": 1, "segments": []}
    if mode == "stream":
        return stream(request, made)
    per_epoch = -(-rows // batch) if mode == "padded" else rows // batch
    pool = strata[0]["rows"]
    if len(strata) != 1 or rows > pool or (mode == "padded" and rows != pool):
        raise Refused(f"{mode}: {rows} rows of {len(strata)} strata, {pool} stored")
    if mode == "pass":  # a row that a lane owns comes again after pool div stored lanes draws, or one more
        per_epoch = min(per_epoch, pool // member["lanes"] * member["lanes"] // batch)
    if per_epoch == 0:
        raise Refused(f"{pool} rows in {member['lanes']} stored lanes do not fill a batch of {batch}")
    quota = per_epoch * batch // lanes
    for epoch in range(epochs):
        base = [0 if mode == "padded" else epoch * quota]
        made["segments"].append(segment(made, epoch * per_epoch, per_epoch, epoch, [quota], base, batch))
    return made | {"stepsPerEpoch": per_epoch, "window": per_epoch if request["wide"] else 1}


def stream(request: dict[str, Any], made: dict[str, Any]) -> dict[str, Any]:
    strata, lanes, rows, wide = made["members"][0]["strata"], made["lanes"], request["rows"], request["wide"]
    stages = stages_of(request)
    batches = {stage.batch for stage in stages}
    if any(batch % lanes for batch in batches) or rows < max(batches) or (wide and len(batches) > 1):
        raise Refused("batches of stages")
    made["batch"] = max(batches)
    if len(batches) > 1:
        ends, made["epochStarts"] = schedule(stages, request["epochs"], rows)
    else:
        made["stepsPerEpoch"] = per_epoch = rows // made["batch"]
        ends = stage_ends(stages, request["epochs"], per_epoch, made["batch"])
        made["window"] = per_epoch if wide else 1
    base = [0] * len(strata)
    before = 0
    for number, (stage, end) in enumerate(zip(stages, ends, strict=True)):
        if end > before:
            units = (end - before) * stage.batch // lanes
            quotas = largest_remainder(units, stage.weights)
            made["segments"].append(segment(made, before, end - before, number, quotas, list(base), stage.batch))
            base = [x + q for x, q in zip(base, quotas, strict=True)]
        before = end
    for stratum, units in zip(strata, base, strict=True):
        if units and not stratum["rows"]:
            raise Refused(f"stratum {stratum['name']} has no rows")
    return made
