"""The schemas for editors, with a validator of another project: shipped files fit, and files with mistakes do not."""

import copy
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
        ("feed", "feeds: {train: {columns: [{name: x, from: y, steps: [{}]}]}}"),
        ("feed", "feeds: {train: {columns: [{name: x, from: y, steps: [{decode: {}, flip: {}}]}]}}"),
        ("job", "dataset: d\nroot: r\nsources: {t: {glob: p}}\nprepare: none"),
        ("job", "dataset: d\nroot: r\nsources: {t: }\nprepare: none"),
        ("job", "dataset: d\nroot: r\nsources: {t: {parquet: p}}\nprepare: nothing"),
        ("mixture", "batch: 8\nrows: 64\nweights: {a: 1}"),
        ("mixture", "members: {a: {versoin: x}}\nbatch: 8\nrows: 64\nweights: {a: 1}"),
        ("mixture", "members: {a: x}\nbatch: 8\nrows: 64\nweights: {a: 1}\non-end: halt"),
    ],
)
def test_a_mistake_does_not_fit(kind, text):
    assert not validator(kind).is_valid(yaml.safe_load(text))


JOB = {
    "dataset": "d",
    "root": "r",
    "sources": {"t": {"parquet": "p"}},
    "prepare": {"select": {"from": "t"}},
    "sample": {"train": {"batch": 8, "lanes": 8, "strata": [{"column": "c"}], "stages": [{"until": 0.5}]}},
    "export": {"shard-rows": 8},
}
FEED = {
    "depth": 4,
    "feeds": {"train": {"columns": [{"name": "x", "from": "y", "steps": [{"resize": {"height": 4, "width": 4}}]}]}},
}


def mappings(part, *path):
    """Yields the path of keys and indexes to each mapping in a file."""
    if isinstance(part, dict):
        yield path
    children = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, child in children:
        yield from mappings(child, *path, key)


NAMED = {("sources",), ("sample",), ("feeds",)}  # their keys are the user's
MAPPINGS = [(kind, file, path) for kind, file in (("job", JOB), ("feed", FEED)) for path in mappings(file)]


@pytest.mark.parametrize(
    ("kind", "file", "path"),
    [one for one in MAPPINGS if one[2] not in NAMED],
    ids=lambda value: str(value)[:60],
)
def test_an_unknown_key_is_the_only_error(kind, file, path):
    wrong = copy.deepcopy(file)
    part = wrong
    for key in path:
        part = part[key]
    part["unknown"] = 1
    errors = list(validator(kind).iter_errors(wrong))
    assert [(error.validator, tuple(error.absolute_path), error.message) for error in errors] == [
        (
            "additionalProperties",
            path,
            "Additional properties are not allowed ('unknown' was unexpected)",
        )
    ]


@pytest.mark.parametrize(
    ("kind", "text", "path"),
    [
        ("job", "sources: {t: {parqet: p}}", "sources t"),
        ("job", "prepare: {sqll: select}", "prepare"),
        (
            "feed",
            "feeds: {train: {columns: [{name: x, from: y, steps: [{rotate: {}}]}]}}",
            "feeds train columns 0 steps 0",
        ),
    ],
)
def test_a_misspelled_choice_is_the_only_error(kind, text, path):
    wrong = {**(JOB if kind == "job" else FEED), **yaml.safe_load(text)}
    (error,) = validator(kind).iter_errors(wrong)
    assert error.validator == "additionalProperties"
    assert " ".join(map(str, error.absolute_path)) == path


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("job", "sources: {t: {parquet: p, where: }}"),
        ("job", "prepare: none"),
        ("job", "export:"),
        ("feed", "feeds: {train: {columns: [{name: x, from: y, steps: [decode, flip: , resize: 4]}]}}"),
    ],
)
def test_short_forms_and_omitted_values_fit(kind, text):
    validator(kind).validate({**(JOB if kind == "job" else FEED), **yaml.safe_load(text)})
