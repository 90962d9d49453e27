"""Finds the rank of this process: from torchrun's variables, else from Slurm's, else a world of one."""

from __future__ import annotations

import operator
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import SupportsIndex

from rankfeed.errors import WrongWorld


@dataclass(frozen=True)
class Topology:
    """The rank of this process in the world.

    ``source`` names where the four numbers came from: arguments, torchrun, slurm or alone. ``local_world`` is ``world``
    where the source does not state it; ``is_one_node`` is true only where it is stated that all ranks are on this node.
    """

    rank: int
    local_rank: int
    world: int
    local_world: int
    source: str
    is_one_node: bool

    def __post_init__(self) -> None:
        if self.world < 1 or not 0 <= self.rank < self.world:
            raise WrongWorld(f"rank {self.rank} is not in a world of {self.world} (from {self.source})")
        if self.local_world < 1 or not 0 <= self.local_rank < self.local_world:
            raise WrongWorld(
                f"local rank {self.local_rank} is not in a local world of {self.local_world} (from {self.source})"
            )

    @staticmethod
    def find(
        rank: int | None = None,
        world: int | None = None,
        local_rank: int | None = None,
        local_world: int | None = None,
        environ: Mapping[str, str] = os.environ,
    ) -> Topology:
        """Returns the arguments if rank and world are given, else the values of the environment."""
        if (rank is None) != (world is None):
            raise WrongWorld("give rank and world together, or neither to take them from the environment")
        if rank is not None and world is not None:
            local = None if local_world is None else _whole("local_world", local_world)
            rank = _whole("rank", rank)
            local_rank = rank if local_rank is None else _whole("local_rank", local_rank)
            return _topology(rank, local_rank, _whole("world", world), local, "arguments")
        if "RANK" in environ and "WORLD_SIZE" in environ:
            rank, world = _number(environ, "RANK"), _number(environ, "WORLD_SIZE")
            local = _number(environ, "LOCAL_WORLD_SIZE") if "LOCAL_WORLD_SIZE" in environ else None
            return _topology(rank, _number(environ, "LOCAL_RANK", rank), world, local, "torchrun")
        if "SLURM_PROCID" in environ and "SLURM_NTASKS" in environ:
            rank, world = _number(environ, "SLURM_PROCID"), _number(environ, "SLURM_NTASKS")
            return _topology(rank, _number(environ, "SLURM_LOCALID", rank), world, _slurm_local_world(environ), "slurm")
        return _topology(0, 0, 1, 1, "alone")


def _topology(rank: int, local_rank: int, world: int, local_world: int | None, source: str) -> Topology:
    """``local_world`` is None where the source does not state it."""
    return Topology(
        rank, local_rank, world, world if local_world is None else local_world, source, world in (1, local_world)
    )


def rank_list(ranks: Sequence[int]) -> str:
    """Formats ranks as ``--ranks`` has them: ``ranks 0-3,6``."""
    firsts = [rank for rank in ranks if rank - 1 not in ranks]
    lasts = [rank for rank in ranks if rank + 1 not in ranks]
    parts = [str(a) if a == b else f"{a}-{b}" for a, b in zip(firsts, lasts, strict=True)]
    return ("rank " if len(ranks) == 1 else "ranks ") + ",".join(parts)


def _whole(name: str, value: SupportsIndex) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise WrongWorld(f"{name}={value!r} is not a whole number") from None


def _number(environ: Mapping[str, str], name: str, default: int | None = None) -> int:
    text = environ.get(name)
    if text is None and default is not None:
        return default
    if text is None or not re.fullmatch(r"\d{1,9}", text):
        raise WrongWorld(f"environment variable {name} is {text!r}, expected a number")
    return int(text)


def _slurm_local_world(environ: Mapping[str, str]) -> int | None:
    """Returns this node's number of tasks of, for example, ``SLURM_STEP_TASKS_PER_NODE=4(x2),3``."""
    text = environ.get("SLURM_STEP_TASKS_PER_NODE") or environ.get("SLURM_TASKS_PER_NODE")
    if text is None:
        return _number(environ, "SLURM_NTASKS_PER_NODE") if "SLURM_NTASKS_PER_NODE" in environ else None
    node = _number(environ, "SLURM_NODEID", 0)
    for part in text.split(","):
        match = re.fullmatch(r"(\d{1,9})(?:\(x(\d{1,9})\))?", part)
        if match is None:
            break
        node -= int(match[2] or 1)
        if node < 0:
            return int(match[1])
    raise WrongWorld(f"cannot read this node's tasks from Slurm's {text!r}")
