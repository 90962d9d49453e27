"""The feeder's ahead-of-time cache: classes that a JVM has loaded and linked before. It halves the feeder's start.

The first start makes it, in a process of its own with low priority; later ones use it. It is of one Java and one jar:
another of either has another cache. ``RANKFEED_AOT=off`` neither makes nor uses one.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rankfeed_cli import caches
from rankfeed_cli.failure import Failure

SECONDS = 120
QUIET = ["-Xlog:aot=off", "-Xlog:cds=off"]
MAIN = "io.rankfeed.feeder.RankfeedFeeder"


def options(java: Path, jar: Path, version: Path) -> list[str]:
    """Returns the JVM's options for an existing cache; otherwise starts to make it, by feeding a version for a short
    time."""
    if os.environ.get("RANKFEED_AOT") == "off":
        return []
    try:
        cache = caches.private("aot") / file(java, jar).name
        if cache.is_file():
            return [f"-XX:AOTCache={cache}", *QUIET]
        subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, *map(str, (java, jar, version))],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, Failure):
        pass  # it cannot be written: the feeder starts as it is, and says so if it needs one
    return []


def file(java: Path, jar: Path) -> Path:
    facts = jar.stat()
    release = java.parents[1] / "release"
    meaning = f"{java}\n{release.read_text() if release.is_file() else ''}\n{jar} {facts.st_size} {facts.st_mtime_ns}"
    return caches.folder() / "aot" / f"{hashlib.sha256(meaning.encode()).hexdigest()[:16]}.aot"


def make(java: Path, jar: Path, version: Path) -> None:
    """Writes the cache atomically. A second process that does the same ends at once."""
    cache = file(java, jar)
    cache.parent.mkdir(parents=True, exist_ok=True)
    with cache.with_suffix(".lock").open("w") as lock, tempfile.TemporaryDirectory() as runtime:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        if cache.is_file():
            return
        os.nice(19)
        attempt = Path(runtime) / "attempt.aot"
        words: list[str | Path] = [java, f"-XX:AOTCacheOutput={attempt}", *QUIET, "--enable-native-access=ALL-UNNAMED"]
        words += ["-XX:+UseSerialGC", "-cp", jar, MAIN, "feed", version, "--in-place", "--run", "aot"]
        with subprocess.Popen(words, env={**os.environ, "XDG_RUNTIME_DIR": runtime}) as feeder:
            end = time.monotonic() + SECONDS
            ready = Path(runtime) / "rankfeed" / "aot" / "feeder.json"
            while not ready.exists() and feeder.poll() is None and time.monotonic() < end:
                time.sleep(0.05)
            feeder.terminate()  # a JVM that ends writes its cache
            try:
                feeder.wait(SECONDS)
            except subprocess.TimeoutExpired:
                feeder.kill()
        if attempt.is_file():
            complete = cache.with_suffix(".attempt")
            complete.write_bytes(attempt.read_bytes())
            complete.rename(cache)


if __name__ == "__main__":
    make(*map(Path, sys.argv[1:]))
