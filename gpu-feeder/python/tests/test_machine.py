"""What ``rankfeed doctor`` asks this Python."""

import json
import platform
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from rankfeed import machine


def test_describe_names_this_python_and_its_torch():
    found = machine.describe()
    assert found["python"] == platform.python_version()
    assert found["torch"] == torch.__version__
    assert found["cuda"] == (torch.version.cuda or "")
    assert len(found["devices"]) == (torch.cuda.device_count() if torch.cuda.is_available() else 0)
    assert found["pinning"] == ""


@pytest.mark.parametrize(
    ("lines", "torch_is"),
    [
        ("raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')", ""),
        ("import no_such_part", "!No module named 'no_such_part'"),
        ("raise OSError('libcudart.so.12: cannot open shared object file')", "!libcudart.so.12: cannot open"),
        ("raise ImportError('undefined symbol')", "!undefined symbol"),
    ],
)
def test_a_torch_that_cannot_be_imported_is_an_answer(tmp_path, lines, torch_is):
    (tmp_path / "torch.py").write_text(lines + "\n")
    path = [str(tmp_path), str(Path(machine.__file__).parents[1])]
    run = "import runpy; runpy.run_module('rankfeed.machine', run_name='__main__')"
    code = f"import sys; sys.path[:0] = {path!r}; {run}"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = json.loads(said.stdout)
    assert found["torch"].startswith(torch_is)
    assert bool(found["torch"]) == bool(torch_is)
    assert (found["cuda"], found["devices"], found["pinning"]) == ("", [], "")


class FakeCuda:
    """torch's part that pins, which fails with this status."""

    def __init__(self, status: int):
        self.status = status
        self.pinned: list[int] = []

    def register(self, address: int, length_bytes: int) -> None:
        self.pinned.append(address)
        if self.status:
            raise RuntimeError(f"cudaHostRegister of {length_bytes} bytes failed with error {self.status}")

    def unregister(self, address: int) -> None:
        self.pinned.remove(address)


@pytest.mark.parametrize("status", [0, 2])
def test_pinning_is_tried(monkeypatch, status):
    runtime = FakeCuda(status)
    monkeypatch.setattr("rankfeed.cuda.TorchCuda", lambda _: runtime)
    why = machine._pinning(torch.device("cuda:0"))
    assert ("error 2" in why) if status else (why == "" and not runtime.pinned)
