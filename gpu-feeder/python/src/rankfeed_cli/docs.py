"""``rankfeed docs``: prints the path of a page of the documentation, or opens it in a browser."""

from __future__ import annotations

import difflib
import webbrowser
from pathlib import Path

from rankfeed_cli.failure import CONFIGURATION, ENVIRONMENT, Failure

HOME = "index"
HELP = """\
Usage: rankfeed docs [PAGE] [--open]
Print the path of a page of the documentation of this version. Default: the home page.

  --open   Open the page in a browser.

PAGE is the name of a page, with or without its folder and suffix:

  rankfeed docs job-file
  rankfeed docs how-to/hive --open
  rankfeed docs text#packed-sequences --open
"""


def run(words: list[str], folder: Path) -> None:
    """Prints the help or a path below a folder of pages."""
    if "-h" in words or "--help" in words:
        print(HELP, end="")
        return
    names = [word for word in words if word != "--open"]
    if len(names) > 1 or any(name.startswith("-") for name in names):
        raise Failure(
            CONFIGURATION, "docs requires at most the name of one page and --open: rankfeed docs job-file --open"
        )
    name, hash_sign, section = (names[0] if names else HOME).partition("#")
    file = page(name, folder)
    print(file, flush=True)
    if "--open" in words and not webbrowser.open(file.as_uri() + hash_sign + section):
        raise Failure(ENVIRONMENT, f"no browser found; open {file} in one, or name a browser in BROWSER")


def page(written: str, folder: Path) -> Path:
    """Returns the page of a name, which may be its last part alone if it is unique."""
    pages = _pages(folder)
    name = written.removeprefix("docs/").removesuffix(".md").removesuffix(".html")
    found = [name] if name in pages else [one for one in pages if one.endswith(f"/{name}")]
    if len(found) == 1:
        return pages[found[0]]
    if found:
        raise Failure(CONFIGURATION, f"'{written}' is the name of several pages; write one of: {' '.join(found)}")
    known = {part: one for one in pages for part in (one.rpartition("/")[2], one)}
    nearest = difflib.get_close_matches(name, known, 1, 0.5)
    hint = f" Did you mean {known[nearest[0]]}?" if nearest else ""
    raise Failure(CONFIGURATION, f"unknown page '{written}'.{hint} The home page names all: rankfeed docs --open")


def _pages(folder: Path) -> dict[str, Path]:
    """Returns the pages by name: HTML if the site is installed, Markdown in a checkout. Copies of source files are not
    pages."""
    suffix = ".html" if (folder / f"{HOME}.html").is_file() else ".md"
    files = sorted(folder.rglob(f"*{suffix}"))
    names = {file.relative_to(folder).with_suffix("").as_posix(): file for file in files}
    return {name: file for name, file in names.items() if not name.startswith("source/")}
