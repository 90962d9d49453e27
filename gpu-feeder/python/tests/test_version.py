"""Random access to the golden version: every row of the plan's lists, in their order."""

import hashlib
import json
import pickle
import shutil

import numpy as np
import pyarrow as pa
import pytest
import torch

import manifests
import rankfeed
from test_golden_cache import FOLDER, expected

DATASET = FOLDER.with_name("dataset")
LISTED = [*range(15), *(100 + i for i in range(11))]
TABLE = [200 + i for i in range(11)]


@pytest.fixture
def version():
    return rankfeed.open(FOLDER)


@pytest.fixture
def copied(tmp_path):
    return shutil.copytree(FOLDER, tmp_path / "298170fcc4c026ca")


def plain(row):
    """Returns a row in the form of the golden test, with marks for missing values."""
    value = {name: v.reshape(-1).tolist() if isinstance(v, np.ndarray) else v for name, v in row.items()}
    del value["row_id"]
    return value


def wanted(n):
    row = expected(n)
    score, files = row["score"], row["files"]
    return {
        "label": row["label"], "box": row["box"], "ids": row["ids"], "text": row["text"], "blob": row["blob"],
        "score": score if row["score.valid"] else None, "good": bool(row["good"]), "names": row["names"],
        "files": files if row["files.valid"] else None,
    }  # fmt: skip


@pytest.mark.parametrize(("feed", "rows"), [("train", LISTED), ("valid", TABLE)])
def test_rows_are_in_the_order_of_the_plan(version, feed, rows):
    got = version[feed]
    assert len(got) == len(rows)
    assert [plain(row) for row in got] == [wanted(n) for n in rows]
    assert plain(got[-1]) == wanted(rows[-1])
    with pytest.raises(IndexError):
        got[len(rows)]


def test_slices_are_rows_too(version):
    part = version["train"][3:20:4]
    assert [row["label"] for row in part] == [wanted(n)["label"] for n in LISTED[3:20:4]]
    assert [row["label"] for row in part[1:][::-1]] == [wanted(n)["label"] for n in LISTED[3:20:4][1:][::-1]]


def test_rows_by_their_numbers_are_rows_too(version):
    rows, places = version["train"], [7, 0, -1, 7, 20]
    for given in (places, tuple(places), np.array(places, np.int32)):
        part = rows[given]
        assert [plain(row) for row in part] == [wanted(LISTED[n]) for n in places]
        assert part.to_arrow()["label"].to_pylist() == [wanted(LISTED[n])["label"] for n in places]
    assert [row["label"] for row in rows[3:20:4][[-1, 1]]] == [wanted(n)["label"] for n in (LISTED[19], LISTED[7])]
    assert [row["label"] for row in rows[places][[2, 0]][::-1]] == [wanted(LISTED[n])["label"] for n in (7, -1)]
    assert len(rows[[]]) == 0
    assert rows[[]].to_arrow().num_rows == 0
    assert plain(rows[np.int64(3)]) == plain(rows[3])
    for wrong in ([26], [-27], np.array([0, 26]), np.array([2**64 - 1], np.uint64)):
        with pytest.raises(IndexError):
            rows[wrong]
    for part in (rows, rows[places]):
        for wrong in ([0.0], [True] * 5, [[1, 2]], [[1], [2, 3]], [2**64], "1", 1.0, None):
            with pytest.raises(TypeError):
                part[wrong]
        for wrong in (26, -27, 5**30):
            with pytest.raises(IndexError):
                part[wrong]
    assert rows[range(2)].to_arrow()["row_id"].to_pylist() == [rows[0]["row_id"], rows[1]["row_id"]]


def test_arrays_of_a_row_are_views_of_the_mapped_file(copied):
    rows = rankfeed.open(copied)["train"]
    row, again = rows[3], rows[3]
    kept = row["box"].copy()
    assert row["box"].__array_interface__["data"] == again["box"].__array_interface__["data"]
    assert not row["box"].flags.writeable
    shutil.rmtree(copied)
    assert np.array_equal(row["box"], kept)


def test_a_slice_as_arrow_has_nulls_and_booleans(version):
    table = version["valid"][2:8].to_arrow()
    assert table["score"].to_pylist() == [wanted(n)["score"] for n in TABLE[2:8]]
    assert table["good"].to_pylist() == [wanted(n)["good"] for n in TABLE[2:8]]
    assert table["ids"].to_pylist() == [wanted(n)["ids"] for n in TABLE[2:8]]
    assert len(set(table["row_id"].to_pylist())) == 6


