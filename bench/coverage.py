#!/usr/bin/env python3
"""Lines that the tests run, by package, from what `./dev coverage` leaves: files of JaCoCo and of coverage.py.

    bench/coverage.py [--write]     prints the table, or puts it into docs/testing.md

JVMs and Python processes that a test starts outside the test environment are not counted: the feeder of an end-to-end test,
spark-submit, environments of the pages.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "target/coverage"
PAGE = ROOT / "docs/testing.md"
BEGIN, END = "<!-- coverage -->\n", "<!-- /coverage -->\n"
Lines = dict[str, tuple[int, int]]
"""Lines that ran and all lines, by package."""


def java() -> Lines:
    version = (ROOT / "pom.xml").read_text().partition("<jacoco.version>")[2].partition("<")[0]
    artifact = f"org.jacoco:org.jacoco.cli:{version}:jar:nodeps"
    copy = ["mvn", "-B", "-q", "-N", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={OUT}"]
    subprocess.run(copy, cwd=ROOT, check=True)
    records = sorted(ROOT.glob("**/target/jacoco.exec"))
    if not records:
        sys.exit("no target/jacoco.exec: run ./dev coverage")
    classes = [folder for folder in ROOT.glob("**/target/classes") if (folder / "io/rankfeed").is_dir()]
    command = ["java", "-jar", OUT / f"org.jacoco.cli-{version}-nodeps.jar", "report", *records, "--csv", OUT / "java.csv"]
    for folder in classes:
        command += ["--classfiles", folder]
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
    found: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    with (OUT / "java.csv").open() as rows:
        for row in csv.DictReader(rows):
            missed, covered = int(row["LINE_MISSED"]), int(row["LINE_COVERED"])
            if row["PACKAGE"].endswith("jmh_generated"):
                continue
            found[row["PACKAGE"]][0] += covered
            found[row["PACKAGE"]][1] += missed + covered
    return {name: (ran, lines) for name, (ran, lines) in found.items()}


def python() -> Lines:
    tool = [ROOT / ".envs/test/bin/python", "-m", "coverage"]
    settings = [f"--rcfile={ROOT / 'gpu-feeder/python/pyproject.toml'}", f"--data-file={OUT / 'python'}"]
    subprocess.run([*tool, "combine", "--keep", "-q", *settings, OUT], check=True)
    subprocess.run([*tool, "json", "-q", *settings, "-o", OUT / "python.json"], check=True)
    found: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, file in json.loads((OUT / "python.json").read_text())["files"].items():
        package = ".".join(Path(name.partition("/src/")[2] or name.partition("/site-packages/")[2]).parent.parts)
        found[package][0] += file["summary"]["covered_lines"]
        found[package][1] += file["summary"]["num_statements"]
    return {name: (ran, lines) for name, (ran, lines) in found.items()}


def table(found: Lines) -> str:
    rows = [f"| {name} | {lines} | {100 * ran / lines:.0f} % |\n" for name, (ran, lines) in sorted(found.items()) if lines]
    ran, lines = (sum(numbers) for numbers in zip(*found.values(), strict=True))
    head = "| package | lines | run by tests |\n|---|---|---|\n"
    return head + "".join(rows) + f"| all | {lines} | {100 * ran / lines:.0f} % |\n"


def main(words: list[str]) -> None:
    text = table({**java(), **python()})
    if words == ["--write"]:
        before, _, rest = PAGE.read_text().partition(BEGIN)
        PAGE.write_text(before + BEGIN + text + END + rest.partition(END)[2])
    elif not words:
        sys.stdout.write(text)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
