"""Peers that need a separate environment or use threads of their own."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import steps
from plain import Batches, table
from processes import WORKERS, loaded
from steps import BATCH, SIDE, STORED


def _mds(folder: Path, made) -> Batches:
    import cv2
    from streaming import StreamingDataset

    class Dataset(StreamingDataset):
        def __getitem__(self, index):
            cv2.setNumThreads(1)
            row = super().__getitem__(index)
            return made(row, np.random.default_rng(row["id"]))

    return loaded(Dataset(local=str(folder), shuffle=True, batch_size=BATCH))


def mds(data: Path) -> Batches:
    def made(row: dict, random) -> tuple:
        pixels = steps.transformed(row["image"], random)
        return row["id"], row["tokens"], row["label"], np.ascontiguousarray(pixels)

    return _mds(data / "mds", made)


def mds_stored(data: Path) -> Batches:
    def made(row: dict, random) -> tuple:
        image = np.frombuffer(row["image"], np.uint8).reshape(STORED, STORED, 3)
        return row["id"], np.ascontiguousarray(steps.cut(image, random))

    return _mds(data / "mds", made)


def petastorm(data: Path) -> Batches:
    """Reads with its batch reader and two threads, which is faster than two processes here; rows are shuffled among
    2,000."""
    import cv2
    from petastorm import make_batch_reader
    from petastorm.transform import TransformSpec

    def decode(frame):
        cv2.setNumThreads(1)
        random = np.random.default_rng(int(frame["id"].iloc[0]))
        frame["image"] = [steps.transformed(file, random).reshape(-1) for file in frame["image"]]
        return frame

    spec = TransformSpec(decode, edit_fields=[("image", np.uint8, (SIDE * SIDE * 3,), False)])
    table = f"file://{data.resolve() / 'table-petastorm'}"
    random = np.random.default_rng(0)
    while True:
        with make_batch_reader(
            table, num_epochs=1, reader_pool_type="thread", workers_count=WORKERS, transform_spec=spec
        ) as reader:
            groups = iter(reader)
            while queue := list(itertools.islice(groups, 4)):
                ids = np.concatenate([group.id for group in queue])
                pixels = np.concatenate([group.image for group in queue]).reshape(-1, SIDE, SIDE, 3)
                order = random.permutation(len(ids))
                for start in range(0, len(ids) // BATCH * BATCH, BATCH):
                    at = order[start : start + BATCH]
                    yield ids[at], pixels[at]


def dali(data: Path) -> Batches:
    """Reads with a pipeline on the CPU with two threads."""
    from nvidia.dali import fn, pipeline_def, types

    rows = table(data)
    files = [np.frombuffer(file, np.uint8) for file in rows["image"]]
    ids = np.array(rows["id"])
    random = np.random.default_rng(0)

    def batches():
        while True:
            order = random.permutation(len(ids))
            for start in range(0, len(order) // BATCH * BATCH, BATCH):
                at = order[start : start + BATCH]
                yield [files[i] for i in at], [ids[i : i + 1] for i in at]

    @pipeline_def(batch_size=BATCH, num_threads=WORKERS, device_id=None, prefetch_queue_depth=3)
    def pipeline():
        encoded, numbers = fn.external_source(source=batches(), num_outputs=2)
        images = fn.decoders.image(encoded, device="cpu", output_type=types.RGB)
        images = fn.resize(images, resize_x=SIDE, resize_y=SIDE, interp_type=types.INTERP_LINEAR, antialias=False)
        return fn.flip(images, horizontal=fn.random.coin_flip()), numbers

    made = pipeline()
    made.build()
    while True:
        images, numbers = made.run()
        yield numbers.as_array().reshape(-1), images.as_array()


def spdl(data: Path) -> Batches:
    """Reads with its pipeline and two threads, and decodes with cv2: its own decoder needs ffmpeg's libraries on the
    machine."""
    import cv2
    from spdl.pipeline import PipelineBuilder

    cv2.setNumThreads(1)
    rows = table(data)
    random = np.random.default_rng(0)

    def source():
        while True:
            order = random.permutation(len(rows["id"]))
            for start in range(0, len(order) // BATCH * BATCH, BATCH):
                yield order[start : start + BATCH]

    def decode(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        own = np.random.default_rng(int(at[0]))
        out = np.empty((len(at), SIDE, SIDE, 3), np.uint8)
        for i, row in enumerate(at):
            out[i] = steps.transformed(rows["image"][row], own)
        return np.array([rows["id"][row] for row in at]), out

    built = PipelineBuilder().add_source(source()).pipe(decode, concurrency=WORKERS).add_sink(4)
    pipeline = built.build(num_threads=WORKERS)
    with pipeline.auto_stop():
        yield from pipeline
