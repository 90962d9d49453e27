"""Serializes a user's functions for a worker process."""

from __future__ import annotations

import importlib.util
import pickle
import sys
from collections.abc import Callable
from typing import Any

from rankfeed.errors import RankfeedError


def packed(functions: tuple[Callable[..., Any] | None, ...]) -> bytes:
    """Returns bytes from which ``pickle.loads`` of the worker makes the functions.

    Raises ``RankfeedError`` for functions that pickle cannot send, where cloudpickle is not installed.
    """
    try:
        data: bytes = pickle.dumps(functions)
        if not (b"__main__" in data and _main_has_no_file()):
            return data
        reason = "it is defined in a notebook or an interactive session"
    except Exception as e:  # pickle raises what it likes
        reason = f"pickle says: {e}"
    if importlib.util.find_spec("cloudpickle") is None:
        raise RankfeedError(
            f"the transform cannot be sent to worker processes: {reason}; run 'pip install cloudpickle', or define it "
            "in a module, or use workers=0"
        )
    import cloudpickle

    try:
        data = cloudpickle.dumps(functions)
        return data
    except Exception as e:
        raise RankfeedError(
            f"the transform cannot be sent to worker processes: {e}; define it in a module, or use workers=0"
        ) from e


def _main_has_no_file() -> bool:
    """Whether a new process cannot import what the main module defines."""
    main = sys.modules["__main__"]
    return getattr(main, "__spec__", None) is None and not hasattr(main, "__file__")
