"""Trains a small vision-language model on conversations about images, on CPU, on as many ranks as torchrun starts.

    rankfeed feed VERSION --config feed.yaml -- torchrun --nproc-per-node 4 train_vision_language.py --placeholder 32000

The version is one of conf/jobs/conversations.yaml. The feed file has `input_ids` with text rules for images, and
`pixel_values` of 32 × 32 pixels, normalized: a patch of 8 × 8 pixels replaces each of 16 tokens. What the
assistant says is predicted. Started again with the same checkpoint it continues with the same losses.
"""

from __future__ import annotations

import torch
from torch import nn

import rankfeed
from train_tokens import Trainer, parser_of, train

SIDE, PATCH = 32, 8
PATCHES = (SIDE // PATCH) ** 2
LONGEST = 1024


class VisionLanguage(nn.Module):
    """A causal transformer over tokens, in which patches of the images replace the placeholders."""

    def __init__(self, placeholder: int, vocabulary: int, width: int = 64, layers: int = 2):
        super().__init__()
        self.placeholder = placeholder
        self.embed = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(LONGEST, width)
        self.look = nn.Conv2d(3, width, PATCH, stride=PATCH)
        layer = nn.TransformerEncoderLayer(width, 4, 4 * width, dropout=0.0, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.speak = nn.Linear(width, vocabulary)

    def forward(self, ids: torch.Tensor, attends: torch.Tensor, images: torch.Tensor) -> torch.Tensor:
        """ids and attends: [rows, tokens]; images: [images, 3, 32, 32] in the order of the rows."""
        patches = self.look(images).flatten(2).transpose(1, 2).flatten(0, 1)
        tokens = self.embed(ids).masked_scatter((ids == self.placeholder)[..., None], patches)
        tokens = tokens + self.positions(torch.arange(ids.shape[1]))
        causal = nn.Transformer.generate_square_subsequent_mask(ids.shape[1], dtype=torch.bool)
        logits: torch.Tensor = self.speak(
            self.layers(tokens, mask=causal, src_key_padding_mask=attends == 0, is_causal=True)
        )
        return logits


class ConversationTrainer(Trainer):
    def columns(self) -> list[str]:
        return [self.args.tokens, "pixel_values"]

    def new_model(self) -> nn.Module:
        return VisionLanguage(self.args.placeholder, self.args.vocabulary)

    def logits_and_labels(self, batch: rankfeed.Batch) -> tuple[torch.Tensor, torch.Tensor]:
        images = batch["pixel_values"].contiguous()
        if "pixel_values.valid" in batch:  # an image that is missing or broken is nothing to look at
            images = images * batch["pixel_values.valid"][:, None, None, None]
        if "row.valid" in batch:  # a row that was rejected has no tokens, but its images are in the batch
            images = images[batch["row.valid"][batch["pixel_values.rows"].long()] == 1]
        logits = self.model(batch[self.args.tokens], batch["attention_mask"], images)
        return logits[:, :-1], batch[self.args.label][:, 1:]

    def loss(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())


def main() -> None:
    parser = parser_of(__doc__, tokens="input_ids", label="labels")
    parser.add_argument("--placeholder", type=int, required=True, help="id of the token that stands for an image")
    parser.add_argument("--vocabulary", type=int, default=32768, help="number of token ids")
    parser.set_defaults(valid="")
    train(ConversationTrainer, parser.parse_args())


if __name__ == "__main__":
    main()
