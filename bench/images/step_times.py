"""Measures each image step in one thread, in microseconds per 250×250 image: the feeder's by JMH, and a library's."""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import albumentations
import cv2
import data
import numpy as np
import steps
from PIL import Image

SIDE = 224


def reference() -> dict[str, Callable[[np.ndarray], object]]:
    """Returns the functions of a library by the benchmark's name of the step."""
    table = np.clip(np.arange(256) * 1.1 + 10, 0, 255).astype(np.uint8)
    matrix = cv2.getRotationMatrix2D((125, 125), 20, 1.05)
    jitter = albumentations.ColorJitter(p=1, hue=(0, 0))
    return {
        "{resize: {height: 224, width: 224}}": lambda image: cv2.resize(image, (SIDE, SIDE)),
        "{resize: {height: 224, width: 224, interpolation: bicubic}}": lambda image: cv2.resize(
            image, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC
        ),
        "{resize: {height: 224, width: 224, filter: pillow}}": lambda image: np.asarray(
            Image.fromarray(image).resize((SIDE, SIDE), Image.Resampling.BILINEAR)
        ),
        "{center-crop: {height: 224, width: 224}}": lambda image: image[13:237, 13:237].copy(),
        "{random-crop: {height: 224, width: 224}}": lambda image: image[5:229, 20:244].copy(),
        "{random-resized-crop: {height: 224, width: 224}}": lambda image: cv2.resize(
            image[30:210, 20:220], (SIDE, SIDE)
        ),
        "{pad: {height: 256, width: 256}}": lambda image: cv2.copyMakeBorder(image, 3, 3, 3, 3, cv2.BORDER_CONSTANT),
        "{flip: {p: 1}}": lambda image: cv2.flip(image, 1),
        "{shift-scale-rotate: {p: 1}}": lambda image: cv2.warpAffine(image, matrix, (250, 250)),
        "{brightness-contrast: {p: 1}}": lambda image: cv2.LUT(image, table),
        "color-jitter": lambda image: jitter(image=image)["image"],
    }


def microseconds(call: Callable[[], object]) -> float:
    """Returns the best of five runs of a fifth of a second."""
    best = float("inf")
    for _ in range(5):
        started, count = time.perf_counter(), 0
        while time.perf_counter() - started < 0.2:
            call()
            count += 1
        best = min(best, (time.perf_counter() - started) / count * 1e6)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--java", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    image, file = data.image(0), data.jpeg(0)["image"]
    folder = args.home / "build" / "bench" / "steps"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "image.rgb").write_bytes(image.tobytes())
    (folder / "image.jpg").write_bytes(file)
    times = {"decode": microseconds(lambda: steps.decoded(file))}
    times |= {name: microseconds(lambda call=call: call(image)) for name, call in reference().items()}

    jars = [args.home / "bench/target/rankfeed-bench.jar"]
    jars += sorted((args.home / "gpu-feeder/images/target").glob("**/*.jar"))
    result = folder / "jmh.json"
    words = [args.java, "--enable-native-access=ALL-UNNAMED", f"-Drankfeed.image={folder}"]
    words += ["-cp", ":".join(map(str, jars)), "org.openjdk.jmh.Main", "StepBenchmark", "-rf", "json", "-rff", result]
    subprocess.run(words, check=True)
    print("\n| step | rankfeed, µs | reference, µs | ratio |\n|---|---|---|---|")
    for entry in json.loads(result.read_text()):
        name, ours = entry["params"]["step"], entry["primaryMetric"]["score"]
        shown = name[1:-1] if name.startswith("{") else name
        print(f"| `{shown}` | {ours:,.0f} | {times[name]:,.0f} | {ours / times[name]:.2f} |")


if __name__ == "__main__":
    main()
