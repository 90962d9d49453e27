"""The Java installations of this machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from glob import glob
from pathlib import Path

from rankfeed_cli import caches

SPARK = 17
FEEDER = 25


def major(home: Path) -> int:
    """The major version of the Java in a home directory, or 0."""
    if not os.access(home / "bin" / "java", os.X_OK):
        return 0
    release = home / "release"
    text = release.read_text(errors="replace") if release.is_file() else ""
    found = re.search(r'^JAVA_VERSION="(\d+)', text, re.MULTILINE)
    if not found:
        said = subprocess.run([home / "bin" / "java", "-version"], capture_output=True, text=True, check=False)
        found = re.search(r'"(\d+)', said.stderr)
    return int(found[1]) if found else 0


def homes() -> Iterator[Path]:
    """Yields the Java homes: JAVA_HOME, java in PATH, JDK25_HOME, then the usual folders."""
    if os.environ.get("JAVA_HOME"):
        yield Path(os.environ["JAVA_HOME"])
    in_path = shutil.which("java")
    if in_path:
        yield Path(in_path).resolve().parents[1]
    if os.environ.get("JDK25_HOME"):
        yield Path(os.environ["JDK25_HOME"])
    user = caches.home()
    patterns = ["/usr/lib/jvm/*25*", "/opt/*jdk*25*"]
    if user:
        patterns += [f"{user}/.sdkman/candidates/java/25*", f"{user}/.jdks/*25*"]
    for pattern in patterns:
        yield from map(Path, sorted(glob(pattern)))
    toolchains = user / ".m2" / "toolchains.xml" if user else None
    if toolchains and toolchains.is_file():
        yield from map(Path, re.findall(r"<jdkHome>(.*?)</jdkHome>", toolchains.read_text(errors="replace")))


def find(minimum: int, maximum: int = 99) -> Path | None:
    """Returns the first Java home with a major version in [minimum, maximum]."""
    return next((home for home in homes() if minimum <= major(home) <= maximum), None)
