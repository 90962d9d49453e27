"""Whole units by weight (plan.md 3.3), and the shares of a member's strata over several pieces of one stage."""

from __future__ import annotations

from fractions import Fraction
from math import floor


class Refused(Exception):
    """A plan that the stored rows cannot give."""


def largest_remainder(units: int, weights: list[Fraction]) -> list[int]:
    total = sum(weights)
    ideal = [units * w / total for w in weights]
    shares = [floor(x) for x in ideal]
    by = sorted(range(len(weights)), key=lambda s: (shares[s] - ideal[s], s))
    for s in by[: units - sum(shares)]:
        shares[s] += 1
    return shares


def carried(units: int, wanted: list[Fraction]) -> list[int]:
    """Shares that follow what is wanted, which adds up to the units and may be negative (given too much before)."""
    shares = [max(0, floor(x)) for x in wanted]
    while (left := units - sum(shares)) != 0:
        off = [x - q for x, q in zip(wanted, shares, strict=True)]
        if left > 0:
            by = sorted(range(len(off)), key=lambda s: (-off[s], s))
        else:
            by = sorted((s for s in range(len(off)) if shares[s] > 0), key=lambda s: (off[s], -s))
        for s in by[: abs(left)]:
            shares[s] += 1 if left > 0 else -1
    return shares


def capped(units: int, weights: list[Fraction], caps: list[int]) -> list[int]:
    """Largest remainder where no share exceeds its cap; the rest goes to the others by weight."""
    shares: list[int | None] = [None] * len(weights)
    left = units
    while True:
        open_ = [s for s, share in enumerate(shares) if share is None]
        total = sum((weights[s] for s in open_), Fraction(0))
        if total == 0:
            if left:
                raise Refused(f"{left} units find no member that has rows left")
            return [share or 0 for share in shares]
        beyond = [s for s in open_ if left * weights[s] / total > caps[s]]
        if not beyond:
            given = largest_remainder(left, [weights[s] for s in open_])
            for s, share in zip(open_, given, strict=True):
                shares[s] = share
            return [share or 0 for share in shares]
        for s in beyond:
            shares[s] = caps[s]
            left -= caps[s]
