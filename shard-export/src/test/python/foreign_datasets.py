"""Writes small datasets of other formats by their own libraries, and what these libraries read of them (expected.json).

    pip install numpy datasets pillow webdataset==1.0.2
    python foreign_datasets.py ../resources/foreign

Formats without a library here (image-mmap, ENN, Megatron) are written from their description by struct and numpy.memmap.
"""

import datetime
import io
import json
import pathlib
import shutil
import struct
import sys
import tarfile

import datasets
import numpy as np
import pyarrow as pa
import webdataset
from datasets.arrow_writer import ArrowWriter

ROWS = 7
rng = np.random.default_rng(36)
expected = {}


def as_hex(value, dtype):
    if value is None:
        return None
    if dtype in ("string", "binary"):
        return (value.encode() if isinstance(value, str) else bytes(value)).hex()
    dtype = {"bool": "uint8"}.get(dtype, dtype)
    return np.asarray(value, dtype=np.dtype(dtype).newbyteorder("<")).tobytes().hex()


def expect(path, form, columns, parts, refused=()):
    """columns: name -> (dtype, shape, nullable); parts: a list of {"rows": [{name: value}], "keys": [...]}"""
    expected[path] = {
        "format": form,
        "columns": {name: {"dtype": d, "shape": list(s), "nullable": n} for name, (d, s, n) in columns.items()},
        "refused": sorted(refused),
        "parts": [
            {
                "keys": part.get("keys", []),
                "rows": [{n: as_hex(row.get(n), columns[n][0]) for n in columns} for row in part["rows"]],
            }
            for part in parts
        ],
    }


def fresh(root, name):
    folder = root / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def npy(root):
    columns = {
        "x": ("float32", (3, 2), False),
        "label": ("int64", (), False),
        "half": ("float16", (2,), False),
        "flag": ("bool", (), False),
        "pixels": ("uint8", (2, 2, 3), False),
        "late": ("uint16", (), False),
    }
    parts = []
    for part in "ab":
        folder = fresh(root, "npy/" + part)
        n = ROWS if part == "a" else 2
        arrays = {
            "x": rng.normal(size=(n, 3, 2)).astype("<f4"),
            "label": rng.integers(-9, 9, n),
            "half": rng.normal(size=(n, 2)).astype("<f2"),
            "flag": rng.integers(0, 2, n).astype(bool),
            "pixels": rng.integers(0, 256, (n, 2, 2, 3)).astype("u1"),
            "late": rng.integers(0, 60000, n).astype("<u2"),
        }
        for i, (name, array) in enumerate(arrays.items()):
            with open(folder / f"{name}.npy", "wb") as out:
                np.lib.format.write_array(out, array, version=[(1, 0), (2, 0), (3, 0)][i % 3])
        read = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in arrays}
        parts.append({"rows": [{name: read[name][r] for name in read} for r in range(n)]})
    expect("npy", "npy", columns, parts)


def enn(root):
    folder = fresh(root, "enn")
    x = rng.normal(size=(ROWS, 5)).astype("<f4")
    y = rng.normal(size=(ROWS, 2)).astype("<f4")
    x.tofile(folder / "features.mmt")
    y.tofile(folder / "labels.mmt")
    meta = {
        "N": ROWS, "feature_dim": 5, "features_path": "features.mmt", "labels_path": "labels.mmt", "label_shape": [2],
        "features_dtype": "float32", "labels_dtype": "float32", "fractions": [0.9, 0.1], "shuffled": False,
        "shuffle_seed": 0, "scaler_stats_path": None, "scale_max_abs": float("nan"), "scale_min_value": float("-inf"),
        "features_only": False,
    }  # fmt: skip
    (folder / "meta.json").write_text(json.dumps(meta, indent=2))
    features = np.memmap(folder / "features.mmt", dtype="<f4", mode="r", shape=(ROWS, 5))
    labels = np.memmap(folder / "labels.mmt", dtype="<f4", mode="r", shape=(ROWS, 2))
    columns = {"X": ("float32", (5,), False), "Y": ("float32", (2,), False)}
    expect(
        "enn",
        "enn",
        columns,
        [{"rows": [{"X": features[r], "Y": labels[r]} for r in range(ROWS)]}],
    )
    with_ids = fresh(root, "enn-ids")
    shutil.copytree(folder, with_ids, dirs_exist_ok=True)
    (np.arange(ROWS, dtype="<i8") * 3**38 - 7).tofile(with_ids / "row_ids.mmt")
    ids = np.memmap(with_ids / "row_ids.mmt", dtype="<i8", mode="r", shape=(ROWS,))
    expect(
        "enn-ids",
        "enn",
        {**columns, "row_ids": ("int64", (), False)},
        [{"rows": [{"X": features[r], "Y": labels[r], "row_ids": ids[r]} for r in range(ROWS)]}],
    )
    several = fresh(root, "enn-several")
    for name in ("one", "two"):
        shutil.copytree(folder, several / name)
        (several / name / "labels.mmt").unlink()
        only = dict(meta, labels_path=None, features_only=True)
        (several / name / "meta.json").write_text(json.dumps(only))
    (several / "multinode.json").write_text(json.dumps({"left": "two", "right": "one"}))
    part = {"rows": [{"X": features[r]} for r in range(ROWS)]}
    expect("enn-several", "enn", {"X": ("float32", (5,), False)}, [part, part])


