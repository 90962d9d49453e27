"""The launcher on machines that lack something: one line that says what to do, and the exit code.

It runs in a checkout whose path has a space, with a PATH of its own and stand-ins for Java, Maven and Spark.
"""

from __future__ import annotations

import os
import random
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from processes import HERE
from rankfeed_cli import checkout, completion, docs
from rankfeed_cli.help import usage

PROJECT = HERE.parents[2]
PACKAGE = HERE.parent / "src" / "rankfeed_cli"
TOOLS = "bash sh env dirname basename readlink cat"


class Machine:
    """A home, a PATH and a checkout, all empty but for what the launcher itself needs."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.tools = folder / "tools"
        self.tools.mkdir()
        for tool in TOOLS.split():
            (self.tools / tool).symlink_to(shutil.which(tool))
        (self.tools / "python3").symlink_to(Path(sys.executable).resolve())
        self.checkout = folder / "a checkout"
        shutil.copytree(PROJECT / "conf" / "python", self.checkout / "conf" / "python")
        self._program(self.checkout / "rankfeed", (PROJECT / "rankfeed").read_text())
        package = self.checkout / "gpu-feeder" / "python" / "src" / "rankfeed_cli"
        shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
        # The real folders of this machine's Java must not be found.
        text = (package / "java.py").read_text().replace("/usr/lib/jvm/", "/nowhere/").replace("/opt/", "/nowhere/")
        (package / "java.py").write_text(text)
        self.environment = {"PATH": str(self.tools), "HOME": str(folder / "home"), "RANKFEED_BUILD": "never"}
        self.limits: dict[int, tuple[int, int]] = {}

    def with_jars(self) -> Machine:
        for jar in ("spark-jobs/target/rankfeed-spark-jobs.jar", "gpu-feeder/target/rankfeed-gpu-feeder.jar"):
            (self.checkout / jar).parent.mkdir(parents=True)
            (self.checkout / jar).touch()
        return self

    def with_java(self, version: str) -> Machine:
        """Adds a Java that prints its arguments, one on each line."""
        home = self.folder / f"java {version}"
        self._program(home / "bin" / "java", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
        (home / "release").write_text(f'JAVA_VERSION="{version}"\n')
        self.environment["JAVA_HOME"] = str(home)
        return self

    def with_tool(self, name: str, body: str) -> Machine:
        (self.tools / name).unlink(missing_ok=True)
        self._program(self.tools / name, "#!/bin/sh\n" + body)
        return self

    def with_spark(self) -> Machine:
        home = self.folder / "a spark"
        self._program(home / "bin" / "spark-submit", '#!/bin/sh\necho "$JAVA_HOME"\nprintf \'%s\\n\' "$@"\n')
        self.environment["SPARK_HOME"] = str(home)
        return self

    def building(self) -> Machine:
        del self.environment["RANKFEED_BUILD"]
        for folder in ("schema", "schema/console", "sampling", "sampling/report", "gpu-feeder"):
            (self.checkout / folder / "src" / "main").mkdir(parents=True)
            (self.checkout / folder / "pom.xml").touch()
        (self.checkout / "pom.xml").touch()
        return self

    def run(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [str(self.checkout / "rankfeed"), *words],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            preexec_fn=lambda: [resource.setrlimit(*limit) for limit in self.limits.items()],
        )

    def refuses(self, exit_code: int, *words: str) -> str:
        """Returns the one line that a failing launcher prints."""
        done = self.run(*words)
        assert done.returncode == exit_code, done
        assert done.stdout == ""
        lines = done.stderr.splitlines()
        assert len(lines) == 1, done.stderr
        return lines[0]

    @staticmethod
    def _program(file: Path, text: str) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path)


def test_building_without_maven(machine):
    assert "building needs Maven 3.8.7 or newer; install it" in machine.building().refuses(4, "verify", "x")


def test_building_without_a_fit_jdk(machine):
    machine.building().with_tool("mvn", "exit 1").with_java("21.0.1")
    assert "building needs a JDK 25; install one" in machine.refuses(4, "verify", "x")


def test_building_without_room(machine):
    machine.building().with_tool("mvn", "exit 1").with_java("25")
    full = "import shutil, types; shutil.disk_usage = lambda path: types.SimpleNamespace(free=4 << 20)"
    (machine.folder / "sitecustomize.py").write_text(full)
    machine.environment["PYTHONPATH"] = str(machine.folder)
    line = machine.refuses(4, "verify", "x")
    assert "building needs 500 MiB under" in line
    assert "4 MiB are free; make room" in line


def test_no_jar_where_building_is_forbidden(machine):
    assert "RANKFEED_BUILD=never; run mvn package" in machine.refuses(4, "verify", "x")


def test_no_environment_is_made_where_building_is_forbidden(machine):
    machine.with_jars().with_java("17.0.15")
    line = machine.refuses(4, "prepare", "job.yaml")
    assert ".envs/spark does not exist and RANKFEED_BUILD=never; run conf/python/env.sh spark in" in line
    environment = machine.checkout / ".envs" / "spark"
    spark = environment / "lib" / "python3.11" / "site-packages" / "pyspark" / "bin" / "spark-submit"
    for program in (environment / "bin" / "python", spark):
        machine._program(program, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    (environment / "stamp").write_text("another folder and lock")
    machine.environment["SPARK_CONF_DIR"] = str(machine.folder)
    done = machine.run("prepare", "job.yaml")
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["job.yaml"]), done
    assert (environment / "stamp").read_text() == "another folder and lock"
    assert [file.name for file in environment.parent.iterdir()] == ["spark"]


@pytest.mark.parametrize("version", [None, "17.0.15", "1.8.0_402"])
def test_feeding_without_a_fit_java(machine, version):
    machine.with_jars()
    if version:
        machine.with_java(version)
    assert "the feeder needs Java 25 or newer; install a JDK 25" in machine.refuses(4, "verify", "x")


def test_spark_without_a_fit_java(machine):
    machine.with_jars().with_spark().with_java("11.0.2")
    assert "Spark needs Java 17 or newer; install one" in machine.refuses(4, "prepare", "job.yaml")


def test_a_spark_home_without_spark(machine):
    machine.with_jars().environment["SPARK_HOME"] = "/nowhere/spark"
    assert "SPARK_HOME=/nowhere/spark has no bin/spark-submit" in machine.refuses(4, "prepare", "job.yaml")


@pytest.mark.parametrize("asked", ["-h", "--help", "-V", "--version"])
def test_quickstart_help_makes_no_environment(machine, asked):
    machine.with_jars().with_java("25")
    (machine.checkout / "spark-jobs/target/rankfeed-spark-jobs.jar").unlink()
    done = machine.run("quickstart", asked)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-2:] == ["quickstart", asked]
    assert not (machine.checkout / ".envs").exists()


def test_the_version_is_the_projects(machine):
    shutil.copy(PROJECT / "pom.xml", machine.checkout)
    for word in ("--version", "-V"):
        done = machine.run(word)
        assert (done.returncode, done.stderr) == (0, "")
        name, version = done.stdout.split()
        assert name == "rankfeed"
        assert f"<artifactId>rankfeed-parent</artifactId>\n  <version>{version}<" in (PROJECT / "pom.xml").read_text()


def test_java_command_prints_the_java_that_feeds(machine):
    assert "no Java 25 or newer; install a JDK 25" in machine.with_java("17.0.15").refuses(4, "java")
    machine.with_java("25")
    done = machine.run("java")
    assert (done.returncode, done.stdout) == (0, f"{machine.environment['JAVA_HOME']}/bin/java\n")


def test_no_fit_python(machine):
    machine.with_jars().with_java("25").with_tool("python3", "exit 1")
    line = machine.refuses(4, "verify")
    assert "no Python 3.11 or newer; install it" in line
    assert "RANKFEED_PYTHON" in line


def test_unknown_command_suggests_the_nearest(machine):
    assert "unknown command 'exprot'. Did you mean export?" in machine.refuses(2, "exprot")
    line = machine.refuses(2, "teleport")
    assert "Did you mean" not in line
    assert "One of: quickstart init" in line
    assert "requires the arguments of spark-submit" in machine.refuses(2, "--spark")


def test_help_needs_nothing(machine):
    done = machine.run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    for command in ("quickstart", "generate", "prepare", "sample", "export", "pipeline", "inspect", "verify", "feed"):
        assert f"./rankfeed {command}" in done.stdout
    for name in ("RANKFEED_PYTHON", "RANKFEED_RUN", "*jdk*25*", "run.json"):
        assert name in done.stdout
    assert machine.run().returncode == 2
    for text in (done.stdout, usage("rankfeed"), docs.HELP, completion.HELP):
        assert not [line for line in text.splitlines() if len(line) > 100]


def test_words_with_spaces_reach_java_and_spark_unchanged(machine):
    machine.with_jars().with_spark().with_java("25")
    said = machine.run("verify", "a b", "").stdout.splitlines()
    assert said[-3:] == ["verify", "a b", ""]
    jar = str(machine.checkout / "gpu-feeder/target/rankfeed-gpu-feeder.jar")
    assert said[-6:-3] == ["-cp", jar, "io.rankfeed.feeder.RankfeedFeeder"]
    machine.environment["RANKFEED_DELTA"] = "off"
    said = machine.run("--spark", "--master local[2]", "prepare", "a job.yaml").stdout.splitlines()
    assert said[0] == machine.environment["JAVA_HOME"]
    assert said[1:3] == ["--master", "local[2]"]
    assert said[-3:] == [str(machine.checkout / "spark-jobs/target/rankfeed-spark-jobs.jar"), "prepare", "a job.yaml"]


@pytest.mark.parametrize("join", ["--config={}", "--config {}"])
def test_image_steps_add_opencv_to_the_class_path(machine, tmp_path, join):
    machine.with_jars().with_java("25")
    jars = machine.checkout / "gpu-feeder/images/target/rankfeed-images"
    jars.mkdir(parents=True)
    (jars / "rankfeed-images.jar").touch()
    texts = "{name: input_ids, from: tokens, text: {eos: {id: 2}}}"
    for text, is_there in (
        ("from: image", True),
        ("{name: x, from: y}", True),
        ("{name: transform}", False),
        (texts, False),
        (f"{texts}, {{name: x, from: y}}", True),
    ):
        (tmp_path / "feed.yaml").write_text(f"feeds: {{train: {{columns: [{text}]}}}}")
        words = join.format(tmp_path / "feed.yaml").split(" ", 1)
        said = machine.run("feed", "VERSION", *words, "--", "true").stdout
        assert (f"{jars}/*" in said) == is_there, text


def test_a_job_file_is_checked_without_spark(machine, tmp_path):
    machine.with_jars().with_java("25")
    (tmp_path / "file.yaml").write_text("dataset: x\n")
    assert "rankfeed-gpu-feeder.jar" in machine.run("check", str(tmp_path / "file.yaml")).stdout


def test_what_is_on_this_machine_is_described_without_spark(machine, tmp_path):
    machine.with_jars().with_spark().with_java("25").environment["RANKFEED_DELTA"] = "off"
    (tmp_path / "table").mkdir()
    (tmp_path / "job.yaml").write_text("dataset: x\n")
    here = [str(tmp_path / "table"), f"file://{tmp_path}/table", f"{tmp_path}/table@latest", "--help"]
    for command in ("inspect", "simulate"):
        for words in ([here[0], "--json"], *([word] for word in here)):
            said = machine.run(command, *words).stdout.splitlines()
            assert said[-len(words) - 2 :] == ["io.rankfeed.feeder.RankfeedFeeder", command, *words]
        for word in ("/nowhere/x", "hdfs://name/x", str(tmp_path / "job.yaml")):
            said = machine.run("--spark", "--master local[2]", command, word).stdout.splitlines()
            assert said[-3].endswith("rankfeed-spark-jobs.jar") and said[-2:] == [command, word]


def test_the_launcher_works_through_a_link(machine, tmp_path):
    machine.with_jars().with_java("25")
    link = tmp_path / "rf"
    os.symlink(machine.checkout / "rankfeed", link)
    done = subprocess.run([link, "verify"], env=machine.environment, capture_output=True, text=True, check=True)
    assert str(machine.checkout / "gpu-feeder/target/rankfeed-gpu-feeder.jar") in done.stdout


@pytest.mark.parametrize(
    "address", ["s3://bucket/x", "s3a://bucket/x", "gs://bucket/x", "webhdfs://name/x", "hdsf://name/x"]
)
def test_address_without_client_is_refused_before_building(machine, address):
    machine.with_tool("mvn", "echo built; exit 9\n")
    machine.environment.pop("RANKFEED_BUILD")
    said = machine.refuses(2, "feed", address)
    assert f"{address}: no client for {address.split(':')[0]}:// addresses" in said
    assert "built" not in said and "building" not in said


LIMITS = {
    "-v": (resource.RLIMIT_AS, 5 << 30, "address space"),
    "-d": (resource.RLIMIT_DATA, 1 << 30, "data segment"),
    "-n": (resource.RLIMIT_NOFILE, 256, "open files"),
}


@pytest.mark.parametrize("option", LIMITS)
@pytest.mark.parametrize("command", ["feed", "prepare"])
def test_limit_too_low_for_java_is_named_with_its_command(machine, option, command):
    machine.with_jars().with_java("25.0.1").with_spark()
    kind, needed, name = LIMITS[option]
    seed = random.randrange(1 << 32)
    print("seed", seed)
    for low in (needed - 1, random.Random(seed).randrange(needed // 2, needed)):
        machine.limits = {kind: (low, low)}
        line = machine.refuses(4, command, "x")
        assert f"the limit of {name} is {low:,} (ulimit {option}); Java needs {needed:,}" in line
        assert "raise the hard limit" in line
    if option != "-n":
        machine.limits = {kind: (needed - 1, resource.RLIM_INFINITY)}
        assert f"run 'ulimit {option} unlimited'" in machine.refuses(4, command, "x")
    machine.limits = {kind: (needed, needed)}
    assert machine.run(command, "x").returncode == 0


def test_soft_limit_of_open_files_is_raised_to_the_hard_one(machine):
    machine.with_jars().with_java("25.0.1")
    java = Path(machine.environment["JAVA_HOME"]) / "bin" / "java"
    java.write_text("#!/bin/sh\nulimit -n\n")
    machine.limits = {resource.RLIMIT_NOFILE: (64, 4096)}
    assert machine.run("feed", "x").stdout == "4096\n"


def test_low_limit_of_threads_is_reported(machine):
    """The limit does not hold for root, so another user starts the launcher's check."""
    source = str(PACKAGE.parent)
    check = f"import sys; sys.path.insert(0, {source!r})\nfrom rankfeed_cli import limits\nlimits.require()"
    who = ["setpriv", "--reuid=64321", "--regid=64321", "--clear-groups"] if os.getuid() == 0 else []
    for limit, is_enough in ((100, False), (64 * 128, True)):
        done = subprocess.run(
            ["prlimit", f"--nproc={limit}", *who, sys.executable, "-c", check],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode == 0) == is_enough, done.stderr
        assert is_enough or f"processes and threads of this user is {limit} (ulimit -u)" in done.stderr


