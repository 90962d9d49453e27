"""The tensors of batches: numpy arrays, torch tensors over the ring, or torch tensors on a GPU."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rankfeed.delivery import Copies, Delivery, Normalizer, Slots
from rankfeed.errors import RankfeedError
from rankfeed.normalize import Normalize, numpy_function, torch_function
from rankfeed.ring.layout import Tensor
from rankfeed.ring.stages import Histogram

if TYPE_CHECKING:
    import torch

    from rankfeed.cuda import CudaRuntime
    from rankfeed.ring.lease import Wrap


def choose(output: str) -> str:
    """Resolves ``auto`` to torch if torch is installed, else to numpy."""
    if output not in ("auto", "torch", "numpy"):
        raise RankfeedError(f"output {output!r}: expected auto, torch or numpy")
    if output == "auto":
        return "torch" if "torch" in sys.modules or importlib.util.find_spec("torch") else "numpy"
    return output


def numpy_array(array: np.ndarray, _tensor: Tensor | None) -> np.ndarray:
    """Returns the array itself. bfloat16, which numpy does not have, is its bits in uint16."""
    return array


def torch_wrapper() -> Wrap[torch.Tensor]:
    """Returns a function from an array to a torch tensor over the same memory, which keeps the array alive."""
    import torch

    from_numpy, bfloat16 = torch.from_numpy, torch.bfloat16

    def wrap(array: np.ndarray, tensor: Tensor | None) -> torch.Tensor:
        if tensor is not None and tensor.kind == "bfloat16":
            return from_numpy(array).view(bfloat16)
        return from_numpy(array)

    return wrap


def choose_device(asked: str | torch.device | None, local_rank: int) -> torch.device:
    """Returns the torch device of this rank: the given one, else its own GPU where there are any, else the CPU.

    Its own is the one that ``torch.cuda.set_device`` chose, else the only visible one, else ``cuda:local_rank``.
    """
    import torch

    if asked is None:
        asked = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(asked)
    except (RuntimeError, TypeError):
        raise RankfeedError(f"device={asked!r} is not a torch device; write cpu, cuda or cuda:0") from None
    if device.type not in ("cpu", "cuda"):
        raise RankfeedError(f"device {device}: the feed gives tensors on cpu or cuda")
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", _own_gpu(local_rank))
    return device


def _own_gpu(local_rank: int) -> int:
    from torch import cuda

    if cuda.is_initialized() and (current := cuda.current_device()):
        return current
    return 0 if cuda.device_count() == 1 else local_rank


def delivery(
    output: str,
    device: str | torch.device | None,
    copy: bool,
    normalize: Mapping[str, Normalize] | bool | None,
    transformed: bool,
    local_rank: int,
    cuda_runtime: CudaRuntime | None,
    copies: Histogram,
) -> Delivery:
    """Makes batches as the arguments of ``Feed`` say; ``copies`` records the time of the copies."""
    if choose(output) == "numpy":
        if device is not None:
            raise RankfeedError("device is for torch tensors; leave it out with output='numpy'")
        return (Copies if copy else Slots)(numpy_array, Normalizer(normalize, numpy_function, transformed), copies)
    wrap = torch_wrapper()
    chosen = choose_device(device, local_rank)
    normalizer = Normalizer(normalize, partial(torch_function, device=chosen), transformed)
    if chosen.type == "cpu":
        return (Copies if copy else Slots)(wrap, normalizer, copies)
    from rankfeed.cuda import TorchCuda, Uploads

    return Uploads(TorchCuda(chosen) if cuda_runtime is None else cuda_runtime, wrap, normalizer, copies)