def image_mmap(root):
    folder = fresh(root, "image-mmap")
    images = [rng.bytes(int(n)) for n in rng.integers(1, 60, ROWS)]
    at = 8 + 16 * ROWS
    index = struct.pack("<Q", ROWS)
    for image in images:
        index += struct.pack("<QQ", at, len(image))
        at += len(image)
    (folder / "images.mmap").write_bytes(index + b"".join(images))
    expect(
        "image-mmap",
        "image-mmap",
        {"image": ("binary", (), False)},
        [{"rows": [{"image": i} for i in images]}],
    )


def megatron(root):
    folder = fresh(root, "megatron")
    parts = []
    for name, dtype, code in (("a", "<u2", 8), ("b", "<u2", 8)):
        tokens = [rng.integers(0, 60000, int(n)).astype(dtype) for n in rng.integers(0, 20, ROWS)]
        (folder / f"{name}.bin").write_bytes(b"".join(t.tobytes() for t in tokens))
        sizes = np.array([len(t) for t in tokens], dtype="<i4")
        offsets = np.concatenate([[0], np.cumsum(sizes[:-1].astype("<i8") * 2)]).astype("<i8")
        documents = np.array([0, 2, 2, ROWS], dtype="<i8")
        head = b"MMIDIDX\0\0" + struct.pack("<QBQQ", 1, code, len(tokens), len(documents))
        modes = bytes(ROWS) if name == "b" else b""
        index = head + sizes.tobytes() + offsets.tobytes() + documents.tobytes() + modes
        (folder / f"{name}.idx").write_bytes(index)
        parts.append({"rows": [{"tokens": t} for t in tokens]})
    expect("megatron", "megatron", {"tokens": ("uint16", (None,), False)}, parts)


def huggingface(root):
    folder = fresh(root, "huggingface")
    jpeg = b"\xff\xd8\xff" + rng.bytes(20)
    rows = [
        {
            "when": datetime.datetime(2026, 1, 1),
            "label": r % 3,
            "score": None if r == 2 else r / 4,
            "text": None if r == 4 else "line é " * r,
            "tokens": list(range(r)),
            "vector": None if r == 1 else [r, r + 0.5, -r],
            "grid": [[r, r], [r + 1, r]],
            "flag": None if r == 5 else r % 2 == 0,
            "blob": rng.bytes(r),
            "image": {"bytes": jpeg + bytes([r]), "path": f"{r}.jpg"},
            "words": ["a"] * r,
        }
        for r in range(ROWS)
    ]
    value, sequence = datasets.Value, datasets.Sequence
    features = datasets.Features(
        {
            "when": value("timestamp[s]"),
            "label": datasets.ClassLabel(names=["a", "b", "c"]),
            "score": value("float64"),
            "text": value("string"),
            "tokens": sequence(value("int32")),
            "vector": sequence(value("float32"), length=3),
            "grid": sequence(sequence(value("int16"), length=2), length=2),
            "flag": value("bool"),
            "blob": value("large_binary"),
            "image": datasets.Image(decode=False),
            "words": sequence(value("string")),
        }
    )
    made = datasets.Dataset.from_list(rows, features=features)
    made.save_to_disk(str(folder), num_shards=2)
    (folder / "left-over.arrow").write_bytes(b"not listed by state.json")
    columns = {
        "label": ("int64", (), False),
        "score": ("float64", (), True),
        "text": ("string", (), True),
        "tokens": ("int32", (None,), False),
        "vector": ("float32", (3,), True),
        "grid": ("int16", (2, 2), False),
        "flag": ("bool", (), True),
        "blob": ("binary", (), False),
        "image": ("binary", (), False),
    }
    read = datasets.load_from_disk(str(folder))
    read = [dict(row, image=row["image"]["bytes"]) for row in read]
    expect(
        "huggingface",
        "huggingface",
        columns,
        [{"rows": read[:4]}, {"rows": read[4:]}],
        ["when", "words"],
    )

    folder = fresh(root, "arrow")
    few = {k: features[k] for k in ("text", "tokens", "flag", "score")}
    with ArrowWriter(
        features=datasets.Features(few),
        path=str(folder / "cache.arrow"),
        writer_batch_size=3,
    ) as writer:
        for row in rows:
            writer.write({k: row[k] for k in few})
        writer.finalize()
    read = datasets.Dataset.from_file(str(folder / "cache.arrow"))
    table = pa.table(
        {
            "key": pa.array(["k" * r for r in range(ROWS)]),
            "n": pa.array(range(ROWS), pa.uint8()),
        }
    )
    with (
        pa.OSFile(str(folder / "file.arrow"), "wb") as out,
        pa.ipc.new_file(out, table.schema) as writer,
    ):
        for batch in table.slice(1).to_batches(max_chunksize=4):
            writer.write(batch)
    columns = {k: v for k, v in columns.items() if k in few} | {
        "key": ("string", (), False),
        "n": ("uint8", (), False),
    }
    parts = [{"rows": list(read)}, {"rows": table.slice(1).to_pylist()}]
    expect("arrow", "huggingface", columns, parts)