def test_a_user_without_home_and_name(machine):
    del machine.environment["HOME"]
    machine.with_jars().with_java("25.0.1")
    assert "io.rankfeed.feeder.RankfeedFeeder" in machine.run("feed", "x").stdout
    del machine.environment["JAVA_HOME"]
    line = machine.refuses(4, "feed", "x")
    assert "needs Java 25 or newer" in line


@pytest.mark.parametrize(("module", "watched"), [("spark-jobs", checkout.OF_JOBS), ("gpu-feeder", checkout.SHARED)])
def test_jar_is_built_again_after_a_change_of_its_modules(module, watched):
    poms = {folder: (PROJECT / folder / "pom.xml").read_text() for folder in checkout.OF_JOBS}
    own = {re.search(r"</parent>\s*<artifactId>(.*?)<", text)[1]: folder for folder, text in poms.items()}
    pom = re.sub(
        r"<dependency>(?:(?!</dependency>).)*<scope>test</scope>.*?</dependency>", "", read(module), flags=re.S
    )
    needed = set(re.findall(r"<artifactId>(rankfeed-[a-z-]+)<", pom)) - {"rankfeed-parent", f"rankfeed-{module}"}
    assert {own[artifact] for artifact in needed} <= set(watched)
    assert needed


def read(module: str) -> str:
    return (PROJECT / module / "pom.xml").read_text()
