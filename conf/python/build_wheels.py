"""Builds the wheels rankfeed, rankfeed-spark, rankfeed-images and rankfeed-remote from the jars of a Maven build.

    mvn -B package -DskipTests && .envs/test/bin/python conf/python/build_wheels.py OUT
    mvn -B package -DskipTests -Prelease        # the same with jars, sources, licenses and checksums

Two builds of one checkout give the same bytes. The small version in rankfeed is made by a run of the jobs, unless
--sample names one.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
CLIENT = PROJECT / "gpu-feeder" / "python"
SAMPLE_ROWS = 4000
MAX_SAMPLE_BYTES = 2 << 20
# Of the site: what only a web server, another language or a debugger of its scripts uses.
UNUSED_PAGES = "404.html sitemap.xml* objects.inv search/search_index.json assets/javascripts/lunr **/*.map"


@dataclass(frozen=True)
class Companion:
    """A wheel that holds jars alone."""

    name: str
    summary: str
    jars: Path
    pattern: str
    dependencies: tuple[str, ...] = ()
    platform: str = "any"


COMPANIONS = (
    Companion(
        "spark",
        "The Spark jobs of rankfeed; they need a JDK 17 or newer",
        PROJECT / "spark-jobs" / "target",
        "rankfeed-spark-jobs.jar delta/*.jar",
        ("pyspark==4.2.0",),
    ),
    Companion(
        "images",
        "Image steps of rankfeed: OpenCV",
        PROJECT / "gpu-feeder" / "images" / "target" / "rankfeed-images",
        "*.jar",
        platform="manylinux_2_17_x86_64",
    ),
    Companion(
        "remote",
        "The HDFS client of rankfeed",
        PROJECT / "gpu-feeder" / "remote" / "target" / "rankfeed-remote",
        "*.jar",
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, help="folder for the wheels")
    parser.add_argument(
        "--release",
        action="store_true",
        help="add jars, sources, licenses and checksums",
    )
    parser.add_argument(
        "--sample",
        type=Path,
        help="the version to install with rankfeed; made if this is omitted",
    )
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        stage_client(
            Path(work) / "rankfeed", args.sample or sample(Path(work) / "sample")
        )
        build(Path(work) / "rankfeed", args.out)
        for companion in COMPANIONS:
            folder = Path(work) / companion.name
            stage_companion(folder, companion)
            build(folder, args.out)
    if args.release:
        add_jars(args.out)
    for file in sorted(args.out.glob("[!.]*")):
        print(f"{file.stat().st_size / 1e6:6.1f} MB  {file}")


def version() -> str:
    found = re.search(
        r'^version = "(.*)"', (CLIENT / "pyproject.toml").read_text(), re.MULTILINE
    )
    assert found, "pyproject.toml names no version"
    return found[1]


def sample(work: Path) -> Path:
    """Makes a small version by the jobs."""
    job = PROJECT / "conf" / "jobs" / "codecontests.yaml"
    settings = [
        f"root={work}/data",
        f"sources.solutions.parquet={work}/input",
        "sample.train.rows=384",
    ]
    for words in (
        ["generate", "codecontests", "--rows", SAMPLE_ROWS, "--out", work / "input"],
        [
            "pipeline",
            job,
            *(word for setting in settings for word in ("--set", setting)),
            "--run-id",
            "sample",
        ],
    ):
        subprocess.run(
            [PROJECT / "rankfeed", *map(str, words)], check=True, stdout=sys.stderr
        )
    (found,) = (work / "data" / "codecontests" / "versions").iterdir()
    return found


def stage_client(folder: Path, sample: Path) -> None:
    size = sum(file.stat().st_size for file in sample.rglob("*"))
    assert size <= MAX_SAMPLE_BYTES, (
        f"{sample} has {size} bytes; at most {MAX_SAMPLE_BYTES} are installed"
    )
    shutil.copytree(
        CLIENT / "src",
        folder / "src",
        ignore=shutil.ignore_patterns("*.egg-info", "__pycache__"),
    )
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(CLIENT / name, folder)
    copy_licenses(("gpu-feeder", "target"), folder)
    stage_docs(folder / "src" / "rankfeed_cli" / "home" / "docs")
    home = folder / "src" / "rankfeed_cli" / "home"
    for part in ("jobs", "feeds", "spark"):
        shutil.copytree(PROJECT / "conf" / part, home / "conf" / part)
    shutil.copytree(
        CLIENT / "examples",
        home / "examples",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    shutil.copytree(sample, home / "sample" / "versions" / sample.name)
    for kind in ("orders", "commits"):
        shutil.copytree(sample.parent.parent / kind, home / "sample" / kind)
    (home / "jars").mkdir()
    shutil.copy(
        PROJECT / "gpu-feeder" / "target" / "rankfeed-gpu-feeder.jar", home / "jars"
    )


def stage_docs(folder: Path) -> None:
    """Copies the site, with the JSON Schemas, in a form that opens from its folder."""
    configuration = PROJECT / "conf" / "docs" / "mkdocs.yml"
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    subprocess.run(
        [*words, "--config-file", configuration, "--site-dir", folder],
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        check=True,
        stdout=sys.stderr,
    )
    for pattern in UNUSED_PAGES.split():
        for path in list(folder.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    theme = importlib.metadata.distribution("mkdocs-material")
    for file in theme.files or ():  # of the theme and its icons
        if file.name == "LICENSE":
            copy = folder / "assets" / f"LICENSE-mkdocs-{file.parent.name}"
            shutil.copy(file.locate(), copy)


def stage_companion(folder: Path, companion: Companion) -> None:
    package = folder / "src" / f"rankfeed_{companion.name}"
    files = [
        file
        for pattern in companion.pattern.split()
        for file in sorted(companion.jars.glob(pattern))
    ]
    assert files, f"no jar in {companion.jars}; run mvn -B package -DskipTests first"
    for file in files:
        copy = package / "jars" / file.relative_to(companion.jars)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)
    copy_licenses(companion.jars.relative_to(PROJECT).parts, folder)
    (package / "__init__.py").write_text(
        f'"""{companion.summary}: jars in ``jars/``."""\n'
    )
    (folder / "setup.cfg").write_text(
        f"[bdist_wheel]\nplat_name = {companion.platform}\n"
    )
    dependencies = [f"rankfeed=={version()}", *companion.dependencies]
    (folder / "pyproject.toml").write_text(
        f"""\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "rankfeed-{companion.name}"
