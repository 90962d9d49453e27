"""The position of a feed: the step of the next batch that has not been handed out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rankfeed.errors import RankfeedError, VersionMismatch
from rankfeed.ring.schedule import Schedule
from rankfeed.ring.welcome import Welcome

_MEMBERS = {"plan": str, "feed": str, "epoch": int, "step": int}


@dataclass
class Cursor:
    """``global_step`` counts over all epochs; it holds at any world size. ``repeats``: after the end is the start."""

    plan: str
    feed: str
    schedule: Schedule
    repeats: bool
    transforms: str = ""
    global_step: int = 0

    @staticmethod
    def start(welcome: Welcome) -> Cursor:
        repeats = welcome.kind == "sequential"
        return Cursor(welcome.plan, welcome.feed, welcome.schedule, repeats, welcome.transforms)

    @property
    def steps(self) -> int:
        """The number of steps of the run."""
        return self.schedule.steps

    @property
    def epoch(self) -> int:
        return self.schedule.epoch_at(self.global_step)

    @property
    def epoch_end(self) -> int:
        """Returns the first step of the next epoch; after the end of the run, the cursor itself."""
        return self.schedule.begin(self.epoch + 1)

    def after(self, global_step: int) -> int:
        """Returns the cursor after this step is handed out."""
        return 0 if self.repeats and global_step + 1 == self.steps else global_step + 1

    def state_dict(self) -> dict[str, Any]:
        epoch = self.epoch
        step = self.global_step - self.schedule.begin(epoch)
        state = {"plan": self.plan, "feed": self.feed, "epoch": epoch, "step": step}
        return state | {"transforms": self.transforms} if self.transforms else state

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continues from a saved state; raises for a state of another plan or feed."""
        known = isinstance(state, Mapping) and set(state) - {"transforms"} == set(_MEMBERS)
        if not known or any(type(state[name]) is not kind for name, kind in _MEMBERS.items()):
            raise RankfeedError(f"invalid state_dict: {state!r}; expected plan, feed, epoch and step")
        if (state["plan"], state["feed"]) != (self.plan, self.feed):
            raise VersionMismatch(
                f"the state is of feed {state['feed']!r} of plan {state['plan']}, this is feed {self.feed!r} of plan "
                f"{self.plan}; feed the plan that the state came from"
            )
        transforms = state.get("transforms", "")
        if transforms != self.transforms:
            raise VersionMismatch(
                f"the state is of the image steps {transforms or 'none'}, this feed has {self.transforms or 'none'}; "
                "resume with the feed file it came from, or start over"
            )
        epoch, step = state["epoch"], state["step"]
        begin, end = (self.schedule.begin(max(e, 0)) for e in (epoch, epoch + 1))
        if not 0 <= epoch <= self.schedule.epochs or not 0 <= step <= end - begin:
            raise RankfeedError(f"epoch {epoch}, step {step} is not in this run of {self.steps} steps")
        at = begin + step
        self.global_step = self.after(at - 1)
