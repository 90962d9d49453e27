"""Reads ``manifest.json`` (manifest.md section 3) and checks its digest before any other member is used."""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

from rankfeed.errors import RankfeedError

FILE_NAME = "manifest.json"

_MAX_BYTES = 256 << 20
_FORMAT_VERSION = 1
# Of a version over an existing dataset, which has the member `external`.
_EXTERNAL_FORMAT_VERSION = 2
_DIGEST = re.compile(rb'\n  "digest": "([0-9a-f]{64})",(?=\n)')
_ID = re.compile(r"[0-9a-f]{16}")
_REMEDY = "restore the file, or remove the folder and run the job that made it again"
_VERIFY = "'rankfeed verify' checks the version"


def read(folder: str | os.PathLike[str], *formats: str) -> dict[str, Any]:
    """Returns the manifest of an artifact's folder; ``formats`` are those accepted, such as ``rankfeed.version``.

    Raises ``RankfeedError`` if the manifest is missing, has another format, or was changed.
    """
    file = Path(folder) / FILE_NAME
    try:
        if file.stat().st_size > _MAX_BYTES:
            raise RankfeedError(f"{file} has more than {_MAX_BYTES} bytes, the limit of a manifest")
        data = file.read_bytes()
    except (OSError, ValueError) as e:  # ValueError: no path has a null character
        why = e.strerror if isinstance(e, OSError) else e
        raise RankfeedError(f"{file} cannot be read ({why}); name the folder of a version") from e
    try:
        found = json.loads(data, object_pairs_hook=_no_duplicates)
    except (ValueError, RecursionError) as e:
        raise RankfeedError(f"{file} is not JSON: {e}") from e
    if not isinstance(found, dict) or not str(found.get("format")).startswith("rankfeed."):
        raise RankfeedError(f"{file} is not a rankfeed manifest; name the folder of a version")
    expected = _EXTERNAL_FORMAT_VERSION if "external" in found else _FORMAT_VERSION
    if found.get("formatVersion") != expected:
        raise RankfeedError(
            f"{file} has format version {found.get('formatVersion')!r}, this release reads {expected}; "
            "read it with the release that wrote it"
        )
    _require_digest(data, file)
    if found["format"] not in formats:
        wanted = " or ".join(formats)
        raise RankfeedError(f"{folder} is a {found['format']}, not a {wanted}; name the folder of a version")
    if not isinstance(found.get("id"), str) or not _ID.fullmatch(found["id"]):
        raise RankfeedError(f"{file}: id {found.get('id')!r} is not 16 hexadecimal digits")
    return found


def require_length(manifest: dict[str, Any], folder: Path, path: str) -> None:
    """Raises ``RankfeedError`` unless the file at ``path`` has the length that the manifest lists."""
    file, entry = folder / path, listed(manifest, folder, path)
    try:
        found = file.stat().st_size
    except OSError as e:
        raise RankfeedError(f"{file} cannot be read ({e.strerror}); {_VERIFY}") from e
    if found != entry["bytes"]:
        raise RankfeedError(f"{file} has {found} bytes, its manifest lists {entry['bytes']}; {_REMEDY}")


def require_listed(manifest: dict[str, Any], folder: Path, path: str) -> None:
    """Raises ``RankfeedError`` unless the file at ``path`` has the bytes that the manifest lists."""
    file, entry = folder / path, listed(manifest, folder, path)
    try:
        with file.open("rb") as opened:
            digest = hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as e:
        raise RankfeedError(f"{file} cannot be read ({e.strerror}); {_VERIFY}") from e
    if entry["sha256"] != digest:
        raise RankfeedError(f"{file} is not the file that its manifest lists; {_REMEDY}")


def listed(manifest: dict[str, Any], folder: Path, path: str) -> dict[str, Any]:
    """Returns the entry of a file; raises ``RankfeedError`` if the manifest has none."""
    for entry in manifest["files"]:
        if entry["path"] == path:
            found: dict[str, Any] = entry
            return found
    raise RankfeedError(f"{folder / FILE_NAME} does not list {path}; {_REMEDY}")


def _require_digest(data: bytes, file: Path) -> None:
    """Compares SHA-256 over the bytes without the line of ``digest``: a change of layout alone is refused, too."""
    lines = list(_DIGEST.finditer(data))
    if len(lines) != 1:
        raise RankfeedError(
            f"{file} has no line with the member 'digest': an older release wrote it, or it was reformatted; {_REMEDY}"
        )
    (line,) = lines
    rest = hashlib.sha256(data[: line.start()])
    rest.update(data[line.end() :])
    found, computed = line[1].decode(), rest.hexdigest()
    if found != computed:
        raise RankfeedError(
            f"{file} was changed after it was written: its member 'digest' is {found}, the SHA-256 of the rest is "
            f"{computed}; {_REMEDY}"
        )


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("duplicate member in one object")
    return members
