"""The site in Chromium, from a folder and from a sub-path of a host."""

from __future__ import annotations

import pytest
from browser import Browser, served
from test_docs import site  # noqa: F401

pytestmark = pytest.mark.nightly

SEARCH = """new Promise((found, failed) => {
    const results = document.querySelector("[data-md-component=search-result]")
    const check = () => {
        const titles = [...results.querySelectorAll("h1")].map(title => title.innerText)
        if (titles.length) found(titles)
    }
    new MutationObserver(check).observe(results, {childList: true, subtree: true})
    setTimeout(() => failed(results.innerText), 30000)
    check()
})"""
MEASURE = """(() => {
    const all = selector => [...document.querySelectorAll(selector)]
    const hidden = all("article table tr:first-child > :last-child")
        .filter(cell => cell.getBoundingClientRect().right > innerWidth)
    return {
        title: document.title,
        width: document.documentElement.scrollWidth,
        cutBlocks: all("article pre > code").filter(code => code.scrollWidth > code.clientWidth).length,
        hiddenColumns: hidden.map(cell => cell.closest("table").innerText.slice(0, 60)),
        brokenImages: [...document.images].filter(image => !image.naturalWidth).map(image => image.src),
    }
})()"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with Browser(tmp_path_factory.mktemp("profile")) as window:
        yield window


@pytest.mark.parametrize("page", ["index.html", "how-to/hive.html"])
def test_search_works_from_a_folder(site, browser, page):  # noqa: F811
    browser.open(f"{(site / page).as_uri()}?q=quarantine")
    assert "Handle bad rows" in browser.evaluate(SEARCH)


def test_search_works_in_a_sub_path(site, browser):  # noqa: F811
    with served(site.parent) as address:
        browser.open(f"{address}/docs/how-to/hive.html?q=quarantine")
        assert "Handle bad rows" in browser.evaluate(SEARCH)


@pytest.mark.parametrize("width", [1280, 390])
def test_no_page_overflows_or_asks_another_host(site, browser, width):  # noqa: F811
    browser.resize(width)
    browser.requests.clear()
    pages = {str(page.relative_to(site)): page for page in site.rglob("*.html")}
    assert len(pages) > 60
    shown = {}
    for name, page in pages.items():
        browser.open(page.as_uri())
        shown[name] = browser.evaluate(MEASURE)
    assert not {name: page["width"] for name, page in shown.items() if page["width"] > width}
    assert not {name: page["brokenImages"] for name, page in shown.items() if page["brokenImages"]}
    assert not [request for request in browser.requests if not request.startswith(("file:", "data:"))]
    assert shown["index.html"]["cutBlocks"] == 0
    # Key tables: what a key means is in the last column. Tables of measurements may be wider than a phone.
    reference = {name: page for name, page in shown.items() if not name.startswith(("source/", "notebooks/"))}
    assert not {name: page["hiddenColumns"] for name, page in reference.items() if page["hiddenColumns"]}
