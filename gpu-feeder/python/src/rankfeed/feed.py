"""The feed of one rank, as a trainer uses it."""

from __future__ import annotations

import inspect
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from rankfeed import agreement, open_feeds, rendezvous, seconds
from rankfeed import output as outputs
from rankfeed import transform as transforms
from rankfeed.attachment import Attachment
from rankfeed.batch import Batch
from rankfeed.columns import requests
from rankfeed.cursor import Cursor
from rankfeed.delivery import FromRing
from rankfeed.errors import RankfeedError, RingExhausted
from rankfeed.interrupts import Deferred, Waiting
from rankfeed.normalize import Normalize
from rankfeed.one_thread import OneThread
from rankfeed.ring.welcome import Hello
from rankfeed.stats import Meter
from rankfeed.topology import Topology
from rankfeed.turn import Turn

if TYPE_CHECKING:
    import torch

    from rankfeed.cuda import CudaRuntime
    from rankfeed.transform.random import RowRandom
    from rankfeed.transform.source import InTrainer, InWorkers


class Feed:
    """Batches of one feed for this rank: ``for batch in feed`` continues at the cursor to the end of its epoch.

    The next ``iter`` is the next epoch; after the run it stops at once. A sequential (validation) feed starts a whole
    pass at each ``iter``. One thread of one process may iterate (another that does so meanwhile is refused); batches
    may be dropped or released anywhere. Holding as many batches as the ring has slots and asking for one more raises
    ``RingExhausted``.

    A forked or spawned process cannot use the feed; ``DataLoader(feed, batch_size=None)`` works, without workers.

    Before the first batch all ranks compare version, plan and feed file through torch's process group, so each of them
    must ask for one. Iterating raises ``VersionMismatch`` (the ranks differ; or the version is ``@latest`` on several
    nodes without a process group), ``WrongWorld`` (a rank did not ask for its first batch), ``RingExhausted``,
    ``FeederGone`` (none came back before the grace period expired; the cursor holds), ``TransformError`` (the transform
    failed; the cursor is at its batch), ``CorruptBatch``, ``ProtocolError``.

    Args:
        version_or_run: a run's name, a version's id or its folder; None: ``RANKFEED_RUN``, else the only run there is.
        feed: its name in the plan.
        columns: names in the order wanted; None: the feed's own.
        layouts: "padded" or "ragged" by column; needs ``columns``.
        pad_values: the filler by column; needs ``columns``.
        row_id: whether ``row_id`` comes first.
        output: "torch", "numpy", or "auto": torch where it is installed. On the CPU both look into the ring's slots,
            with the same rules of life; bfloat16 comes to numpy as its bits, uint16.
        device: where torch tensors live; None: this rank's GPU where there are any, else the CPU. A rank's GPU, for
            None or "cuda", is the one of ``torch.cuda.set_device``, else the only visible one, else number
            ``local_rank``.
        copy: hand out copies, so that any number of batches can be held. (Batches on a GPU are copies anyway.)
        normalize: by column, how pixels become numbers on the device; None: as the feed file says; False: pixels stay
            bytes.
        transform: a function of (batch, rng), called with each batch before it is handed out and before ``normalize``:
            ``batch`` is a dict of numpy arrays, ``rng`` a ``RowRandom``; the dict of arrays that it returns is the
            batch.
        workers: processes that call it, with batches ahead of the trainer's; 0: the trainer's own process. The ring
            needs ``workers + 2`` slots.
        worker_init: called once in each worker process, with its number from 0.
        timeout: seconds in which a worker process must answer while the loop waits, for its start and for each batch;
            None: 300.
        rank: global rank; None, as for the next three: from torchrun's or Slurm's environment.
        world: number of ranks.
        local_rank: rank on this node.
        local_world: number of ranks on this node. Without a process group of torch, ``@latest`` is accepted only where
            it is stated and equals ``world``.
        grace_seconds: how long a feeder that went away is waited for; None: the value of the feeder (30 by default).
        wait_seconds: how long to wait for a feeder that is not there at the start; None: as RANKFEED_WAIT_SECONDS says
            (set by ``rankfeed feed … --``, which restarts a feeder), else not at all.
        cuda_runtime: a stand-in for CUDA (``rankfeed.cuda.CudaRuntime``), for tests.

    Raises:
        NoFeeder: none answers.
        WrongWorld: rank or world do not fit.
        VersionMismatch: another version, plan or protocol than asked for.
        FeederError: refused; its ``code`` says why: ``busy`` if the rank's feed has another client.
        RankfeedError: an invalid argument.
    """

    topology: Topology
    """Rank and world, and where they came from."""

    __signature__: ClassVar[inspect.Signature]

    def __new__(cls, *_args: object, output: str = "auto", **_keywords: object) -> Feed:
        if cls is Feed and (outputs.choose(output) == "torch" or "torch" in sys.modules):
            from rankfeed.torch_feed import TorchFeed

            cls = TorchFeed  # noqa: PLW0642
        return super().__new__(cls)

    def __init__(
        self,
        version_or_run: str | os.PathLike[str] | None = None,
        feed: str = "train",
        columns: Sequence[str] | None = None,
        *,
        layouts: Mapping[str, str] | None = None,
        pad_values: Mapping[str, float] | None = None,
        row_id: bool = True,
        output: str = "auto",
        device: str | torch.device | None = None,
        copy: bool = False,
        normalize: Mapping[str, Normalize] | bool | None = None,
        transform: Callable[[dict[str, Any], RowRandom], Mapping[str, Any]] | None = None,
        workers: int = 0,
        worker_init: Callable[[int], None] | None = None,
        timeout: float | None = None,
        rank: int | None = None,
        world: int | None = None,
        local_rank: int | None = None,
        local_world: int | None = None,
        grace_seconds: float | None = None,
        wait_seconds: float | None = None,
        cuda_runtime: CudaRuntime | None = None,
    ) -> None:
        self._pid = os.getpid()
        self._turn = 0
        self._resumed = False
        self._agreed = False
        self._peeked: Batch | None = None
        self._is_counted = False
        self._one_thread = OneThread()
        self._meter = Meter()
        if not isinstance(feed, str):
            raise RankfeedError(f"feed={feed!r} is not a feed name; write feed='train', or another name of the plan")
        wait_seconds = seconds.to_wait() if wait_seconds is None else seconds.checked("wait_seconds", wait_seconds)
        if grace_seconds is not None:
            grace_seconds = seconds.checked("grace_seconds", grace_seconds)
        self.topology = Topology.find(rank, world, local_rank, local_world)
        timeout = transforms.check(transform, workers, worker_init, timeout)
        hello = Hello(feed, self.topology, requests(columns, layouts, pad_values, row_id), transform is not None)
        self._delivery = outputs.delivery(
            output,
            device,
            copy,
            normalize,
            transform is not None,
            self.topology.local_rank,
            cuda_runtime,
            self._meter.copies,
        )
        deadline = time.monotonic() + wait_seconds
        self._run = rendezvous.find(version_or_run, deadline)
        self._attachment = Attachment(self._run, hello, self._meter, grace_seconds)
        self._source: Attachment | InTrainer | InWorkers = self._attachment
        if transform is None:
            self._attachment.listener = FromRing(self._delivery)
        else:
            self._source = source = transforms.transformed(
                self._attachment, self._delivery, self._meter, transform, workers, worker_init, timeout
            )
            self._attachment.listener = source
        try:
            self._welcome = self._attachment.open(deadline)
        except BaseException:
            self._source.close()
            raise
        self._cursor = Cursor.start(self._welcome)
        open_feeds.add(self)

    def __iter__(self) -> Iterator[Batch]:
        self._check_usable()
        with Deferred(), self._one_thread:
            self._rewind()
            self._resumed = False
            self._turn += 1
            self._meter.restart()
            return Turn(self, self._cursor.global_step, self._cursor.epoch_end)

    def __repr__(self) -> str:
        if not hasattr(self, "_cursor"):
            return object.__repr__(self)
        at, where = self._cursor.state_dict(), self.topology
        return (
            f"<rankfeed.Feed run={self._run.run!r} feed={at['feed']!r} rank={where.rank}/{where.world} "
            f"epoch={at['epoch']} step={at['step']}/{len(self)}{' closed' if self._attachment.closed else ''}>"
        )

    def __len__(self) -> int:
        """The number of steps of an epoch, or of a sequential pass; of the cursor's epoch where epochs differ, as with
        a batch that changes by stage."""
        return self._welcome.schedule.length(self._cursor.epoch)

    @property
    def kind(self) -> str:
        """``train`` or ``sequential``."""
        return self._welcome.kind

    @property
    def plan(self) -> str:
        """The id of the plan: 16 hexadecimal digits."""
        return self._welcome.plan

    @property
    def version(self) -> str:
        """The id of the version: 16 hexadecimal digits."""
        return self._welcome.version

    @property
    def epochs(self) -> int:
        """The number of epochs of the run; 1 for a sequential feed."""
        return self._welcome.schedule.epochs

    @property
    def rows_per_batch(self) -> int:
        """The number of rows of this rank's largest batch."""
        return self._welcome.rows

    @property
    def slots(self) -> int:
        """The number of slots of the ring: batches that may exist at the same time (the feeder's ``--depth``)."""
        return self._attachment.slots

    @property
    def pool_rows(self) -> int:
        """The number of rows of the feed, over all ranks."""
        return self._welcome.pool_rows

    def batch_at(self, global_step: int) -> int:
        """Returns the rows of the global batch at a step of the run, as schedules of learning rates need them; it
        changes where stages have batches of their own. Raises ``RankfeedError`` for a step outside the run."""
        if type(global_step) is not int or not 0 <= global_step < self._cursor.steps:
            raise RankfeedError(f"step {global_step!r} is not in this run of {self._cursor.steps} steps")
        return self._welcome.schedule.at(global_step)[1]

    def state_dict(self) -> dict[str, Any]:
        """Returns plan, feed, epoch and step of the next batch that is not handed out: all that a resume needs, at any
        world size."""
        return self._cursor.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Sets the state from which the next ``iter`` continues. Raises ``VersionMismatch`` for a state of another plan
        or feed, and ``RankfeedError`` for one that is not a state or outside the run."""
        self._check_usable()
        with Deferred(), self._one_thread:
            self._cursor.load_state_dict(state)
            self._resumed = True
            self._peeked = None
            self._turn += 1

    def seek(self, global_step: int) -> None:
        """Sets the step of the run at which the next ``iter`` starts, as ``batch.global_step`` counts it, at most the
        number of steps.

        Raises ``RankfeedError`` for a step outside the run.
        """
        schedule = self._welcome.schedule
        if type(global_step) is not int or not 0 <= global_step <= self._cursor.steps:
            raise RankfeedError(f"step {global_step!r} is not in this run of {self._cursor.steps} steps")
        epoch = min(schedule.epoch_at(global_step), schedule.epochs - 1)
        state = {**self.state_dict(), "epoch": epoch, "step": global_step - schedule.begin(epoch)}
        self.load_state_dict(state)

    def peek(self) -> Batch | None:
        """Returns the batch with which the next ``iter`` starts, without moving the cursor; None after the run.

        It is the same object that the iteration then hands out, and holds a slot until then.
        """
        self._check_usable()
        with Deferred(), self._one_thread:
            self._rewind()
            step = self._cursor.global_step
            if self._peeked is None and step < self._cursor.epoch_end:
                self._turn += 1
                self._peeked = self._take(step, self._cursor.epoch_end)
            return self._peeked

    def microbatches(self, parts: int) -> Iterator[list[Batch]]:
        """As ``iter(feed)``, but each batch comes as a list of at most ``parts`` batches of equal size (of sizes that
        differ by one row where it cannot be divided), for trainers whose memory is too small for the planned batch. The
        cursor counts whole batches. Raises ``RankfeedError`` for fewer than one part, and where rows cannot be taken
        apart (``Batch.split``)."""
        if parts < 1:
            raise RankfeedError(f"{parts} parts of a batch: ask for 1 or more")
        return (batch.split(parts) for batch in self)

    def stats(self) -> dict[str, float]:
        """Returns counts and times of this rank since the feed was made, by name, as loggers of metrics take them.

        ``rows`` and ``batches`` were handed out in ``seconds``; ``waited_seconds`` of them passed with no batch ready,
        the part ``waited_share``. ``tokens`` counts elements of padded columns and of texts, ``padding_share`` is the
        part of padding in their tensors. Each stage has ``<stage>_count``, ``<stage>_seconds`` (the sum), and quantiles
        ``<stage>_p50`` and ``<stage>_p99`` (seconds, at most twice the true value); see "See where the time goes".

        ``stage`` is the plan's stage of the last batch before the cursor, ``quota_<stratum>`` are the rows of each
        stratum in that whole stage, over all ranks; characters of its name that loggers refuse are ``_``.
        """
        step, schedule = max(self._cursor.global_step - 1, 0), self._welcome.schedule
        return {**self._meter.stats(), "stage": schedule.stage_at(step).stage, **schedule.quotas(step)}

    def close(self) -> None:
        """Disconnects from the feeder finally: the feed gives no more batches. Batches that were handed out stay
        valid."""
        if os.getpid() == self._pid:
            self._turn += 1
            self._peeked = None
            if self._source is not self._attachment:
                self._source.close()
            self._attachment.close()

    def __enter__(self) -> Feed:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def __del__(self, _is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        # At the end of the process, open_feeds has closed it before modules lost their names.
        if not _is_finalizing() and hasattr(self, "_source"):
            self.close()

    def __reduce__(self) -> NoReturn:
        raise RankfeedError(
            "a Feed cannot travel to another process; use DataLoader(feed, batch_size=None) without workers"
        )

    def _rewind(self) -> None:
        """Starts a sequential feed over, unless a state was loaded."""
        if self.kind == "sequential" and not self._resumed:
            self._cursor.global_step = 0

    def _next(self, turn: int, begin: int, step: int, end: int) -> Batch:
        """Returns the batch of a step, which stays ``_peeked`` until it is handed out."""
        if turn != self._turn:
            raise RankfeedError("this iterator is over: the feed was resumed or iterated again; call iter(feed)")
        if self._peeked is None or self._peeked.global_step != step:
            self._peeked = None
            try:
                self._peeked = self._take(step, end)
            except RingExhausted as e:
                e.args = (f"{e}. This iteration began at step {begin}: feed.seek({begin}) returns there",)
                raise
        if not self._is_counted:
            self._meter.count(self._peeked)
            self._is_counted = True
        self._meter.handed()
        return self._peeked

    def _take(self, step: int, end: int) -> Batch:
        self._meter.begin()
        if not self._agreed:
            with Waiting():
                agreement.require(self._welcome, self.topology)
            self._agreed = True
        self._is_counted = False
        source, delivery = self._source, self._delivery
        if source.position - delivery.ahead != step:
            delivery.reset()
            source.seek(step)
        return delivery.next(source, end)

    def _check_usable(self) -> None:
        if os.getpid() != self._pid:
            raise RankfeedError(
                f"this Feed belongs to process {self._pid}; a forked child must not use it "
                "(in a DataLoader use num_workers=0: the feeder already works beside the trainer)"
            )
        self._attachment.require_open()

    def forget_in_child(self) -> None:
        """Called in a forked child, which keeps neither the parent's connection nor its slots."""
        self._attachment.forget_in_child()


# help() would else show the arguments of __new__.
Feed.__signature__ = inspect.Signature(list(inspect.signature(Feed.__init__).parameters.values())[1:])
