"""The documentation is complete and consistent. test_pages.py and test_moving.py execute its pages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml
from launch import PROJECT
from pages import DOCS, blocks, installed

# Pages whose blocks run in a checkout, and what runs them.
ELSEWHERE = {
    "CONTRIBUTING.md": "the test of the site below, and CI",
    "how-to/airflow.md": "test_airflow.py",
    "testing.md": "CI",
    "how-to/trl.md": "test_trl_page.py",
}
FOLLOWED = [
    *(
        "tutorial.md guide.md install.md index.md text.md transforms.md python-transforms.md explanation/order.md"
        " reference/feed-file.md"
    ).split(),
    *(f"how-to/{name}.md" for name in "hive delta changing-tables images chat balance curriculum cluster nodes hdfs".split()),
    *(f"how-to/from-{name}.md" for name in "webdataset streaming datasets".split()),
]


def test_every_page_that_can_be_executed_is():
    pages = {str(page.relative_to(DOCS)): blocks(page) for page in DOCS.rglob("*.md")}
    executed = {page for page, found in pages.items() if any(block.runs for block in found)}
    assert executed == {*FOLLOWED, *ELSEWHERE}


@pytest.mark.parametrize("page", [*FOLLOWED, "how-to/trl.md", "../README.md"])
def test_a_page_that_can_be_executed_says_what_to_install(page):
    assert any(word.startswith("rankfeed") for word in installed(DOCS / page))


def test_the_readme_shows_commands_that_are_tested():
    found = blocks(PROJECT / "README.md")
    commands = {line.split("  ")[0] for block in found if block.language == "bash" for line in block.text.splitlines()}
    assert commands == {
        "pip install 'rankfeed[spark,images]' torch",  # test_wheels.py
        "rankfeed quickstart",  # test_wheels.py
        "rankfeed init /data/my-table",  # InitIT
        "./rankfeed quickstart",  # test_quickstart.py
        "mvn verify",  # CI
    }
    for block in found:
        if block.language == "python":
            compile(block.text, "README.md", "exec")


def optional(schema):
    """The schema of parts of a file: nothing is required."""
    if isinstance(schema, dict):
        return {key: optional(value) for key, value in schema.items() if key not in ("required", "oneOf")}
    return [optional(value) for value in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize("page", ["job-file.md", "functions.md", "text.md", "format/petastorm.md"])
def test_parts_of_files_have_valid_keys(page):
    schemas = [json.loads((DOCS / "schema" / f"{kind}.schema.json").read_text()) for kind in ("job", "feed")]
    parts = [block for block in blocks(DOCS / page) if block.language == "yaml" and not block.title]
    assert parts or page == "format/petastorm.md"
    for block in parts:
        part = yaml.safe_load(block.text)
        part = {"feeds": {"train": part}} if "columns" in part else part
        jsonschema.validate(part, optional(schemas["feeds" in part]))


def test_messages_of_the_troubleshooting_page_are_those_of_the_code():
    roots = [PROJECT / name for name in "schema sampling shard-export spark-jobs gpu-feeder".split()]
    files = [file for root in roots for kind in ("java", "py") for file in root.glob(f"**/src/**/*.{kind}")]
    code = "\n".join(file.read_text() for file in files if "test" not in file.parts)
    page = (DOCS / "troubleshooting.md").read_text()
    messages = re.findall(r"^\| (`[^|]+) \|", page, re.MULTILINE)
    assert len(messages) > 25
    parts = [
        part.strip()
        for message in messages
        for quoted in re.findall("`([^`]+)`", message)
        for part in quoted.split("…")
    ]
    unknown = [part for part in parts if part and part not in code]
    assert unknown == ["Java heap space"], "only the JVM's own message is not in the code"


def test_the_site_is_built_without_a_warning(tmp_path):
    mkdocs = [Path(sys.executable).parent / "mkdocs", "build", "--strict", "--quiet"]
    words = ["-f", PROJECT / "conf" / "docs" / "mkdocs.yml", "--site-dir", tmp_path]
    done = subprocess.run([*mkdocs, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Feed" in (tmp_path / "reference" / "python.html").read_text()
    assert (tmp_path / "source" / "conf" / "feeds" / "default.yaml.html").is_file()
