"""Converts pixels to normalized numbers, on the device of the batch."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rankfeed.errors import ProtocolError, RankfeedError
from rankfeed.ring.layout import FIXED, STACKED, Layout

if TYPE_CHECKING:
    import torch

Pixels = TypeVar("Pixels", np.ndarray, "torch.Tensor")
T = TypeVar("T")

Function = Callable[[T, T | None], T]
"""Of pixels and validity by image (0: missing or broken); it returns new numbers."""

_DTYPES = ("float32", "bfloat16", "float16")


@dataclass(frozen=True)
class Normalize:
    """``(pixels / 255 - mean) / std`` by channel, computed in float32 in one expression and rounded once.

    The result has the shape [rows, 3, height, width], whatever the feed's layout is. A missing or broken image, which
    has 0 in the tensor ``<name>.valid``, becomes zeros, not ``-mean / std``.

    Args:
        mean: three numbers, for red, green and blue, in pixels of 0 to 1.
        std: three numbers above 0.
        dtype: "float32", "bfloat16" (torch alone) or "float16".
        channels_last: torch's memory format of the result; False: contiguous.

    Raises:
        RankfeedError: invalid values.
    """

    mean: Sequence[float]
    std: Sequence[float]
    dtype: str = "float32"
    channels_last: bool = True

    def __post_init__(self) -> None:
        for name in ("mean", "std"):
            values = getattr(self, name)
            if len(values) != 3 or not all(math.isfinite(value) for value in values):
                raise RankfeedError(f"normalize: {name}={values!r}, expected three numbers, for red, green and blue")
        if min(self.std) <= 0:
            raise RankfeedError(f"normalize: std={self.std!r} must be above 0")
        if self.dtype not in _DTYPES:
            raise RankfeedError(f"normalize: dtype={self.dtype!r}, expected {', '.join(_DTYPES)}")

    def _terms(self) -> tuple[np.ndarray, np.ndarray]:
        """Returns bias and scale: the result is ``bias + pixels * scale``."""
        mean, std = np.asarray(self.mean, np.float64), np.asarray(self.std, np.float64)
        return (-mean / std).astype(np.float32), (1 / (255 * std)).astype(np.float32)


def chosen(
    asked: Mapping[str, Normalize] | bool | None, said: Mapping[str, Normalize], layout: Layout | None
) -> dict[str, Normalize]:
    """Returns the normalization of each tensor: that of the caller, else that of the feed file.

    Raises ``RankfeedError`` for a tensor of the layout that is not pixels.
    """
    wanted = dict(said) if asked is None or asked is True else dict(asked) if asked else {}
    if layout is None:
        return wanted
    tensors = {tensor.name: tensor for tensor in layout.tensors}
    for name in wanted:
        tensor = tensors.get(name)
        if tensor is None:
            raise RankfeedError(f"normalize: no column {name!r} in the batch; it has {', '.join(tensors)}")
        if (
            tensor.layout not in (FIXED, STACKED)
            or tensor.dtype != np.uint8
            or len(tensor.inner) != 3
            or 3 not in tensor.inner[::2]
        ):
            raise RankfeedError(
                f"normalize: column {name!r} is {tensor.kind} {list(tensor.inner)}, expected uint8 [height, width, 3] "
                "or [3, height, width]"
            )
    return wanted


def parse(payload: Any) -> dict[str, Normalize]:
    """Parses the member ``normalize`` of WELCOME."""
    try:
        return {
            name: Normalize(
                tuple(map(float, entry["mean"])), tuple(map(float, entry["std"])), entry["dtype"], entry["channelsLast"]
            )
            for name, entry in dict(payload or {}).items()
        }
    except (KeyError, TypeError, ValueError, RankfeedError) as e:
        raise ProtocolError(f"WELCOME: normalize is {payload!r}: {e}") from None


def numpy_function(name: str, how: Normalize) -> Function[np.ndarray]:
    """Returns a function of pixels and validity by image (0: missing or broken) that returns a new array of numbers."""
    if how.dtype == "bfloat16":
        raise RankfeedError(f"normalize: column {name!r}: numpy has no bfloat16; use output='torch' or float32")
    bias, scale = (term.reshape(3, 1, 1) for term in how._terms())

    def apply(pixels: np.ndarray, valid: np.ndarray | None) -> np.ndarray:
        out: np.ndarray = (_channels_first(name, pixels) * scale + bias).astype(how.dtype, copy=False)
        if valid is not None:
            out[valid == 0] = 0
        return out

    return apply


def torch_function(name: str, how: Normalize, device: torch.device | str) -> Function[torch.Tensor]:
    """Returns a function of pixels and validity by image (0: missing or broken) that returns a new tensor on the
    device."""
    import torch

    bias, scale = (torch.from_numpy(term).reshape(3, 1, 1).to(device) for term in how._terms())
    dtype = getattr(torch, how.dtype)
    memory_format = torch.channels_last if how.channels_last else torch.contiguous_format

    def apply(pixels: torch.Tensor, valid: torch.Tensor | None) -> torch.Tensor:
        pixels = _channels_first(name, pixels)
        out = torch.empty(pixels.shape, dtype=dtype, device=pixels.device, memory_format=memory_format)
        torch.addcmul(bias, pixels, scale, out=out)
        # Not by index: indexing synchronizes with the GPU to count the images.
        return out if valid is None else out.masked_fill_((valid == 0).reshape(-1, 1, 1, 1), 0)

    return apply


def _channels_first(name: str, pixels: Pixels) -> Pixels:
    """Returns a view [rows, 3, height, width]. Raises ``RankfeedError`` if the array is not pixels."""
    if not str(pixels.dtype).endswith("uint8") or pixels.ndim != 4 or 3 not in pixels.shape[1::2]:
        raise RankfeedError(
            f"normalize: column {name!r} is {pixels.dtype} {list(pixels.shape)}, expected uint8 [rows, height, width, "
            "3] or [rows, 3, height, width]; normalize=False leaves it as it is"
        )
    if pixels.shape[3] != 3:
        return pixels
    return pixels.transpose(0, 3, 1, 2) if isinstance(pixels, np.ndarray) else pixels.permute(0, 3, 1, 2)
