"""A folder with a Python file for every module that a process could import; each file records that it was executed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

OURS = """
import multiprocessing.forkserver, multiprocessing.popen_forkserver, multiprocessing.popen_spawn_posix
import multiprocessing.resource_tracker, multiprocessing.shared_memory, runpy, tempfile
import rankfeed, rankfeed.transform.workers, rankfeed_cli.main, rankfeed_cli.small
import sys
print(*{name.partition(".")[0] for name in sys.modules})
"""


class Hostile:
    """The folder, and the names of the modules that were executed from it."""

    def __init__(self, folder: Path, python: Path | str = sys.executable):
        self.folder = folder
        self._executed = folder.with_name(f"{folder.name}.executed")
        folder.mkdir()
        imported = subprocess.run([python, "-P", "-c", OURS], capture_output=True, text=True, check=True).stdout
        # What a process imports depends on its path: every module of the standard library can be next.
        for name in {*imported.split(), *sys.stdlib_module_names, "torch", "torchrun", "usercustomize"} - {"__main__"}:
            (folder / f"{name}.py").write_text(f"open({str(self._executed)!r}, 'a').write(__name__ + ' ')\n")

    @property
    def executed(self) -> set[str]:
        return set(self._executed.read_text().split()) if self._executed.exists() else set()
