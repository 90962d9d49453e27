"""``rankfeed plan --mixture`` gives the numbers of a second planner, which has no code in common with it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from launch import House, answer, rankfeed
from test_version_plans import numbers, planned

from plans.mixture import mixture
from plans.planner import Refused


@pytest.fixture(scope="module")
def linked(house, tmp_path_factory) -> House:
    """The version below a root of its own, to which mixtures are written."""
    return house.linked(tmp_path_factory.mktemp("mixtures") / "house")


def member(house: House, draw: random.Random, folder: Path) -> tuple[dict, dict]:
    """Draws a feed of the version, mostly by a plan over it; returns the member, and the feed of its order."""
    feed = draw.choice(["curriculum", "plain"])
    seed = draw.randrange(1 << 20)
    words = [*numbers(seed), "--set=on-rare=leave-out"] if feed == "curriculum" else [f"--set=seed={seed}"]
    printed, order = planned(house, *words, "--out", folder / "orders", feed=feed)
    return {"version": str(house.path), "feed": feed, "plan": printed["path"]}, order


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(2, 30))])
def test_mixture_has_the_numbers_of_the_second_planner(linked, tmp_path, seed):
    draw = random.Random(seed)
    named = {f"m{m}": member(linked, draw, tmp_path) for m in range(draw.randint(1, 3))}
    batch = 12 * draw.randint(1, 6)
    rows, epochs = batch * draw.randint(1, 20) + draw.randrange(batch), draw.randint(1, 3)
    ends = draw.choice([["0.25", "1"], ["1"], ["0.1", "0.5", "1"]])
    weights = [{name: draw.choice(["0", "1", "2.5", "7"]) for name in named} | {"m0": "1.5"} for _ in ends]
    on_end = draw.choice(["repeat", "stop", "redistribute"])
    settings = {
        "members": {name: words for name, (words, _) in named.items()},
        "seed": draw.randrange(1 << 62), "batch": batch, "epochs": epochs, "rows": rows, "on-end": on_end,
    }  # fmt: skip
    stages = [f"{{until: {end}, weights: {{{', '.join(f'{n}: {w}' for n, w in of.items())}}}}}"
              for end, of in zip(ends, weights, strict=True)]  # fmt: skip
    file = tmp_path / "mix.yaml"
    file.write_text(json.dumps(settings))
    done = rankfeed("plan", "--mixture", file, "--json", "--set", f"stages=[{', '.join(stages)}]", check=False)
    request = {
        "plans": [order | {"members": [order["members"][0] | {"name": name}]} for name, (_, order) in named.items()],
        "stages": [
            {"end": {"until": end}, "weights": list(of.values())} for end, of in zip(ends, weights, strict=True)
        ],
        **{key: settings[key] for key in ("seed", "batch", "epochs", "rows", "on-end")},
    }
    if done.returncode:
        assert "too few rows" in done.stderr
        with pytest.raises(Refused):
            mixture(request)
        return
    printed = answer(done.stdout)
    document = json.loads((Path(printed["path"]) / "mixture.json").read_text())
    feed, expected = document["feeds"][0], mixture(request)
    for segment in feed["segments"]:
        segment.pop("stage", None)
    for key in ("lanes", "epochs", "stepsPerEpoch", "members", "segments"):
        assert feed[key] == expected[key], key
    assert document["plan"] == printed["plan"] == Path(printed["path"]).name
