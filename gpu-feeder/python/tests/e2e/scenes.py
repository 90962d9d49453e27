"""A table of scenes with masks, pictures of any size and large photos, and the expected results by reference libraries.

Nothing here is shared with the feeder: draws follow docs/transforms.md ("Randomness"), pixels come from cv2, Pillow and
albumentations.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator

import albumentations as A  # noqa: N812
import cv2
import jobs
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from albumentations.augmentations.geometric import functional as geometric
from launch import House, made
from pictures import uniform
from PIL import Image

SEED, BATCH, EPOCHS = 5, 32, 2
HEIGHT, WIDTH = 48, 64
CLASSES = np.array([[20, 20, 20], [70, 70, 70], [120, 120, 120], [170, 170, 170], [220, 220, 220]], np.uint8)
INTERPOLATIONS = {
    "nearest": cv2.INTER_NEAREST,
    "bilinear": cv2.INTER_LINEAR,
    "bicubic": cv2.INTER_CUBIC,
    "area": cv2.INTER_AREA,
}
BORDERS = {
    "constant": cv2.BORDER_CONSTANT,
    "replicate": cv2.BORDER_REPLICATE,
    "reflect": cv2.BORDER_REFLECT,
    "reflect-101": cv2.BORDER_REFLECT_101,
}
JOB = """
dataset: scenes
root: {root}
sources:
  scenes: {{parquet: {table}}}
prepare:
  select: {{from: scenes, columns: [id, scene, mask, odd, photo]}}
  key: [id]
sample:
  train: {{batch: {batch}, lanes: 4, epochs: {epochs}, seed: {seed}}}
export:
  columns: [id, scene, mask, odd, photo]
  batch-rows: 16
