"""The end of a Python process in which a feed was never closed, or was refused."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from processes import DEADLINE_SECONDS, HERE, SOURCES

USED = "feed = rankfeed.Feed(transform=functions.doubled, workers=2, output='numpy'); batch = next(iter(feed))"
SCRIPTS = {
    "not closed": USED,
    "in a cycle": f"{USED}\nfeed.itself = feed",
    "kept by a module": f"{USED}\nimport json, collections\njson.feed = collections.feed = feed\ndel feed, batch",
    "without workers": "feed = rankfeed.Feed(output='numpy'); batch = next(iter(feed))",
    "too many workers": "refused(workers=3)",
    "an invalid timeout": "refused(workers=2, timeout=-1)",
}
START = """
import rankfeed, sample_transforms as functions


def refused(**options):
    global kept
    try:
        rankfeed.Feed(transform=functions.doubled, output="numpy", **options)
    except rankfeed.RankfeedError as e:
        kept = e
    assert kept


if __name__ == "__main__":
"""


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_nothing_is_printed_at_the_end(feeder, tmp_path, script):
    feeder(slots=4, columns=["row_id", "tokens"], epochs=1)
    path = tmp_path / "train.py"
    path.write_text(START + "".join(f"    {line}\n" for line in script.splitlines()))
    environment = {**os.environ, "PYTHONPATH": f"{SOURCES}{os.pathsep}{HERE}"}
    done = subprocess.run(
        [sys.executable, path], env=environment, capture_output=True, text=True, timeout=DEADLINE_SECONDS, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
