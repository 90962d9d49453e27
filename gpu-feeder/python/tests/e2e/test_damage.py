"""Damaged artifacts and wrong words, through the launcher: the exit code, the file and what a user reads."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pytest
from launch import rankfeed
from nodes import Feeder, environment

import manifests
import rankfeed as rankfeed_client


@pytest.fixture
def version(house, tmp_path) -> Path:
    """A copy of the committed version, to be damaged."""
    return house.copied(tmp_path / "house").path


def lane(version: Path) -> Path:
    return sorted((version / "lanes" / "plain").glob("lane-00001-*.arrow"))[0]


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x10
    path.write_bytes(data)


def huge_length(path: Path) -> None:
    """Sets the footer's length, the four bytes before the closing magic, to 2³¹ − 1."""
    data = bytearray(path.read_bytes())
    data[-10:-6] = (2**31 - 1).to_bytes(4, "little")
    path.write_bytes(data)


def symlink(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def nightly(*values):
    return pytest.param(*values, marks=pytest.mark.nightly)


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        (cut, "manifest.json"),
        (flip, "selection.json"),
        nightly(symlink, "manifest.json"),
        nightly(cut, "selection.json"),
        nightly(flip, "manifest.json"),
        nightly(symlink, "selection.json"),
    ],
)
def test_corrupted_manifest_or_selection_is_named_and_exits_with_3(version, runtime, damage, name):
    damage(version / name)
    done = run("feed", version, runtime)
    assert done.returncode == 3, done.stderr
    assert name in done.stderr


@pytest.mark.parametrize(
    ("command", "damage"),
    [
        ("verify", huge_length),
        ("feed", symlink),
        nightly("verify", flip),
        nightly("feed", cut),
        nightly("verify", cut),
        nightly("verify", symlink),
        nightly("feed", flip),
        nightly("feed", huge_length),
    ],
)
def test_corrupted_lane_is_named_and_exits_with_3(version, runtime, damage, command):
    damage(lane(version))
    done = run(command, version, runtime)
    assert done.returncode == 3, done.stderr
    assert lane(version).name in done.stderr
    assert len(done.stderr.strip().splitlines()[-1]) < 500, "the message is one line"


def rewrite(version: Path, change) -> None:
    manifest = json.loads((version / "manifest.json").read_text())
    change(manifest)
    manifests.write(version, manifest)


@pytest.mark.parametrize(
    "path",
    [
        "../outside.arrow",
        nightly("lanes/a\0b"),
        nightly("/etc/passwd"),
        nightly("file:/etc/passwd"),
        nightly("lanes/../../x.arrow"),
        nightly("LANES/PLAIN/X"),
    ],
)
def test_path_leaving_the_version_is_refused_before_opening(version, runtime, path):
    def change(manifest):
        manifest["files"][0]["path"] = path

    rewrite(version, change)
    done = run("verify", version, runtime)
    assert done.returncode == 3, done.stderr
    assert "manifest.json" in done.stderr


def test_changed_digit_of_the_manifest_is_refused(version, runtime):
    """Every scalar of small manifests: ManifestDamageTest, and test_version.py."""
    document = json.loads((version / "manifest.json").read_text())
    found = list(manifests.scalars(document))
    for command, words, (path, value) in zip(
        ("verify", "feed", "feed"), ((), ("--in-place",), ("--cache", runtime)), random.Random(7).sample(found, 3),
        strict=True,
    ):  # fmt: skip
        (version / "manifest.json").write_bytes(manifests.changed(document, path, value))
        env = environment(runtime, "damaged")
        done = rankfeed(command, version, *words, check=False, env=env)
        assert done.returncode == 3, (path, done.stderr)
        assert "manifest.json" in done.stderr


def test_manifest_of_other_format_version_is_refused(version, runtime):
    rewrite(version, lambda manifest: manifest.update(formatVersion=9))
    done = run("feed", version, runtime)
    assert done.returncode == 3
    assert "9" in done.stderr and "manifest.json" in done.stderr


def test_huge_length_is_refused(version, runtime):
    rewrite(version, lambda manifest: manifest["files"][1].update(bytes=2**62))
    done = run("feed", version, runtime)
    assert done.returncode == 3, done.stderr
    assert "manifest.json" in done.stderr