version = "{version()}"
description = "{companion.summary}"
requires-python = ">=3.11"
license = "Apache-2.0"
dependencies = {dependencies!r}

[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
rankfeed_{companion.name} = ["jars/**"]
"""
    )


def add_jars(out: Path) -> None:
    """Adds the jars with all dependencies, sources and licenses of each module, and SHA256SUMS of all files."""
    for jar in (
        "spark-jobs/target/rankfeed-spark-jobs.jar",
        "gpu-feeder/target/rankfeed-gpu-feeder.jar",
    ):
        shutil.copy(PROJECT / jar, out)
    for sources in PROJECT.glob("**/target/rankfeed-*-sources.jar"):
        shutil.copy(sources, out)
    for module in (
        "spark-jobs",
        "gpu-feeder",
        "gpu-feeder/images",
        "gpu-feeder/remote",
    ):
        shutil.copy(licenses(module), out / f"THIRD-PARTY-{Path(module).name}.txt")
    files = sorted(
        file
        for file in out.iterdir()
        if file.name != "SHA256SUMS" and not file.name.startswith(".")
    )
    sums = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in files
    ]
    (out / "SHA256SUMS").write_text("".join(sums))


def copy_licenses(parts: tuple[str, ...], folder: Path) -> None:
    """Copies the license of the project, and in a release those of the libraries in a module's jars."""
    shutil.copy(PROJECT / "LICENSE", folder)
    third_party = licenses("/".join(parts[: parts.index("target")]))
    if third_party.is_file():
        shutil.copy(third_party, folder / "NOTICE-THIRD-PARTY.txt")


def licenses(module: str) -> Path:
    return (
        PROJECT
        / module
        / "target"
        / "generated-sources"
        / "license"
        / "THIRD-PARTY.txt"
    )


def build(folder: Path, out: Path) -> None:
    """Builds a wheel whose files have one time and the permissions of the repository."""
    for file in folder.rglob("*"):
        file.chmod(0o755 if file.is_dir() else 0o644)
    words = [
        PROJECT / ".envs" / "uv" / "bin" / "uv",
        "build",
        "--quiet",
        "--wheel",
        "--no-build-isolation",
    ]
    words += ["--python", sys.executable, "--out-dir", out, folder]
    subprocess.run(
        words,
        env={**os.environ, "SOURCE_DATE_EPOCH": timestamp()},
        check=True,
        stdout=sys.stderr,
    )


def timestamp() -> str:
    """Returns the time in seconds that the parent pom gives every file of a jar."""
    found = re.search(
        r"<project.build.outputTimestamp>(.*?)<", (PROJECT / "pom.xml").read_text()
    )
    assert found, "pom.xml names no time"
    return str(int(datetime.fromisoformat(found[1]).timestamp()))


if __name__ == "__main__":
    main()
