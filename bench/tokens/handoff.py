"""Measures the parts of a handoff, from the request of a batch to its release.

The batches of the feed ``small`` take no time to copy: 8 rows of 1 KiB, three tensors.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import socket
import statistics
import time

import rankfeed
from rankfeed.ring.lease import Lease

COLUMNS = ["tokens", "row"]


def quantiles(nanos: list[int]) -> dict[str, float]:
    micros = sorted(one / 1000 for one in nanos[len(nanos) // 10 :])
    return {"median": statistics.median(micros), "p99": micros[int(len(micros) * 0.99)]}


class Timed:
    """Times the making of a batch's tensors inside of ``next``."""

    def __init__(self) -> None:
        self.nanos: list[int] = []
        self.tensors = Lease.tensors

    def __enter__(self) -> Timed:
        nanos, tensors, clock = self.nanos, self.tensors, time.perf_counter_ns

        def timed(lease: Lease, wrap):
            begin = clock()
            made = tensors(lease, wrap)
            nanos.append(clock() - begin)
            return made

        Lease.tensors = timed
        return self

    def __exit__(self, *_: object) -> None:
        Lease.tensors = self.tensors


def client(run: str, output: str) -> dict[str, dict[str, float] | float]:
    """Returns the parts of a request and of a release.

    Means of a batch: "python" is the CPU time of this thread for both, without the kernel's, and "fill" what the feeder takes.
    """
    asked, released = [], []
    device = "cpu" if output == "torch" else None
    clock = time.perf_counter_ns
    with Timed() as timed, rankfeed.Feed(run, "small", COLUMNS, output=output, device=device, rank=0, world=1) as feed:
        batches, count = iter(feed), min(10_000, len(feed))
        start = resource.getrusage(resource.RUSAGE_THREAD).ru_utime
        for _ in range(count):
            begin = clock()
            batch = next(batches)
            middle = clock()
            batch.release()
            asked.append(middle - begin)
            released.append(clock() - middle)
        python = (resource.getrusage(resource.RUSAGE_THREAD).ru_utime - start) / count * 1e6
        stats = feed.stats()
        fill = stats["fill_seconds"] / stats["fill_count"] * 1e6
    return {"next": quantiles(asked), "tensors": quantiles(timed.nanos), "release": quantiles(released), "python": python, "fill": fill}


def echo(end: socket.socket, other: socket.socket) -> None:
    other.close()
    while frame := end.recv(16):
        end.sendall(frame)


def wake(rounds: int = 20_000) -> dict[str, float]:
    """A frame of 16 bytes to a process that waits for it: half of the way there and back."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    process = multiprocessing.get_context("fork").Process(target=echo, args=(there, here))
    process.start()
    there.close()
    nanos, frame = [], bytes(16)
    for _ in range(rounds):
        begin = time.perf_counter_ns()
        here.sendall(frame)
        here.recv(16)
        nanos.append((time.perf_counter_ns() - begin) // 2)
    here.close()
    process.join()
    return quantiles(nanos)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", required=True)
    args = parser.parse_args()
    found = {"wake": wake()}
    found |= {output: client(args.run, output) for output in ("numpy", "torch")}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
