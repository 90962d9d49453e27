"""Writes src/test/resources/steps: what reference libraries make of one image, per case the RGB bytes and a line of cases.json.

    python gpu-feeder/images/src/test/python/steps_golden.py [--check]

opencv-python-headless 4.13.0, Pillow 13.0.0 and albumentations 2.0.8 made the files in the repository. ``--check`` compares instead of
writing. IPP is off, with which the Python package is built: its bicubic differs from OpenCV's own by a level here and there. ``levels`` is how far a sample may be off, ``share`` the share of samples that must be within it.
"""

import json
import sys
from pathlib import Path

import albumentations as A
import cv2
import numpy as np
from albumentations.augmentations.geometric import functional as geometric
from PIL import Image

FOLDER = Path(__file__).resolve().parents[1] / "resources/steps"
HEIGHT, WIDTH = 48, 64
OPENCV = {"nearest": cv2.INTER_NEAREST, "bilinear": cv2.INTER_LINEAR, "bicubic": cv2.INTER_CUBIC, "area": cv2.INTER_AREA}
PILLOW = {"bilinear": Image.Resampling.BILINEAR, "bicubic": Image.Resampling.BICUBIC}


def source() -> np.ndarray:
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(float)
    waves = np.stack([np.sin(x / 7) * np.cos(y / 5), np.sin((x + y) / 9), np.cos(x / 3 - y / 11)], -1)
    noise = np.random.default_rng(7).normal(0, 25, (HEIGHT, WIDTH, 3))
    return np.clip(127 + 110 * waves + noise, 0, 255).astype(np.uint8)


def affine(image: np.ndarray, degrees: float, factor: float, right: float, down: float) -> np.ndarray:
    matrix = geometric.create_affine_transformation_matrix(
        {"x": right, "y": down}, {"x": 0, "y": 0}, {"x": factor, "y": factor}, degrees, geometric.center(image.shape)
    )
    return geometric.warp_affine(
        image, matrix, cv2.INTER_LINEAR, 0, cv2.BORDER_CONSTANT, (image.shape[0], image.shape[1])
    )


def albumentation(transform, image: np.ndarray) -> np.ndarray:
    return transform(image=image)["image"]


def jitter(image: np.ndarray, **factors) -> np.ndarray:
    neutral = {"brightness": (1, 1), "contrast": (1, 1), "saturation": (1, 1), "hue": (0, 0)}
    ranges = neutral | {name: (value, value) for name, value in factors.items()}
    return albumentation(A.ColorJitter(**ranges, p=1), image)


def cases(image: np.ndarray):
    """(step, arguments, result, levels, share)"""
    for name, flag in OPENCV.items():
        for height, width in ((20, 31), (48, 64), (97, 130), (96, 128), (24, 32), (48, 31), (1, 1)):
            resized = cv2.resize(image, (width, height), interpolation=flag)
            yield "resize", {"height": height, "width": width, "interpolation": name}, resized, 0, 1
    for name, filter_ in PILLOW.items():
        for height, width in ((20, 31), (48, 64), (97, 130), (24, 32), (48, 31), (1, 1)):
            resized = np.asarray(Image.fromarray(image).resize((width, height), filter_))
            yield "resize-pillow", {"height": height, "width": width, "interpolation": name}, resized, 0, 1
    yield "flip", {"axis": "horizontal"}, cv2.flip(image, 1), 0, 1
    yield "flip", {"axis": "vertical"}, cv2.flip(image, 0), 0, 1
    for x, y, width, height in ((0, 0, 64, 48), (3, 5, 20, 30), (63, 47, 1, 1)):
        yield "crop", {"x": x, "y": y, "width": width, "height": height}, image[y : y + height, x : x + width], 0, 1
    # A crop that is then resized reads no pixel outside the crop.
    inside = np.ascontiguousarray(image[5:35, 3:23])
    cropped = {"x": 3, "y": 5, "width": 20, "height": 30, "newHeight": 40, "newWidth": 44}
    yield "crop-resize", cropped | {"interpolation": "bicubic"}, cv2.resize(inside, (44, 40), interpolation=cv2.INTER_CUBIC), 0, 1
    padded = cv2.copyMakeBorder(inside, 2, 3, 4, 5, cv2.BORDER_CONSTANT, value=(10, 20, 30))
    yield "crop-pad", cropped | {"top": 2, "bottom": 3, "left": 4, "right": 5, "value": [10, 20, 30]}, padded, 0, 1
    for degrees, factor, right, down in ((0, 1, 0, 0), (15, 1.05, 3.2, -2.4), (-90, 1, 0, 0), (180, 0.5, 0, 0), (0, 1, 5, 7)):
        arguments = {"degrees": degrees, "factor": factor, "right": right, "down": down}
        yield "shift-scale-rotate", arguments, affine(image, degrees, factor, right, down), 1, 0.999
    for brightness, contrast in ((0, 0), (0.2, 0), (-0.2, 0), (0, 0.2), (0.1, -0.15), (1, 1), (-1, 0)):
        transform = A.RandomBrightnessContrast(
            brightness_limit=(brightness, brightness), contrast_limit=(contrast, contrast), p=1
        )
        arguments = {"brightness": brightness, "contrast": contrast}
        yield "brightness-contrast", arguments, albumentation(transform, image), 1, 0.999
    for factor in (0.6, 1.4):
        yield "jitter-brightness", {"factor": factor}, jitter(image, brightness=factor), 1, 0.999
        yield "jitter-contrast", {"factor": factor}, jitter(image, contrast=factor), 1, 0.999
        yield "jitter-saturation", {"factor": factor}, jitter(image, saturation=factor), 1, 0.999
    for turned in (0.1, -0.3, 0.5):
        yield "jitter-hue", {"fraction": turned}, jitter(image, hue=turned), 1, 0.999


def main(check: bool):
    cv2.ipp.setUseIPP(False)
    image = source()
    files, lines = {"source.rgb": image}, []
    for number, (step, arguments, result, levels, share) in enumerate(cases(image)):
        name = f"{number:03d}-{step}.rgb"
        files[name] = result
        height, width = result.shape[:2]
        lines.append(
            {"file": name, "step": step, **arguments, "outHeight": height, "outWidth": width, "levels": levels, "share": share}
        )
    if check:
        for name, array in files.items():
            assert (FOLDER / name).read_bytes() == np.ascontiguousarray(array).tobytes(), name
        print(f"{len(files)} files are as {FOLDER} has them")
        return
    for name, array in files.items():
        assert array.dtype == np.uint8
        (FOLDER / name).write_bytes(np.ascontiguousarray(array).tobytes())
    (FOLDER / "cases.json").write_text("[\n" + ",\n".join(json.dumps(line) for line in lines) + "\n]\n")


if __name__ == "__main__":
    main(sys.argv[1:] == ["--check"])
