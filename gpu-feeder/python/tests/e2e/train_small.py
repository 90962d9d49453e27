"""A small classifier, trained from a feed or from rows read in process from the plan; writes the loss of every step."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist

Examples = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def from_feed(name: str) -> Iterator[Examples]:
    import rankfeed

    with rankfeed.Feed(feed=name, columns=["input_ids", "is_correct"], wait_seconds=60) as feed:
        for _ in range(feed.epochs):
            for batch in feed:
                yield batch["input_ids"], batch["input_ids.lengths"], batch["is_correct"]


def from_plan(dataset: Path, version: str, name: str, rank: int, world: int) -> Iterator[Examples]:
    """Yields the rows without feeder, cache or ring: from order.json, the plan's table and the prepared Parquet
    files."""
    import pyarrow.parquet as pq

    from rankfeed.order import Order

    manifest = json.loads((dataset / "versions" / version / "manifest.json").read_text())
    commits = (json.loads(file.read_text()) for file in sorted((dataset / "commits").glob("*.json")))
    commit = next(commit for commit in commits if commit["version"] == version)
    (table,) = (entry["id"] for entry in manifest["inputs"] if entry["kind"] == "prepared")
    prepared, plan = dataset / "prepared" / table, dataset / "plans" / commit["plan"]
    files = [f["path"] for f in json.loads((prepared / "manifest.json").read_text())["files"] if "rows" in f]
    tables = [pq.read_table(prepared / f, columns=["input_ids", "is_correct"]) for f in files]
    ids = [table["input_ids"].to_pylist() for table in tables]
    correct = [table["is_correct"].to_pylist() for table in tables]
    rows = pq.ParquetDataset([str(f) for f in sorted((plan / "rows").glob(f"{name}-*.parquet"))]).read().to_pydict()
    address = {
        (s, i): (f, r) for s, i, f, r in zip(rows["stratum"], rows["index"], rows["file"], rows["row"], strict=True)
    }
    dtype = next(f["dtype"] for f in manifest["schema"]["fields"] if f["name"] == "input_ids")

    order = Order.load(dataset / "orders" / commit["order"] / "order.json")[name]
    for step in range(order.steps):
        drawn = order.batch(step, rank, world)
        addresses = [address[s, i] for s, i in zip(drawn.stratum.tolist(), drawn.index.tolist(), strict=True)]
        tokens = [np.frombuffer(ids[f][r], dtype=dtype) for f, r in addresses]
        lengths = np.array([len(t) for t in tokens], np.int32)
        padded = np.zeros((len(tokens), max(1, lengths.max())), dtype)
        for line, t in zip(padded, tokens, strict=True):
            line[: len(t)] = t
        labels = np.array([correct[f][r] for f, r in addresses], np.uint8)
        yield torch.from_numpy(padded), torch.from_numpy(lengths), torch.from_numpy(labels)


def train(examples: Iterator[Examples], world: int) -> list[float]:
    torch.manual_seed(5)
    torch.set_num_threads(1)
    embed, head = torch.nn.Embedding(256, 16), torch.nn.Linear(16, 1)
    weights = [*embed.parameters(), *head.parameters()]
    optimizer = torch.optim.SGD(weights, lr=0.5)
    losses = []
    for ids, lengths, labels in examples:
        mask = (torch.arange(ids.shape[1])[None, :] < lengths[:, None]).unsqueeze(2)
        mean = (embed(ids.long()) * mask).sum(1) / lengths.clamp(min=1)[:, None]
        loss = torch.nn.functional.binary_cross_entropy_with_logits(head(mean).squeeze(1), labels.float())
        optimizer.zero_grad()
        loss.backward()
        total = loss.detach().clone()
        if world > 1:
            for weight in weights:
                dist.all_reduce(weight.grad)
                weight.grad /= world
            dist.all_reduce(total)
            total /= world
        optimizer.step()
        losses.append(total.item())
    return losses


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--feed", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--dataset", type=Path, help="read the rows in process from this dataset's plan")
    parser.add_argument("--version")
    args = parser.parse_args()
    rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    if world > 1:
        dist.init_process_group("gloo")
    examples = from_plan(args.dataset, args.version, args.feed, rank, world) if args.dataset else from_feed(args.feed)
    losses = train(examples, world)
    if rank == 0:
        args.out.write_text(json.dumps([loss.hex() for loss in losses]))
    if world > 1:
        dist.destroy_process_group()
        # The threads of gloo outlive that; one that lets go of a tensor while the interpreter ends aborts the process.
        os._exit(0)


if __name__ == "__main__":
    main()
