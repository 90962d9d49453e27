"""Puts files outside of docs that its pages link to into the site, so that no link leaves it."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(((?:\.\./)+[^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    pages = [file for file in files if file.src_uri.endswith(".md")]
    for page in pages:
        for link in LINK.finditer(page.content_string):
            target = _outside(page.src_uri, link[1])
            name = target and _name(target)
            if name and name not in files.src_uris:
                files.append(File.generated(config, name, content=_content(ROOT / target)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    def inside(link: re.Match[str]) -> str:
        target = _outside(page.file.src_uri, link[1])
        if not target:
            return link[0]
        anchor = (link[2] or "") if target.endswith(".md") else ""
        return f"]({os.path.relpath(_name(target), PurePosixPath(page.file.src_uri).parent)}{anchor})"

    return LINK.sub(inside, markdown)


def _outside(page: str, link: str) -> str:
    """Returns the path of a link below the project, if it is a file or folder outside of docs."""
    path = os.path.normpath(f"docs/{PurePosixPath(page).parent}/{link}")
    is_outside = not path.startswith(("docs/", "..")) and (ROOT / path).exists()
    return path if is_outside else ""


def _name(target: str) -> str:
    if target.startswith("notebooks/"):
        return str(PurePosixPath(target).with_suffix(".md"))
    return f"source/{target}" if target.endswith(".md") else f"source/{target}.md"


def _content(path: Path) -> str:
    if path.is_dir():
        names = sorted(child.name for child in path.iterdir())
        return f"# {path.name}\n\n" + "".join(f"- `{name}`\n" for name in names)
    if path.suffix == ".md":
        # Its own links are those of the project, not of the site.
        return re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]*\)", r"\1", path.read_text())
    language = {".yaml": "yaml", ".py": "python", ".json": "json", ".Dockerfile": "docker"}.get(path.suffix, "text")
    return f"# {path.name}\n\n```{language}\n{path.read_text().rstrip()}\n```\n"
