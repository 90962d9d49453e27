"""Finds the folder of this user's caches by the rule of the feeder (``io.rankfeed.feeder.sync.CacheFolder``).

``$XDG_CACHE_HOME/rankfeed``, else ``$HOME/.cache/rankfeed``, else ``rankfeed-cache-<uid>`` in ``$TMPDIR`` (``/tmp``),
which is private to the user. A variable that is empty or a relative path counts as unset.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from rankfeed_cli.failure import ENVIRONMENT, Failure


def folder() -> Path:
    """Returns the folder, which need not exist unless it is the private one."""
    for name, below in (("XDG_CACHE_HOME", "rankfeed"), ("HOME", ".cache/rankfeed")):
        path = _absolute(name)
        if path:
            return Path(os.path.normpath(path / below))
    return _private((_absolute("TMPDIR") or Path("/tmp")) / f"rankfeed-cache-{os.getuid()}")


def private(name: str) -> Path:
    """Returns a folder in it for files that a JVM loads as code: no other user can write there. It is made where it is
    missing."""
    path = folder() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir() and path.stat().st_mode & 0o022:
        raise Failure(ENVIRONMENT, f"{path} can be written by other users: it is not trusted; remove it")
    return _private(path)


def home() -> Path | None:
    """The user's home directory. The name of a user without one is not asked for."""
    return _absolute("HOME")


def _absolute(name: str) -> Path | None:
    path = Path(os.environ.get(name, ""))
    return path if path.is_absolute() else None


def _private(path: Path) -> Path:
    remedy = "set XDG_CACHE_HOME or HOME to a folder of yours"
    try:
        with suppress(FileExistsError):
            path.mkdir(mode=0o700)
        status = path.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
            raise Failure(ENVIRONMENT, f"{path} is not a directory of this user: it is not trusted; {remedy}")
        if stat.S_IMODE(status.st_mode) != 0o700:
            path.chmod(0o700)
    except OSError as e:
        raise Failure(ENVIRONMENT, f"the cache folder {path} cannot be made: {e.strerror}; {remedy}") from e
    return path