def test_a_slice_as_tensors(version):
    tensors = version["train"][:6].to_torch()
    assert tensors["box"].shape[0] == 6
    assert tensors["box"].reshape(6, -1).tolist() == [wanted(n)["box"] for n in LISTED[:6]]
    assert [ids.tolist() for ids in tensors["ids"]] == [wanted(n)["ids"] for n in LISTED[:6]]
    assert torch.equal(tensors["label"], torch.tensor([wanted(n)["label"] for n in LISTED[:6]]))
    assert tensors["text"] == [wanted(n)["text"] for n in LISTED[:6]]


def test_tensors_have_the_dtype_of_their_column(version):
    fields = {field["name"]: field for field in version.manifest["schema"]["fields"]}
    for rows in (version["train"][:6], version["train"][[4]], version["train"][[]]):
        tensors = rows.to_torch()
        for name in ("label", "box", "good"):
            assert str(tensors[name].dtype) == f"torch.{fields[name]['dtype']}"
            assert tensors[name].shape == (len(rows), *fields[name]["shape"])
        assert len(tensors["ids"]) == len(tensors["text"]) == len(rows)


def test_large_unsigned_numbers_stay_exact(version, monkeypatch):
    wanted = [2**63 + 1, 2**62 + 1, 5, 2**64 - 1]
    rows = version["train"]
    field = {"name": "u", "dtype": "uint64", "shape": [], "nullable": False}
    monkeypatch.setitem(version.manifest["schema"], "fields", [field])
    table = pa.table({"_row_id": [0, 1, 2, 3], "u": pa.array(wanted, pa.uint64())})
    for of in ([0, 1, 2, 3], [0, 3]):
        monkeypatch.setattr(rows, "_taken", lambda of=of: table.take(of))
        tensor = rows.to_torch()["u"]
        assert tensor.dtype == torch.uint64
        assert tensor.tolist() == [wanted[i] for i in of]


def test_a_pickled_row_is_without_its_files(version):
    part = version["train"][[3]]
    assert part[0]["label"] == wanted(LISTED[3])["label"]
    state = pickle.loads(pickle.dumps(part))
    assert state._lanes is None
    assert plain(state[0]) == plain(part[0])


def test_version_is_found_by_run_and_latest_by_commits(tmp_path):
    dataset = tmp_path / "golden"
    shutil.copytree(FOLDER, dataset / "versions" / "298170fcc4c026ca")
    (dataset / "commits").mkdir()
    for number, name, ended, version in (
        (9, "old", "2031-01-01T00:00:00Z", "0123456789abcdef"),
        (10, "new", "2026-01-02T00:00:00Z", "298170fcc4c026ca"),
    ):
        (dataset / "runs" / name).mkdir(parents=True)
        facts = {"state": "committed", "endedAt": ended, "version": version}
        (dataset / "runs" / name / "run.json").write_text(json.dumps(facts))
        commit = {"run": name, "version": version}
        (dataset / "commits" / f"{number:010}.json").write_text(json.dumps(commit))
    for name, text in (("broken", '{"state": "failed"}'), ("torn", '{"state": "comm')):
        (dataset / "runs" / name).mkdir()
        (dataset / "runs" / name / "run.json").write_text(text)
    assert rankfeed.open(f"{dataset}@latest").manifest["id"] == "298170fcc4c026ca"
    assert "train: 26 rows" in repr(rankfeed.open(f"{dataset}@new"))
    for run in ("latest", "new"):
        with pytest.raises(
            rankfeed.RankfeedError, match=rf"no dataset exists at .*/goldne; did you mean '{dataset}@{run}'"
        ):
            rankfeed.open(tmp_path / f"goldne@{run}")
    (tmp_path / "mixtures" / "mixed").mkdir(parents=True)
    (tmp_path / "mixtures" / "mixed" / "mixture.json").touch()
    with pytest.raises(rankfeed.RankfeedError, match="mixed is a mixture"):
        rankfeed.open(tmp_path / "mixtures" / "mixed")
    with pytest.raises(rankfeed.RankfeedError, match=r"no committed run .* broken, new, old, torn"):
        rankfeed.open(f"{dataset}@broken")
    with pytest.raises(rankfeed.RankfeedError, match=r"runs/torn/run\.json is not JSON"):
        rankfeed.open(f"{dataset}@torn")
    for torn in ("", '{"run": "x", "version": ', '{"run": "x"}'):
        (dataset / "commits" / "0000000011.json").write_text(torn)
        with pytest.warns(UserWarning, match=r"0000000011\.json.*this commit is ignored"):
            assert rankfeed.open(f"{dataset}@latest/").manifest["id"] == "298170fcc4c026ca"
    (dataset / "commits" / "0000000012.json").write_text(json.dumps({"run": "old", "version": "0123456789abcdef"}))
    with pytest.raises(rankfeed.RankfeedError, match=r"versions/0123456789abcdef/manifest\.json cannot be read"):
        rankfeed.open(f"{dataset}@latest")


