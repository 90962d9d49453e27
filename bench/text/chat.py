"""Conversations to tokens with the mask of the assistant, from disk to disk: rankfeed prepare against a map of datasets.

Seconds are of whole processes. Tokens and masks of rankfeed and map:2 are compared row by row. render:2 and text:2 render
only, in two threads and two processes: seconds of the work without the start, and the texts are compared.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import shutil
import statistics
import subprocess
import sys
import time
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOADERS = ["rankfeed", "map:2", "render:2", "text:2", "map:1"]


def conversations(rows: int):
    """3 to 9 messages of 5 to 120 words each, drawn from 5,000 words."""
    drawn = random.Random(13)
    words = ["".join(drawn.choices("abcdefghijklmnopqrstuvwxyz", k=drawn.randint(2, 9))) for _ in range(5_000)]
    for row in range(rows):
        messages = [{"role": "system", "content": "You are a helpful assistant."}] if row % 3 == 0 else []
        for turn in range(2 * drawn.randint(1, 4)):
            text = " ".join(drawn.choices(words, k=drawn.randint(5, 120)))
            messages.append({"role": "assistant" if turn % 2 else "user", "content": text})
        yield {"id": row, "messages": messages}


def write(rows: int, work: Path) -> None:
    """The conversations as JSON lines and as a dataset, and a model's tokenizer with TRL's training template of Qwen3."""
    import datasets
    import trl
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    with (work / "chats.jsonl").open("w") as lines:
        for row in conversations(rows):
            lines.write(json.dumps(row) + "\n")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    trainer = trainers.BpeTrainer(vocab_size=8_000, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator((m["content"] for row in conversations(5_000) for m in row["messages"]), trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    fast.chat_template = (Path(trl.__file__).parent / "chat_templates/qwen3_training.jinja").read_text()
    fast.save_pretrained(work / "model")
    datasets.Dataset.from_generator(conversations, gen_kwargs={"rows": rows}, cache_dir=str(work / "cache")).save_to_disk(work / "hf")


def digest(ids: list[int], mask: list[int]) -> str:
    return hashlib.sha256(json.dumps([list(map(int, ids)), list(map(int, mask))]).encode()).hexdigest()


def mapped(name: str, work: Path) -> None:
    """Runs one of the other loaders in this process."""
    import datasets
    from transformers import AutoTokenizer

    kind, workers = name.split(":")
    tokenizer = AutoTokenizer.from_pretrained(work / "model")

    def text(row: dict) -> dict:
        return {"text": tokenizer.apply_chat_template(row["messages"], tokenize=False)}

    def tokens(row: dict) -> dict:
        made = tokenizer.apply_chat_template(row["messages"], return_dict=True, return_assistant_tokens_mask=True)
        return {"input_ids": made["input_ids"], "assistant_masks": made["assistant_masks"]}

    rows = datasets.load_from_disk(str(work / "hf"))
    begin = time.perf_counter()
    made = rows.map(
        tokens if kind == "map" else text,
        num_proc=int(workers) if int(workers) > 1 else None,
        load_from_cache_file=False,
        remove_columns=["messages"],
    )
    if kind == "text":
        seconds = time.perf_counter() - begin
        print(json.dumps({"seconds": seconds, "crc": sum(zlib.crc32(row["text"].encode()) for row in made)}))
    else:
        made.save_to_disk(work / f"made-{kind}")


def run(name: str, args, work: Path) -> tuple[float, int]:
    """Returns seconds, and the sum of the texts' CRC-32 if the loader gives texts."""
    if name == "rankfeed":
        shutil.rmtree(work / "root", ignore_errors=True)
        command = [args.home / "rankfeed", "prepare", HERE / "chat.yaml", "--run-id", "bench"]
        for key, path in {"root": "root", "sources.table.jsonl": "chats.jsonl"}.items():
            command += ["--set", f"{key}={work / path}"]
        for key, path in {"file": "tokenizer.json", "chat": "tokenizer_config.json"}.items():
            command += ["--set", f"prepare.tokenizers.model.{key}={work / 'model' / path}"]
    elif name.startswith("render:"):
        command = [args.java, "-cp", args.home / "bench" / "target" / "rankfeed-bench.jar", "io.rankfeed.bench.RenderRun"]
        command += [work / "chats.jsonl", work / "model" / "chat_template.jinja", name.split(":")[1]]
    else:
        for cached in (work / "hf").glob("cache-*"):
            cached.unlink()
        command = [sys.executable, Path(__file__), "--home", args.home, "--java", args.java, "--one", name]
    begin = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - begin
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stdout[-2000:]}{done.stderr[-3000:]}")
    if name.startswith(("render:", "text:")):
        printed = json.loads(done.stdout.splitlines()[-1])
        return printed["seconds"], printed["crc"]
    return seconds, 0


def compare(work: Path) -> int:
    """Counts the rows whose tokens and masks are equal in both; exits if a row differs."""
    import datasets
    import numpy as np
    import pyarrow.dataset as ds

    prepared = ds.dataset(next((work / "root" / "bench-chat" / "prepared").glob("*/data"))).to_table()
    ours = {}
    for row in prepared.select(["id", "input_ids", "assistant_spans"]).to_pylist():
        ids, spans = (np.frombuffer(row[name], np.int32) for name in ("input_ids", "assistant_spans"))
        mask = np.zeros(len(ids), np.int32)
        for begin, end in spans.reshape(-1, 2):
            mask[begin:end] = 1
        ours[row["id"]] = digest(ids.tolist(), mask.tolist())
    expected = {row["id"]: digest(row["input_ids"], row["assistant_masks"]) for row in datasets.load_from_disk(str(work / "made-map"))}
    if ours != expected:
        sys.exit(f"{sum(ours.get(row) != found for row, found in expected.items())} of {len(expected)} rows differ")
    return len(ours)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--java", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=LOADERS, default=LOADERS[:4])
    parser.add_argument("--one", help=argparse.SUPPRESS)
    args = parser.parse_args()
    work = args.home / "build" / "bench" / "chat"
    if args.one:
        mapped(args.one, work)
        return
    if not (work / "hf").exists() or sum(1 for _ in (work / "chats.jsonl").open()) != args.rows:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        write(args.rows, work)
    results: dict[str, list[float]] = {name: [] for name in args.only}
    crcs: set[int] = set()
    for round_number in range(args.rounds):
        for name in args.only:
            seconds, crc = run(name, args, work)
            results[name].append(seconds)
            crcs.add(crc)
            print(f"round {round_number + 1}/{args.rounds} {name}: {results[name][-1]:.1f} s", file=sys.stderr, flush=True)
    if {"rankfeed", "map:2"} <= set(args.only):
        print(f"{compare(work)} rows with equal tokens and masks", file=sys.stderr)
    if len(crcs - {0}) > 1:
        sys.exit("render and text differ in their texts")
    print("| | s (median) | rows/s | rankfeed against it |\n|---|---|---|---|")
    ours = statistics.median(results.get("rankfeed", [float("nan")]))
    for name, found in results.items():
        seconds = statistics.median(found)
        print(f"| {name} | {seconds:.1f} | {args.rows / seconds:,.0f} | {seconds / ours:.2f} × |")
    (work.parent / "chat.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
