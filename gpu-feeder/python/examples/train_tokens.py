"""Trains a small classifier of token sequences on CPU, on as many ranks as torchrun starts.

    rankfeed feed VERSION -- torchrun --nproc-per-node 4 train_tokens.py --checkpoint model.pt

Equal feeds, seeds and world sizes give equal losses, bit for bit. Started again with the same checkpoint it continues
where that was saved, at any world size that the plan allows.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import nn

import rankfeed


class Classifier(nn.Module):
    """The mean of the tokens' embeddings, then two layers. Token ids are folded into ``buckets``."""

    def __init__(self, buckets: int = 8192, width: int = 32):
        super().__init__()
        self.buckets = buckets
        self.embed = nn.EmbeddingBag(buckets, width, mode="mean")
        self.layers = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, tokens: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        real = torch.arange(tokens.shape[1]) < lengths[:, None]
        offsets = torch.cumsum(lengths, 0, dtype=torch.int64) - lengths
        logits: torch.Tensor = self.layers(self.embed(tokens[real].long() % self.buckets, offsets))
        return logits.squeeze(1)


class Trainer:
    """Model, optimizer and the two feeds of one rank. What depends on the data are the methods from ``columns`` on."""

    classes = 2

    def __init__(self, args: argparse.Namespace):
        self.args = args
        columns = self.columns()
        self.feed = rankfeed.Feed(args.run, feed=args.train, columns=columns, device="cpu", wait_seconds=args.wait)
        self.rank, self.world = self.feed.topology.rank, self.feed.topology.world
        self.valid = self._open_valid(columns)
        self.model = self.new_model()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=args.learning_rate)
        self.facts: dict[str, list[Any]] = {"losses": [], "validation": []}
        self.reported = 0.0
        if args.checkpoint and args.checkpoint.exists():
            saved = torch.load(args.checkpoint, weights_only=True)
            self.model.load_state_dict(saved["model"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.feed.load_state_dict(saved["feed"])

    def _open_valid(self, columns: list[str]) -> rankfeed.Feed | None:
        if not self.args.valid:
            return None
        try:
            return rankfeed.Feed(self.args.run, feed=self.args.valid, columns=columns, device="cpu")
        except rankfeed.FeederError as e:
            if e.code != "config":
                raise
            self.say(f"no validation: {e}")
            return None

    def run(self) -> None:
        while (epoch := self.feed.state_dict()["epoch"]) < self.feed.epochs:
            for batch in self.feed:
                loss = self.step(batch)
                self.facts["losses"].append(loss)
                self.progress(batch, loss)
                if self.args.save_every and (batch.global_step + 1) % self.args.save_every == 0:
                    self.save()
            if self.valid is not None:
                self.validate(self.valid, epoch)
            self.save()

    def step(self, batch: rankfeed.Batch) -> float:
        """One optimizer step on the mean loss of the global batch, which is returned."""
        loss = self.loss(*self.logits_and_labels(batch))
        self.optimizer.zero_grad()
        loss.backward()
        total = loss.detach().clone()
        if self.world > 1:
            gradients = [weight.grad for weight in self.model.parameters() if weight.grad is not None]
            for shared in [*gradients, total]:
                dist.all_reduce(shared)
                shared.div_(self.world)
        self.optimizer.step()
        return total.item()

    @torch.no_grad()
    def validate(self, feed: rankfeed.Feed, epoch: int) -> None:
        """Counts right answers over every validation row once; a rank's last batch may be short or empty."""
        sums = torch.zeros(2, self.classes, dtype=torch.int64)
        for batch in feed:
            if batch.valid_rows:
                logits, labels = self.logits_and_labels(batch)
                right = labels[self.is_right(logits, labels)]
                sums += torch.stack([found.long().bincount(minlength=self.classes) for found in (right, labels)])
        if self.world > 1:
            dist.all_reduce(sums)
        right, rows = sums.sum(1).tolist()
        recall = (sums[0] / sums[1])[sums[1] > 0].mean().item()
        self.facts["validation"].append({"epoch": epoch, "right": right, "rows": rows, "recall": recall})
        self.say(
            f"epoch {epoch + 1}/{self.feed.epochs}: {right}/{rows} validation rows right ({right / rows:.1%}), "
            f"mean recall {recall:.1%}"
        )

    def save(self) -> None:
        """Model and cursor in one file, written whole or not at all. Only rank 0 writes; the cursor is everyone's."""
        if self.args.checkpoint is None or self.rank:
            return
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "feed": self.feed.state_dict(),
        }
        attempt = self.args.checkpoint.with_name(self.args.checkpoint.name + ".attempt")
        with attempt.open("wb") as file:
            torch.save(state, file)
            file.flush()
            os.fsync(file.fileno())
        attempt.rename(self.args.checkpoint)

    def progress(self, batch: rankfeed.Batch, loss: float) -> None:
        now = time.monotonic()
        if now - self.reported >= self.args.progress_seconds or batch.step + 1 == len(self.feed):
            self.reported = now
            stats = self.feed.stats()
            self.say(
                f"epoch {batch.epoch + 1}/{self.feed.epochs} step {batch.step + 1}/{len(self.feed)} loss {loss:.4f} "
                f"{stats['rows'] * self.world / stats['seconds']:,.0f} rows/s, waited {stats['waited_share']:.1%}"
            )

    def say(self, text: str) -> None:
        if self.rank == 0:
            print(text, flush=True)

    def report(self, folder: Path) -> None:
        stats = self.feed.stats()
        facts = {
            "rank": self.rank,
            "world": self.world,
            "rows": stats["rows"],
            "steps": stats["batches"],
            "seconds": round(stats["seconds"], 3),
            "rowsPerSecond": round(stats["rows"] / stats["seconds"]) if stats["seconds"] else 0,
            "waitedShare": round(stats["waited_share"], 4),
            **self.facts,
        }
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"rank-{self.rank}.json").write_text(json.dumps(facts, indent=1) + "\n")

    def close(self) -> None:
        """Disconnects from the feeder, which otherwise reports a trainer that ended without a message."""
        self.feed.close()
        if self.valid is not None:
            self.valid.close()

    def columns(self) -> list[str]:
        return [self.args.tokens, self.args.label]

    def new_model(self) -> nn.Module:
        return Classifier()

    def logits_and_labels(self, batch: rankfeed.Batch) -> tuple[torch.Tensor, torch.Tensor]:
        tokens = self.args.tokens
        return self.model(batch[tokens], batch[f"{tokens}.lengths"]), batch[self.args.label].float()

    def loss(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return nn.functional.binary_cross_entropy_with_logits(logits, labels)

    def is_right(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return (logits > 0) == (labels > 0.5)


def arguments(doc: str, tokens: str, label: str) -> argparse.Namespace:
    return parser_of(doc, tokens, label).parse_args()


def parser_of(doc: str, tokens: str, label: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", help="the run's name (default: RANKFEED_RUN, else the only run there is)")
    parser.add_argument("--train", default="train", help="the training feed")
    parser.add_argument("--valid", default="valid", help="the validation feed; empty for none")
    parser.add_argument("--tokens", default=tokens, help="the column of token ids")
    parser.add_argument("--label", default=label, help="the column to predict")
    parser.add_argument("--learning-rate", type=float, default=0.003)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checkpoint", type=Path, help="goes on from this file if it is there, and saves to it")
    parser.add_argument("--save-every", type=int, default=0, help="steps between saves, beside those at epoch ends")
    parser.add_argument("--report", type=Path, help="folder for rank-N.json: what this rank got")
    parser.add_argument("--wait", type=float, default=60, help="seconds to wait for a feeder that is not up yet")
    parser.add_argument("--progress-seconds", type=float, default=2)
    return parser


def train(trainer: type[Trainer], args: argparse.Namespace) -> None:
    """One rank's whole run, as torchrun started it."""
    torch.manual_seed(args.seed)
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(1)
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        dist.init_process_group("gloo")
    rank = trainer(args)
    rank.run()
    if args.report:
        rank.report(args.report)
    rank.close()
    if dist.is_initialized():
        # Gloo's threads let go of tensors late: destroying the group hangs in torch 2.3 then and aborts in 2.15.
        dist.barrier()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


if __name__ == "__main__":
    train(Trainer, arguments(__doc__, tokens="input_ids", label="is_correct"))
