"""The position of a feed: the step of the next batch that has not been handed out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rankfeed.errors import RankfeedError, VersionMismatch
from rankfeed.ring.welcome import Welcome

_MEMBERS = {"plan": str, "feed": str, "epoch": int, "step": int}


@dataclass
class Cursor:
    """``global_step`` counts over all epochs; it holds at any world size. ``repeats``: after the end is the start."""

    plan: str
    feed: str
    steps_per_epoch: int
    steps: int
    repeats: bool
    transforms: str = ""
    global_step: int = 0

    @staticmethod
    def start(welcome: Welcome) -> Cursor:
        return Cursor(welcome.plan, welcome.feed, welcome.steps_per_epoch, welcome.steps, welcome.kind == "sequential",
                      welcome.transforms)  # fmt: skip

    @property
    def epoch(self) -> int:
        return self.global_step // self.steps_per_epoch if self.steps_per_epoch else 0

    @property
    def epoch_end(self) -> int:
        """Returns the first step of the next epoch; after the end of the run, the cursor itself."""
        return min((self.epoch + 1) * self.steps_per_epoch, self.steps)

    def after(self, global_step: int) -> int:
        """Returns the cursor after this step is handed out."""
        return 0 if self.repeats and global_step + 1 == self.steps else global_step + 1

    def state_dict(self) -> dict[str, Any]:
        step = self.global_step - self.epoch * self.steps_per_epoch
        state = {"plan": self.plan, "feed": self.feed, "epoch": self.epoch, "step": step}
        return state | {"transforms": self.transforms} if self.transforms else state

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continues from a saved state; raises for a state of another plan or feed."""
        known = isinstance(state, Mapping) and set(state) - {"transforms"} == set(_MEMBERS)
        if not known or any(type(state[name]) is not kind for name, kind in _MEMBERS.items()):
            raise RankfeedError(f"invalid state_dict: {state!r}; expected plan, feed, epoch and step")
        if (state["plan"], state["feed"]) != (self.plan, self.feed):
            raise VersionMismatch(
                f"the state is of feed {state['feed']!r} of plan {state['plan']}, this is feed {self.feed!r} of plan "
                f"{self.plan}; resume with the version it came from"
            )
        transforms = state.get("transforms", "")
        if transforms != self.transforms:
            raise VersionMismatch(
                f"the state is of the image steps {transforms or 'none'}, this feed has {self.transforms or 'none'}; "
                "resume with the feed file it came from, or start over"
            )
        epoch, step = state["epoch"], state["step"]
        at = epoch * self.steps_per_epoch + step
        if epoch < 0 or not 0 <= step <= self.steps_per_epoch or at > self.steps:
            raise RankfeedError(f"epoch {epoch}, step {step} is not in this run of {self.steps} steps")
        self.global_step = self.after(at - 1)
