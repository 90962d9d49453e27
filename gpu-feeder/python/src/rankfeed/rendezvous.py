"""The directory in which feeder and trainers of a run meet (ring.md section 1); only its user can read it."""

from __future__ import annotations

import fcntl
import json
import os
import re
import stat
import struct
import time
from pathlib import Path
from typing import Any

from rankfeed import manifest, names
from rankfeed.errors import NoFeeder, ProtocolError, RankfeedError, VersionMismatch

_VERSION = re.compile(r"[0-9a-f]{16}")
_MAX_STATE_BYTES = 1 << 20
_PAUSE_SECONDS = 0.05
_FLOCK = "hhqqi4x"
"""struct flock: type, whence, start, length, pid."""


class Rendezvous:
    """The directory of one run. ``version`` and ``plan`` are the requested ids, or None. ``is_named`` is False if the
    run was discovered instead of requested by name; messages then name the run."""

    def __init__(self, run: str, version: str | None = None, is_named: bool = True, plan: str | None = None):
        self.run = names.require_fed(run)
        self.version = version
        self.plan = plan
        self.is_named = is_named
        self.directory = base_directory() / run

    def socket_name(self, rank: int) -> str:
        return f"rank-{rank}.sock"

    def serving(self) -> dict[str, Any] | None:
        """Reads the ``feeder.json`` of the process that holds the run's lock; None if it has not written it yet, or
        where that cannot be determined (it lives in another pid namespace)."""
        state = _state(self.directory)
        return state if state is not None and state.get("pid") == _lock_holder(self.directory) else None

    def open(self) -> int:
        """Opens the directory. Raises if it belongs to another user, is a symbolic link, or is open to others."""
        flags = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        parent = os.open(base_directory(), flags)
        try:
            _check_owner(parent, base_directory())
            directory = os.open(self.run, flags, dir_fd=parent)
        finally:
            os.close(parent)
        try:
            _check_owner(directory, self.directory)
        except BaseException:
            os.close(directory)
            raise
        return directory


def find(version_or_run: str | os.PathLike[str] | None, deadline: float) -> Rendezvous:
    """Finds a run by its name, or the running feeder of a version by the version's id or folder; None:
    ``RANKFEED_RUN``, else the only run there is. One that is not there yet is waited for until the deadline (monotonic
    seconds)."""
    while True:
        try:
            return _find(version_or_run)
        except NoFeeder:
            if time.monotonic() >= deadline:
                raise
            time.sleep(_PAUSE_SECONDS)


def _find(version_or_run: str | os.PathLike[str] | None) -> Rendezvous:
    if version_or_run is None and "RANKFEED_RUN" in os.environ:
        return _of_launcher(os.environ["RANKFEED_RUN"])
    if version_or_run is None:
        return _only_run()
    try:
        text = os.fspath(version_or_run)
    except TypeError:
        text = None
    if not isinstance(text, str):
        raise RankfeedError(f"Feed({version_or_run!r}): expected a run's name, a version's id or its folder")
    return _of_text(text)


def _of_launcher(run: str) -> Rendezvous:
    """Returns the run with the version and plan that ``rankfeed feed … --`` sets for its trainers."""
    found = _of_text(run)
    if found.run == run:
        found.version, found.plan = (os.environ.get(f"RANKFEED_{name}") or None for name in ("VERSION", "PLAN"))
    return found


def _of_text(text: str) -> Rendezvous:
    if "/" in text:
        return _run_of_version(_version_in(Path(text)))
    if _VERSION.fullmatch(text) and not (base_directory() / text).is_dir():
        return _run_of_version(text)
    return Rendezvous(text)


def base_directory() -> Path:
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return Path(runtime) / "rankfeed" if runtime else Path(f"/tmp/rankfeed-{os.getuid()}")


def others(run: str) -> str:
    """Describes the other runs for a message, after a search found none: running ones, and one that the environment
    names."""
    runs = sorted(_running())
    reported = f"runs here: {', '.join(runs)}" if runs else "no run is fed here"
    named = os.environ.get("RANKFEED_RUN")
    return f"{reported}; RANKFEED_RUN is {named}" if named and named != run else reported


def _check_owner(descriptor: int, path: Path) -> None:
    status = os.fstat(descriptor)
    if status.st_uid != os.getuid():
        raise ProtocolError(f"{path} belongs to user {status.st_uid}, not to {os.getuid()}: it is not trusted")
    if stat.S_IMODE(status.st_mode) & 0o022:
        raise ProtocolError(f"{path} can be written by others: it is not trusted; chmod 700 it")


def _only_run() -> Rendezvous:
    runs = sorted(_running())
    if len(runs) == 1:
        return Rendezvous(runs[0], is_named=False)
    if not runs:
        raise NoFeeder(f"no feeder runs under {base_directory()}; start one with: rankfeed feed VERSION")
    raise NoFeeder(f"several runs under {base_directory()}: {', '.join(runs)}; name one, or set RANKFEED_RUN")


def _run_of_version(version: str) -> Rendezvous:
    runs = sorted(run for run, state in _running().items() if state.get("version") == version)
    if len(runs) == 1:
        return Rendezvous(runs[0], version, is_named=False)
    if not runs:
        raise NoFeeder(
            f"no feeder under {base_directory()} feeds version {version}; start one with: rankfeed feed {version}"
        )
    raise NoFeeder(f"version {version} is fed by several runs: {', '.join(runs)}; name one of them")


def _version_in(folder: Path) -> str:
    try:
        version: str = manifest.read(folder, "rankfeed.version")["id"]
    except RankfeedError as e:
        raise VersionMismatch(f"{folder} is not a complete version: {e}") from None
    return version


def _running() -> dict[str, dict[str, Any]]:
    """Reads the ``feeder.json`` of every run of this user that has a live feeder."""
    base = base_directory()
    runs = [folder.name for folder in base.iterdir() if names.is_fed(folder.name)] if base.is_dir() else []
    states = {run: _state(base / run) for run in runs if _lock_holder(base / run) is not None}
    return {name: state for name, state in states.items() if state is not None}


def _state(folder: Path) -> dict[str, Any] | None:
    try:
        with open(folder / "feeder.json", "rb") as file:
            state = json.loads(file.read(_MAX_STATE_BYTES))
    except (OSError, ValueError):
        return None
    return state if isinstance(state, dict) else None


def _lock_holder(folder: Path) -> int | None:
    """Returns the pid of the holder of ``feeder.lock`` (not positive: it is in another pid namespace); None without
    one. The lock is asked about, not tried: a feeder that starts must not find it taken."""
    try:
        descriptor = os.open(folder / "feeder.lock", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        wanted = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
        kind, _, _, _, pid = struct.unpack(_FLOCK, fcntl.fcntl(descriptor, fcntl.F_GETLK, wanted))
    finally:
        os.close(descriptor)
    return None if kind == fcntl.F_UNLCK else pid
