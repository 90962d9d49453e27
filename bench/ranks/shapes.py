"""The tables of this benchmark, each with its files, the rows that a loader reads from them, and a batch of such rows.

contests   JSON lines of programming contests and the JSON of their metadata; the first 512 bytes of two texts are the
           tokens; in the order of weighted-mtp's first sampler
strings    one column of strings in Parquet, in the order of the file
"""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

HOME = Path(__file__).resolve().parents[2]
sys.path.append(str(HOME / "gpu-feeder" / "python" / "tests"))
from weighted_mtp_v1 import BINS, STAGES, indices  # noqa: E402

Batch = dict[str, Any]
Rows = Sequence[Any]


def byte_tensors(name: str, texts: list[bytes]) -> Batch:
    """Returns the texts as a padded tensor, and their lengths."""
    import torch

    lengths = [len(text) for text in texts]
    padded = np.zeros((len(texts), max(1, *lengths)), np.uint8)
    for line, text in zip(padded, texts, strict=True):
        line[: len(text)] = np.frombuffer(text, np.uint8)
    return {name: torch.from_numpy(padded), f"{name}.lengths": torch.tensor(lengths, dtype=torch.int32)}


class Frame:
    """The rows of a pandas frame, a batch at a time."""

    def __init__(self, frame: Any):
        self.frame = frame

    def __len__(self) -> int:
        return len(self.frame)

    def __getitem__(self, at: int) -> dict:
        return self.frame.iloc[at].to_dict()

    def __getitems__(self, at: list[int]) -> list[dict]:
        return self.frame.iloc[at].to_dict("records")


class Contests:
    default_rows, batch, length = 200_000, 64, 512
    source = ("train.jsonl", "train_metadata.json")
    columns = ("prompt_ids", "output_ids", "is_correct", "difficulty")

    def write(self, folder: Path, rows: int) -> None:
        generated = folder / "generated"
        words = ["generate", "codecontests", "--format", "jsonl", "--rows", str(rows), "--out", generated]
        subprocess.run([HOME / "rankfeed", *words], check=True, stdout=sys.stderr)
        self.write_lines(folder, (line for part in sorted(generated.glob("part-*")) for line in part.open()))

    def write_lines(self, folder: Path, lines) -> None:
        metadata, sums = [], []
        with (folder / self.source[0]).open("w") as out:
            for line in lines:
                row = json.loads(line)
                if row["split"] == "train":
                    out.write(line)
                    metadata.append({"is_correct": row["is_correct"], "difficulty": row["difficulty"]})
                    sums.append(self._sum(*self._texts(row), row["is_correct"], row["difficulty"]))
        (folder / self.source[1]).write_text(json.dumps({"metadata": metadata, "stats": {}}, indent=2))
        np.save(folder / "order.npy", self._drawn(metadata))
        np.save(folder / "checksums.npy", np.array(sums, np.uint32))

    def job(self, folder: Path, rows: int) -> list[str]:
        lines, metadata = (folder / name for name in self.source)
        source = "sources.solutions"
        return [f"{source}.jsonl={lines}", f"{source}.metadata={metadata}", f"{source}.draw.samples={rows}"]

    @staticmethod
    def _drawn(metadata: list[dict]) -> list[int]:
        """Returns every row, in an order that the first stage's weights make."""
        return indices(metadata, len(metadata), 42, bins=BINS, weights=STAGES[0])

    def everything(self, folder: Path) -> Rows:
        with (folder / self.source[0]).open() as file:
            return [json.loads(line) for line in file]

    def own(self, folder: Path, rank: int, world: int) -> Rows:
        """Returns the rows ``[rank::world]`` of the list that the metadata give; reads every line, and parses these."""
        metadata = json.loads((folder / self.source[1]).read_text())["metadata"]
        mine = self._drawn(metadata)[rank::world]
        wanted, found = set(mine), {}
        with (folder / self.source[0]).open() as file:
            for number, line in enumerate(file):
                if number in wanted:
                    found[number] = json.loads(line)
        return [found[number] for number in mine]

    def hugging_face(self, folder: Path) -> Any:
        import datasets

        files = str(folder / self.source[0])
        return datasets.load_dataset("json", data_files=files, cache_dir=str(folder / "hf-cache"), split="train")

    def frame(self, folder: Path) -> Frame:
        import pandas

        # In parts: read at once, the frames of four ranks do not fit in 24 GiB.
        how = {"lines": True, "dtype": False, "convert_dates": False, "chunksize": 20_000}
        return Frame(pandas.concat(pandas.read_json(folder / self.source[0], **how), ignore_index=True))

    def collate(self, rows: list[dict]) -> Batch:
        import torch

        prompts, outputs = zip(*map(self._texts, rows), strict=True)
        return {
            **byte_tensors("prompt_ids", list(prompts)),
            **byte_tensors("output_ids", list(outputs)),
            "is_correct": torch.tensor([row["is_correct"] for row in rows], dtype=torch.uint8),
            "difficulty": torch.tensor([row["difficulty"] for row in rows], dtype=torch.int64),
        }

    def checksums(self, batch: Batch) -> list[int]:
        texts = []
        for name in self.columns[:2]:
            lines, lengths = batch[name].numpy(), batch[f"{name}.lengths"].tolist()
            texts.append([line[:length] for line, length in zip(lines, lengths, strict=True)])
        rest = batch["is_correct"].tolist(), batch["difficulty"].tolist()
        return [self._sum(*row) for row in zip(*texts, *rest, strict=True)]

    def _texts(self, row: dict) -> tuple[bytes, bytes]:
        prompt = f"{row['instruction']}\n{row['input']}".encode()
        return prompt[: self.length], row["output"].encode()[: self.length]

    @staticmethod
    def _sum(prompt: Any, output: Any, is_correct: int, difficulty: int) -> int:
        return zlib.crc32(output, zlib.crc32(prompt, (2 * difficulty + is_correct) & 0xFFFFFFFF))


