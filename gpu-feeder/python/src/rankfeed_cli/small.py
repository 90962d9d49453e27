"""The quickstart without Spark or without torch: a small version that is in the wheel, fed to four ranks on CPU."""

from __future__ import annotations

import importlib.util
import sys

from rankfeed_cli.failure import CONFIGURATION, Failure
from rankfeed_cli.installation import Installation

RANKS = "4"


def check(words: list[str]) -> None:
    """Raises ``Failure`` for options of the whole quickstart, which concern what Spark makes."""
    if words:
        raise Failure(
            CONFIGURATION,
            f"quickstart {words[0]}: needs the Spark part, which makes a table of your size:"
            " pip install 'rankfeed[spark]'. Without options the quickstart feeds a small version that is installed",
        )


def words(installation: Installation) -> list[str]:
    """Returns the words of the feeder. A trainer with torch runs if it is installed, else a count with numpy."""
    version = installation.sample()
    has_torch = importlib.util.find_spec("torch") is not None
    missing = "torch" if installation.has_jobs() else "'rankfeed[spark]'"
    print(
        f"rankfeed quickstart: feeding {version} to {RANKS} ranks,"
        f" {'which train on CPU' if has_torch else 'which count rows (install torch to train)'}."
        f" With {missing} the quickstart makes a table, prepares it and plans it first: pip install {missing}",
        file=sys.stderr,
        flush=True,
    )
    feed = ["feed", str(version), "--in-place", "--progress", "none", "--world", RANKS, "--"]
    if has_torch:
        run = ["env", "OMP_NUM_THREADS=1", sys.executable, "-P", "-m", "torch.distributed.run", "--standalone"]
        example = [str(installation.examples / "train_tokens.py"), "--tokens", "output_ids"]
        return [*feed, *run, "--nproc-per-node", RANKS, *example]
    return [*feed, sys.executable, "-P", str(installation.examples / "count_numpy.py"), "--ranks", RANKS]
