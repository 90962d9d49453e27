"""``perm(n, k, x)``: a keyed bijection of [0, n) (plan.md section 2), for whole arrays of n, k and x."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rankfeed.order.words import below, mix, stir, times_phi, word

if TYPE_CHECKING:
    from rankfeed.order.words import Words

_SHUFFLED_BELOW = 64
_TABLE_ROWS = 4096
_ROUNDS = [times_phi(i) for i in range(8)]


def permute(n: int | np.ndarray, keys: Words, x: np.ndarray) -> np.ndarray:
    """Returns ``perm(n, keys, x)`` by element as int64; the arguments are broadcast against one another."""
    n, keys, x = np.broadcast_arrays(np.asarray(n, dtype=np.int64), word(keys), np.asarray(x, dtype=np.int64))
    out = x.copy()
    small = (n > 1) & (n < _SHUFFLED_BELOW)
    if small.any():
        out[small] = _shuffle(n[small], keys[small], x[small])
    large = n >= _SHUFFLED_BELOW
    if large.any():
        out[large] = _walk(n[large], keys[large], x[large])
    return out


def _shuffle(n: np.ndarray, keys: Words, x: np.ndarray) -> np.ndarray:
    """Permutes by a keyed Fisher-Yates shuffle, which is made once for each different (n, key), for all of them
    together."""
    by = np.lexsort((keys, n))
    n_sorted, keys_sorted = n[by], keys[by]
    starts = np.concatenate([[True], (n_sorted[1:] != n_sorted[:-1]) | (keys_sorted[1:] != keys_sorted[:-1])])
    row = np.empty(len(x), dtype=np.int64)
    row[by] = np.cumsum(starts) - 1
    sizes, seeds = n_sorted[starts], keys_sorted[starts]
    out = np.empty(len(x), dtype=np.int64)
    for low in range(0, len(sizes), _TABLE_ROWS):
        table = _tables(sizes[low : low + _TABLE_ROWS], seeds[low : low + _TABLE_ROWS])
        here = (row >= low) & (row < low + _TABLE_ROWS)
        out[here] = table[x[here], row[here] - low]
    return out


def _tables(sizes: np.ndarray, seeds: Words) -> np.ndarray:
    """Returns a table whose columns are the shuffled [0, size) of each (size, seed); sizes ascend."""
    largest, count = int(sizes[-1]), len(sizes)
    table = np.repeat(np.arange(largest, dtype=np.int64)[:, None], count, axis=1)
    indexes = np.arange(1, largest, dtype=np.uint64)[:, None]
    partners = below(mix(seeds + times_phi(indexes)), indexes + np.uint64(1)).astype(np.int64)
    # Sizes ascend, so the sizes above i are the last ones.
    firsts = np.searchsorted(sizes, np.arange(largest), side="right").tolist()
    columns = np.arange(count)
    for i in range(largest - 1, 0, -1):
        first = firsts[i]
        at = partners[i - 1, first:], columns[first:]
        held = table[i, first:].copy()
        table[i, first:] = table[at]
        table[at] = held
    return table


def _walk(n: np.ndarray, keys: Words, x: np.ndarray) -> np.ndarray:
    """Permutes in eight rounds on a grid of P by Q, which are repeated until the value is inside [0, n)."""
    p, q = _grid(n)
    out = np.empty_like(x)
    todo = np.arange(len(x))
    limit, z = n.astype(np.uint64), x.astype(np.uint64)
    round_keys = [keys + phi for phi in _ROUNDS]
    while len(todo):
        u, v = z // q, z % q
        for i, k in enumerate(round_keys):
            if i % 2 == 0:
                u = (u + below(stir(k ^ v), p)) % p
            else:
                v = (v + below(stir(k ^ u), q)) % q
        z = u * q + v
        inside = z < limit
        out[todo[inside]] = z[inside].astype(np.int64)
        if inside.all():
            break
        outside = ~inside
        todo, z, p, q, limit = todo[outside], z[outside], p[outside], q[outside], limit[outside]
        round_keys = [k[outside] for k in round_keys]
    return out


def _grid(n: np.ndarray) -> tuple[Words, Words]:
    sizes, which = np.unique(n, return_inverse=True)
    roots = [math.isqrt(int(size) - 1) + 1 for size in sizes]
    columns = [-(-int(size) // root) for size, root in zip(sizes, roots, strict=True)]
    which = which.reshape(-1)
    return np.array(roots, dtype=np.uint64)[which], np.array(columns, dtype=np.uint64)[which]
