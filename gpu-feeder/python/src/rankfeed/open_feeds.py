"""The open feeds of this process. They are closed at its end, and detached in a forked child."""

from __future__ import annotations

import atexit
import os
import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rankfeed.feed import Feed

_FEEDS: weakref.WeakSet[Feed] = weakref.WeakSet()


def add(feed: Feed) -> None:
    _FEEDS.add(feed)


def _close_all() -> None:
    for feed in list(_FEEDS):
        feed.close()


def _forget_all() -> None:
    for feed in list(_FEEDS):
        feed.forget_in_child()


atexit.register(_close_all)
os.register_at_fork(after_in_child=_forget_all)