def samples(path):
    read = []
    for sample in webdataset.WebDataset(str(path), shardshuffle=False, handler=webdataset.reraise_exception):
        row = {}
        for name, value in sample.items():
            if not name.startswith("__"):
                row[name.replace(".", "_")] = int(value) if name == "cls" else value
        read.append((sample["__key__"], row))
    return {"keys": [key for key, row in read], "rows": [row for key, row in read]}


def tars(root):
    folder = fresh(root, "webdataset")
    with webdataset.ShardWriter(str(folder / "%03d.tar"), maxcount=4, verbose=0) as shards:
        for r in range(ROWS):
            sample = {
                "__key__": f"d/{r:04}",
                "jpg": rng.bytes(100 * r),
                "cls": r % 3,
                "seg.png": rng.bytes(r),
            }
            if r != 2:
                sample["txt"] = "caption é" * r
            shards.write(sample)
    columns = {
        "jpg": ("binary", (), False),
        "cls": ("int64", (), False),
        "seg_png": ("binary", (), False),
        "txt": ("string", (), True),
    }
    expect(
        "webdataset",
        "webdataset",
        columns,
        [samples(folder / "000.tar"), samples(folder / "001.tar")],
    )

    folder = fresh(root, "tars")
    long = "folder/" + "n" * 60 + "/" + "m" * 60
    names = [
        "a.JPG",
        "a.txt",
        "b/c.d/e.jpg",
        "b/c.d/e.txt",
        long + "/f.jpg",
        long + "/f.txt",
        "x.jpg",
        "x.y.txt",
    ]
    forms = {
        "ustar": tarfile.USTAR_FORMAT,
        "gnu": tarfile.GNU_FORMAT,
        "pax": tarfile.PAX_FORMAT,
    }
    for form, number in forms.items():
        with tarfile.open(
            folder / f"{form}.tar",
            "w",
            format=number,
            pax_headers={"comment": "é"} if form == "pax" else None,
        ) as tar:
            for skipped in (
                "__meta__",
                "__m__/a.jpg",
                ".hidden",
                "plain",
                "s/.dots.jpg",
            ):
                add(tar, skipped, b"skipped")
            link = tarfile.TarInfo("link.jpg")
            link.type, link.linkname = tarfile.SYMTYPE, "a.JPG"
            tar.addfile(link)
            directory = tarfile.TarInfo("b")
            directory.type = tarfile.DIRTYPE
            tar.addfile(directory)
            for name in names + ([] if form == "ustar" else ["o/" + "é" * 120 + ".jpg", "p/" + "q" * 300 + ".jpg"]):
                content = rng.bytes(int(rng.integers(0, 1500)))
                add(tar, name, bytes(byte & 0x7F for byte in content) if name.endswith(".txt") else content)
    columns = {
        "jpg": ("binary", (), True),
        "txt": ("string", (), True),
        "dots_jpg": ("binary", (), True),
        "y_txt": ("binary", (), True),
    }
    expect(
        "tars",
        "webdataset",
        columns,
        [samples(folder / f"{form}.tar") for form in sorted(forms)],
    )


def add(tar, name, content):
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    tar.addfile(entry, io.BytesIO(content))


def images(root):
    folder = fresh(root, "images")
    for name in (
        "cat/1.jpg",
        "cat/in/2.PNG",
        "cat/notes.txt",
        "dog-b/a.webp",
        "dog/b.jpeg",
        "Zebra/z.jpg",
    ):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(rng.bytes(int(rng.integers(1, 50))))
    parts = []
    # The order of torchvision.datasets.ImageFolder.
    for label, group in enumerate(sorted(entry.name for entry in folder.iterdir())):
        files = [file for file in sorted((folder / group).rglob("*")) if file.is_file() and file.suffix != ".txt"]
        parts.append({"rows": [{"image": file.read_bytes(), "label": label} for file in files]})
    expect(
        "images",
        "images",
        {"image": ("binary", (), False), "label": ("int64", (), False)},
        parts,
    )


def main():
    root = pathlib.Path(sys.argv[1])
    for write in (npy, enn, image_mmap, megatron, huggingface, tars, images):
        write(root)
    (root / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
