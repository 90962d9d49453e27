"""The command: chooses the program by its first word, and becomes it."""

from __future__ import annotations

import difflib
import os
import re
import sys
from pathlib import Path

from rankfeed_cli import aot, completion, docs, java, limits, small
from rankfeed_cli.checkout import Checkout
from rankfeed_cli.driver import Driver
from rankfeed_cli.failure import CONFIGURATION, ENVIRONMENT, Failure
from rankfeed_cli.help import usage
from rankfeed_cli.installation import Installation
from rankfeed_cli.printable import printable
from rankfeed_cli.wheels import Wheels

JOBS = "init generate prepare sample export pipeline diff prune"
FEEDER = "import verify plan feed explain preview diagnose bench doctor"
COMMANDS = ["quickstart", *JOBS.split(), "check", "inspect", "simulate", *FEEDER.split(), "docs", "completion"]
HDFS = ("hdfs", "viewfs")  # the shaded client of Hadoop 3.5 lacks classes of webhdfs
DELTA = (
    "spark.sql.extensions=io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog=org.apache.spark.sql.delta.catalog.DeltaCatalog",
)


def main() -> None:
    """The entry point of the command, which is replaced by the program that it starts."""
    try:
        Launcher(installation(), os.environ.get("RANKFEED_SPARK_ARGS", "")).run(sys.argv[1:])
    except Failure as e:
        print(f"rankfeed: {printable(str(e))}", file=sys.stderr)
        sys.exit(e.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)


def installation() -> Installation:
    here = Path(__file__).resolve()
    return Wheels() if (here.parent / "home").is_dir() else Checkout(here.parents[4])


