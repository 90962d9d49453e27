"""Reports a product's category from its title and its thumbnail, on CPU, on as many ranks as torchrun starts.

    rankfeed feed VERSION -- torchrun --nproc-per-node 4 train_products.py

The version is one of conf/jobs/products.yaml. Titles come padded (values and lengths), the JPEG files of the thumbnails
back to back (values and offsets), so that a batch of files of any size is one tensor; Pillow decodes them here.
"""

from __future__ import annotations

import io
from itertools import pairwise

import numpy as np
import torch
from PIL import Image, ImageFile
from torch import nn

import rankfeed
from train_tokens import Trainer, arguments, train

SIDE = 32
# A real catalog has thumbnails that were cut short on their way; the rest of the picture is still useful.
ImageFile.LOAD_TRUNCATED_IMAGES = True


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
        return self.decide(torch.cat([words, self.look(images)], dim=1))


def thumbnails(files: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
    """JPEG files back to back → rows × 3 × SIDE × SIDE, around 0."""
    data, ends = files.numpy(), offsets.tolist()
    images = torch.empty(len(ends) - 1, SIDE, SIDE, 3, dtype=torch.uint8)
    for row, (start, end) in enumerate(pairwise(ends)):
        image = Image.open(io.BytesIO(data[start:end]))
        image.draft("RGB", (SIDE, SIDE))  # the decoder itself skips what so small a picture does not show
        images[row] = torch.from_numpy(np.array(image.convert("RGB").resize((SIDE, SIDE))))
    return images.permute(0, 3, 1, 2).float() / 128 - 1


class CatalogTrainer(Trainer):
    def columns(self) -> list[str]:
        return [*super().columns(), "image"]

    def new_model(self) -> nn.Module:
        return Catalog()

    def logits_and_labels(self, batch: rankfeed.Batch) -> tuple[torch.Tensor, torch.Tensor]:
        tokens = self.args.tokens
        images = thumbnails(batch["image"], batch["image.offsets"])
        return self.model(batch[tokens], batch[f"{tokens}.lengths"], images), batch[self.args.label].long()

    def loss(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return nn.functional.cross_entropy(logits, labels)

    def is_right(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return logits.argmax(dim=1) == labels


if __name__ == "__main__":
    train(CatalogTrainer, arguments(__doc__, tokens="title_ids", label="category_id"))
