"""Reports a product's category from its title and its thumbnail, on CPU, on as many ranks as torchrun starts.

    rankfeed feed VERSION --config conf/feeds/products.yaml -- torchrun --nproc-per-node 4 train_products.py

The version is one of conf/jobs/products.yaml. Titles come padded (values and lengths). The feeder decodes, crops and
mirrors the thumbnails; they arrive as numbers, [rows, 3, 32, 32].
"""

from __future__ import annotations

import torch
from torch import nn

import rankfeed
from train_tokens import Trainer, arguments, train

SIDE = 32


class Catalog(nn.Module):
    """Two convolutions over the thumbnail, in addition to the mean of the title's pairs of neighboring bytes."""

    def __init__(self, categories: int = 5, width: int = 32, buckets: int = 8192):
        super().__init__()
        self.buckets = buckets
        self.embed = nn.EmbeddingBag(buckets, width, mode="mean")
        self.look = nn.Sequential(
            nn.Conv2d(3, 8, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(8, 16, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.AvgPool2d(4),
            nn.Flatten(),
        )
        self.decide = nn.Linear(width + 16 * (SIDE // 16) ** 2, categories)

    def forward(self, title: torch.Tensor, lengths: torch.Tensor, images: torch.Tensor) -> torch.Tensor:
        pairs = title[:, :-1].long() * 256 + title[:, 1:].long()
        counts = (lengths.long() - 1).clamp(min=0)
        real = torch.arange(pairs.shape[1]) < counts[:, None]
        words = self.embed(pairs[real] % self.buckets, torch.cumsum(counts, 0) - counts)
        logits: torch.Tensor = self.decide(torch.cat([words, self.look(images)], dim=1))
        return logits


class CatalogTrainer(Trainer):
    classes = 5

    def columns(self) -> list[str]:
        return [*super().columns(), "pixels"]

    def new_model(self) -> nn.Module:
        return Catalog()

    def logits_and_labels(self, batch: rankfeed.Batch) -> tuple[torch.Tensor, torch.Tensor]:
        tokens = self.args.tokens
        logits = self.model(batch[tokens], batch[f"{tokens}.lengths"], batch["pixels"])
        return logits, batch[self.args.label].long()

    def loss(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return nn.functional.cross_entropy(logits, labels)

    def is_right(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return logits.argmax(dim=1) == labels


if __name__ == "__main__":
    train(CatalogTrainer, arguments(__doc__, tokens="title_ids", label="category_id"))
