"""Writes src/test/resources/images: image files of every kind, and next to each the RGB bytes that Pillow decodes.

    .envs/train/bin/python schema/image/src/test/python/images_golden.py

Pillow 13.0.0 made the files in the repository. Sixteen-bit samples are not Pillow's: rankfeed keeps their upper eight bits.
"""

import io
import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

FOLDER = Path(__file__).resolve().parents[1] / "resources/images"
WIDTH, HEIGHT = 37, 23


def pixels(channels: int, dtype=np.uint8, height: int = HEIGHT, width: int = WIDTH) -> np.ndarray:
    y, x = np.mgrid[0:height, 0:width].astype(float)
    planes = [(np.sin(x / (3 + c)) * np.cos(y / (5 - c)) + 1) / 2 for c in range(channels)]
    return (np.stack(planes, -1) * np.iinfo(dtype).max).astype(dtype).squeeze()


def jpeg(image: Image.Image, **options) -> bytes:
    out = io.BytesIO()
    image.save(out, "jpeg", quality=90, **options)
    return out.getvalue()


def without(file: bytes, marker: int) -> bytes:
    at = file.index(bytes([0xFF, marker]))
    return file[:at] + file[at + 2 + int.from_bytes(file[at + 2 : at + 4]) :]


def with_half_the_rows(file: bytes) -> bytes:
    """A JPEG of 5 × 2 units of 16 × 8 pixels becomes one of 5 × 2 units of 8 × 16: 4:4:0, which Pillow cannot write."""
    at = file.index(b"\xff\xc0") + 5
    assert file[at + 6] == 0x21
    return file[:at] + struct.pack(">HH", HEIGHT, WIDTH) + file[at + 4 : at + 6] + b"\x12" + file[at + 7 :]


def write(name: str, file: bytes, rgb: np.ndarray | None = None):
    (FOLDER / name).write_bytes(file)
    if rgb is None:
        rgb = np.asarray(Image.open(io.BytesIO(file)).convert("RGB"))
    (FOLDER / (name + ".rgb")).write_bytes(np.ascontiguousarray(rgb, dtype=np.uint8).tobytes())


def saved(image: Image.Image, form: str, **options) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def png(image: Image.Image) -> bytes:
    return saved(image, "png")


def png16(array: np.ndarray) -> bytes:
    """RGB or RGBA of 16 bits, which Pillow does not write."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    color = {3: 2, 4: 6}[array.shape[2]]
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in array)
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 16, color, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


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
write("ycc-440.jpg", with_half_the_rows(jpeg(Image.fromarray(pixels(3, height=12, width=74)), subsampling=1)))
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
deep = pixels(3, np.uint16)
write("rgb16.png", png16(deep), deep >> 8)
write("rgba16.png", png16(np.dstack([deep, pixels(1, np.uint16)])), deep >> 8)
for name, options in {"lossy": {"quality": 90}, "lossless": {"lossless": True}}.items():
    out = io.BytesIO()
    rgb.save(out, "webp", **options)
    write(f"{name}.webp", out.getvalue())
out = io.BytesIO()
exif = Image.Exif()
exif[0x0112] = 6
Image.fromarray(pixels(4), "RGBA").save(out, "webp", lossless=True, exact=True, exif=exif)
write("alpha-orientation-6.webp", out.getvalue())
for name, options in {"rgb.bmp": {}, "rgb.tiff": {}, "lzw.tiff": {"compression": "tiff_lzw"}}.items():
    out = io.BytesIO()
    rgb.save(out, name.split(".")[1], **options)
    write(name, out.getvalue())
gray16 = pixels(1, np.uint16)
write("gray16.png", png(Image.fromarray(gray16)), np.repeat((gray16 >> 8)[..., None], 3, -1))
write("gray16.tiff", saved(Image.fromarray(gray16), "tiff"), np.repeat((gray16 >> 8)[..., None], 3, -1))
other = Image.fromarray(255 - pixels(3))
write("animated.png", saved(rgb, "png", save_all=True, append_images=[other]))
write("animated-separate.png", saved(rgb, "png", save_all=True, append_images=[other, rgb], default_image=True))
write("animated.webp", saved(rgb, "webp", save_all=True, append_images=[other], lossless=True))
rgba, palette = Image.fromarray(pixels(4), "RGBA"), rgb.convert("P")
for name, image in {"rgba": rgba, "palette": palette, "bit": rgb.convert("1"), "gray": rgb.convert("L")}.items():
    write(f"{name}.bmp", saved(image, "bmp"))
    write(f"{name}.tiff", saved(image, "tiff", compression="tiff_adobe_deflate"))
for name, image in {"la": Image.fromarray(pixels(2), "LA"), "cmyk": Image.fromarray(pixels(4), "CMYK")}.items():
    write(f"{name}.tiff", saved(image, "tiff"))
write("fax.tiff", saved(rgb.convert("1"), "tiff", compression="group4"))
