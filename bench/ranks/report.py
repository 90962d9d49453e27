"""The figures as tables in Markdown and as a picture; and the index of a large table alone."""

from __future__ import annotations

import json
import math
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

METADATA = Path(__file__).resolve().parents[1] / "plan" / "metadata.py"
MIB = 2**20
COLUMNS = 3
"""Panels next to each other in a picture."""


def index(out: Path, rows: int, world: int) -> dict:
    """Measures what a rank of `own rows` needs before it knows its rows: the parsed metadata, in all ranks at once."""
    path = out / "ranks" / f"metadata-{rows}.json"
    if not path.exists():
        subprocess.run([sys.executable, METADATA, "write", path, str(rows)], check=True)
    loading = [subprocess.Popen([sys.executable, METADATA, "load", path], stdout=subprocess.PIPE) for _ in range(world)]
    found = [json.loads(one.communicate()[0]) for one in loading]
    return {
        "rows": rows,
        "bytes": found[0]["bytes"],
        "seconds": max(one["load_s"] for one in found),
        "mib": sum(one["peak_mib"] for one in found),
    }


def rate(one: dict) -> float:
    return statistics.median(one["rowsPerSecond"])


def text(found: dict[str, dict], prepared: dict[str, float], index: dict, world: int) -> str:
    """Returns the tables, the fastest loader first."""
    head = ["loader", "private memory, MiB", "of it mapped files", "read from the source, MB", "÷ source"]
    head += ["first batch, s", "rows/s", "min–max", "restart, s", "rows missing at the end"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for name, one in sorted(found.items(), key=lambda item: -rate(item[1])):
        restart, low, high = (one["restart"], min(one["rowsPerSecond"]), max(one["rowsPerSecond"]))
        lines.append(
            f"| {name} | {one['Pss'] / MIB:,.0f} | {max(0, one['Pss_File']) / MIB:,.0f} | {one['read'] / 1e6:,.0f} |"
            f" {one['read'] / one['source']:.2f} | {one['first_s']:.1f} | {rate(one):,.0f} | {low:,.0f}–{high:,.0f} |"
            f" {restart['first_s']:.1f} | {restart['missing']} |"
        )
    lines.append("")
    ours = found.get("rankfeed")
    if ours and "restartWithFeeder" in ours:
        again = ours["restartWithFeeder"]
        missing = f"{again['missing']} rows missing at the end"
        lines.append(f"rankfeed with its feeder killed too: {again['first_s']:.1f} s, {missing}.")
    made = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in prepared.items())
    disk = max(one["read_bytes"] for one in found.values()) / MIB
    lines.append(f"Made before, once: {made}. At most {disk:,.0f} MiB were read from a disk.")
    if index:
        lines.append(
            f"Index of {index['rows']:,} rows as metadata JSON ({index['bytes'] / 1e6:,.0f} MB) in {world} ranks: "
            f"{index['mib'] // world:,} MiB in each, {index['seconds']:.1f} s."
        )
    if ours:
        lines += ["", "| target | measured | |", "|---|---|---|"]
        for target, value, is_reached in targets(ours, found):
            lines.append(f"| {target} | {value} | {'reached' if is_reached else '**not reached**'} |")
    return "\n".join(lines)


def targets(ours: dict, found: dict[str, dict]) -> list[tuple[str, str, bool]]:
    rows = []
    if "everything" in found:
        everything = found["everything"]
        share = ours["Pss"] / everything["Pss"]
        rows.append(("memory: at most 25 % of `everything`", f"{share:.0%}", share <= 0.25))
        times, theirs = (one["read"] / one["source"] for one in (ours, everything))
        rows.append((f"source read once (`everything`: {theirs:.1f} ×)", f"{times:.2f} ×", times < 1.1))
    if "own rows" in found:
        ratio = rate(ours) / rate(found["own rows"])
        rows.append(("rows/s: at least 5 × `own rows`", f"{ratio:.1f} ×", ratio >= 5))
    return rows


PANELS = {
    "private memory, MiB": lambda one: one["Pss"] / MIB,
    "first batch, s": lambda one: one["first_s"],
    "restart, s": lambda one: one["restart"]["first_s"],
    "rows/s": rate,
}


def bars(path: Path, found: dict[str, dict], panels: dict[str, Callable[[dict], float]] = PANELS, ours: str = "rankfeed") -> None:
    """Writes an SVG with a bar for each loader in each panel. The same figures are the same bytes."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "rankfeed"}
    from matplotlib import pyplot

    rows = -(-len(panels) // COLUMNS)
    size = (4 * COLUMNS, rows * (0.8 + 0.26 * len(found)))
    figure, places = pyplot.subplots(rows, COLUMNS, sharey=True, figsize=size, layout="constrained", squeeze=False)
    for unused in places.flat[len(panels) :]:
        unused.set_visible(False)
    names = list(found)[::-1]
    colors = ["#00897b" if name == ours else "#bdbdbd" for name in names]
    for place, (title, value) in zip(places.flat, panels.items(), strict=False):
        values = [value(found[name]) for name in names]
        drawn = place.barh(names, [0 if math.isnan(one) else one for one in values], color=colors)
        place.bar_label(drawn, ["" if math.isnan(one) else f"{float(f'{one:.3g}'):,.10g}" for one in values], padding=3)
        place.set_title(title)
        place.margins(x=0.3)
        place.xaxis.set_visible(False)
        place.spines[["top", "right", "bottom"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
