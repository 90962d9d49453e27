"""Tests statistics of a manifest, and normalization by them."""

from __future__ import annotations

import numpy as np
import pytest

import manifests
import rankfeed

PRICE = {
    "count": 3,
    "nonFinite": 1,
    "integral": False,
    "min": "-1.5",
    "max": "4.0",
    "mean": "1.0",
    "std": "2.0",
    "minPositive": "0.5",
}


def statistics(folder, columns: dict) -> rankfeed.Statistics:
    manifests.write(folder, manifests.artifact("prepared", statistics=columns))
    return rankfeed.Statistics.of(folder)


def test_values_come_to_mean_0_and_deviation_1(tmp_path):
    found = statistics(tmp_path, {"price": PRICE, "flat": PRICE | {"std": "0.0"}})
    assert list(found) == ["flat", "price"]
    assert found["price"].min_positive == 0.5 and found["price"].non_finite == 1
    values = np.array([-1.0, 1.0, 5.0], np.float32)
    assert found.normalize("price", values).tolist() == [-1.0, 0.0, 2.0]
    assert found.normalize("price", values).dtype == np.float32
    assert found.normalize("flat", values).tolist() == [-2.0, 0.0, 4.0]
    torch = pytest.importorskip("torch")
    assert found.normalize("price", torch.from_numpy(values)).tolist() == [-1.0, 0.0, 2.0]


def test_what_was_not_measured_is_reported(tmp_path):
    empty = {"count": 0, "nonFinite": 2, "integral": True}
    found = statistics(tmp_path, {"price": PRICE, "none": empty})
    with pytest.raises(rankfeed.RankfeedError, match="no finite number"):
        found.normalize("none", 1.0)
    with pytest.raises(rankfeed.RankfeedError, match="but of: none, price"):
        found.normalize("weight", 1.0)
    with pytest.raises(rankfeed.RankfeedError, match="name the folder of a version"):
        rankfeed.Statistics.of(tmp_path / "nowhere")


def test_a_changed_statistic_is_refused(tmp_path):
    statistics(tmp_path, {"price": PRICE})
    file = tmp_path / "manifest.json"
    file.write_text(file.read_text().replace('"mean": "1.0"', '"mean": "1.1"'))
    with pytest.raises(rankfeed.RankfeedError, match=r"manifest\.json was changed after it was written"):
        rankfeed.Statistics.of(tmp_path)
    file.write_text('{"statistics": {"price": {}}}')
    with pytest.raises(rankfeed.RankfeedError, match="is not a rankfeed manifest"):
        rankfeed.Statistics.of(tmp_path)
