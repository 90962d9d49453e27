"""The methods, functions, filters and tests that expressions use, by the kind of their result."""

import re
from typing import NamedTuple

from template_cases.filters import FILTERS, TESTS
from template_cases.methods import FUNCTIONS, METHODS

SIGNATURE = re.compile(r"(\w+) (?:(\w+)([.|?]))?(\w+)\((.*)\)")


class Parameter(NamedTuple):
    """One argument that a call takes; a kind in quotes is the source of the argument itself."""

    name: str | None
    kind: str
    optional: bool


class Call(NamedTuple):
    """A method, filter, test or function. ``mark`` is what stands before its name: ``.``, ``|``, ``?`` or nothing."""

    receiver: str
    mark: str
    name: str
    parameters: tuple[Parameter, ...]


def parameter(text: str) -> Parameter:
    """Reads [name=]kind[?]."""
    name, _, kind = text.rpartition("=") if not text.startswith("'") else ("", "", text)
    return Parameter(name or None, kind.rstrip("?"), kind.endswith("?"))


def calls_by_result(*tables: str) -> dict[str, list[Call]]:
    """Reads tables of calls."""
    by_result: dict[str, list[Call]] = {}
    for line in (line for table in tables for line in table.strip().splitlines()):
        match = SIGNATURE.fullmatch(line)
        if match is None:
            raise ValueError(line)
        result, receiver, mark, name, listed = match.groups()
        parameters = tuple(parameter(one.strip()) for one in listed.split(",") if one.strip())
        by_result.setdefault(result, []).append(Call(receiver or "", mark or "", name, parameters))
    return by_result


CALLS_BY_RESULT = calls_by_result(METHODS, FILTERS, TESTS, FUNCTIONS)
