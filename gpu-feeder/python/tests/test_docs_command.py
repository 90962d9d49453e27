"""``rankfeed docs``: pages by name, in a checkout and as they are installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from processes import HERE
from rankfeed_cli import docs
from rankfeed_cli.failure import Failure

PROJECT = HERE.parents[2]
PAGES = PROJECT / "docs"


def run(*words: str, **variables: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-P", "-m", "rankfeed_cli", "docs", *words]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent / "src"), **variables}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize(
    ("written", "page"),
    [
        ("job-file", "job-file.md"),
        ("job-file.md", "job-file.md"),
        ("docs/job-file.md", "job-file.md"),
        ("how-to/hive", "how-to/hive.md"),
        ("hive", "how-to/hive.md"),
        ("stages", "job-file/stages.md"),
        ("docs/job-file/hive-and-delta.md", "job-file/hive-and-delta.md"),
        ("format/plan.html", "format/plan.md"),
    ],
)
def test_a_page_has_a_name(written, page):
    assert docs.page(written, PAGES) == PAGES / page


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("jobfile", "unknown page 'jobfile'. Did you mean job-file?"),
        ("hivee", "unknown page 'hivee'. Did you mean how-to/hive?"),
        ("", "unknown page ''"),
        ("../README", "unknown page '../README'"),
        ("ring", "write one of: explanation/ring format/ring"),
    ],
)
def test_unknown_page_is_a_configuration_error(written, message):
    with pytest.raises(Failure, match=re.escape(message)) as raised:
        docs.page(written, PAGES)
    assert raised.value.exit_code == 2


def test_installed_pages_are_html_without_source_files(tmp_path):
    for name in ("index.html", "job-file.html", "source/conf/job-file.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert docs.page("job-file.md", tmp_path) == tmp_path / "job-file.html"


def test_command_prints_a_path_and_opens_the_page(tmp_path):
    assert run().stdout == f"{PAGES / 'index.md'}\n"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >{tmp_path}/opened\n')
    browser.chmod(0o755)
    done = run("text.md#packed-sequences", "--open", BROWSER=str(browser))
    assert (done.returncode, done.stdout) == (0, f"{PAGES / 'text.md'}\n")
    assert (tmp_path / "opened").read_text() == f"{(PAGES / 'text.md').as_uri()}#packed-sequences\n"


def test_unsupported_use_is_named(tmp_path):
    assert run("jobfile").returncode == 2
    assert "requires at most the name of one page" in run("a", "b").stderr
    assert run("--opne").returncode == 2
    assert run("--help").stdout == docs.HELP
    nothing = {"PATH": str(tmp_path), "BROWSER": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    done = run("job-file", "--open", **nothing)
    assert (done.returncode, done.stdout) == (4, f"{PAGES / 'job-file.md'}\n")
    assert "no browser found" in done.stderr


def test_pages_named_by_messages_and_drafts_exist():
    roots = [PROJECT / name for name in ("schema", "sampling", "shard-export", "spark-jobs", "gpu-feeder", "conf")]
    files = [file for root in roots for kind in ("java", "py", "yaml") for file in root.rglob(f"*.{kind}")]
    text = "\n".join(file.read_text() for file in files if not {"tests", "test", "target"} & set(file.parts))
    named = {*re.findall(r"\bdocs/([a-z0-9/-]+\.md)", text), *re.findall(r"rankfeed docs ([a-z][a-z0-9/-]+)", text)}
    assert len(named) > 10
    for name in named:
        assert docs.page(name, PAGES).is_file()
