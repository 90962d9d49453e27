"""The trainers: what is done with a batch on the GPU."""

from __future__ import annotations

from collections.abc import Callable

import torch
from rows import TOKENS
from torch import nn
from torch.nn import functional

VOCABULARY, WIDTH, HEADS = 8_192, 512, 8
Step = Callable[[dict[str, torch.Tensor]], torch.Tensor]


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm, self.after = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.feed = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = self.qkv(self.norm(x)).view(*x.shape[:2], 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).flatten(2))
        return x + self.feed(self.after(x))


class Decoder(nn.Module):
    """A decoder of 8 blocks, 512 wide."""

    def __init__(self) -> None:
        super().__init__()
        self.embed, self.place = (
            nn.Embedding(VOCABULARY, WIDTH),
            nn.Embedding(TOKENS, WIDTH),
        )
        self.blocks = nn.Sequential(*(Block() for _ in range(8)))
        self.norm = nn.LayerNorm(WIDTH)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embed(tokens) + self.place.weight
        return functional.linear(self.norm(self.blocks(x)), self.embed.weight)


def none(batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """Reads a value of the batch, so that the device has to have it."""
    return next(reversed(batch.values())).flatten()[-1].float()


def trained(
    model: nn.Module,
    loss_of: Callable[[nn.Module, dict[str, torch.Tensor]], torch.Tensor],
) -> Step:
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def step(batch: dict[str, torch.Tensor]) -> torch.Tensor:
        with torch.autocast("cuda", torch.bfloat16):
            loss = loss_of(model, batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss.detach()

    return step


def next_token(model: nn.Module, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    tokens = batch["tokens"].long().remainder(VOCABULARY)
    logits = model(tokens)[:, :-1]
    return functional.cross_entropy(logits.flatten(0, 1).float(), tokens[:, 1:].flatten())


def classes(model: nn.Module, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    return functional.cross_entropy(model(batch["pixels"]).float(), batch["label"].long())


def make(name: str) -> Step:
    """``none``, ``decoder``, or the name of a model of torchvision, channels last."""
    torch.manual_seed(1)
    if name == "none":
        return none
    if name == "decoder":
        return trained(Decoder().cuda(), next_token)
    import torchvision

    model = getattr(torchvision.models, name)(num_classes=10)
    return trained(model.cuda().to(memory_format=torch.channels_last), classes)
