"""The work on a row, which is the same for every loader."""

from __future__ import annotations

import cv2
import numpy as np

BATCH, SIDE, STORED = 100, 224, 256


def decoded(file: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_COLOR_RGB)


def transformed(file: bytes, random: np.random.Generator) -> np.ndarray:
    image = cv2.resize(decoded(file), (SIDE, SIDE))
    return cv2.flip(image, 1) if random.random() < 0.5 else image


def transformed_by_pillow(file: bytes, random: np.random.Generator) -> np.ndarray:
    import io

    from PIL import Image

    image = Image.open(io.BytesIO(file)).convert("RGB").resize((SIDE, SIDE), Image.Resampling.BILINEAR)
    return np.asarray(image.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if random.random() < 0.5 else image)


def cut(image: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Returns the cut rectangle as a view."""
    y, x = random.integers(0, STORED - SIDE + 1, 2)
    image = image[y : y + SIDE, x : x + SIDE]
    return image[:, ::-1] if random.random() < 0.5 else image


def albumentations():
    """Returns the steps as a function of an image and a seed."""
    import random

    import albumentations

    augment = albumentations.Compose(
        [
            albumentations.RandomCrop(SIDE, SIDE),
            albumentations.HorizontalFlip(p=0.5),
            albumentations.RandomBrightnessContrast(p=0.5),
            albumentations.Affine(scale=(0.9, 1.1), rotate=(-15, 15), p=0.5),
        ]
    )

    def apply(image: np.ndarray, seed: int) -> np.ndarray:
        augment.set_random_state(np.random.Generator(np.random.Philox(key=seed)), random.Random(seed))
        return augment(image=image)["image"]

    return apply