class Launcher:
    """Starts programs of one installation."""

    def __init__(self, installation: Installation, spark_args: str):
        self.installation = installation
        self.spark_args = spark_args

    def run(self, words: list[str]) -> None:
        if words[:1] == ["--spark"]:
            if len(words) < 2:
                raise Failure(
                    CONFIGURATION,
                    '--spark requires the arguments of spark-submit as one argument: --spark "--master local[2]"',
                )
            self.spark_args = f"{self.spark_args} {words[1]}"
            words = words[2:]
        command = words[0] if words else ""
        os.environ.update(RANKFEED_COMMAND=self.installation.launcher, RANKFEED_HOME=str(self.installation.root))
        if sys.stdin.isatty() and sys.stderr.isatty():
            os.environ.setdefault("RANKFEED_INTERACTIVE", "1")
        if command in ("--version", "-V"):
            print("rankfeed", self.installation.version())
        elif command in ("--help", "-h", "help"):
            print(usage(self.installation.launcher), end="")
        elif not command:
            print(usage(self.installation.launcher), end="", file=sys.stderr)
            sys.exit(CONFIGURATION)
        elif command == "completion":
            print(completion.script(words[1:]), end="")
        elif command == "docs":
            docs.run(words[1:], self.installation.root / "docs")
        elif command == "java":  # for scripts such as bench/run
            print(self._feeder_java("no Java 25 or newer") / "bin" / "java")
        elif command == "quickstart":
            self._quickstart(words)
        elif command in JOBS.split() or self._is_for_spark(words):
            self._job(words)
        elif command in COMMANDS:
            self._feeder(words)
        else:
            nearest = difflib.get_close_matches(command, COMMANDS, 1, 0.75)
            hint = f" Did you mean {nearest[0]}?" if nearest else ""
            raise Failure(
                CONFIGURATION,
                f"unknown command '{command}'.{hint} One of: {' '.join(COMMANDS)}"
                f" ({self.installation.launcher} --help shows an example of each)",
            )

    def _is_for_spark(self, words: list[str]) -> bool:
        """Both parts have the commands; the Spark part also counts job files and reads each file system of Hadoop."""
        return words[0] in ("inspect", "simulate") and self.installation.has_jobs() and not is_for_feeder(words)

    def _quickstart(self, words: list[str]) -> None:
        if not asks(words):
            if not self.installation.has_jobs():
                small.check(words[1:])
            if not self.installation.has_jobs() or (len(words) == 1 and not self.installation.has_trainer()):
                self._feeder(small.words(self.installation))
            self.installation.jobs()
            self.installation.train()  # before Spark works for minutes
            if not names(words, "--dir"):
                words = [*words, "--dir", str(self.installation.quickstart)]
        os.environ["RANKFEED_SPARK_ARGS"] = self.spark_args
        self._feeder(words)

    def _job(self, words: list[str]) -> None:
        limits.require()
        jar, delta = self.installation.jobs()
        home, settings = self._spark()
        jars = [] if os.environ.get("RANKFEED_DELTA") == "off" else delta
        own = [word for setting in DELTA for word in ("--conf", setting)] if jars else []
        given = self.spark_args.split()
        if settings:
            local = Driver(Path(os.environ["JAVA_HOME"]), home, settings, [jar, *jars])
            command = local.command(own, given, makes=not asks(words))
            if command:
                become(Path(command[0]), [*command[1:], *words])
        added = [str(one) for one in jars]
        submit = own
        rest = iter(given)
        for word in rest:
            if word == "--jars":  # spark-submit would take the last --jars alone
                added.append(next(rest, ""))
            else:
                submit.append(word)
        if added:
            submit += ["--jars", ",".join(added)]
        become(home / "bin" / "spark-submit", [*submit, "--class", "io.rankfeed.spark.RankfeedJobs", str(jar), *words])

    def _spark(self) -> tuple[Path, Path | None]:
        """Sets SPARK_HOME, SPARK_CONF_DIR and a suitable Java; the folder of settings if they and Spark are
        rankfeed's."""
        chosen = os.environ.get("SPARK_HOME")
        home = Path(chosen) if chosen else self.installation.spark_home()
        if not os.access(home / "bin" / "spark-submit", os.X_OK):
            raise Failure(
                ENVIRONMENT,
                f"SPARK_HOME={home} has no bin/spark-submit; set it to a Spark 4.2 or unset it to use the pinned one",
            )
        os.environ["SPARK_HOME"] = str(home)
        settings = None
        if not os.environ.get("SPARK_CONF_DIR") and not (home / "conf" / "spark-defaults.conf").is_file():
            settings = self.installation.root / "conf" / "spark"
            os.environ["SPARK_CONF_DIR"] = str(settings)
            # Only an embedded Spark stays on the loopback: executors elsewhere must reach the driver.
            if "--master" not in self.spark_args and "spark.master" not in self.spark_args:
                os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        fit = java.find(java.SPARK)
        if not fit:
            raise Failure(
                ENVIRONMENT,
                "Spark needs Java 17 or newer; install one (Debian: apt-get install openjdk-17-jre-headless)",
            )
        os.environ["JAVA_HOME"] = str(fit)
        return home, None if chosen else settings

    def _feeder(self, words: list[str]) -> None:
        limits.require()
        address = remote_address(words)
        reads_stores = address and words[0] in ("feed", "diagnose", "bench", "inspect", "simulate")
        if reads_stores:
            require_client(address)
        class_path = [str(self.installation.feeder())]
        if reads_stores:
            class_path += filter(None, [os.environ.get("RANKFEED_REMOTE"), f"{self.installation.remote()}/*"])
            class_path += filter(None, [os.environ.get("HADOOP_CONF_DIR")])
        if has_image_steps(words) or self._is_quickstart_with_images(words):
            class_path.append(f"{self.installation.images()}/*")
            os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")  # a broken image is reported with its row
        home = self._feeder_java("the feeder needs Java 25 or newer")
        options = os.environ.get("RANKFEED_JAVA_OPTS", "").split()
        if not any(re.fullmatch(r"-XX:\+Use.*GC", option) for option in options):
            # Connections come and go for weeks: a young generation that is used again keeps resident memory flat, where
            # G1 spreads over the heap that it has reserved. The hot path allocates nothing.
            options = ["-XX:+UseSerialGC", "-XX:MaxNewSize=32m", *options]
        os.environ.update(
            RANKFEED_LAUNCHER=str(self.installation.program),
            RANKFEED_EXAMPLES=str(self.installation.examples),
            RANKFEED_PYTHON_ENV=str(self.installation.environment),
        )
        sample = self.installation.sample()
        if sample:
            options = [*aot.options(home / "bin" / "java", self.installation.feeder(), sample), *options]
        options = ["--enable-native-access=ALL-UNNAMED", *options, "-cp", ":".join(class_path)]
        become(home / "bin" / "java", [*options, "io.rankfeed.feeder.RankfeedFeeder", *words])

    def _is_quickstart_with_images(self, words: list[str]) -> bool:
        """Whether the quickstart has a catalog with images: one that is named, or the one next to a checkout."""
        names_catalog = names(words, "--catalog") or isinstance(self.installation, Checkout)
        return words[0] == "quickstart" and not asks(words) and names_catalog

    def _feeder_java(self, lack: str) -> Path:
        home = self.installation.feeder_java()
        if not home:
            raise Failure(ENVIRONMENT, f"{lack}; install a JDK 25 (any vendor) and set JDK25_HOME to it")
        return home


