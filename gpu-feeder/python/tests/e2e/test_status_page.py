"""The status page in Chromium: eight ranks, values that change, charts, the policy of its scripts."""

from __future__ import annotations

import re
import urllib.parse

import pytest
from browser import Browser
from cluster import free_ports
from metered import RANKS, node, wide  # noqa: F401
from nodes import Feeder

from waiting import wait_until

pytestmark = pytest.mark.nightly

SHOWN = """(() => ({
    rows: [...document.querySelectorAll("#ranks tr")].map(row => [...row.cells].map(cell => cell.innerText)),
    lines: [...document.querySelectorAll("polyline")].map(line => line.points.length),
    widths: [...document.querySelectorAll("svg .bar")].map(bar => bar.getBBox().width),
    heights: [...document.querySelectorAll("svg")].map(chart => chart.getBoundingClientRect().height),
    numbers: Object.fromEntries([...document.querySelectorAll("[data-feed] dl div")].map(
        pair => [pair.querySelector("dt").innerText, pair.querySelector("dd").innerText])),
    advice: document.querySelector(".advice")?.innerText,
    state: document.getElementById("state").innerText,
    width: document.documentElement.scrollWidth,
}))()"""


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_shows_eight_ranks_and_changes(node, tmp_path, width):  # noqa: F811
    with Browser(tmp_path) as browser:
        browser.resize(width)
        browser.open(f"http://127.0.0.1:{node.port}/")

        def shown() -> dict:
            return browser.evaluate(SHOWN)

        first = wait_until(lambda: (now := shown()) and len(now["rows"]) == RANKS and now, "eight ranks")
        assert [row[:3] for row in first["rows"]] == [["train", str(rank), "attached"] for rank in range(RANKS)]
        assert node.feeder.run in first["state"] and "not ready" not in first["state"]
        later = wait_until(
            lambda: (now := shown()) and all(now["rows"][rank][7] != first["rows"][rank][7] for rank in range(RANKS))
            and min(now["lines"], default=0) > 3 and now["numbers"]["rows/s"] != "0" and now,
            "rows that change and charts",
        )  # fmt: skip
        assert later["numbers"]["bottleneck"] == "trainer"
        assert "faster than the trainer" in later["advice"]
        assert re.fullmatch(r"(< )?\d+ %", later["numbers"]["data wait"])
        assert all(re.fullmatch(r"\d+ of 4", row[5]) for row in later["rows"])
        assert len(later["lines"]) == 2 and later["widths"] and min(later["widths"]) >= 0 < max(later["widths"])
        assert min(later["heights"]) > 10
        assert later["width"] <= width
        assert browser.errors == []
        assert {urllib.parse.urlsplit(request).netloc for request in browser.requests} == {f"127.0.0.1:{node.port}"}
        blocked = browser.evaluate(
            "new Promise(done => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
            " document.body.append(s); done(window.ran === undefined) })"
        )
        assert blocked, "an inline script ran"
        assert any("Content Security Policy" in error for error in browser.errors)


def test_the_page_says_that_the_feeder_is_gone(wide, tmp_path):  # noqa: F811
    (port,) = free_ports(1)
    with Browser(tmp_path / "profile") as browser:
        with Feeder(wide.path, tmp_path / "rt", "gone", "--in-place", "--metrics", f"127.0.0.1:{port}"):
            browser.open(f"http://127.0.0.1:{port}/")
            wait_until(lambda: "run gone" in browser.evaluate(SHOWN)["state"], "the page")
        wait_until(lambda: "no connection" in browser.evaluate(SHOWN)["state"], "the loss of the connection")
