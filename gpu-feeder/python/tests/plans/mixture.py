"""Mixtures (plan.md section 11): one comb over the strata of all members."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Any, NamedTuple

from .planner import Refused, Stage, half_up, segment, stage_ends, stages_of
from .shares import capped, carried, largest_remainder


class Ended(Exception):
    """A member has fewer rows than the mixture would take."""


class Member:
    """A plan as a member: ``rows`` of its whole run, and its stages: ends as fractions of it, quotas as weights."""

    def __init__(self, plan: dict[str, Any]):
        self.plan = plan
        self.stored = plan["members"][0]
        segments = plan["segments"]
        total = sum(sum(s["quotas"]) for s in segments)
        self.rows = plan["lanes"] * total
        self.ends: list[Fraction] = []
        self.weights: list[list[int]] = []
        given = 0
        for one in segments:
            given += sum(one["quotas"])
            if len(one["quotas"]) == 1 and self.ends:  # epochs of a pass are no stages
                self.ends.pop()
                self.weights.pop()
            self.ends.append(Fraction(given, total))
            self.weights.append(one["quotas"])


class Span(NamedTuple):
    begin: int
    end: int
    shares: list[Fraction]


def member_ends(member: Member, number: int, spans: list[Span]) -> list[int]:
    """The steps at which a member's stages end, where it is drawn by its exact shares."""
    whole = sum((span.end - span.begin) * span.shares[number] for span in spans)
    found = []
    for fraction in member.ends[:-1]:
        given = Fraction(0)
        for span in spans:
            share = span.shares[number]
            more = (span.end - span.begin) * share
            if share and given + more >= fraction * whole:
                found.append(min(span.end, span.begin + half_up((fraction * whole - given) / share)))
                break
            given += more
    return found


def mixture(request: dict[str, Any]) -> dict[str, Any]:
    """Plans one feed of several members. ``plans`` are theirs; a stage's weights are those of the members."""
    members = [Member(plan) for plan in request["plans"]]
    lanes = gcd(*(member.stored["lanes"] for member in members))
    batch, rows, epochs = request["batch"], request["rows"], request["epochs"]
    if batch % lanes or rows < batch:
        raise Refused(f"batch {batch} of {lanes} lanes, {rows} rows in an epoch")
    stored = [m.stored | {"cycles": "list" if m.stored["cycles"] == "list" else "shuffled"} for m in members]
    made: dict[str, Any] = {
        "members": stored, "seed": request["seed"], "lanes": lanes, "batch": batch, "epochs": epochs,
        "stepsPerEpoch": rows // batch, "mode": "stream", "order": "global", "window": 1,
    }  # fmt: skip
    for run in range(epochs * made["stepsPerEpoch"], 0, -1):
        try:
            segments = pieces(made, members, stages_of(request), run, request["on-end"])
        except Ended:
            continue
        return made | {"segments": segments, "epochs": -(-run // made["stepsPerEpoch"])}
    raise Refused("a member ends before the first step")


def pieces(made: dict[str, Any], members: list[Member], stages: list[Stage], run: int, on_end: str) -> list[Any]:
    lanes, b = made["lanes"], made["batch"] // made["lanes"]
    planned = stage_ends(stages, made["epochs"], made["stepsPerEpoch"], made["batch"])
    ends = [min(end, run) for end in planned]
    shares_of = [[w / sum(stage.weights) for w in stage.weights] for stage in stages]
    spans = [Span(*span) for span in zip([0, *ends], ends, shares_of, strict=False)]
    own_ends = [member_ends(member, i, spans) for i, member in enumerate(members)]
    cuts = sorted({*ends, *(step for mine in own_ends for step in mine)} - {0})
    taken = [0] * len(members)
    given = [[[0] * len(weights) for weights in member.weights] for member in members]
    base = [0] * sum(len(member["strata"]) for member in made["members"])
    segments: list[Any] = []
    before = 0
    for number, end in enumerate(cuts):
        shares = next(span.shares for span in spans if end <= span.end)
        caps = [member.rows // lanes - units for member, units in zip(members, taken, strict=True)]
        units = (end - before) * b
        quotas = capped(units, shares, caps) if on_end == "redistribute" else largest_remainder(units, shares)
        if on_end == "stop" and any(q > cap for q, cap in zip(quotas, caps, strict=True)):
            raise Ended
        flat: list[int] = []
        for i, q in enumerate(quotas):
            taken[i] += q
            stage = sum(step <= before for step in own_ends[i])
            had, weights = given[i][stage], members[i].weights[stage]
            whole = sum(had) + q
            wanted = [Fraction(whole * w, sum(weights)) - g for w, g in zip(weights, had, strict=True)]
            mine = carried(q, wanted)
            given[i][stage] = [g + x for g, x in zip(had, mine, strict=True)]
            flat += mine
        segments.append(segment(made, before, end - before, number, flat, list(base), made["batch"]))
        base = [x + q for x, q in zip(base, flat, strict=True)]
        before = end
    return segments
