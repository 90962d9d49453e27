"""Manifests that tests change: canonical bytes, with a matching digest."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path


def write(folder: Path, document: dict) -> None:
    """Writes ``manifest.json`` by docs/format/manifest.md, independently of the client's code."""
    rest = {name: value for name, value in document.items() if name != "digest"}
    digest = hashlib.sha256(canonical(rest)).hexdigest()
    (folder / "manifest.json").write_bytes(canonical(rest | {"digest": digest}))


def canonical(document: dict) -> bytes:
    return (json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def artifact(kind: str, **members) -> dict:
    """The minimum that the client's reader requires."""
    return {"format": f"rankfeed.{kind}", "formatVersion": 1, "id": "0123456789abcdef", "files": []} | members


def scalars(node, path=()):
    """Yields the path of every scalar of a document, and another value of its kind."""
    if isinstance(node, dict):
        for name, value in node.items():
            yield from scalars(value, (*path, name))
    elif isinstance(node, list):
        for at, value in enumerate(node):
            yield from scalars(value, (*path, at))
    elif isinstance(node, bool):
        yield path, not node
    elif isinstance(node, int):
        yield path, node + 1
    elif node is None:
        yield path, 3
    else:
        yield path, node[:-1] + ("5" if node[-1:] != "5" else "6")


def changed(document: dict, path: tuple, value) -> bytes:
    """Returns the canonical bytes of the document with one other value, and the digest that it had before."""
    copy = json.loads(json.dumps(document))
    node = copy
    for name in path[:-1]:
        node = node[name]
    node[path[-1]] = value
    return canonical(copy)
