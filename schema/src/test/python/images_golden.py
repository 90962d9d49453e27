"""Writes src/test/resources/images: image files of every kind, and next to each the RGB bytes that Pillow decodes.

    .envs/train/bin/python schema/src/test/python/images_golden.py

Pillow 13.0.0 made the files in the repository. Sixteen-bit samples are not Pillow's: rankfeed keeps their upper eight bits.
"""

import io
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

FOLDER = Path(__file__).resolve().parents[1] / "resources/images"
WIDTH, HEIGHT = 37, 23


def pixels(channels: int, dtype=np.uint8) -> np.ndarray:
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(float)
    planes = [(np.sin(x / (3 + c)) * np.cos(y / (5 - c)) + 1) / 2 for c in range(channels)]
    return (np.stack(planes, -1) * np.iinfo(dtype).max).astype(dtype).squeeze()


def jpeg(image: Image.Image, **options) -> bytes:
    out = io.BytesIO()
    image.save(out, "jpeg", quality=90, **options)
    return out.getvalue()


def without(file: bytes, marker: int) -> bytes:
    at = file.index(bytes([0xFF, marker]))
    return file[:at] + file[at + 2 + int.from_bytes(file[at + 2 : at + 4]) :]


def write(name: str, file: bytes, rgb: np.ndarray | None = None):
    (FOLDER / name).write_bytes(file)
    if rgb is None:
        rgb = np.asarray(Image.open(io.BytesIO(file)).convert("RGB"))
    (FOLDER / (name + ".rgb")).write_bytes(np.ascontiguousarray(rgb, dtype=np.uint8).tobytes())


def png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "png")
    return out.getvalue()


rgb = Image.fromarray(pixels(3))
cmyk = jpeg(Image.fromarray(pixels(4), "CMYK"))
adobe = cmyk.index(b"Adobe")
write("cmyk-adobe-0.jpg", cmyk)
write("cmyk-adobe-2.jpg", cmyk[: adobe + 11] + b"\2" + cmyk[adobe + 12 :])
write("cmyk-no-adobe.jpg", without(cmyk, 0xEE))
write("gray.jpg", jpeg(Image.fromarray(pixels(1))))
write("ycc-420.jpg", jpeg(rgb, subsampling=2))
write("ycc-422.jpg", jpeg(rgb, subsampling=1))
write("ycc-444.jpg", jpeg(rgb, subsampling=0))
write("ycc-444-no-jfif.jpg", without(jpeg(rgb, subsampling=0), 0xE0))
write("rgb.jpg", jpeg(rgb, keep_rgb=True))
write("progressive.jpg", jpeg(rgb, progressive=True))
for orientation in range(1, 9):
    exif = Image.Exif()
    exif[0x0112] = orientation
    file = jpeg(rgb, exif=exif)
    turned = ImageOps.exif_transpose(Image.open(io.BytesIO(file)))
    write(f"orientation-{orientation}.jpg", file, np.asarray(turned))
write("rgba.png", png(Image.fromarray(pixels(4), "RGBA")))
write("la.png", png(Image.fromarray(pixels(2), "LA")))
write("palette.png", png(rgb.convert("P")))
write("bit.png", png(Image.fromarray(pixels(1)).convert("1")))
gray16 = pixels(1, np.uint16)
write("gray16.png", png(Image.fromarray(gray16)), np.repeat((gray16 >> 8)[..., None], 3, -1))
