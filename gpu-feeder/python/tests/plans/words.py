"""The integers of plan.md section 2 and the multiplier of 4.1, in plain Python."""

from __future__ import annotations

from functools import lru_cache
from math import gcd, isqrt

WORD = (1 << 64) - 1
PHI = 0x9E3779B97F4A7C15
A = 0xBF58476D1CE4E5B9
B = 0x94D049BB133111EB


def mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * A) & WORD
    z = ((z ^ (z >> 27)) * B) & WORD
    return z ^ (z >> 31)


def stir(z: int) -> int:
    z = (z * A) & WORD
    return ((z ^ (z >> 32)) * B) & WORD


def key(seed: int, *words: int) -> int:
    h = seed & WORD
    for x in words:
        h = mix(((h ^ (x & WORD)) + PHI) & WORD)
    return h


def below(h: int, n: int) -> int:
    return ((h >> 32) * n) >> 32


@lru_cache(maxsize=4096)
def shuffled(n: int, k: int) -> tuple[int, ...]:
    a = list(range(n))
    for i in range(n - 1, 0, -1):
        j = below(mix((k + i * PHI) & WORD), i + 1)
        a[i], a[j] = a[j], a[i]
    return tuple(a)


def perm(n: int, k: int, x: int) -> int:
    if n <= 1:
        return x
    if n < 64:
        return shuffled(n, k)[x]
    p = isqrt(n - 1) + 1
    q = -(-n // p)
    while True:
        u, v = divmod(x, q)
        for i in range(8):
            if i % 2 == 0:
                u = (u + below(stir(((k + i * PHI) & WORD) ^ v), p)) % p
            else:
                v = (v + below(stir(((k + i * PHI) & WORD) ^ u), q)) % q
        x = u * q + v
        if x < n:
            return x


def floor_sum(n: int, m: int, a: int, b: int) -> int:
    r = 0
    while n > 0:
        r += n * (n - 1) // 2 * (a // m) + n * (b // m)
        a, b = a % m, b % m
        y = a * n + b
        n, m, a, b = y // m, a, m, y % m
        if m == 0:
            break
    return r


def quotients(p: int, q: int) -> int:
    """The sum of the partial quotients of p/q."""
    total = 0
    while q:
        total += p // q
        p, q = q, p % q
    return total


def score(m: int, steps: int, lanes: int) -> int:
    return max(quotients(lanes // w * m % steps, steps) for w in range(1, lanes + 1) if lanes % w == 0)


@lru_cache(maxsize=4096)
def multiplier(steps: int, lanes: int) -> int:
    if steps <= 2:
        return steps - 1
    candidates = set()
    for h in range(64):
        x = 1 + ((((2 * h + 1) * 2654435769) % (1 << 32)) * (steps - 1) >> 32)
        while gcd(x, steps) != 1:
            x = x % (steps - 1) + 1
        candidates.add(x)
    return min(candidates, key=lambda x: (score(x, steps, lanes), x))
