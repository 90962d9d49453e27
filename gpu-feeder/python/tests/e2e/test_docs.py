"""The documentation is complete and consistent. test_pages.py and test_moving.py execute its pages."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
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
    *(f"how-to/{name}.md" for name in "hive delta timers metrics diagnose doctor changing-tables mixtures".split()),
    *(f"how-to/{name}.md" for name in "images chat balance curriculum experiments memory cluster nodes hdfs".split()),
    *(f"how-to/from-{name}.md" for name in "webdataset streaming datasets enn".split()),
    "how-to/existing-datasets.md",
]


def test_every_executable_page_is_executed():
    pages = {str(page.relative_to(DOCS)): blocks(page) for page in DOCS.rglob("*.md")}
    executed = {page for page, found in pages.items() if any(block.runs for block in found)}
    assert executed == {*FOLLOWED, *ELSEWHERE}


@pytest.mark.parametrize("page", [*FOLLOWED, "how-to/trl.md", "../README.md"])
def test_executable_page_has_an_install_line(page):
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
    """Returns the schema of parts of a file, in which nothing is required."""
    if isinstance(schema, dict):
        return {key: optional(value) for key, value in schema.items() if key not in ("required", "oneOf")}
    return [optional(value) for value in schema] if isinstance(schema, list) else schema


WITHOUT_PARTS = ["format/petastorm.md", "job-file/row-counts.md", "job-file/runs.md"]
WITH_PARTS = ["job-file.md", "functions.md", "text.md"]


@pytest.mark.parametrize(
    "page",
    [*WITH_PARTS, "format/petastorm.md", *sorted(f"job-file/{p.name}" for p in (DOCS / "job-file").glob("*.md"))],
)
def test_parts_of_files_have_valid_keys(page):
    schemas = [json.loads((DOCS / "schema" / f"{kind}.schema.json").read_text()) for kind in ("job", "feed")]
    parts = [block for block in blocks(DOCS / page) if block.language == "yaml" and not block.title]
    assert parts or page in WITHOUT_PARTS
    for block in parts:
        part = yaml.safe_load(block.text)
        part = {"feeds": {"train": part}} if "columns" in part else part
        jsonschema.validate(part, optional(schemas["feeds" in part]))


def test_troubleshooting_messages_are_those_of_the_code():
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


def build(site: Path, **variables: str) -> Path:
    mkdocs = [Path(sys.executable).parent / "mkdocs", "build", "--strict", "--quiet"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", **variables}
    words = ["-f", PROJECT / "conf" / "docs" / "mkdocs.yml", "--site-dir", site]
    done = subprocess.run([*mkdocs, *words], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return site


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The site, in a sub-path."""
    return build(tmp_path_factory.mktemp("host") / "docs")


class Tags(HTMLParser):
    """The attributes of a page's tags, by the name of the tag."""

    def __init__(self, page: Path):
        super().__init__()
        self.found: dict[str, list[dict[str, str | None]]] = {}
        self.feed(page.read_text())

    def handle_starttag(self, tag, attrs):
        self.found.setdefault(tag, []).append(dict(attrs))

    def all(self, tag: str, name: str) -> list[str]:
        return [attributes[name] for attributes in self.found.get(tag, []) if attributes.get(name)]


def test_the_site_is_built_without_a_warning(site):
    assert "Feed" in (site / "reference" / "python.html").read_text()
    assert (site / "source" / "conf" / "feeds" / "default.yaml.html").is_file()


def targets(navigation) -> list[str]:
    if isinstance(navigation, str):
        return [navigation]
    parts = navigation.values() if isinstance(navigation, dict) else navigation
    return [target for part in parts for target in targets(part)]


def test_navigation_targets_are_pages(site):
    text = (PROJECT / "conf" / "docs" / "mkdocs.yml").read_text()
    navigation = yaml.safe_load(text[text.index("\nnav:") :])["nav"]
    found = targets(navigation)
    assert len(found) > 50
    for target in found:
        page = site / Path(target).with_suffix(".html")
        assert "<article" in page.read_text(), target


@pytest.mark.parametrize("name", ["tour", "plan", "images"])
def test_notebook_page_has_install_line_and_pictures(site, name):
    page = site / "notebooks" / f"{name}.html"
    tags = Tags(page)
    assert "pip install 'rankfeed[spark" in html.unescape(re.sub("<[^>]+>", "", page.read_text()))
    assert f"{name}.ipynb" in tags.all("a", "href")
    assert (site / "notebooks" / f"{name}.ipynb").is_file()
    pictures = tags.all("img", "src")
    assert pictures
    assert all((page.parent / picture).is_file() for picture in pictures)
    pages = [href for href in tags.all("a", "href") if not href.startswith(("#", "http"))]
    assert all((page.parent / href.split("#")[0]).exists() for href in pages)


def test_the_site_loads_nothing_from_elsewhere(site):
    for page in site.rglob("*.html"):
        tags = Tags(page)
        loaded = [*tags.all("script", "src"), *tags.all("img", "src"), *tags.all("iframe", "src")]
        loaded += tags.all("link", "href")
        assert not [address for address in loaded if re.match("[a-z]+:|/", address)], page


def test_page_for_unknown_addresses_has_relative_links(site):
    tags = Tags(site / "404.html")
    links = [*tags.all("a", "href"), *tags.all("link", "href"), *tags.all("script", "src")]
    assert "./index.html" in links
    assert not [link for link in links if link.startswith("/")]
    assert all((site / link).exists() for link in links if link.startswith("./"))


