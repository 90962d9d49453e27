"""Reads an order of format 2 (plan.md sections 4 to 6): which rows a rank's batch holds at a step, by formulas."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Any, NamedTuple

from .words import floor_sum, key, perm


class Row(NamedTuple):
    """A row of a version: the stratum's number in the order, and the index in its list."""

    stratum: int
    index: int


class Place(NamedTuple):
    """Where the row is stored: the member's lane, or -1 for its shared file."""

    member: int
    lane: int


class Reader:
    def __init__(self, order: dict[str, Any]):
        self.order = order
        self.lanes: int = order["lanes"]
        self.seed: int = order["seed"]
        self.segments: list[dict[str, Any]] = order["segments"]
        self.starts = [segment["step"] for segment in self.segments]
        self.steps: int = self.segments[-1]["step"] + self.segments[-1]["steps"]
        self.edges = [[0, *accumulate(segment["quotas"])] for segment in self.segments]
        self.member_of: list[int] = []
        self.pools: list[int] = []
        for number, member in enumerate(order["members"]):
            for stratum in member["strata"]:
                self.member_of.append(number)
                self.pools.append(stratum["rows"])

    def segment(self, t: int) -> int:
        return bisect_right(self.starts, t) - 1

    def batch_rows(self, t: int) -> int:
        return int(self.segments[self.segment(t)].get("batch", self.order["batch"]))

    def lead(self, number: int, lane: int) -> int:
        segment = self.segments[number]
        return int(segment["c"] + lane * segment["steps"] // self.lanes)

    def drawn(self, s: int, lane: int, t: int) -> int:
        """Draws of a stratum by a lane before step t."""
        if t == self.steps:
            last = self.segments[-1]
            return int(last["base"][s] + last["quotas"][s])
        number = self.segment(t)
        segment, edges = self.segments[number], self.edges[number]
        lead, tau, length, m = self.lead(number, lane), t - segment["step"], segment["steps"], segment["m"]
        upper = floor_sum(tau, length, m, edges[s + 1] + lead)
        return int(segment["base"][s] + upper - floor_sum(tau, length, m, edges[s] + lead))

    def draw(self, t: int, lane: int, j: int) -> tuple[int, int]:
        """The stratum that a slot of a lane draws, and the number of the draw in the lane."""
        number = self.segment(t)
        if self.order["window"] > 1:
            t, j = self.slot(number, t, lane, j)
        segment, edges = self.segments[number], self.edges[number]
        length = segment["steps"]
        w = (segment["m"] * (t - segment["step"]) + self.lead(number, lane)) % length
        y = (j + 1) * length - 1 - w
        s = bisect_right(edges, y) - 1
        return s, self.drawn(s, lane, t) + j - (edges[s] + w) // length

    def slot(self, number: int, t: int, lane: int, j: int) -> tuple[int, int]:
        segment, size = self.segments[number], self.order["stepsPerEpoch"]
        b = self.batch_rows(t) // self.lanes
        low = max(segment["step"], t // size * size)
        high = min(segment["step"] + segment["steps"], (t // size + 1) * size)
        first = t - (t - low) % self.order["window"]
        n = (min(first + self.order["window"], high) - first) * b
        x = perm(n, key(self.seed, 5, first, lane), (t - first) * b + j)
        return first + x // b, x % b

    def row(self, t: int, s: int, lane: int, number: int) -> Row:
        """The row of a draw: number n*V + lane of the stratum's pool, whose storage has the member's lanes."""
        member = self.order["members"][self.member_of[s]]
        cycles, stored, pool = member["cycles"], member["lanes"], self.pools[s]
        own, rest = divmod(pool, stored)
        mode, segment = self.order["mode"], self.segments[self.segment(t)]
        if mode == "pass":
            per_epoch = segment["quotas"][s]
            epoch = segment["number"]
            place = number - epoch * per_epoch
            if cycles == "shuffled" or (cycles == "list-first" and epoch > 0):
                place = perm(per_epoch, key(self.seed, 1, s, lane, epoch), place)
            number = place if cycles == "list" else epoch * per_epoch + place
        k = number * self.lanes + lane
        at, draw = k % stored, k // stored
        cycle = k // pool
        turn = (at - cycle * pool) % stored
        i = draw - (cycle * pool - at + stored - 1) // stored
        if mode == "pass":
            if cycles == "shuffled":
                if i < own:
                    i = perm(own, key(self.seed, 8, s, at), i)
                else:
                    turn = perm(rest, key(self.seed, 9, s), turn)
        else:
            words = (segment["number"],) if mode == "padded" else ()
            later = cycle > 0 or (mode == "padded" and segment["number"] > 0)
            if cycles == "shuffled" or (cycles == "list-first" and later):
                i = perm(own + (turn < rest), key(self.seed, 1, s, at, cycle, *words), i)
                if i >= own:
                    turn = perm(rest, key(self.seed, 2, s, cycle, *words), turn)
        return Row(s, i * stored + at if i < own else stored * own + turn)

    def place(self, row: Row) -> Place:
        member = self.member_of[row.stratum]
        lanes = self.order["members"][member]["lanes"]
        own = self.pools[row.stratum] // lanes * lanes
        return Place(member, row.index % lanes if row.index < own else -1)

    def batch(self, t: int, rank: int, world: int) -> list[Row]:
        rows = []
        share = self.lanes // world
        size = self.batch_rows(t) // world
        for i in range(size):
            x = i if self.order["order"] == "planned" else perm(size, key(self.seed, 4, t, rank, world), i)
            lane = rank + x % share * world
            s, number = self.draw(t, lane, x // share)
            rows.append(self.row(t, s, lane, number))
        return rows
