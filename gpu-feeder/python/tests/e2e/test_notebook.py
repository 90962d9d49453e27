"""The tour runs from its first cell to its last."""

from __future__ import annotations

import shutil

import nbformat
import pytest
from nbclient import NotebookClient


@pytest.mark.nightly
def test_the_tour_runs(project, table, tmp_path, monkeypatch):
    shutil.copytree(table, tmp_path / "input")  # the tour makes its table only where there is none
    monkeypatch.setenv("RANKFEED_HOME", str(project))
    monkeypatch.setenv("RANKFEED_TOUR", str(tmp_path))
    notebook = nbformat.read(project / "notebooks" / "tour.ipynb", as_version=4)
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("image/png" in output.get("data", {}) for output in outputs), "the plot of the plan is missing"
    assert any("same batch: True" in output.get("text", "") for output in outputs)
