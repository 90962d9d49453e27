"""Hash arithmetic on 64-bit words (plan.md section 2), on whole arrays: every value here is an array of uint64."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    Words = np.ndarray[tuple[Any, ...], np.dtype[np.uint64]]

_MASK = (1 << 64) - 1
_PHI = np.uint64(0x9E3779B97F4A7C15)
_A = np.uint64(0xBF58476D1CE4E5B9)
_B = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = (np.uint64(n) for n in (27, 30, 31, 32))


def word(value: int | np.ndarray) -> Words:
    """Returns the two's complement words of an integer or array; at least one-dimensional, so that numpy wraps
    silently."""
    if isinstance(value, int):
        return np.array([value & _MASK], dtype=np.uint64)
    return np.atleast_1d(np.asarray(value)).astype(np.uint64)


def times_phi(value: int | np.ndarray) -> Words:
    return word(value) * _PHI


def mix(z: Words) -> Words:
    z = (z ^ (z >> _30)) * _A
    z = (z ^ (z >> _27)) * _B
    return z ^ (z >> _31)


def stir(z: Words) -> Words:
    z = z * _A
    return (z ^ (z >> _32)) * _B


def key(seed: int | np.ndarray, *arguments: int | np.ndarray) -> Words:
    """Returns the key of a seed and any number of integers or arrays, in this order."""
    h = word(seed)
    for x in arguments:
        h = mix((h ^ word(x)) + _PHI)
    return h


def below(h: Words, n: Words) -> Words:
    """Maps the word h to [0, n), 0 < n < 2^32."""
    return ((h >> _32) * n) >> _32
