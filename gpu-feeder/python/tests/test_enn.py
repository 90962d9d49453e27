"""Feeds a session that is written against X, Y and row_ids, from a memory-mapped store as it is and from feeds."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch

import rankfeed
from rankfeed.enn import Batches, _canonical, predict
from test_golden_cache import FOLDER

ROWS = 10
VALIDATION = 3


class Session:
    """A stand-in for a session of ENN-PyTorch, written from the description of its keys alone: it learns Y = X · w."""

    def __init__(self, features: int):
        self.model = torch.nn.Linear(features, 1, bias=False)
        torch.nn.init.zeros_(self.model.weight)

    def fit(self, loader, epochs: int, rate: float) -> list[int]:
        optimizer = torch.optim.SGD(self.model.parameters(), lr=rate)
        trained = []
        for _ in range(epochs):
            for batch in loader:
                x, y = batch["X"].flatten(1).float(), batch["Y"].flatten(1).float()
                trained += batch["row_ids"].tolist()
                optimizer.zero_grad()
                torch.nn.functional.mse_loss(self.model(x), y).backward()
                optimizer.step()
        return trained


@pytest.fixture
def write(tmp_path):
    """Writes a store with numpy and json alone: N rows of two features; the label is 2a - b."""

    def write(name="store", rows=ROWS, first=0, ids=None, **changes):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        features = np.stack([np.arange(first, first + rows) % 4, np.arange(first, first + rows) % 3], 1)
        features.astype("<f4").tofile(folder / "features.mmt")
        (features @ [2.0, -1.0]).astype("<f8").tofile(folder / "labels.mmt")
        if ids is not None:
            np.array(ids, "<i8").tofile(folder / "row_ids.mmt")
        meta = {
            "N": rows, "feature_dim": 2, "features_path": "features.mmt", "labels_path": "labels.mmt",
            "label_shape": [1], "features_dtype": "float32", "labels_dtype": "float64", "fractions": [0.7, 0.3],
            "train_start": 0, "train_end": rows - VALIDATION, "val_start": rows - VALIDATION, "val_end": rows,
            "scale_max_abs": float("nan"), "features_only": False,
        } | changes  # fmt: skip
        (folder / "meta.json").write_text(json.dumps(meta, indent=2))
        return folder

    return write


def expected(row):
    return [float(row % 4), float(row % 3)]


def test_session_trains_on_a_store_as_it_is(write):
    session, loader = Session(2), Batches(write(), 4, part="train")
    assert (len(loader), [len(batch["X"]) for batch in loader]) == (2, [4, 3])
    assert session.fit(loader, 60, 0.1) == [*range(ROWS - VALIDATION)] * 60
    assert session.model.weight.tolist()[0] == pytest.approx([2, -1], abs=1e-2)


def test_batches_of_a_store_have_its_rows(write):
    batches = [*Batches(write(), 4)]
    assert [batch.valid_rows for batch in batches] == [4, 4, 2]
    assert torch.cat([batch["X"] for batch in batches]).tolist() == [expected(row) for row in range(ROWS)]
    assert batches[2]["Y"].tolist() == [[2.0 * a - b] for a, b in map(expected, (8, 9))]
    assert (batches[0]["X"].dtype, batches[0]["Y"].dtype) == (torch.float32, torch.float64)
    batches[0]["X"][0] = 7  # a copy, which can be written to
    assert [batch["row_ids"].tolist() for batch in Batches(write("again"), 9, part="val")] == [[7, 8, 9]]


def test_store_without_torch_gives_numpy(write, monkeypatch):
    monkeypatch.setattr("rankfeed.enn.choose", lambda _: "numpy")
    (batch,) = Batches(write(), 99)
    assert isinstance(batch["X"], np.ndarray)
    rows, outputs = predict(lambda x: x[:, 0], [batch])
    assert outputs.tolist() == [expected(row)[0] for row in rows]


def test_ranges_that_meta_json_lacks_round_down(write):
    folder = write(rows=100)
    meta = json.loads((folder / "meta.json").read_text())
    meta = {name: value for name, value in meta.items() if not name.endswith(("_start", "_end"))}
    (folder / "meta.json").write_text(json.dumps(meta | {"fractions": [0.71, 0.29]}))
    assert Batches(folder, 100, part="val").row_ids.tolist() == [*range(100 - 28, 100)]
    assert Batches(folder, 100, part="train").row_ids.tolist() == [*range(100 - 28)]


def test_features_only_store_has_no_labels(write):
    (batch,) = Batches(write(labels_path=None, label_shape=[], labels_dtype=None, features_only=True), ROWS)
    assert sorted(batch) == ["X", "row_ids"]
    with pytest.raises(rankfeed.NoColumn, match="'Y'"):
        batch["Y"]


@pytest.mark.parametrize("listed", [["a", "b/c"], {"one": "a", "two": "b/c"}])
def test_stores_of_a_root_follow_each_other(write, tmp_path, listed):
    write("a"), write("b/c", rows=5, first=ROWS)
    (tmp_path / "multinode.json").write_text(json.dumps(listed))
    loader = Batches(tmp_path, 6)
    assert [len(batch["X"]) for batch in loader] == [6, 6, 3]
    assert loader.row_ids.tolist() == [*range(15)]
    assert torch.cat([batch["X"] for batch in loader]).tolist() == [expected(row) for row in range(15)]
    assert Batches(tmp_path, 9, part="val").row_ids.tolist() == [7, 8, 9, 12, 13, 14]


@pytest.mark.parametrize("bytes_more", [-4, 4])
@pytest.mark.parametrize("name", ["features", "labels", "row_ids"])
def test_store_of_another_length_is_refused(write, name, bytes_more):
    folder = write(ids=range(ROWS))
    file = folder / f"{name}.mmt"
    content = file.read_bytes() + bytes(4)
    file.write_bytes(content[: len(content) - 4 + bytes_more])
    with pytest.raises(rankfeed.RankfeedError, match=rf"{name}.mmt has \d+ bytes, but meta.json states \d+"):
        Batches(folder, 4)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"N": -1}, "N must be an integer of at least 0"),
        ({"N": True}, "N must be an integer"),
        ({"N": 2**80}, "features.mmt has 80 bytes"),
        ({"feature_dim": 0}, "feature_dim must be an integer of at least 1"),
        ({"features_dtype": "object"}, "'object' of features.mmt is not one of bool"),
        ({"labels_dtype": ["float32"]}, "of labels.mmt is not one of bool"),
        ({"label_shape": None}, "label_shape must be a list"),
        ({"features_path": "../store/features.mmt"}, "must be a path in the folder"),
        ({"features_path": "/features.mmt"}, "must be a path in the folder"),
        ({"features_path": 7}, "must be a path in the folder"),
        ({"features_path": "other.mmt"}, "other.mmt cannot be read: No such file"),
        ({"features_path": "."}, "must be a path in the folder"),
        ({"train_end": ROWS + 1}, "train_end 11 are not a range of 10 rows"),
        ({"fractions": [1, float("nan")]}, "fractions must be two numbers"),
    ],
)
def test_invalid_meta_json_is_refused(write, changes, message):
    with pytest.raises(rankfeed.RankfeedError, match=message):
        Batches(write(**changes), 4, part="train")


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"{", "is not JSON"), (b"[" * 99_999, "is not JSON"), (b"\xff", "is not JSON"), (b"[]", "must have an object")],
)
def test_meta_json_that_is_not_an_object_is_refused(write, content, message):
    folder = write()
    (folder / "meta.json").write_bytes(content)
    with pytest.raises(rankfeed.RankfeedError, match=message):
        Batches(folder, 4)


def test_stores_that_differ_are_refused(write, tmp_path):
    write("a", ids=range(ROWS)), write("b"), write("c", features_dtype="int32")
    for folders, message in ((["a", "b"], "row_ids.mmt"), (["b", "c"], "int32"), (["../a"], "'..'"), ([], "lists no")):
        (tmp_path / "multinode.json").write_text(json.dumps(folders))
        with pytest.raises(rankfeed.RankfeedError, match=message):
            Batches(tmp_path, 4)
    with pytest.raises(rankfeed.RankfeedError, match="name the folder of a store"):
        Batches(tmp_path / "a" / "absent", 4)


def test_feed_comes_under_the_canonical_keys(feeder):
    feeder(columns=["row_id", "features", "label", "image"], slots=6)
    with rankfeed.Feed(rank=0, world=1, device="cpu") as feed:
        loader = Batches(feed)
        (first, *_) = batches = [*loader]
        assert (len(loader), [*first], first.step) == (5, ["row_ids", "X", "Y"], 0)
        rows = torch.cat([batch["row_ids"] for batch in batches]).tolist()
        assert torch.cat([batch["X"] for batch in batches]).tolist() == [[row, -row] for row in rows]
        first.release()
        assert not first


def test_predictions_are_in_the_order_of_row_ids(feeder):
    feeder(columns=["row_id", "features"], slots=2)
    with rankfeed.Feed(rank=0, world=1, device="cpu") as feed:
        rows, outputs = predict(lambda x: x[:, :1] * 10, Batches(feed))
    assert rows.tolist() == [*range(40)]
    assert outputs.tolist() == [[row * 10] for row in rows]


def test_predictions_of_a_store_by_any_order_of_batches(write):
    ids = [7, 3, 9, 1, 5, 0, 8, 2, 6, 4]
    loader = Batches(write(ids=ids), 4)
    model = torch.nn.Linear(2, 2)
    straight = dict(zip(ids, [row.tolist() for batch in loader for row in model(batch["X"])], strict=True))
    backwards = [*loader][::-1]
    rows, outputs = predict(model, backwards)
    assert (rows.tolist(), outputs.requires_grad) == ([*range(10)], False)
    assert outputs.tolist() == [straight[row] for row in range(10)]
    rows, outputs = predict(model, backwards, loader.row_ids)
    assert (rows.tolist(), outputs.tolist()) == (ids, [straight[row] for row in ids])


def test_predictions_that_fit_no_rows_are_refused(write):
    loader = Batches(write(), 4)
    for batches, model, order, message in (
        ([*loader, *loader], lambda x: x, None, "row id 0 occurs more than once"),
        (loader, lambda x: x[:1], None, "1 rows for a batch of 4"),
        (loader, lambda x: x, np.array([3, 99]), "row id 99 is not in the batches"),
        ([], lambda x: x, None, "no batch to predict"),
    ):
        with pytest.raises(rankfeed.RankfeedError, match=message):
            predict(model, batches, order)


@pytest.mark.parametrize("names", [("Input", "OUT"), ("x", "Y"), ("features", "labels")])
def test_aliases_are_compared_without_case(feeder, names):
    feeder(columns=["row_id", "features", "label"])

    def renamed(batch, rng):
        return {names[0]: batch["features"], names[1]: batch["label"], "row_id": batch["row_id"]}

    with rankfeed.Feed(rank=0, world=1, device="cpu", transform=renamed) as feed:
        batch = next(iter(Batches(feed)))
        assert batch["X"][3].tolist() == [3, -3]
        assert batch["Y"][3] == 1.5


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["x", "INPUT"], "columns x, INPUT are all X of a batch"),
        (["x", "y", "labels"], "columns y, labels are all Y of a batch"),
        (["image", "y"], "none of the columns image, y is X of a batch; .* named x, feature, features"),
    ],
)
def test_names_that_do_not_fit_are_refused(names, message):
    with pytest.raises(rankfeed.NoColumn, match=message) as refused:
        _canonical(dict.fromkeys(names, torch.zeros(1)))
    assert isinstance(refused.value, KeyError)


def test_columns_next_to_a_column_are_renamed_with_it():
    names = ["row_id", "x", "x.lengths", "xy", "Label", "Label.valid"]
    assert [*_canonical({name: torch.zeros(1) for name in names})] == [
        "row_ids", "X", "X.lengths", "Y", "Y.valid",
    ]  # fmt: skip
    assert _canonical({"row_id": 1, "x": 2, "row_ids": 3})["row_ids"] == 3


@pytest.mark.parametrize("tensors", [{"x": 1, "x.offsets": 2}, {"x": [1, 2]}])
def test_ragged_features_are_refused(tensors):
    with pytest.raises(rankfeed.RankfeedError, match="column 'x' is ragged or has text"):
        _canonical(tensors)


def test_rows_of_a_version_come_under_the_canonical_keys(monkeypatch):
    rows = rankfeed.open(FOLDER)["train"]
    with pytest.raises(rankfeed.NoColumn, match="is X of a batch"):
        next(iter(Batches(rows, 4)))
    to_torch = rankfeed.FeedRows.to_torch
    image = next(name for name, of in to_torch(rows[:1]).items() if isinstance(of, torch.Tensor) and of.ndim > 1)
    monkeypatch.setattr(rankfeed.FeedRows, "to_torch", lambda of: {"x": (a := to_torch(of))[image], **a})
    batches = [*Batches(rows, 4)]
    assert [len(batch["X"]) for batch in batches] == [4] * (len(rows) // 4) + [len(rows) % 4]
    assert torch.equal(torch.cat([batch["X"] for batch in batches]), to_torch(rows)[image])
    assert torch.equal(torch.cat([batch["row_ids"] for batch in batches]), to_torch(rows)["row_id"])


def test_arguments_are_checked(write, feeder):
    feeder(columns=["row_id", "features"])
    with rankfeed.Feed(rank=0, world=1, device="cpu") as feed:
        for arguments, message in (
            (("store", 4, "test"), "part='test'"),
            (("store", None, "all"), "size=None"),
            (("store", 0, "all"), "size=0"),
            (("store", True, "all"), "size=True"),
            ((feed, 4, "all"), "none for a Feed"),
            ((feed, None, "train"), "for the folder of a store"),
        ):
            with pytest.raises(rankfeed.RankfeedError, match=message):
                Batches(arguments[0], arguments[1], part=arguments[2])
        with pytest.raises(rankfeed.RankfeedError, match="those of a store"):
            _ = Batches(feed).row_ids
