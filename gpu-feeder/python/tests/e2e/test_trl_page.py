"""docs/how-to/trl.md in an environment that its own install line makes."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import pytest
from pages import DOCS, Reader, blocks
from test_wheels import environment_of, wheels  # noqa: F401

PAGE = DOCS / "how-to" / "trl.md"


@pytest.mark.nightly
def test_page_trains_in_the_environment_it_installs(wheels, tmp_path):  # noqa: F811
    (script,) = [block.text for block in blocks(DOCS / "tutorial.md") if block.title == "make_data.py"]
    for folder in ("data", "models"):
        (tmp_path / folder).mkdir()
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path / "data", check=True)
    model = (tmp_path / "data" / "model").rename(tmp_path / "models" / "chat")
    config = model / "tokenizer_config.json"
    names = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|end|>"}
    config.write_text(json.dumps(json.loads(config.read_text()) | names))
    replaced = {"/data/": f"{tmp_path}/data/", "/models/": f"{tmp_path}/models/"}
    environment = environment_of(PAGE, wheels, tmp_path / "installed")
    reader = Reader(tmp_path / "work", replaced, environment, HF_HUB_OFFLINE="1")
    said = reader.follow(PAGE)
    (last,) = [line for line in said.splitlines() if line.startswith("loss ")]
    # The weights are random at the start, and a few steps at the default rate hardly change a guess among 512 tokens.
    assert abs(float(last.split()[1]) - math.log(512)) < 0.5
    assert len(list((tmp_path / "work" / "checkpoints").glob("checkpoint-*/rankfeed.json"))) == 2
