"""The schemas for editors, with a validator of another project: shipped files fit, and files with mistakes do not."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from processes import HERE

PROJECT = HERE.parents[2]
SHIPPED = [
    *(("job", file) for file in sorted((PROJECT / "conf/jobs").glob("*.yaml"))),
    *(("feed", file) for file in sorted((PROJECT / "conf/feeds").glob("*.yaml"))),
    ("job", HERE / "e2e" / "house.yaml"),
]


def validator(kind: str):
    schema = json.loads((PROJECT / "docs" / "schema" / f"{kind}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize(("kind", "file"), SHIPPED, ids=lambda value: value.name if isinstance(value, Path) else value)
def test_a_shipped_file_fits(kind, file):
    validator(kind).validate(yaml.safe_load(file.read_text()))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("job", "dataset: d\nrooot: r\nsources: {}\nprepare: none"),
        ("job", "dataset: d\nroot: r\nsources: {t: {parquet: p, delta: q}}\nprepare: none"),
        (
            "job",
            "dataset: d\nroot: r\nsources: {t: {parquet: p}}\nprepare: none\nsample: {train: {batch: 0, lanes: 1}}",
        ),
        ("job", "dataset: d\nroot: r\nsources: {t: {parquet: p}}\nprepare: {on-bad-row: ignore}"),
        ("feed", "depth: 1"),
        ("feed", "feeds: {train: {columns: [{name: x, from: y, steps: [{rotate: {}}]}]}}"),
        ("feed", "memory: 4 gigabytes"),
    ],
)
def test_a_mistake_does_not_fit(kind, text):
    assert not validator(kind).is_valid(yaml.safe_load(text))
