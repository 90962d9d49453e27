"""Where feeder and trainer meet (ring.md section 1): a directory per run, owned by the user and closed to others."""

from __future__ import annotations

import json
import os
import re
import stat
import time
from pathlib import Path

from rankfeed.errors import NoFeeder, ProtocolError, RankfeedError, VersionMismatch

_RUN = re.compile(r"(?![.-])[A-Za-z0-9._-]{1,64}")
_VERSION = re.compile(r"[0-9a-f]{16}")
_MAX_STATE_BYTES = 1 << 20
_PAUSE_SECONDS = 0.05


class Rendezvous:
    """The directory of one run. ``version`` is the version that was asked for by id, else None."""

    def __init__(self, run: str, version: str | None = None):
        if not _RUN.fullmatch(run):
            raise RankfeedError(f"run name {run!r} must match [A-Za-z0-9._-]{{1,64}} and not start with . or -")
        self.run = run
        self.version = version
        self.directory = base_directory() / run

    def socket_name(self, rank: int) -> str:
        return f"rank-{rank}.sock"

    def open(self) -> int:
        """A descriptor of the directory, checked: ours, not a symbolic link, closed to others."""
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


def find(version_or_run: str | os.PathLike | None, deadline: float) -> Rendezvous:
    """A run by its name, or the running feeder of a version by the version's id or folder; None: ``RANKFEED_RUN``,
    else the only run there is. One that is not there yet is waited for until the deadline (monotonic seconds)."""
    while True:
        try:
            return _find(version_or_run)
        except NoFeeder:
            if time.monotonic() >= deadline:
                raise
            time.sleep(_PAUSE_SECONDS)


def _find(version_or_run: str | os.PathLike | None) -> Rendezvous:
    if version_or_run is None:
        version_or_run = os.environ.get("RANKFEED_RUN")
    if version_or_run is None:
        return _only_run()
    text = os.fspath(version_or_run)
    if "/" in text:
        return _run_of_version(_version_in(Path(text)))
    if _VERSION.fullmatch(text) and not (base_directory() / text).is_dir():
        return _run_of_version(text)
    return Rendezvous(text)


def base_directory() -> Path:
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return Path(runtime) / "rankfeed" if runtime else Path(f"/tmp/rankfeed-{os.getuid()}")


def _check_owner(descriptor: int, path: Path) -> None:
    status = os.fstat(descriptor)
    if status.st_uid != os.getuid():
        raise ProtocolError(f"{path} belongs to user {status.st_uid}, not to {os.getuid()}: it is not trusted")
    if stat.S_IMODE(status.st_mode) & 0o022:
        raise ProtocolError(f"{path} can be written by others: it is not trusted; chmod 700 it")


def _only_run() -> Rendezvous:
    runs = sorted(_running())
    if len(runs) == 1:
        return Rendezvous(runs[0])
    if not runs:
        raise NoFeeder(f"no feeder runs under {base_directory()}; start one with: rankfeed feed VERSION")
    raise NoFeeder(f"several runs under {base_directory()}: {', '.join(runs)}; name one, or set RANKFEED_RUN")


def _run_of_version(version: str) -> Rendezvous:
    runs = sorted(run for run, state in _running().items() if state.get("version") == version)
    if len(runs) == 1:
        return Rendezvous(runs[0], version)
    if not runs:
        raise NoFeeder(
            f"no feeder under {base_directory()} feeds version {version}; start one with: rankfeed feed {version}"
        )
    raise NoFeeder(f"version {version} is fed by several runs: {', '.join(runs)}; name one of them")


def _version_in(folder: Path) -> str:
    try:
        identity = json.loads((folder / "manifest.json").read_bytes())["id"]
    except (OSError, ValueError, KeyError, TypeError):
        raise VersionMismatch(f"{folder} is no complete version: no manifest.json with an id in it") from None
    if not isinstance(identity, str) or not _VERSION.fullmatch(identity):
        raise VersionMismatch(f"{folder}/manifest.json: id {identity!r} is not 16 hexadecimal digits")
    return identity


def _running() -> dict[str, dict]:
    """The ``feeder.json`` of every run of this user."""
    states = {}
    base = base_directory()
    for folder in base.iterdir() if base.is_dir() else ():
        try:
            with open(folder / "feeder.json", "rb") as file:
                state = json.loads(file.read(_MAX_STATE_BYTES))
        except (OSError, ValueError):
            continue
        if isinstance(state, dict) and _RUN.fullmatch(folder.name):
            states[folder.name] = state
    return states
