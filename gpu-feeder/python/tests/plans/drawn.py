"""Small drawn requests that reach the corners: scarce strata, rows fewer than lanes, folded lanes, odd batches."""

from __future__ import annotations

from math import gcd
from random import Random
from typing import Any

from .planner import Refused, plan


def stored(random: Random, name: str, lanes: int, strata: int, rows: int) -> dict[str, Any]:
    """A feed of a version: its lanes and pools."""
    sizes = [lambda: random.randrange(4), lambda: random.randrange(1, 40), lambda: random.randrange(1, rows + 1)]
    pools = [random.choice([*sizes, lambda: 3 * rows])() for _ in range(strata)]
    if not any(pools):
        pools[0] = rows
    cycles = random.choice(["list-first", "shuffled", "shuffled", "list"])
    return {"name": name, "lanes": lanes, "cycles": cycles,
            "strata": [{"name": f"s{s}", "rows": n} for s, n in enumerate(pools)]}  # fmt: skip


def weights(random: Random, pools: list[int]) -> list[str]:
    while True:
        found = [random.choice([0, 10, 10, random.randrange(10, 1000)]) if n else 0 for n in pools]
        if any(found):
            return [f"{w // 10}.{w % 10}" for w in found]


def stages(random: Random, pools: list[int], epochs: int, batches: list[int], rows: int) -> list[dict[str, Any]]:
    kind = random.choice(["until", "until-epoch", "rows"])
    ends = sorted({random.randrange(1, 100) for _ in range(random.randrange(3))})
    found = []
    for end in [*ends, 100]:
        part = end * (epochs if kind == "until-epoch" else 1)
        last = {"rows": str(random.randrange(1, max(2, rows * epochs // (len(ends) + 1))))}
        found.append({
            "end": {"run": "0"} if end == 100 else last if kind == "rows" else {kind: f"{part // 100}.{part % 100:02}"},
            "weights": weights(random, pools), "batch": random.choice(batches),
        })  # fmt: skip
    return found


def replan(random: Random, mode: str = "", scheduled: bool = False) -> dict[str, Any]:
    """A request of one member; it may be refused."""
    lanes = random.choice([1, 2, 3, 4, 6, 8, 12])
    fold = random.choice([*(n for n in range(1, lanes + 1) if lanes % n == 0), lanes, lanes, lanes])
    batch = fold * random.randrange(1, 6)
    rows = batch * random.randrange(1, 16) + random.randrange(batch)
    mode = mode or random.choice(["pass", "stream", "stream", "stream", "padded"])
    one = stored(random, "a", lanes, random.randrange(1, 7) if mode == "stream" else 1, rows)
    epochs = random.randrange(1, 4 if mode == "stream" else 8)
    planned = one["cycles"] == "list"
    if mode != "stream":
        one["strata"][0]["rows"] = rows if mode == "padded" else rows + random.choice([0, 1, random.randrange(40)])
    batches = [fold * random.randrange(1, 6) for _ in range(3)] if scheduled else [batch]
    pools = [stratum["rows"] for stratum in one["strata"]]
    return {
        "members": [one], "seed": random.getrandbits(63), "batch": batch, "epochs": epochs, "rows": rows, "mode": mode,
        "lanes": fold, "order": "planned" if planned else "global",
        "wide": not planned and not scheduled and random.random() < 0.2,
        "stages": stages(random, pools, epochs, batches, rows) if mode == "stream" else [],
    }  # fmt: skip


def mixed(random: Random, on_end: str = "repeat") -> dict[str, Any]:
    """A request of a mixture; it may be refused."""
    base, plans = random.choice([1, 2, 3, 4]), []
    while not plans or random.random() < 0.6:
        lanes = base * random.choice([1, 1, 2, 3, 4])
        batch = lanes * random.randrange(1, 4)
        rows = batch * random.randrange(1, 20)
        one = stored(random, f"m{len(plans):02}", lanes, random.randrange(1, 5), 200)
        pools = [stratum["rows"] for stratum in one["strata"]]
        try:
            plans.append(plan({
                "members": [one], "seed": 1, "batch": batch, "epochs": 1, "rows": rows, "mode": "stream",
                "lanes": lanes, "order": "planned" if one["cycles"] == "list" else "global", "wide": False,
                "stages": stages(random, pools, 1, [batch], rows),
            }))  # fmt: skip
        except Refused:
            continue
    lanes = gcd(*(one["lanes"] for one in plans))
    batch = lanes * random.randrange(1, 8)
    rows = batch * random.randrange(1, 16) + random.randrange(batch)
    epochs = random.randrange(1, 3)
    return {
        "plans": plans, "seed": random.getrandbits(63), "batch": batch, "epochs": epochs, "rows": rows,
        "on-end": on_end, "stages": stages(random, [1] * len(plans), epochs, [batch], rows),
    }  # fmt: skip


def until_accepted(make: Any, planner: Any, accept: Any = bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """The first drawn request that can be planned, with its order."""
    while True:
        request = make()
        try:
            order = planner(request)
        except Refused:
            continue
        if accept(order):
            return request, order
