"""Writes src/test/resources/resize/resized.csv: CRC-32 of what Pillow makes of drawn sizes, one line each.

    .envs/test/bin/python schema/image/src/test/python/resize_golden.py [--check]

Pillow 13.0.0 made the file in the repository. ``--check`` compares instead of writing.
"""

import sys
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

FILE = Path(__file__).resolve().parents[1] / "resources/resize/resized.csv"
CASES = 400


def image(height: int, width: int) -> Image.Image:
    i = np.arange(height * width * 3, dtype=np.int64)
    return Image.fromarray(((i * i * 7 + 3 * i + i // 256 * 31) & 0xFF).astype(np.uint8).reshape(height, width, 3))


def lines():
    random = np.random.default_rng(13)
    for case in range(CASES):
        # One pixel, a few, tall and wide; halves, doubles and neighbors among the new sizes.
        height, width = (int(random.choice([1, random.integers(1, 9), random.integers(1, 160)])) for _ in range(2))
        near = [height, width, height // 2 + 1, 2 * width, max(1, height - 2 * width), *random.integers(1, 160, 3)]
        new_height, new_width = (int(random.choice(near)) for _ in range(2))
        name = ("BILINEAR", "BICUBIC")[case % 2]
        resized = image(height, width).resize((new_width, new_height), Image.Resampling[name])
        yield f"{width},{height},{new_width},{new_height},{name},{zlib.crc32(resized.tobytes())}"


def main(check: bool):
    text = "\n".join(lines()) + "\n"
    if check:
        assert FILE.read_text() == text, f"{FILE} is not what this Pillow gives"
    else:
        FILE.write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:] == ["--check"])
