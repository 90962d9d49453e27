"""The notebooks run from their first cell to their last, and are published with outputs."""

from __future__ import annotations

import nbformat
import pytest
from launch import PROJECT
from nbclient import NotebookClient
from pages import Reader

BOOKS = sorted((PROJECT / "notebooks").glob("*.ipynb"))


def pictures(book: nbformat.NotebookNode) -> int:
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    return sum("image/png" in output.get("data", {}) for output in outputs)


@pytest.mark.nightly
@pytest.mark.parametrize("file", BOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs(file, tmp_path, monkeypatch):
    reader = Reader(tmp_path / "work")
    for name in ("PATH", "RANKFEED_BUILD", "RANKFEED_JAVA_OPTS"):
        monkeypatch.setenv(name, reader.variables[name])
    book = nbformat.read(file, as_version=4)
    place = {"metadata": {"path": str(reader.work)}}
    NotebookClient(book, timeout=600, kernel_name="python3", resources=place).execute()
    assert pictures(book) == pictures(nbformat.read(file, as_version=4)) > 0


@pytest.mark.parametrize("file", BOOKS, ids=lambda file: file.stem)
def test_a_notebook_has_outputs_and_exercises(file):
    book = nbformat.read(file, as_version=4)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert book.cells[-1].source.count("\n1. ") == 1
    assert not any(words in file.read_text() for words in ("/tmp/", str(PROJECT)))
