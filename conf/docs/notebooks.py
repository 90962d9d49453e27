"""Makes a page of each notebook, with its stored outputs, and keeps the notebook as a download."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from nbconvert import MarkdownExporter

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


@event_priority(100)  # before outside.py, which resolves the links of all pages
def on_files(files: Files, config: MkDocsConfig) -> Files:
    for notebook in sorted(NOTEBOOKS.glob("*.ipynb")):
        markdown, resources = MarkdownExporter().from_filename(str(notebook))
        folder = f"{notebook.stem}_files"
        page = File.generated(config, f"notebooks/{notebook.stem}.md", content=_page(markdown, notebook.name, folder))
        page.edit_uri = f"../notebooks/{notebook.name}"
        files.append(page)
        files.append(File.generated(config, f"notebooks/{notebook.name}", abs_src_path=str(notebook)))
        for name, content in resources["outputs"].items():
            files.append(File.generated(config, f"notebooks/{folder}/{name}", content=content))
    return files


def _page(markdown: str, notebook: str, folder: str) -> str:
    markdown = re.sub(r"!\[png\]\(", f"![The output of the cell above]({folder}/", markdown)
    # Links of a notebook are those of the project; on the site, docs is the top folder.
    markdown = markdown.replace("](../docs/", "](../").replace(".ipynb)", ".md)")
    # The site styles tables without a class, as it does those of its own pages.
    markdown = re.sub(r"<style scoped>.*?</style>\n", "", markdown, flags=re.DOTALL)
    markdown = markdown.replace('<table border="1" class="dataframe">', "<table>")
    title, _, rest = markdown.partition("\n")
    return f"{title}\n\n[Download this notebook]({notebook})\n{rest}"
