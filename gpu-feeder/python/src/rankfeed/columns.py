"""The columns that a trainer requests, in the form of HELLO."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rankfeed.errors import RankfeedError

_LAYOUTS = ("fixed", "padded", "ragged")


def requests(
    columns: Sequence[str] | None,
    layouts: Mapping[str, str] | None,
    pad_values: Mapping[str, float] | None,
    row_id: bool,
) -> list[dict[str, Any]] | None:
    """Returns the member ``columns`` of HELLO. It has only what the caller set, so that the feeder decides the rest."""
    layouts, pad_values = layouts or {}, pad_values or {}
    for name, given in (("layouts", layouts), ("pad_values", pad_values)):
        if not isinstance(given, Mapping):
            raise RankfeedError(f"{name}={given!r} is not a mapping; write {name}={{column: …}}")
    if columns is None:
        if layouts or pad_values or not row_id:
            raise RankfeedError("layouts, pad_values and row_id=False go with columns=[...]; name the columns")
        return None
    if isinstance(columns, str):
        raise RankfeedError(f"columns={columns!r} is one string; write columns=[{columns!r}]")
    if not isinstance(columns, Iterable):
        raise RankfeedError(f"columns={columns!r} are not names; write columns=[…], or None for the feed's own")
    names = list(columns)
    for name in names:
        if not isinstance(name, str):
            raise RankfeedError(f"columns={names!r}: {name!r} is not a name; columns are asked for by their names")
    if row_id and "row_id" not in names:
        names.insert(0, "row_id")
    strangers = sorted(map(str, (set(layouts) | set(pad_values)) - set(names)))
    if strangers:
        raise RankfeedError(f"layouts or pad_values for {', '.join(strangers)}, not among columns={names}")
    asked = []
    for name in names:
        column: dict[str, Any] = {"name": name}
        if name in layouts:
            if layouts[name] not in _LAYOUTS:
                raise RankfeedError(f"column {name!r}: layout {layouts[name]!r}, expected {', '.join(_LAYOUTS)}")
            column["layout"] = layouts[name]
        if name in pad_values:
            value = pad_values[name]
            if not _is_finite(value):
                raise RankfeedError(f"column {name!r}: pad value {_shortened(value)} is not a finite number")
            column["padValue"] = value
        asked.append(column)
    return asked


def _is_finite(value: object) -> bool:
    try:
        return not isinstance(value, bool) and isinstance(value, (int, float)) and math.isfinite(value)
    except OverflowError:  # an int beyond the range of float, and so of every column type
        return False


def _shortened(value: object) -> str:
    # Python refuses to print an int of more than 4300 digits.
    text = f"of {value.bit_length()} bits" if isinstance(value, int) and value.bit_length() > 200 else repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"
