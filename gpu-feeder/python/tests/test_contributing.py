"""The pages for maintainers name files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[3]
FOLDER = PROJECT / "docs" / "contributing"
PAGES = sorted(FOLDER.glob("*.md"))
# A path has a folder or a known ending; commands have spaces, and what a build makes is not in the repository.
PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)+/?|[\w-]+\.(?:md|xml|in|txt|toml)")
BUILT = ("target", ".envs")
MAX_LINES = 60


def paths(text: str) -> list[str]:
    without_blocks = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    quoted = re.findall("`([^`\n]+)`", without_blocks)
    return [words for words in quoted if PATH.fullmatch(words) and words.split("/")[0] not in BUILT]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_path_on_a_page_exists(page):
    text = page.read_text()
    named = paths(text)
    assert named
    assert [path for path in named if not (PROJECT / path).exists()] == []
    assert len(text.splitlines()) <= MAX_LINES


def test_commands_and_build_folders_are_not_paths():
    text = "`pom.xml`, `docs/index.md`, `mvn verify`, `target/surefire-reports`\n```console\nno/file.py\n```\n"
    assert paths(text) == ["pom.xml", "docs/index.md"]


def test_contributing_page_links_all_guides():
    linked = re.findall(r"\]\(contributing/([\w-]+\.md)\)", (PROJECT / "docs" / "CONTRIBUTING.md").read_text())
    assert sorted(linked) == [page.name for page in PAGES]
