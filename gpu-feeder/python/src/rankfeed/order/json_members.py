"""Takes members of parsed JSON objects by name; a missing, unknown or impossible one raises ``OrderError``."""

from __future__ import annotations

from typing import Any

from rankfeed.order.values import OrderError

LIMIT = 1 << 63


def require_members(value: object, where: str, required: list[str], optional: tuple[str, ...] = ()) -> None:
    if not isinstance(value, dict):
        raise OrderError(f"{where}: expected an object")
    missing = [name for name in required if name not in value]
    unknown = sorted(set(value) - set(required) - set(optional))
    if missing or unknown:
        raise OrderError(f"{where}: missing members {missing}, unknown members {unknown}")


def number(value: dict[str, Any], name: str, where: str, minimum: int, limit: int = LIMIT) -> int:
    found = value[name]
    if type(found) is not int or not minimum <= found < limit:
        raise OrderError(f"{where}: {name} is {found!r}, expected an integer from {minimum} to {limit - 1}")
    return found


def numbers(value: dict[str, Any], name: str, where: str) -> tuple[int, ...]:
    return tuple(number({name: item}, name, where, 0) for item in items(value, name, where))


def one_of(value: dict[str, Any], name: str, where: str, words: tuple[str, ...]) -> str:
    word = value[name]
    if not isinstance(word, str) or word not in words:
        raise OrderError(f"{where}: {name} is {word!r}, expected one of {', '.join(words)}")
    return word


def items(value: dict[str, Any], name: str, where: str) -> list[Any]:
    found = value[name]
    if not isinstance(found, list):
        raise OrderError(f"{where}: {name} must be a list")
    return found


def text(value: dict[str, Any], name: str, where: str) -> str:
    found = value[name]
    if not isinstance(found, str):
        raise OrderError(f"{where}: {name} is {found!r}, expected a string")
    return found


def reject_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is listed twice in one object")
    return members
