"""A feeder for one Python process: notebooks, scripts and tests."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rankfeed.errors import RankfeedError
from rankfeed.rendezvous import Rendezvous

_SECONDS = 60.0
_PAUSE_SECONDS = 0.02


@contextmanager
def serve(
    version: str | os.PathLike[str],
    config: str | os.PathLike[str] | None = None,
    world: int = 1,
    plan: str | os.PathLike[str] | None = None,
    external: Mapping[str, str | os.PathLike[str]] | None = None,
) -> Iterator[str]:
    """Feeds a version of this machine while the block runs; gives the name of the run for :class:`rankfeed.Feed`::

        with rankfeed.serve("rankfeed-data/shop@latest", config="feed.yaml") as run:
            with rankfeed.Feed(run, rank=0, world=1) as feed:
                for batch in feed: ...

    Trainers under torchrun are started by ``rankfeed feed VERSION -- torchrun …`` instead.

    Args:
        version: a folder, ``ROOT/DATASET@latest`` or ``ROOT/DATASET@RUN-ID``, read in place; or a mixture's folder.
        config: a feed file.
        world: ranks that are served.
        plan: a plan over the version: its name, its id, or its path; None: the version's own plan.
        external: by dataset, the folder of the files that an imported version is over, where it is at another path on
            this machine.

    Raises:
        RankfeedError: the feeder does not start; its message.
    """
    run = f"python-{uuid.uuid4().hex[:12]}"
    words = ["feed", os.fspath(version), "--run", run, "--in-place", "--world", str(world)]
    words += ["--config", os.fspath(config)] if config else []
    words += ["--plan", os.fspath(plan)] if plan else []
    words += [f"--external={name}={os.fspath(folder)}" for name, folder in (external or {}).items()]
    with tempfile.TemporaryFile() as log:
        feeder = subprocess.Popen(
            [sys.executable, "-P", "-m", "rankfeed_cli", *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        try:
            end = time.monotonic() + _SECONDS
            while Rendezvous(run).serving() is None:
                if feeder.poll() is not None or time.monotonic() > end:
                    log.seek(0)
                    lines = log.read().decode(errors="replace").strip().splitlines()
                    raise RankfeedError(lines[-1].removeprefix("rankfeed: ") if lines else "the feeder did not start")
                time.sleep(_PAUSE_SECONDS)
            yield run
        finally:
            feeder.terminate()
            feeder.wait()
