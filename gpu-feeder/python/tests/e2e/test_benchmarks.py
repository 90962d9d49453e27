"""`bench/run ranks` and `formats` over small tables: all but the sizes is as in a run whose figures are published."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest


@pytest.mark.nightly
@pytest.mark.parametrize(("shape", "rows"), [("contests", 640), ("strings", 12_500)])
def test_ranks_of_two_loaders_read_the_same_rows_and_lose_none(project, tmp_path, shape, rows):
    words = ["--home", project, "--out", tmp_path, "--shape", shape, "--rows", rows]
    words += ["--world", 2, "--epochs", 1, "--index", 1_000]
    done = subprocess.run(
        [sys.executable, project / "bench/ranks/compare.py", *map(str, words), "--only", "rankfeed", "own rows"],
        env={**os.environ, "RANKFEED_BUILD": "never"},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    result = json.loads((tmp_path / f"ranks-{shape}.json").read_text())
    loaders = result["loaders"]
    killed = [one["restart"] for one in loaders.values()] + [loaders["rankfeed"]["restartWithFeeder"]]
    assert [one["missing"] for one in killed] == [0] * 3
    assert loaders["own rows"]["read"] > 1.9 * loaders["own rows"]["source"]
    assert loaders["own rows"]["Pss"] > 0
    assert result["index"].get("rows") == (1_000 if shape == "contests" else None)
    assert "| rankfeed |" in done.stdout and "rows/s: at least 5 × `own rows`" in done.stdout
    assert "rows/s" in (tmp_path / f"ranks-{shape}.svg").read_text()


@pytest.mark.nightly
def test_formats_have_all_rows_when_their_libraries_read_them(project, tmp_path):
    words = [
        "--home",
        project,
        "--out",
        tmp_path,
        "--rows",
        1_500,
        "--images",
        100,
        "--only",
        "megatron",
        "npy",
        "image-mmap",
        "images",
        "lmdb",
    ]
    done = subprocess.run(
        [project / ".envs/formats/bin/python", project / "bench/formats/compare.py", *map(str, words)],
        env={**os.environ, "RANKFEED_BUILD": "never"},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    result = json.loads((tmp_path / "formats.json").read_text())
    assert {kind: sorted(found) for kind, found in result.items()} == {
        "tokens": ["lanes", "lmdb", "megatron", "npy"],
        "images": ["image-mmap", "images", "lanes", "lmdb"],
    }
    assert all(one["sequential"] > 0 and "pss" in one for found in result.values() for one in found.values())
    assert result["tokens"]["lmdb"]["library_s"] > 0
    for found in result.values():
        assert all(one["first"] > 0 and one["fed"] > 0 for name, one in found.items() if name != "lmdb")
        assert {name for name, one in found.items() if "fed_ratio" in one} == found.keys() - {"lanes", "lmdb"}
    assert "| megatron |" in done.stdout and "open, s" in (tmp_path / "formats-tokens.svg").read_text()
    assert (tmp_path / "formats-images.csv").read_text().startswith("format,bytes,seconds,ratio")