class Strings:
    default_rows, batch = 20_000_000, 1_250
    source = ("table/part-0.parquet",)
    columns = ("text",)

    def write(self, folder: Path, rows: int) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc
        import pyarrow.parquet as pq

        words = pa.array([f"{number * 2654435761 % 2**32:x}"[: 2 + number % 7] for number in range(1_000)])
        random, sums = np.random.default_rng(7), []
        (folder / "table").mkdir(exist_ok=True)
        with pq.ParquetWriter(folder / self.source[0], pa.schema({"text": pa.string()})) as out:
            for start in range(0, rows, 1_000_000):
                picked = random.integers(0, len(words), (5, min(1_000_000, rows - start)))
                texts = pc.binary_join_element_wise(*(words.take(pa.array(numbers)) for numbers in picked), " ")
                out.write_table(pa.table({"text": texts}), row_group_size=100_000)
                sums += [zlib.crc32(text.encode()) for text in texts.to_pylist()]
        np.save(folder / "order.npy", np.arange(rows))
        np.save(folder / "checksums.npy", np.array(sums, np.uint32))

    def job(self, folder: Path, rows: int) -> list[str]:
        return [f"sources.table.parquet={folder / 'table'}"]

    def everything(self, folder: Path) -> Rows:
        import pyarrow.parquet as pq

        return pq.read_table(folder / self.source[0])["text"].to_pylist()

    def own(self, folder: Path, rank: int, world: int) -> Rows:
        return self.everything(folder)[rank::world]

    def hugging_face(self, folder: Path) -> Any:
        import datasets

        return datasets.Dataset.from_parquet(str(folder / self.source[0]), cache_dir=str(folder / "hf-cache"))

    def frame(self, folder: Path) -> Frame:
        import pandas

        return Frame(pandas.read_parquet(folder / self.source[0]))

    def collate(self, rows: list[Any]) -> Batch:
        import torch

        texts = [(row if isinstance(row, str) else row["text"]).encode() for row in rows]
        offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        values = np.frombuffer(bytearray().join(texts), np.uint8)
        return {"text": torch.from_numpy(values), "text.offsets": torch.from_numpy(offsets)}

    def checksums(self, batch: Batch) -> list[int]:
        values, bounds = batch["text"].numpy(), batch["text.offsets"].tolist()
        return [zlib.crc32(values[begin:end]) for begin, end in pairwise(bounds)]


SHAPES = {"contests": Contests(), "strings": Strings()}
