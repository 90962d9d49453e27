"""The quickstart without Spark or without torch: a small version that is in the wheel, fed to four ranks on CPU."""

from __future__ import annotations

import importlib.util
import sys

from rankfeed_cli.failure import CONFIGURATION, Failure
from rankfeed_cli.place import Place

RANKS = "4"


def check(words: list[str]) -> None:
    """The options of the whole quickstart are about what Spark makes."""
    if words:
        raise Failure(
            CONFIGURATION,
            f"quickstart {words[0]}: needs the Spark part, which makes a table of your size:"
            " pip install 'rankfeed[spark]'. Without options the quickstart feeds a small version that is installed",
        )


def words(place: Place) -> list[str]:
    """The words of the feeder; torch trains where it is installed, else numpy counts."""
    version = place.sample()
    has_torch = importlib.util.find_spec("torch") is not None
    missing = "torch" if place.has_jobs() else "'rankfeed[spark]'"
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
        example = [str(place.examples / "train_tokens.py"), "--tokens", "output_ids"]
        return [*feed, *run, "--nproc-per-node", RANKS, *example]
    return [*feed, sys.executable, "-P", str(place.examples / "count_numpy.py"), "--ranks", RANKS]
