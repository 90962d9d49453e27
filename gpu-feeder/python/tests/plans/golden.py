"""Writes the golden files of format 2: drawn requests, their orders, and digests of every batch at each world size.

``python -m plans.golden FOLDER`` in the folder above; the files are the same on every run.
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from .claims import worlds
from .drawn import mixed, replan, until_accepted
from .mixture import mixture
from .planner import plan
from .reader import Reader

Case = dict[str, Any]


def digests(order: dict[str, Any]) -> dict[str, list[str]]:
    """By world size and rank, as in order-1000.json: stratum in 4 bytes, index in 8, of each row of each step."""
    reader = Reader(order)
    found = {}
    for world in worlds(order["lanes"]):
        found[str(world)] = []
        for rank in range(world):
            run = hashlib.sha256()
            for t in range(reader.steps):
                for row in reader.batch(t, rank, world):
                    run.update(struct.pack("<iq", *row))
            found[str(world)].append(run.hexdigest()[:16])
    return found


def replans(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    random = Random(seed)
    if seed % 3 == 2:
        return until_accepted(lambda: replan(random, "stream", True), plan, lambda order: "epochStarts" in order)
    return until_accepted(lambda: replan(random, "pass" if seed % 6 == 0 else ""), plan)


def mixtures(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    random = Random(seed)
    on_end = ("repeat", "repeat", "stop", "redistribute")[seed % 4]
    return until_accepted(lambda: mixed(random, on_end), mixture)


def write(path: Path, make: Callable[[int], tuple[Case, Case]], count: int) -> None:
    lines = []
    for seed in range(count):
        request, order = make(seed)
        made = {name: value for name, value in order.items() if request.get(name) != value}
        case = {"request": request, "order": made, "digests": digests(order)}
        lines.append(json.dumps(case, sort_keys=True, separators=(",", ":")))
    path.write_text('{"cases":[\n' + ",\n".join(lines) + "\n]}\n")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    write(folder / "order-2-plans.json", replans, int(sys.argv[2]))
    write(folder / "order-2-mixtures.json", mixtures, int(sys.argv[3]))