def test_version_without_manifest_is_refused(version, runtime):
    (version / "manifest.json").unlink()
    done = run("feed", version, runtime)
    assert done.returncode in (2, 3), done.stderr
    assert "manifest.json" in done.stderr


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("datasett: x", "did you mean 'dataset'"),
        nightly("prepare: {sql: SELECT 1, key: [a], block: 128MB}", "128 MiB"),
        nightly("root: [1, 2]", "root"),
        nightly("prepare: {sql: SELECT 1, key: [a], block: -1 MiB}", "block"),
        nightly("prepare: {sql: SELECT 1, key: [a], block: 3 GiB}", "block"),
    ],
)
def test_job_mistake_exits_with_2_and_names_line_and_key(tmp_path, line, hint):
    job = tmp_path / "job.yaml"
    root = "" if line.startswith("root") else "root: /nowhere\n"
    job.write_text(f"dataset: wrong\n{root}sources:\n  t: {{parquet: /nowhere}}\n{line}\n")
    done = rankfeed("prepare", job, check=False)
    assert done.returncode == 2, done.stderr
    assert f"job.yaml line {4 + bool(root)}" in done.stderr
    assert hint in done.stderr


@pytest.mark.nightly
def test_secrets_are_shown_nowhere(tmp_path, table):
    secret = "hunter2-hunter2"
    job = tmp_path / "job.yaml"
    job.write_text(
        f"dataset: quiet\nroot: {tmp_path / 'root'}\nsources:\n"
        f"  solutions: {{parquet: '{table}'}}\n  other: {{parquet: 's3a://user:{secret}@bucket/x'}}\n"
        "prepare: {select: {from: solutions, columns: [task_id]}, key: [task_id]}\n"
    )
    done = rankfeed("prepare", job, "--run-id", "quiet", check=False)
    assert secret not in done.stdout + done.stderr
    for path in (tmp_path / "root").rglob("*"):
        assert path.is_dir() or secret.encode() not in path.read_bytes(), path


def run(command: str, version: Path, runtime: Path) -> subprocess.CompletedProcess:
    """Runs a command with a heap of 64 MiB, in which an allocation of a false length fails."""
    words = ["--run", "damaged", "--in-place"] if command == "feed" else []
    env = environment(runtime, "damaged")
    env["RANKFEED_JAVA_OPTS"] += " -Xmx64m"
    return rankfeed(command, version, *words, check=False, env=env)


def test_flipped_bits_in_cache_stop_only_their_ranks(house, runtime, tmp_path):
    """Length and time of the file stay as they were, so that a restart trusts its copy."""
    words = ("--cache", tmp_path / "cache", "--world", 12, "--feeds", "plain")
    with Feeder(house.path, runtime, "flipped", *words):
        pass
    copied = lane(tmp_path / "cache" / "house" / house.version)
    before = copied.stat()
    data = bytearray(copied.read_bytes())
    data[len(data) // 2] ^= 0x10
    copied.write_bytes(data)
    os.utime(copied, ns=(before.st_atime_ns, before.st_mtime_ns))

    def rows(run: str, rank: int) -> int:
        with rankfeed_client.Feed(run, "plain", rank=rank, world=12, output="numpy") as feed:
            return sum(len(batch["row_id"]) for batch in feed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        with Feeder(house.path, runtime, "flipped", *words):
            whole = rows("flipped", 0)
            with pytest.raises(rankfeed_client.CorruptBatch, match=rf"{copied.name}.*record batch \d+ .*\(corrupt\)"):
                rows("flipped", 1)
            assert rows("flipped", 2) == whole
        with Feeder(house.path, runtime, "off", *words, "--verify", "off"):
            assert rows("off", 1) == whole
        at_start = rankfeed(
            "feed", house.path, "--run", "start", *words, "--verify", "start", check=False,
            env=environment(runtime, "start"),
        )  # fmt: skip
    assert at_start.returncode == 3, at_start.stderr
    assert copied.name in at_start.stderr and "record batch" in at_start.stderr
