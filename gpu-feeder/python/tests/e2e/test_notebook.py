"""The notebooks run from their first cell to their last, and are published with outputs."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from launch import PROJECT
from pages import Reader
from test_wheels import Fresh, wheels  # noqa: F401

BOOKS = sorted((PROJECT / "notebooks").glob("*.ipynb"))
TOUR = PROJECT / "notebooks" / "tour.ipynb"


def pictures(book: nbformat.NotebookNode) -> int:
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    return sum("image/png" in output.get("data", {}) for output in outputs)


def installed(file: Path) -> list[str]:
    """Returns what the first cell of a notebook installs."""
    first = nbformat.read(file, as_version=4).cells[0].source
    (line,) = re.findall(r"pip install ([^`\n]+)", first)
    return shlex.split(line)


@pytest.mark.nightly
@pytest.mark.parametrize("file", BOOKS, ids=lambda file: file.stem)
def test_notebook_runs_in_the_environment_it_installs(file, tmp_path, wheels):  # noqa: F811
    environment = Fresh(tmp_path / "installed", wheels, *installed(file)).environment
    reader = Reader(tmp_path / "work", environment=environment)
    shutil.copy(file, reader.work / "before.ipynb")
    words = ["--to", "notebook", "--execute", "--output", "after.ipynb", "before.ipynb"]
    done = subprocess.run(
        [environment / "bin" / "jupyter", "nbconvert", *words, "--ExecutePreprocessor.timeout=600"],
        cwd=reader.work,
        env={**reader.variables, "MPLBACKEND": "module://matplotlib_inline.backend_inline"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    after = nbformat.read(reader.work / "after.ipynb", as_version=4)
    assert pictures(after) == pictures(nbformat.read(file, as_version=4)) > 0


@pytest.mark.parametrize("file", BOOKS, ids=lambda file: file.stem)
def test_a_notebook_has_outputs_and_exercises(file):
    book = nbformat.read(file, as_version=4)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert book.cells[-1].source.count("\n1. ") == 1
    assert "```bash\npip install 'rankfeed[spark" in book.cells[0].source
    assert not any(words in file.read_text() for words in ("/tmp/", str(PROJECT)))
