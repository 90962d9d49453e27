"""Times copies to the GPU: from memory as a ring's, pinned and not, and from torch's pinned memory. One JSON line."""

from __future__ import annotations

import argparse
import json
import mmap
import statistics
import tempfile
import time
from typing import Any

import numpy as np
import torch
from rankfeed.cuda import TorchCuda

DEVICE = torch.device("cuda", 0)
SIZES = [64 << 10, 1 << 20, 16 << 20, 64 << 20]
RING = 1 << 30


def ring() -> np.ndarray:
    """Shared memory as the client maps it: every page is there before it is pinned."""
    with tempfile.TemporaryFile(dir="/dev/shm") as file:
        file.truncate(RING)
        memory = mmap.mmap(file.fileno(), RING, mmap.MAP_SHARED | getattr(mmap, "MAP_POPULATE", 0))
    array = np.frombuffer(memory, np.uint8)
    array[:] = np.arange(RING, dtype=np.uint32).astype(np.uint8)
    return array


def rate(runtime: TorchCuda, memory: torch.Tensor, size: int, rounds: int) -> dict[str, float]:
    """GB/s of the copies by CUDA's events, and microseconds of the call, which returns while a pinned copy runs."""
    seconds, calls = [], []
    for at in range(rounds):
        start = at * size % (len(memory) - size + 1)
        torch.cuda.synchronize()
        begin = time.perf_counter_ns()
        copies, event = runtime.upload({"a": memory[start : start + size]}, lambda copies: copies)
        calls.append((time.perf_counter_ns() - begin) / 1e3)
        runtime.wait(event)
        copy: Any = copies["a"]
        if at == 0 and not torch.equal(copy.cpu(), memory[start : start + size]):
            raise SystemExit("a copy differs")
        seconds.append(runtime.copy_nanos(event) / 1e9)
    return {
        "gigabytesPerSecond": size / 1e9 / statistics.median(seconds[rounds // 5 :]),
        "callMicros": statistics.median(calls[rounds // 5 :]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    args = parser.parse_args()
    runtime = TorchCuda(DEVICE)
    array = ring()
    memory = torch.from_numpy(array)
    found: dict[str, Any] = {
        "device": torch.cuda.get_device_name(DEVICE),
        "torch": torch.__version__,
        "sizes": SIZES,
    }
    found["pageable"] = [rate(runtime, memory, size, args.rounds) for size in SIZES]
    pins, unpins = [], []
    for _ in range(3):
        begin = time.perf_counter()
        runtime.register(array.ctypes.data, RING)
        pins.append(time.perf_counter() - begin)
        found["ring"] = [rate(runtime, memory, size, args.rounds) for size in SIZES]
        begin = time.perf_counter()
        runtime.unregister(array.ctypes.data)
        unpins.append(time.perf_counter() - begin)
    found["pinSecondsOfGiB"], found["unpinSecondsOfGiB"] = pins, unpins
    limit = torch.empty(256 << 20, dtype=torch.uint8, pin_memory=True)
    limit.copy_(memory[: len(limit)])
    found["pinned"] = [rate(runtime, limit, size, args.rounds) for size in SIZES]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
