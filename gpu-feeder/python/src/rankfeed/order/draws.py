"""Which row of a version a draw of a lane is, and where it is stored (plan.md section 5)."""

from __future__ import annotations

import numpy as np

from rankfeed.order.permutation import permute
from rankfeed.order.values import LIST, SHUFFLED, Member, Rows, Segment
from rankfeed.order.words import key


class Draws:
    """Numbers of each stratum, as arrays by its number over all members."""

    def __init__(self, seed: int, lanes: int, mode: str, members: tuple[Member, ...]):
        self._seed = seed
        self._lanes = lanes
        self._mode = mode
        of = np.repeat(np.arange(len(members), dtype=np.int64), [len(member.strata) for member in members])
        self._member = of
        self._pool = np.array([s.rows for member in members for s in member.strata], dtype=np.int64)
        self._stored = np.array([member.lanes for member in members], dtype=np.int64)[of]
        self._shuffled = np.array([member.cycles == SHUFFLED for member in members])[of]
        self._shuffled_later = np.array([member.cycles != LIST for member in members])[of]
        self._own, self._rest = self._pool // self._stored, self._pool % self._stored
        first = np.searchsorted(of, of)
        self._own_begin, self._shared_begin = (
            before - before[first] for before in (np.cumsum(n) - n for n in (self._own, self._rest))
        )

    def rows(self, segment: Segment, stratum: np.ndarray, lane: np.ndarray, draw: np.ndarray) -> Rows:
        """Returns the rows of draws, which are counted by lane and stratum over the run (arrays of one length)."""
        index = self._index(segment, stratum, lane, draw)
        return Rows(stratum, index, *self.places(stratum, index), self._member[stratum])

    def places(self, stratum: np.ndarray, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns the stored lane of each row, or -1 for the shared file, and its ordinal in it."""
        stored, own = self._stored[stratum], self._own[stratum]
        in_shared = index - stored * own
        shared = in_shared >= 0
        lane = np.where(shared, -1, index % stored)
        ordinal = np.where(shared, self._shared_begin[stratum] + in_shared, self._own_begin[stratum] + index // stored)
        return lane, ordinal

    def _index(self, segment: Segment, s: np.ndarray, lane: np.ndarray, draw: np.ndarray) -> np.ndarray:
        is_pass, later = self._mode == "pass", self._mode != "stream" and segment.number > 0
        if is_pass:
            draw = self._in_epoch(segment, s, lane, draw)
        n, stored, own, rest = self._pool[s], self._stored[s], self._own[s], self._rest[s]
        z = draw * self._lanes + lane
        h, cycle = z % stored, z // n
        f = (h - cycle * n) % stored
        i = z // stored - (cycle * n - h + stored - 1) // stored
        if is_pass:
            shuffled, count, of_own, of_shared = self._shuffled[s], own, 8, 9
        else:
            shuffled, of_own, of_shared = self._shuffled[s] | (self._shuffled_later[s] & (later | (cycle > 0))), 1, 2
            count = own + (f < rest)

        def turn(at: np.ndarray) -> tuple[int | np.ndarray, ...]:
            if is_pass:
                return ()
            return (cycle[at], segment.number) if self._mode == "padded" else (cycle[at],)

        at = np.flatnonzero(shuffled & (i < count))
        if len(at):
            i[at] = permute(count[at], key(self._seed, of_own, s[at], h[at], *turn(at)), i[at])
        at = np.flatnonzero(shuffled & (i >= own))
        if len(at):
            f[at] = permute(rest[at], key(self._seed, of_shared, s[at], *turn(at)), f[at])
        index: np.ndarray = np.where(i >= own, stored * own + f, i * stored + h)
        return index

    def _in_epoch(self, segment: Segment, s: np.ndarray, lane: np.ndarray, draw: np.ndarray) -> np.ndarray:
        """Shuffles the draws of a lane within an epoch of a pass; the numbers run on over the epochs."""
        per_epoch = np.array(segment.quotas, dtype=np.int64)[s]
        start = segment.number * per_epoch
        place = draw - start
        at = np.flatnonzero(self._shuffled_later[s] if segment.number > 0 else self._shuffled[s])
        if len(at):
            keys = key(self._seed, 1, s[at], lane[at], segment.number)
            place[at] = permute(per_epoch[at], keys, place[at])
        number: np.ndarray = np.where(self._shuffled_later[s], start + place, place)
        return number
