"""Reads ``segments`` of a train feed; every sum that a reader makes of them fits 64 bits afterwards."""

from __future__ import annotations

import math
from itertools import chain
from typing import Any

from rankfeed.order.json_members import LIMIT, items, number, numbers, require_members
from rankfeed.order.values import Member, OrderError, Segment

_SEGMENT = "step steps number quotas base m c".split()


def parse_segments(
    feed: dict[str, Any], where: str, lanes: int, batch: int, mode: str, members: tuple[Member, ...]
) -> tuple[Segment, ...]:
    pools = [stratum.rows for stratum in chain.from_iterable(member.strata for member in members)]
    base, step, segments = [0] * len(pools), 0, []
    for item in items(feed, "segments", where):
        segment = _segment(item, f"{where}: segment", lanes, batch, pools)
        if segment.step != step:
            raise OrderError(f"{where}: a segment starts at step {segment.step}, expected {step}")
        if list(segment.base) != base:
            raise OrderError(f"{where}: segment at step {step}: base must be the units drawn before it, {base}")
        step += segment.steps
        if mode != "padded":
            base = [drawn + quota for drawn, quota in zip(base, segment.quotas, strict=True)]
        segments.append(segment)
    if not segments:
        raise OrderError(f"{where}: segments are missing")
    return tuple(segments)


def _segment(segment: dict[str, Any], where: str, lanes: int, batch: int, pools: list[int]) -> Segment:
    require_members(segment, where, _SEGMENT, ("stage", "batch"))
    if "stage" in segment:  # of the job; says nothing of the order
        number(segment, "stage", where, 0)
    step, steps, key = (number(segment, name, where, low) for name, low in (("step", 0), ("steps", 1), ("number", 0)))
    m, c = number(segment, "m", where, 0), number(segment, "c", where, 0)
    quotas, base = numbers(segment, "quotas", where), numbers(segment, "base", where)
    where = f"{where} at step {step}"
    own = number(segment, "batch", where, 1, batch) if "batch" in segment else 0
    if own % lanes:
        raise OrderError(f"{where}: batch {own} is not a multiple of {lanes} lanes")
    slots = (own or batch) // lanes
    if steps >= 1 << 32 or steps * (steps + slots + 3) >= LIMIT:
        raise OrderError(f"{where}: {steps} steps are too many")
    if len(quotas) != len(pools) or len(base) != len(pools) or sum(quotas) != steps * slots:
        raise OrderError(f"{where}: quotas must have one number per stratum and add up to {steps * slots}")
    if not (m < max(steps, 2) and c < steps and math.gcd(m, steps) == 1):
        raise OrderError(f"{where}: m {m} and c {c} do not fit {steps} steps")
    if any(quota and not rows for quota, rows in zip(quotas, pools, strict=True)):
        raise OrderError(f"{where}: a quota of a stratum without rows")
    return Segment(step, steps, key, quotas, base, m, c, own)