"""

Draws = Iterator[float]

# The Python package is built with IPP, which sometimes rounds differently from OpenCV itself.
cv2.ipp.setUseIPP(False)


def clouds(random: np.random.Generator, height: int, width: int, channels: int) -> np.ndarray:
    """Returns smooth noise of several sizes, 0 to 1, as light in a photo."""
    out = np.zeros((height, width, channels))
    for power in range(1, 6):
        grid = random.normal(size=(2 + 2**power, 2 + 2**power, channels)).astype(np.float32)
        out += cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC).reshape(out.shape) / 1.7**power
    return 1 / (1 + np.exp(-1.5 * out))


def scene(random: np.random.Generator, height: int, width: int) -> np.ndarray:
    """Draws a photo, or an image that is not like a photo: noise, stripes, saturated colors, one color, gray."""
    kind = random.integers(8)
    if kind < 4:
        light, colors = clouds(random, height, width, 1), clouds(random, height, width, 3)
        pixels = 255 * (light * random.uniform(0.5, 1) + (colors - 0.5) * random.uniform(0.1, 0.7))
        return np.clip(pixels + random.normal(0, random.uniform(0, 6), pixels.shape), 0, 255).astype(np.uint8)
    if kind == 4:
        return random.integers(0, 256, (height, width, 3), np.uint8)
    if kind == 5:
        corners = random.choice([0, 255], (3, 4, 3)).astype(np.uint8)
        return cv2.resize(corners, (width, height), interpolation=cv2.INTER_NEAREST)
    if kind == 6:
        return np.broadcast_to(random.integers(0, 256, 3, np.uint8), (height, width, 3)).copy()
    return np.repeat((clouds(random, height, width, 1) * 255).astype(np.uint8), 3, axis=2)


def classes(random: np.random.Generator, height: int, width: int) -> np.ndarray:
    """Draws regions, each of one class."""
    points = random.uniform((0, 0), (height, width), (9, 2))
    y, x = np.mgrid[0:height, 0:width]
    nearest = ((y[..., None] - points[:, 0]) ** 2 + (x[..., None] - points[:, 1]) ** 2).argmin(-1)
    return CLASSES[random.integers(0, len(CLASSES), 9)[nearest]]


def side(random: np.random.Generator) -> int:
    return int(random.choice([1, 2, random.integers(1, 40), random.integers(1, 240)]))


def row(number: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng((11, number))
    height, width = (HEIGHT, WIDTH) if number % 2 else random.integers((HEIGHT, WIDTH), (2 * HEIGHT, 2 * WIDTH))
    large = random.integers(90, 700, 2)
    return {
        "scene": scene(random, height, width),
        "mask": classes(random, height, width),
        "odd": scene(random, side(random), side(random)),
        "photo": (clouds(random, *large, 3) * 255).astype(np.uint8),
    }


def file(pixels: np.ndarray, **how: object) -> bytes:
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, **how)
    return out.getvalue()


def version(folder, rows: int) -> House:
    """Makes a version with this number of rows in a folder of its own."""
    images = [row(number) for number in range(rows)]
    columns: dict[str, object] = {"id": pa.array(range(rows), pa.int64())}
    for name in ("scene", "mask", "odd"):
        columns[name] = [file(image[name], format="png") for image in images]
    columns["photo"] = [file(image["photo"], format="jpeg", quality=92) for image in images]
    table, job = folder / "scenes.parquet", folder / "scenes.yaml"
    pq.write_table(pa.table(columns), table)
    job.write_text(JOB.format(root=folder / "root", table=table, batch=BATCH, epochs=EPOCHS, seed=SEED), "utf-8")
    jobs.job("pipeline", job, "--run-id", "scenes")
    return made(folder / "root", "scenes", "scenes")


def draws(row_id: int, cycle: int, step: int, seed: int) -> Draws:
    """Yields the random numbers of a step, in their order."""
    number = 0
    while True:
        number += 1
        yield uniform(seed, row_id, cycle, step, number=number)


def between(draw: Draws, low: float, high: float) -> float:
    return low + (high - low) * next(draw)


def order(number: int) -> list[int]:
    """Returns the changes in the order that a number below 24 states (docs/transforms.md)."""
    left, found = [0, 1, 2, 3], []
    for count in (4, 3, 2, 1):
        found.append(left.pop(number % count))
        number //= count
    return found


def jitter(brightness=0.2, contrast=0.2, saturation=0.2, hue=0.0, p=1.0) -> Callable:
    reference = A.ColorJitter()

    def of(image: np.ndarray, draw: Draws) -> np.ndarray:
        if next(draw) >= p:
            return image
        factors = [between(draw, 1 - option, 1 + option) for option in (brightness, contrast, saturation)]
        turned = between(draw, -hue, hue)
        changes = order(int(next(draw) * 24))
        return reference.apply(
            image, brightness=factors[0], contrast=factors[1], saturation=factors[2], hue=turned, order=changes
        )

    return of


def brightness_contrast(brightness=0.2, contrast=0.2, p=0.5) -> Callable:
    reference = A.RandomBrightnessContrast()

    def of(image: np.ndarray, draw: Draws) -> np.ndarray:
        if next(draw) >= p:
            return image
        factor = 1 + between(draw, -contrast, contrast)
        return reference.apply(image, alpha=factor, beta=255 * between(draw, -brightness, brightness))

    return of


def shift_scale_rotate(
    shift=0.0625, scale=0.1, rotate=45, p=0.5, interpolation="bilinear", border="constant", value=(0, 0, 0)
) -> Callable:
    reference = A.Affine(interpolation=INTERPOLATIONS[interpolation], border_mode=BORDERS[border], fill=tuple(value))

    def of(image: np.ndarray, draw: Draws) -> np.ndarray:
        if next(draw) >= p:
            return image
        degrees, factor = between(draw, -rotate, rotate), 1 + between(draw, -scale, scale)
        height, width = image.shape[:2]
        right, down = between(draw, -shift, shift) * width, between(draw, -shift, shift) * height
        matrix = geometric.create_affine_transformation_matrix(
            {"x": right, "y": down},
            {"x": 0, "y": 0},
            {"x": factor, "y": factor},
            degrees,
            geometric.center(image.shape),
        )
        return reference.apply(image, matrix=matrix, output_shape=(height, width))

    return of


def random_resized_crop(height, width, scale=(0.08, 1), ratio=(0.75, 4 / 3), interpolation="bilinear") -> Callable:
    """Crops by the rule of torchvision, and resizes with cv2."""

    def box(rows: int, columns: int, draw: Draws) -> tuple[int, int, int, int]:
        for _ in range(10):
            area = rows * columns * between(draw, *scale)
            shape = math.exp(between(draw, math.log(ratio[0]), math.log(ratio[1])))
            w, h = round(math.sqrt(area * shape)), round(math.sqrt(area / shape))
            if 0 < w <= columns and 0 < h <= rows:
                return int(next(draw) * (rows - h + 1)), int(next(draw) * (columns - w + 1)), h, w
        w, h = columns, rows
        if columns / rows < ratio[0]:
            h = max(1, round(columns / ratio[0]))
        elif columns / rows > ratio[1]:
            w = max(1, round(rows * ratio[1]))
        return (rows - h) // 2, (columns - w) // 2, h, w

    def of(image: np.ndarray, draw: Draws) -> np.ndarray:
        y, x, h, w = box(*image.shape[:2], draw)
        cut = np.ascontiguousarray(image[y : y + h, x : x + w])
        return cv2.resize(cut, (width, height), interpolation=INTERPOLATIONS[interpolation])

    return of


def pillow_resize(height, width, interpolation="bilinear") -> Callable:
    def of(image: np.ndarray, draw: Draws) -> np.ndarray:
        resized = Image.fromarray(image).resize((width, height), Image.Resampling[interpolation.upper()])
        return np.asarray(resized)

    return of


def resize(height, width, interpolation="bilinear") -> Callable:
    def of(image: np.ndarray, draw: Draws) -> np.ndarray:
        return cv2.resize(image, (width, height), interpolation=INTERPOLATIONS[interpolation])

    return of


def flip(p=0.5, axis="horizontal") -> Callable:
    def of(image: np.ndarray, draw: Draws) -> np.ndarray:
        return cv2.flip(image, int(axis == "horizontal")) if next(draw) < p else image

    return of


def center_crop(height, width) -> Callable:
    def of(image: np.ndarray, draw: Draws) -> np.ndarray:
        y, x = (image.shape[0] - height) // 2, (image.shape[1] - width) // 2
        return image[y : y + height, x : x + width]

    return of


def pad(height, width, value=(0, 0, 0)) -> Callable:
    def of(image: np.ndarray, draw: Draws) -> np.ndarray:
        rows, columns = max(0, height - image.shape[0]), max(0, width - image.shape[1])
        sides = rows // 2, rows - rows // 2, columns // 2, columns - columns // 2
        return cv2.copyMakeBorder(image, *sides, cv2.BORDER_CONSTANT, value=tuple(value))

    return of


def random_crop(height, width) -> Callable:
    def of(image: np.ndarray, draw: Draws) -> np.ndarray:
        x = int(next(draw) * (image.shape[1] - width + 1))
        y = int(next(draw) * (image.shape[0] - height + 1))
        return image[y : y + height, x : x + width]

    return of


STEPS: dict[str, Callable] = {
    "color-jitter": jitter,
    "brightness-contrast": brightness_contrast,
    "shift-scale-rotate": shift_scale_rotate,
    "random-resized-crop": random_resized_crop,
    "resize": resize,
    "flip": flip,
    "center-crop": center_crop,
    "random-crop": random_crop,
    "pad": pad,
}


def expected(image: np.ndarray, steps: list[dict[str, dict]], row_id: int, cycle: int, seed: int = SEED) -> np.ndarray:
    """Returns the result of steps; ``steps`` are those after decode in the feed file, so the first one has the index
    1."""
    for index, step in enumerate(steps, 1):
        ((name, options),) = step.items()
        options = dict(options)
        pillow = options.pop("filter", "opencv") == "pillow"
        reference = pillow_resize(**options) if pillow else STEPS[name](**options)
        image = reference(image, draws(row_id, cycle, index, seed))
    return image
