"""Writes what the loaders read, without Spark: rows of 512 tokens as one array, and 250×250 JPEG files. What exists is kept."""

from __future__ import annotations

import sys
from multiprocessing import Pool
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parent.parent / "images"))
from data import CLASSES, jpeg

TOKENS = 512


def tokens(rows: int, folder: Path) -> None:
    """Each row begins with its own number, as int32."""
    values = np.random.default_rng(7).integers(0, 32_000, (rows, TOKENS), dtype=np.int16)
    values.view(np.int32)[:, 0] = np.arange(rows, dtype=np.int32)
    folder.mkdir(parents=True)
    np.save(folder / "tokens.npy", values)


def file(number: int, folder: Path) -> Path:
    return folder / f"{number % CLASSES}" / f"{number:06d}.jpg"


def picture(to: tuple[int, Path]) -> None:
    file(*to).write_bytes(jpeg(to[0])["image"])


def images(rows: int, folder: Path) -> None:
    for label in range(CLASSES):
        (folder / f"{label}").mkdir(parents=True)
    with Pool() as pool:
        pool.map(picture, [(number, folder) for number in range(rows)], chunksize=200)


def make(work: str, rows: int, out: Path) -> Path:
    """Returns the folder of the rows of a work, tokens or images."""
    folder, unfinished = out / f"{work}-{rows}", out / f".{work}-{rows}"
    if not folder.exists():
        {"tokens": tokens, "images": images}[work](rows, unfinished)
        unfinished.rename(folder)
    return folder