def become(program: Path, words: list[str]) -> None:
    sys.stdout.flush()
    os.execv(program, [str(program), *words])


def asks(words: list[str]) -> bool:
    """Whether the words ask for help or the version alone."""
    return any(word in ("-h", "--help", "-V", "--version") for word in words)


def names(words: list[str], option: str) -> bool:
    return any(word.split("=")[0] == option for word in words)


def is_for_feeder(words: list[str]) -> bool:
    """Whether help or batches are asked for, or a path of this machine that is not a job file; Spark starts slowly."""
    is_job = names(words, "--set") or any(word.endswith((".yaml", ".yml")) for word in words)
    return asks(words) or "--lengths" in words or (not is_job and any(is_here(word) for word in words[1:]))


def is_here(word: str) -> bool:
    """Whether a word names a file or a folder of this machine, or a run of a dataset in one."""
    dataset = word.rpartition("@")[0]
    return Path(word.removeprefix("file://")).exists() or (dataset != "" and Path(dataset).is_dir())


def own(words: list[str]) -> list[str]:
    """Returns the words before the command of the trainers."""
    return words[: words.index("--")] if "--" in words else words


def remote_address(words: list[str]) -> str:
    """Returns the first address in a remote store; empty if there is none."""
    return next((w for w in own(words) if re.match(r"[A-Za-z][^:/]*://", w) and not w.startswith("file://")), "")


def require_client(address: str) -> None:
    """Raises ``Failure``, before anything is built, if no client can read the address."""
    scheme = address.split(":", maxsplit=1)[0]
    if scheme not in HDFS and not os.environ.get("RANKFEED_REMOTE"):
        raise Failure(
            CONFIGURATION,
            f"{address}: no client for {scheme}:// addresses; give an hdfs:// address or a mounted folder, or name the"
            " jars of a Hadoop file system for it in RANKFEED_REMOTE",
        )


def beginning(file: Path) -> str:
    """Returns the beginning of a file, up to the maximum size of job and feed files."""
    with file.open(errors="replace") as text:
        return text.read(1 << 20)


def has_image_steps(words: list[str]) -> bool:
    """Whether the feed file among the words has columns made of images, and not of texts; those need OpenCV."""
    file = ""
    given = iter(own(words))
    for word in given:
        if word == "--config":
            file = next(given, "")
        elif word.startswith("--config="):
            file = word.split("=", 1)[1]
    if not file or not Path(file).is_file():
        return False
    text = beginning(Path(file))
    keys = [len(re.findall(rf"""(?:^|[^A-Za-z0-9_-]){key}["']?\s*:""", text)) for key in ("from", "text")]
    return keys[0] > keys[1]