def test_missing_or_truncated_lane_is_named(copied):
    lane = copied / "lanes/train/lane-00001-00000.arrow"
    data = lane.read_bytes()
    for other in (data[:100], data[:-1], data + b"\0"):
        lane.write_bytes(other)
        found = rf"lane-00001-00000.arrow has {len(other)} bytes, its manifest lists {len(data)}"
        with pytest.raises(rankfeed.RankfeedError, match=found):
            rankfeed.open(copied)["train"][0]
    lane.unlink()
    with pytest.raises(rankfeed.RankfeedError, match=r"lane-00001-00000.arrow cannot be read .*rankfeed verify"):
        rankfeed.open(copied)["train"][0]


def test_changed_byte_of_a_lane_is_found_with_verify(copied):
    lane = copied / "lanes/train/lane-00001-00000.arrow"
    data = bytearray(lane.read_bytes())
    for at in (0, len(data) // 2, len(data) - 1):
        data[at] ^= 1
        lane.write_bytes(data)
        with pytest.raises(rankfeed.RankfeedError, match=r"lane-00001-00000.arrow is not the file that its manifest"):
            rankfeed.open(copied, verify=True)["train"][0]
        assert len(list(rankfeed.open(copied, verify=True)["valid"])) == 11  # other files
        data[at] ^= 1
    lane.write_bytes(data)
    assert [plain(row) for row in rankfeed.open(copied, verify=True)["train"]] == [wanted(n) for n in LISTED]


def test_folder_without_version_is_refused(tmp_path):
    with pytest.raises(rankfeed.RankfeedError, match="name the folder of a version"):
        rankfeed.open(tmp_path)
    manifests.write(tmp_path, manifests.artifact("plan"))
    with pytest.raises(rankfeed.RankfeedError, match=r"is a rankfeed\.plan, not a rankfeed\.version"):
        rankfeed.open(tmp_path)


def test_changed_scalar_of_the_manifest_is_refused(copied):
    file = copied / "manifest.json"
    document = json.loads(file.read_text())
    assert manifests.canonical(document) == file.read_bytes()
    found = list(manifests.scalars(document))
    assert len(found) > 60
    for path, value in found:
        file.write_bytes(manifests.changed(document, path, value))
        with pytest.raises(rankfeed.RankfeedError, match=r"manifest\.json"):
            rankfeed.open(copied)
        with pytest.raises(rankfeed.VersionMismatch, match=r"manifest\.json"):
            rankfeed.Feed(copied, output="numpy")


def test_manifest_without_digest_or_other_layout_is_refused(copied):
    file = copied / "manifest.json"
    document = json.loads(file.read_text())
    del document["digest"]
    file.write_bytes(manifests.canonical(document))
    with pytest.raises(
        rankfeed.RankfeedError, match=r"no line with the member 'digest': an older release.*run the job"
    ):
        rankfeed.open(copied)
    shutil.copy(FOLDER / "manifest.json", file)
    text = file.read_text()
    for other in (json.dumps(json.loads(text)), text + "\n", text.replace('"rows":', '"rows" :', 1)):
        file.write_text(other)
        with pytest.raises(rankfeed.RankfeedError, match=r"reformatted|was changed"):
            rankfeed.open(copied)


def test_unlisted_order_is_refused(copied):
    file = copied / "order.json"
    text = file.read_text()
    file.write_text(text.replace('"seed": ', '"seed": 1', 1))
    assert rankfeed.Order.load(file)["train"].seed != rankfeed.Order.load(FOLDER / "order.json")["train"].seed
    with pytest.raises(rankfeed.RankfeedError, match=r"order\.json is not the file that its manifest lists"):
        rankfeed.open(copied)


def test_a_version_is_read_by_the_order_next_to_it(tmp_path):
    dataset = shutil.copytree(DATASET, tmp_path / "golden")
    (folder,) = (dataset / "versions").iterdir()
    (order,) = (dataset / "orders").iterdir()
    for words in (folder, f"{dataset}@latest"):
        version = rankfeed.open(words)
        assert version.order.plan == order.name
        assert [plain(row) for row in version["train"]] == [wanted(n) for n in LISTED]
        assert [plain(row) for row in version["valid"]] == [wanted(n) for n in TABLE]
    first, second = (opened.order["train"].batch(7, 1, 2) for opened in (rankfeed.open(FOLDER), version))
    assert (list(first.stratum), list(first.index)) == (list(second.stratum), list(second.index))
    (commit,) = (dataset / "commits").iterdir()
    facts = json.loads(commit.read_bytes())
    commit.write_text(json.dumps(facts | {"order": f"../orders/{order.name}"}))
    assert rankfeed.open(folder).order.plan == order.name  # the commit is ignored, and no other order is there
    ignored = pytest.warns(
        UserWarning, match=r"order '\.\./orders/.*' is not 16 hexadecimal digits; this commit is ignored"
    )
    with ignored, pytest.raises(rankfeed.RankfeedError, match="no committed run"):
        rankfeed.open(f"{dataset}@latest")
    commit.unlink()
    assert rankfeed.open(folder).order.plan == order.name
    file = order / "order.json"
    text = file.read_text()
    file.write_text(text.replace('"seed": 42', '"seed": 43'))
    with pytest.raises(rankfeed.RankfeedError, match=r"order\.json was changed after it was written"):
        rankfeed.open(folder)
    shutil.rmtree(dataset / "orders")
    with pytest.raises(rankfeed.RankfeedError, match="no commit of this dataset names version"):
        rankfeed.open(folder)


def test_a_version_is_read_by_a_plan_with_fewer_lanes(tmp_path):
    dataset = shutil.copytree(DATASET, tmp_path / "golden")
    (folder,) = (dataset / "versions").iterdir()
    (order,) = (dataset / "orders").iterdir()
    shutil.rmtree(dataset / "commits")
    plan = json.loads((order / "order.json").read_text())
    train = plan["feeds"][0]
    train["lanes"] = 1
    for segment in train["segments"]:
        segment["quotas"] = [2 * units for units in segment["quotas"]]
        segment["base"] = [2 * units for units in segment["base"]]
    write_order(dataset, plan)
    shutil.rmtree(order)
    version = rankfeed.open(folder)
    assert version.order["train"].lanes == 1
    assert [plain(row) for row in version["train"]] == [wanted(n) for n in LISTED]
    batch = version.order["train"].batch(0, 0, 1)
    assert len(set(zip(batch.lane, batch.ordinal, strict=True))) == 4


@pytest.mark.parametrize(
    "change",
    [
        lambda member: member.update(version="0011223344556677"),
        lambda member: member.update(strata=[{"name": "easy", "rows": 11}, {"name": "hard", "rows": 15}]),
        lambda member: member.update(strata=[{"name": "a", "rows": 15}, {"name": "hard", "rows": 11}]),
        lambda member: member.update(lanes=4),
    ],
)
def test_an_order_of_other_rows_is_refused(tmp_path, change):
    dataset = shutil.copytree(DATASET, tmp_path / "golden")
    (folder,) = (dataset / "versions").iterdir()
    (order,) = (dataset / "orders").iterdir()
    (commit,) = (dataset / "commits").iterdir()
    plan = json.loads((order / "order.json").read_text())
    change(plan["feeds"][0]["members"][0])
    other = write_order(dataset, plan)
    commit.write_text(json.dumps(json.loads(commit.read_bytes()) | {"order": other}))
    with pytest.raises(rankfeed.RankfeedError, match=f"order {other} is not over version {folder.name}: feed 'train'"):
        rankfeed.open(folder)


def write_order(dataset, plan):
    """Writes a plan over a version with its id, which is a digest of its bytes."""
    zeros = manifests.canonical(plan | {"plan": "0" * 16})
    plan_id = hashlib.sha256(zeros).hexdigest()[:16]
    file = dataset / "orders" / plan_id / "order.json"
    file.parent.mkdir()
    file.write_bytes(manifests.canonical(plan | {"plan": plan_id}))
    return plan_id
