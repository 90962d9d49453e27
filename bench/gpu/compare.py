"""Checks the batches on a GPU, then times copies, loaders and trainers. Needs CUDA, torch, torchvision and cv2; no Spark."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rows import make

HERE = Path(__file__).resolve().parent
WORKS = {
    "tokens": (
        256,
        ["none", "decoder"],
        ["numpy", "dataloader:item:8", "dataloader:batched:8"],
    ),
    "images": (
        256,
        ["none", "resnet18", "resnet50"],
        ["dataloader:item:8", "dataloader:item:14"],
    ),
}
"""Batch, models and loaders of torch."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Rows:
    """The rows of a work, and a plan over them."""

    def __init__(self, args: argparse.Namespace, work: str):
        self.home, self.work, self.count = args.home, work, getattr(args, work)
        self.batch, self.models, self.others = WORKS[work]
        self.out = args.home / "build/bench/gpu"
        begin = time.perf_counter()
        self.data = make(work, self.count, self.out)
        say(f"{work}: {self.count:,} rows, made in {time.perf_counter() - begin:.0f} s")
        self.command = [args.home / "rankfeed"]
        name = f"{work}-{self.count}"
        root = self.out / "root"
        run(
            [
                *self.command,
                "import",
                self.data,
                "--as",
                name,
                "--root",
                root,
                "--batch",
                str(self.batch),
                "--progress",
                "none",
            ]
        )
        words = [
            "--set",
            f"batch={self.batch}",
            "--set",
            "epochs=1000",
            "--name",
            "long",
        ]
        run([*self.command, "plan", f"{root / name}@latest", *words])
        config = HERE / f"{work}.yaml"
        self.feed = [
            *self.command,
            "feed",
            f"{root / name}@latest",
            "--plan",
            "long",
            "--in-place",
            "--world",
            "1",
            "--config",
            config,
        ]

    def train(self, loader: str, model: str, seconds: float) -> dict[str, Any]:
        words = [
            sys.executable,
            HERE / "train.py",
            self.work,
            loader,
            "--model",
            model,
            "--data",
            self.data,
        ]
        words += [
            "--rows",
            str(self.count),
            "--batch",
            str(self.batch),
            "--seconds",
            str(seconds),
        ]
        return json.loads(run([*self.feed, "--", *words] if loader == "rankfeed" else words).splitlines()[-1])

    def check(self, pixels: str, steps: int, kills: int) -> dict[str, Any]:
        other = subprocess.Popen([*self.feed, "--run", "other"], stdout=subprocess.DEVNULL)
        try:
            ready = Path(os.environ["XDG_RUNTIME_DIR"]) / "rankfeed/other/feeder.json"
            deadline = time.monotonic() + 60
            while not ready.exists():
                if other.poll() is not None or time.monotonic() > deadline:
                    sys.exit("the second feeder did not start within 60 s")
                time.sleep(0.05)
            words = [
                sys.executable,
                HERE / "check.py",
                "other",
                "--pixels",
                pixels,
                "--steps",
                str(steps),
                "--kills",
                str(kills),
            ]
            return json.loads(run([*self.feed, "--", *words]).splitlines()[-1])
        finally:
            other.terminate()
            other.wait(30)


def run(words: list[Any]) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(
            f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stderr[-4000:]}{done.stdout[-2000:]}"
        )
    return done.stdout


def transfers() -> dict[str, Any]:
    found = json.loads(run([sys.executable, HERE / "transfer.py"]).splitlines()[-1])
    print(
        f"\n{found['device']}, torch {found['torch']}\n\n| bytes of a copy | pageable | slot of a ring, pinned | torch's pinned memory |\n|---|---|---|---|"
    )
    for at, size in enumerate(found["sizes"]):
        cells = [
            f"{one['gigabytesPerSecond']:.1f} GB/s, {one['callMicros']:.0f} µs"
            for one in (found[k][at] for k in ("pageable", "ring", "pinned"))
        ]
        print(f"| {size:,} | {' | '.join(cells)} |")
    print(
        f"\nto pin 1 GiB: {', '.join(f'{s:.2f}' for s in found['pinSecondsOfGiB'])} s; to unpin: {', '.join(f'{s:.2f}' for s in found['unpinSecondsOfGiB'])} s"
    )
    return found


def table(rows: Rows, figures: dict[str, dict[str, list[dict[str, Any]]]]) -> None:
    for model, found in figures.items():
        limit = "rankfeed" if model == "none" else "resident"
        print(
            f"\n{rows.work}, {model}\n\n| loader | rows/s | min–max | against {limit} | next(), µs | first 20 steps, s |"
        )
        print("|---|---|---|---|---|---|")
        middle = {name: statistics.median(one["rowsPerSecond"] for one in runs) for name, runs in found.items()}
        for name, rate in sorted(middle.items(), key=lambda item: -item[1]):
            rates = [one["rowsPerSecond"] for one in found[name]]
            asked, warm = (statistics.median(one[key] for one in found[name]) for key in ("nextMicros", "warmSeconds"))
            cells = [f"{rate:,.0f}", f"{min(rates):,.0f}–{max(rates):,.0f}", f"{rate / middle[limit]:.3f}"]
            print(f"| {name} | {' | '.join(cells)} | {asked:,.0f} | {warm:.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--tokens", type=int, default=1_000_000, metavar="ROWS")
    parser.add_argument("--images", type=int, default=40_000, metavar="ROWS")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument(
        "--only",
        nargs="+",
        choices=["check", "transfer", *WORKS],
        default=["check", "transfer", *WORKS],
    )
    args = parser.parse_args()
    results: dict[str, Any] = {}
    os.environ["PYTHONPATH"] = str(args.home / "gpu-feeder/python/src")
    with tempfile.TemporaryDirectory(prefix="rankfeed-bench-") as runtime:
        os.environ["XDG_RUNTIME_DIR"] = runtime
        if "transfer" in args.only:
            results["transfer"] = transfers()
        works = {work: Rows(args, work) for work in WORKS if work in args.only or "check" in args.only}
        if "check" in args.only:
            results["check"] = [works["tokens"].check("bytes", 600, 3)]
            results["check"] += [works["images"].check(pixels, 60, 2) for pixels in ("bytes", "normalized")]
            for one in results["check"]:
                print(f"checked: {one}")
        for work, rows in works.items():
            if work not in args.only:
                continue
            results[work] = {model: {} for model in rows.models}
            for number in range(args.rounds):
                for model, figures in results[work].items():
                    for loader in [
                        *["resident"] * (model != "none"),
                        "rankfeed",
                        *rows.others,
                    ]:
                        one = rows.train(loader, model, args.seconds)
                        figures.setdefault(loader, []).append(one)
                        say(
                            f"{number + 1}/{args.rounds} {work} {model:9} {loader:22} {one['rowsPerSecond']:10,.0f} rows/s"
                        )
            table(rows, results[work])
    (args.home / "build/bench/gpu.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
