"""docs/how-to/trl.md in an environment that its own install line makes."""

from __future__ import annotations

import json
import math
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from launch import PROJECT
from pages import DOCS, Reader, blocks
from test_wheels import Fresh, released  # noqa: F401

PAGE = DOCS / "how-to" / "trl.md"


@pytest.mark.nightly
def test_the_page_trains_in_the_environment_that_it_installs(released, tmp_path):  # noqa: F811
    (install,) = [block.text for block in blocks(PAGE) if block.text.startswith("pip install")]
    fresh = Fresh(tmp_path / "fresh", released, *shlex.split(install)[2:])
    (script,) = [block.text for block in blocks(DOCS / "tutorial.md") if block.title == "make_data.py"]
    for folder in ("data", "models"):
        (tmp_path / folder).mkdir()
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path / "data", check=True)
    model = (tmp_path / "data" / "model").rename(tmp_path / "models" / "chat")
    config = model / "tokenizer_config.json"
    names = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|end|>"}
    config.write_text(json.dumps(json.loads(config.read_text()) | names))
    java = subprocess.run([PROJECT / "rankfeed", "java"], capture_output=True, text=True, check=True).stdout
    replaced = {"/data/": f"{tmp_path}/data/", "/models/": f"{tmp_path}/models/", install: "true\n"}
    reader = Reader(
        tmp_path / "work", replaced, PATH=f"{fresh.environment / 'bin'}:{os.environ['PATH']}", HF_HUB_OFFLINE="1",
        JAVA_HOME=str(Path(java.strip()).parents[1]),
    )  # fmt: skip
    said = reader.follow(PAGE)
    (last,) = [line for line in said.splitlines() if line.startswith("loss ")]
    # The weights are random at the start, and a few steps at the default rate hardly change a guess among 512 tokens.
    assert abs(float(last.split()[1]) - math.log(512)) < 0.5
    assert len(list((tmp_path / "work" / "checkpoints").glob("checkpoint-*/rankfeed.json"))) == 2
