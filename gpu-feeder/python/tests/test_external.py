"""Versions over existing datasets: how the files that their lanes refer to are opened, kept open and checked."""

import gc
import hashlib
import json
import os
import pickle
import shutil
import signal
import threading
import warnings
from pathlib import Path

import pyarrow as pa
import pytest

import rankfeed
from rankfeed import external

PROJECT = Path(__file__).resolve().parents[3]
FIELD = {"name": "blob", "dtype": "binary", "shape": [], "nullable": False}
FILES = 5


def content(number):
    return bytes([number]) * (3000 + number)


def make(folder, root):
    """Writes a dataset of one value in each file, and what a version has besides its lanes."""
    root.mkdir(parents=True)
    folder.mkdir()
    rows = []
    for number in range(FILES):
        (root / f"{number}.bin").write_bytes(content(number))
        rows.append({"path": f"{number}.bin", "bytes": len(content(number)), "sha256": digest(content(number))})
    schema = pa.schema({"path": pa.string(), "bytes": pa.int64(), "sha256": pa.binary()})
    with pa.OSFile(str(folder / "external.arrow"), "wb") as out, pa.ipc.new_file(out, schema) as file:
        for row in rows:
            file.write_batch(pa.RecordBatch.from_pylist([row], schema))
    listed = hashlib.sha256((folder / "external.arrow").read_bytes()).hexdigest()
    head = json.dumps({"files": FILES, "list": listed, "root": str(root)}, ensure_ascii=False)
    found = [(root / row["path"]).stat() for row in rows]
    stamps = [f"{one.st_size} {one.st_mtime_ns}\n" for one in found]
    (folder / "_stamps").write_text("".join([head, "\n", *stamps]), encoding="utf-8")
    return {
        "dataset": "d",
        "external": {"columns": {"blob": 0}},
        "files": [{"path": "external.arrow", "sha256": listed}],
    }


def digest(data):
    return hashlib.sha256(data).digest()


@pytest.fixture
def opened(tmp_path):
    """Opens files of which two stay open."""
    stated = make(tmp_path / "version", tmp_path / "data")

    def files(verify=False):
        return external.ExternalFiles(tmp_path / "version", stated, verify=verify)

    return files


@pytest.fixture(autouse=True)
def two_open(monkeypatch):
    monkeypatch.setattr(external, "_MAX_OPEN", 2)


def values(files, numbers):
    lengths = [[0, len(content(number))] for number in numbers]
    rows = pa.table({"_source": pa.array(numbers, pa.int32()), "blob": pa.array(lengths, pa.list_(pa.int64(), 2))})
    return files.resolved(rows, [FIELD])["blob"].to_pylist()


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def test_a_few_files_are_open_and_none_after_the_last_use(opened):
    gc.disable()
    try:
        before, files = descriptors(), opened()
        numbers = [*range(FILES), *range(FILES)]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert values(files, numbers) == [content(number) for number in numbers]
            assert descriptors() == before + 2
            del files
        assert descriptors() == before
    finally:
        gc.enable()


def test_no_rows_have_no_values(opened):
    assert values(opened(), []) == []


def test_bfloat16_is_its_bits(opened):
    field = {"name": "blob", "dtype": "bfloat16", "shape": [5], "nullable": False}
    rows = pa.table({"_source": pa.array([1, 2], pa.int32()), "blob": pa.array([0, 10], pa.int64())})
    assert opened().resolved(rows, [field])["blob"].to_pylist() == [[0x0101] * 5, [0x0202] * 5]


def test_a_file_is_hashed_once(opened, monkeypatch):
    hashed = []
    monkeypatch.setattr(
        external._File, "sha256", lambda file: hashed.append(1) or digest(os.pread(file.descriptor, 9999, 0))
    )
    files = opened(verify=True)
    for _ in range(3):
        assert values(files, range(FILES)) == [content(number) for number in range(FILES)]
    assert len(hashed) == FILES


