"""Prints what this Python has for training, as one JSON object. ``rankfeed doctor`` asks it.

Every member is a text but ``devices``, a list of the names of CUDA devices. What is not there is empty.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import platform
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

_PINNED_BYTES = 16 << 20


def describe() -> dict[str, str | list[str]]:
    """``torch`` is its version, or after "!" why it cannot be imported; ``cuda`` the version that it was built for;
    ``pinning`` why shared memory cannot be pinned for the first device."""
    found: dict[str, str | list[str]] = {
        "python": platform.python_version(),
        "torch": "",
        "cuda": "",
        "devices": [],
        "pinning": "",
    }
    try:
        import torch
    except ModuleNotFoundError as e:
        if e.name != "torch":
            found["torch"] = f"!{e}"
        return found
    except (ImportError, OSError) as e:  # a library of the system that torch needs
        found["torch"] = f"!{e}"
        return found
    found["torch"] = str(torch.__version__)
    found["cuda"] = torch.version.cuda or ""
    if torch.cuda.is_available():
        found["devices"] = [torch.cuda.get_device_name(one) for one in range(torch.cuda.device_count())]
        found["pinning"] = _pinning(torch.device("cuda:0"))
    return found


def _pinning(device: torch.device) -> str:
    """Pins a file in shared memory, as a feed does with its ring, and returns why that failed; empty if it did not."""
    from rankfeed.cuda import TorchCuda

    try:
        runtime = TorchCuda(device)
        with tempfile.TemporaryFile(dir="/dev/shm") as file:
            os.posix_fallocate(file.fileno(), 0, _PINNED_BYTES)
            memory = mmap.mmap(file.fileno(), _PINNED_BYTES)
            first = ctypes.c_char.from_buffer(memory)
            runtime.register(ctypes.addressof(first), _PINNED_BYTES)
            runtime.unregister(ctypes.addressof(first))
            del first
            memory.close()
    except Exception as e:  # of torch, CUDA or the system: each is an answer
        return str(e) or type(e).__name__
    return ""


if __name__ == "__main__":
    print(json.dumps(describe()))