def test_pages_link_to_the_repository_if_known(site, tmp_path):
    assert not [link for link in Tags(site / "guide.html").all("a", "href") if "/edit/" in link]
    linked = build(tmp_path, RANKFEED_REPOSITORY="https://github.com/example/rankfeed")
    repository = "https://github.com/example/rankfeed"
    assert repository in Tags(linked / "guide.html").all("a", "href")
    assert f"{repository}/edit/main/docs/guide.md" in Tags(linked / "guide.html").all("a", "href")
    assert f"{repository}/edit/main/notebooks/tour.ipynb" in Tags(linked / "notebooks" / "tour.html").all("a", "href")
    assert 'data-md-component="source"' not in (linked / "guide.html").read_text(), "asks the repository's host"


@pytest.mark.nightly
def test_versions_of_the_site_have_a_menu(site, tmp_path):
    version = tomllib.loads((PROJECT / "gpu-feeder" / "python" / "pyproject.toml").read_text())["project"]["version"]
    assert f"rankfeed {version}" in (site / "index.html").read_text()
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "Start"]):
        identity = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True)
    mike = [Path(sys.executable).parent / "mike", "deploy", "-F", PROJECT / "conf" / "docs" / "mkdocs.yml"]
    author = {f"GIT_{role}_{key}": "test@example.org" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")}
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # where mike looks for mkdocs
    subprocess.run([*mike, version, "latest"], cwd=tmp_path, check=True, env={**os.environ, **author, "PATH": path})

    def published(file: str) -> str:
        return subprocess.check_output(["git", "show", f"gh-pages:{file}"], cwd=tmp_path, text=True)

    assert [entry["aliases"] for entry in json.loads(published("versions.json"))] == [["latest"]]
    assert '"provider": "mike"' in published(f"{version}/index.html")
    assert '"provider": "mike"' not in (site / "index.html").read_text()


def test_home_page_has_picture_figures_and_starts(site):
    tags = Tags(site / "index.html")
    assert tags.all("img", "src") == ["assets/data-flow.svg", "assets/throughput.svg"]
    assert all(tags.all("img", "alt"))
    cards = (DOCS / "index.md").read_text().split('<div class="grid cards" markdown>')[1].split("</div>")[0]
    assert re.findall(r"\*\*(.+)\*\*", cards) == ["Try it", "Use your own table", "Use your cluster"]
    assert {"tutorial.html", "guide.html", "how-to/cluster.html"} <= set(tags.all("a", "href"))
    pip, quickstart = next(block.text for block in blocks(DOCS / "index.md") if block.language == "bash").split(
        "rankfeed q"
    )
    assert pip.startswith("pip install")
    assert quickstart.startswith("uickstart")


def test_home_page_figure_shows_measured_numbers():
    picture = (DOCS / "assets" / "throughput.svg").read_text()
    shown = dict(re.findall(r">([^<>]+)</text>\n.*\n *<text[^>]*>([\d.]+ M)<", picture))
    page = (PROJECT / "bench" / "README.md").read_text().split("\n## ")[1]
    measured = {
        name: int(rate.replace(",", "")) for name, rate in re.findall(r"^\| (\S+) \| ([\d,]+) \|", page, re.MULTILINE)
    }
    names = {
        "numpy, in process": "numpy",
        "rankfeed": "rankfeed:torch",
        "DataLoader, in process": "dataloader:batched:0",
        "DataLoader, 2 workers": "dataloader:batched:2",
        "litdata, 2 workers": "litdata:4096:2",
    }
    assert shown == {name: f"{measured[key] / 1e6:.2g} M" for name, key in names.items()}
    widths = [int(width) for width in re.findall(r'<rect x="200"[^>]* width="(\d+)"', picture)]
    assert widths == [max(2, round(measured[key] / measured["numpy"] * 400)) for key in names.values()]


WIDE = {"reference/commands.md": "generated from the help of the commands"}


def test_code_fits_100_characters():
    pages = [*DOCS.rglob("*.md"), *PROJECT.glob("README.md"), PROJECT / "bench" / "README.md"]
    wide = [
        f"{page.relative_to(PROJECT)}:{block.line + number}: {line}"
        for page in pages
        if str(page.relative_to(PROJECT)).removeprefix("docs/") not in WIDE
        for block in blocks(page)
        for number, line in enumerate(block.text.splitlines(), 1)
        if len(line) > 100
    ]
    assert not wide, "\n".join(wide)


@pytest.mark.parametrize("book", sorted((PROJECT / "notebooks").glob("*.ipynb")), ids=lambda book: book.stem)
def test_code_of_notebooks_fits_100_characters(book):
    cells = [cell for cell in json.loads(book.read_text())["cells"] if cell["cell_type"] == "code"]
    assert not [line for cell in cells for line in "".join(cell["source"]).splitlines() if len(line) > 100]


def test_glossary_term_has_one_meaning():
    text = (DOCS / "data-flow.md").read_text().split("## Glossary")[1]
    terms = [
        term for row in re.findall(r"^\| ([^|]+) \| [^|]+ \|$", text, re.MULTILINE)[1:] for term in row.split(", ")
    ]
    assert {"unit", "segment", "task range", "ring file"} <= {*terms}
    assert len(terms) == len({*terms})
    for page in DOCS.rglob("*.md"):
        assert not re.search(r"units? of work|shared-memory segment", page.read_text()) or page.name == "ring.md", page
