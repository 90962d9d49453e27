"""What a batch is made of: numpy arrays, torch tensors over the ring, or torch tensors on a GPU."""

from __future__ import annotations

import importlib.util
import sys

import numpy as np

from rankfeed.errors import RankfeedError
from rankfeed.ring.layout import Tensor


def choose(output: str) -> str:
    """``auto`` is torch where torch is installed, else numpy."""
    if output not in ("auto", "torch", "numpy"):
        raise RankfeedError(f"output {output!r}: expected auto, torch or numpy")
    if output == "auto":
        return "torch" if "torch" in sys.modules or importlib.util.find_spec("torch") else "numpy"
    return output


def numpy_array(array: np.ndarray, _tensor: Tensor | None) -> np.ndarray:
    """bfloat16, which numpy does not know, comes as its bits in uint16."""
    return array


def torch_wrapper():
    """An array to a torch tensor over the same memory, which keeps the array alive."""
    import torch

    from_numpy, bfloat16 = torch.from_numpy, torch.bfloat16

    def wrap(array: np.ndarray, tensor: Tensor | None):
        if tensor is not None and tensor.kind == "bfloat16":
            return from_numpy(array).view(bfloat16)
        return from_numpy(array)

    return wrap


def choose_device(device, local_rank: int):
    """The torch device of this rank: as asked, else its own GPU where there are any, else the CPU.

    Its own is the one that ``torch.cuda.set_device`` chose, else the only visible one, else ``cuda:local_rank``.
    """
    import torch

    if device is None:
        device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(device)
    except (RuntimeError, TypeError):
        raise RankfeedError(f"device={device!r} is not a torch device; write cpu, cuda or cuda:0") from None
    if device.type not in ("cpu", "cuda"):
        raise RankfeedError(f"device {device}: the feed gives tensors on cpu or cuda")
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", _own_gpu(torch.cuda, local_rank))
    return device


def _own_gpu(cuda, local_rank: int) -> int:
    if cuda.is_initialized() and (current := cuda.current_device()):
        return current
    return 0 if cuda.device_count() == 1 else local_rank
