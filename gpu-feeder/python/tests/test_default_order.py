"""The order by which a version is read where none is named: the cases that the reader in Java is tested with, too."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import rankfeed
from rankfeed.version_names import default_order
from test_golden_cache import FOLDER

TEST_FILES = Path(__file__).resolve().parents[3] / "schema/src/test/resources/io/rankfeed/schema"
CASES = json.loads((TEST_FILES / "run/default-order-cases.json").read_text("utf-8"))
VERSION = CASES["version"]
(GOLDEN,) = (FOLDER.parent / "dataset" / "orders").iterdir()


def identified(replaced: list[list[str]]) -> tuple[str, str]:
    """Returns the golden order with parts replaced, and its id."""
    text = (GOLDEN / "order.json").read_text().replace(f'"plan": "{GOLDEN.name}"', '"plan": "0000000000000000"')
    for old, new in replaced:
        assert old in text
        text = text.replace(old, new, 1 if "seed" in old else -1)
    plan = hashlib.sha256(text.encode()).hexdigest()[:16]
    return text.replace("0000000000000000", plan), plan


ORDERS = {name: identified(replaced) for name, replaced in CASES["orders"].items()}


def filled(text: str) -> str:
    for name, (_, plan) in ORDERS.items():
        text = text.replace(f"{{{name}}}", plan)
    return text.replace("{V}", VERSION)


def write(dataset: Path, case: dict) -> None:
    (dataset / "commits").mkdir(parents=True)
    for number, text in enumerate(case["commits"], 1):
        (dataset / "commits" / f"{number:010}.json").write_text(filled(text), "utf-8")
    for name, kind in case["folders"].items():
        file = dataset / "orders" / filled(name)
        if file.suffix:
            file.write_text(json.dumps({"order": filled(kind)}))
            continue
        file.mkdir(parents=True)
        file /= "order.json"
        text = ORDERS[kind[-1]][0] if kind[-1:] in ORDERS else ""
        if kind == "long":
            with file.open("wb") as long:
                long.truncate((64 << 20) + 1)
        elif kind.startswith("link"):
            (dataset / "linked.json").write_text(text)
            file.symlink_to(dataset / "linked.json")
        else:
            file.write_text(text.replace('"seed": 2', '"seed": 9') if kind.startswith("changed") else text)


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["name"])
def test_default_order_is_that_of_the_reader_in_java(tmp_path, case):
    write(tmp_path, case)
    folder = tmp_path / "versions" / VERSION
    if case["found"]:
        assert default_order(folder, VERSION, None).plan == ORDERS[case["found"]][1]
    else:
        with pytest.raises(rankfeed.RankfeedError, match="orders"):
            default_order(folder, VERSION, None)