def test_threads_read_their_own_files(opened):
    files, wrong = opened(), []

    def read(number):
        wrong.extend(1 for _ in range(200) if values(files, [number]) != [content(number)])

    threads = [threading.Thread(target=read, args=(number,)) for number in range(FILES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_forked_child_reads_while_another_thread_opens_a_file(opened, monkeypatch):
    files, opening, forked = opened(), threading.Event(), threading.Event()
    original = external.ExternalFiles._open

    def slow(of, number):
        if threading.current_thread() is reader:
            opening.set()
            forked.wait(60)
        return original(of, number)

    monkeypatch.setattr(external.ExternalFiles, "_open", slow)
    read = []
    reader = threading.Thread(target=lambda: read.extend(values(files, [0])))
    reader.start()
    assert opening.wait(60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(30)
            code = int(values(files, [1]) != [content(1)])
        finally:
            os._exit(code)
    forked.set()
    reader.join(60)
    assert read == [content(0)]
    assert os.waitpid(child, 0)[1] == 0


def test_another_process_opens_the_files_itself(opened):
    files = opened(verify=True)
    assert values(files, [1]) == values(pickle.loads(pickle.dumps(files)), [1]) == [content(1)]


def test_the_name_of_the_root_may_have_any_line_separator(tmp_path):
    stated = make(tmp_path / "version", tmp_path / "a\u2028b\x85c")
    assert values(external.ExternalFiles(tmp_path / "version", stated, verify=False), [3]) == [content(3)]


@pytest.mark.parametrize(
    "stamps",
    ["", "{}\n", "[1]\n", '{"root": "/", "list": 1}\n1\n', '{"root": "/", "list": 1}\n1 9999999999999999999\n'],
)
def test_damaged_stamps_are_refused_with_the_command_that_writes_them(opened, tmp_path, stamps):
    (tmp_path / "version" / "_stamps").write_text(stamps)
    with pytest.raises(rankfeed.RankfeedError, match=r"_stamps.*rankfeed verify .* --external d=PATH' writes it anew"):
        opened()


def test_what_is_not_a_file_is_refused_and_closed(opened, tmp_path):
    before, file = descriptors(), tmp_path / "data" / "1.bin"
    for make_other, message in [
        (file.mkdir, "1.bin is not a regular file"),
        (lambda: os.mkfifo(file), "1.bin is not a regular file"),
        (lambda: file.symlink_to("2.bin"), "1.bin of .* cannot be read .*--external d=PATH"),
        (lambda: file.write_bytes(b"x"), "1.bin changed from 3001 to 1 bytes since"),
    ]:
        shutil.rmtree(file) if file.is_dir() else file.unlink()
        make_other()
        with pytest.raises(rankfeed.RankfeedError, match=message):
            values(opened(), [1])
        assert descriptors() == before


def test_files_in_another_folder_are_read_there_and_have_equal_times(tmp_path):
    stated = make(tmp_path / "version", tmp_path / "data")
    moved = (tmp_path / "data").rename(tmp_path / "elsewhere")
    files = external.ExternalFiles(tmp_path / "version", stated, verify=True, root=moved)
    assert values(files, [1]) == values(pickle.loads(pickle.dumps(files)), [1]) == [content(1)]
    os.utime(moved / "2.bin", ns=(1, 1))
    with pytest.raises(rankfeed.RankfeedError, match=f"was modified.*run 'rankfeed verify .* --external d={moved}'"):
        values(files, [2])


def test_text_that_is_not_utf_8_is_refused_with_file_and_row(opened, tmp_path):
    field = {"name": "blob", "dtype": "string", "shape": [], "nullable": False}
    rows = {"_source": pa.array([1, 3], pa.int32()), "_source_row": pa.array([8, 9])}
    path = tmp_path / "data" / "3.bin"
    stamp = path.stat().st_mtime_ns
    path.write_bytes(b"\xff" * path.stat().st_size)
    os.utime(path, ns=(stamp, stamp))
    table = pa.table({**rows, "blob": pa.array([[0, 3], [0, 3]], pa.list_(pa.int64(), 2))})
    with pytest.raises(rankfeed.RankfeedError, match=r"3\.bin: the text in column 'blob' of row 9 is not valid UTF-8"):
        opened().resolved(table, [field])


def test_a_folder_of_files_is_refused_for_a_version_with_rows(tmp_path):
    version = PROJECT / "schema/src/test/resources/golden/version"
    with pytest.raises(rankfeed.RankfeedError, match="is not an imported version; leave out external="):
        rankfeed.open(version, external=tmp_path)
