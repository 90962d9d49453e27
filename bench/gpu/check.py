"""Compares every batch on the GPU with the same batch of a second feeder, on the CPU.

The GPU is busy when a batch is taken, so that a slot that is given back too early would be seen. The first feeder is
killed with -9 in between. ``--pixels`` says how images are compared: as bytes, or normalized.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import rankfeed
import torch

BUSY_CYCLES = 3_000_000
"""About 2 ms."""


def normalized(pixels: torch.Tensor, device: torch.device, said: rankfeed.Normalize) -> torch.Tensor:
    """Computes in float64 and rounds once."""
    mean, std = (torch.tensor(values, dtype=torch.float64, device=device) for values in (said.mean, said.std))
    return (((pixels.to(device).double() / 255 - mean) / std).permute(0, 3, 1, 2)).to(torch.bfloat16)


def difference(batch: torch.Tensor, expected: torch.Tensor) -> float:
    """The greatest difference, in units of the last place of bfloat16; 0 for equal tensors of other types."""
    if batch.dtype != torch.bfloat16:
        return 0.0 if torch.equal(batch.cpu(), expected) else float("inf")
    bits = [
        torch.where(bits < 0, -32_768 - bits, bits)
        for bits in (t.contiguous().view(torch.int16).int() for t in (batch, expected))
    ]
    return float((bits[0] - bits[1]).abs().max())


def forever(feed: rankfeed.Feed) -> Iterator[rankfeed.Batch]:
    while True:
        yield from feed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", help="the run of the second feeder")
    parser.add_argument("--pixels", choices=["bytes", "normalized"], default="bytes")
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--kills", type=int, default=0)
    args = parser.parse_args()
    said = rankfeed.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225], "bfloat16")
    normalize = {"pixels": said} if args.pixels == "normalized" else False
    kills = set(np.random.default_rng(3).choice(np.arange(5, args.steps - 5), args.kills, replace=False).tolist())
    rendezvous = Path(os.environ["XDG_RUNTIME_DIR"]) / "rankfeed" / os.environ["RANKFEED_RUN"] / "feeder.json"
    worst, values, killed = 0.0, 0, 0
    with (
        rankfeed.Feed(device="cuda:0", rank=0, world=1, normalize=normalize) as feed,
        rankfeed.Feed(args.other, device="cpu", rank=0, world=1, normalize=False) as other,
    ):
        batches, others = forever(feed), forever(other)
        for step in range(args.steps):
            if step in kills:
                os.kill(json.loads(rendezvous.read_text())["pid"], signal.SIGKILL)
                killed += 1
            torch.cuda._sleep(BUSY_CYCLES)
            batch, expected = next(batches), next(others)
            assert batch.global_step == expected.global_step == step, (
                batch.global_step,
                expected.global_step,
            )
            assert list(batch) == list(expected)
            for name, tensor in batch.items():
                assert tensor.is_cuda, name
                wanted = expected[name]
                if tensor.dtype == torch.bfloat16:
                    wanted = normalized(wanted, tensor.device, said)
                worst = max(worst, difference(tensor, wanted))
                values += tensor.numel()
        stats = feed.stats()
    if worst > (args.pixels == "normalized"):
        raise SystemExit(f"a batch differs: {worst}")
    print(
        json.dumps(
            {
                "steps": args.steps,
                "values": values,
                "ulps": worst,
                "kills": killed,
                "copies": stats["copy_count"],
            }
        )
    )


if __name__ == "__main__":
    main()
