"use strict";

const POINTS = 180; // of a chart: 3 minutes
const WIDTH = 340;
const HEIGHT = 110;
const BAR = 18;
const NAME = 100;
const charts = new Map(); // by feed: what its charts show
const waits = new Set(["wait_batch", "wait_slot", "fill"]); // no work of their own

const whole = number => Math.round(number).toLocaleString("en-US");
const percent = share => (share > 0 && share < 0.01 ? "< 1 %" : `${Math.round(100 * share)} %`);
const id = name => document.getElementById(name);

/** An element with attributes and a text: names of feeds, stages and reasons are data, never markup. */
function element(name, attributes = {}, text = "", children = []) {
    const svg = ["svg", "line", "polyline", "rect", "text", "title"].includes(name);
    const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    made.append(...children);
    return made;
}

function figure(caption, height, children) {
    const box = {viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": caption};
    return element("figure", {}, "", [element("figcaption", {}, caption), element("svg", box, "", children)]);
}

/** A line over the last minutes, the newest value at the right. */
function lineChart(caption, values, most, label) {
    const top = Math.max(most, ...values) || 1;
    const step = WIDTH / (POINTS - 1);
    const first = WIDTH - (values.length - 1) * step;
    const y = value => (HEIGHT - 6 - (value / top) * (HEIGHT - 24)).toFixed(1);
    const points = values.map((value, at) => `${(first + at * step).toFixed(1)},${y(value)}`).join(" ");
    return figure(caption, HEIGHT, [
        element("line", {class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT - 6, y2: HEIGHT - 6}),
        element("text", {x: 0, y: 12}, label(top)),
        element("polyline", {class: "line", points}),
    ]);
}

/** A bar for each stage that did work; the one that limits the feed is marked. */
function stageChart(feed) {
    const stages = Object.entries(feed.stages).filter(([name, seconds]) => !waits.has(name) && seconds > 0);
    stages.sort((a, b) => b[1] - a[1]);
    const all = stages.reduce((sum, [, seconds]) => sum + seconds, 0);
    const bars = stages.flatMap(([name, seconds], at) => {
        const width = (seconds / stages[0][1]) * (WIDTH - NAME - 60);
        const kind = name === feed.bottleneck ? "bar limit" : "bar";
        return [
            element("text", {x: 0, y: at * BAR + 13}, name),
            element("rect", {class: kind, x: NAME, y: at * BAR + 2, width: width.toFixed(1), height: BAR - 4}),
            element("text", {x: NAME + width + 6, y: at * BAR + 13}, percent(seconds / all)),
        ];
    });
    return figure("time of the stages", Math.max(1, stages.length) * BAR, bars);
}

function showFeed(feed) {
    const past = charts.get(feed.feed) ?? {rows: [], wait: []};
    charts.set(feed.feed, past);
    past.rows.push(feed.rowsPerSecond);
    past.wait.push(feed.dataWait);
    for (const values of [past.rows, past.wait]) values.splice(0, Math.max(0, values.length - POINTS));
    const numbers = {
        "rows/s": whole(feed.rowsPerSecond),
        "data wait": percent(feed.dataWait),
        "ring full": percent(feed.slotWait),
        bottleneck: feed.bottleneck,
    };
    const list = Object.entries(numbers).map(([name, value]) =>
        element("div", {}, "", [element("dt", {}, name), element("dd", {}, value)]));
    return element("section", {"data-feed": feed.feed}, "", [
        element("h2", {}, `Feed ${feed.feed}`),
        element("dl", {class: "numbers"}, "", list),
        element("p", {class: "advice"}, feed.advice),
        element("div", {class: "charts"}, "", [
            lineChart("rows/s", past.rows, 0, whole),
            lineChart("data wait", past.wait, 0.01, percent),
            stageChart(feed),
        ]),
    ]);
}

function showRank(rank) {
    const ring = rank.attached ? `${rank.filledSlots} of ${rank.slots}` : "";
    const cells = [rank.feed, rank.rank, rank.attached ? "attached" : "none", whole(rank.rowsPerSecond)];
    cells.push(percent(rank.dataWait), ring, whole(rank.batches), whole(rank.rows));
    return element("tr", {}, "", cells.map(cell => element("td", {}, String(cell))));
}

function stateOf(state) {
    const named = `run ${state.run}, version ${state.version}`;
    const copied = state.plannedBytes ? `, copied ${percent(state.doneBytes / state.plannedBytes)}` : "";
    return named + (state.ready ? "" : `: not ready${copied}`) + (state.restarts ? `; restarts: ${state.restarts}` : "");
}

function show(state) {
    id("state").textContent = stateOf(state);
    id("state").classList.remove("lost");
    id("feeds").replaceChildren(...state.feeds.map(showFeed));
    id("ranks").replaceChildren(...state.ranks.map(showRank));
    const reasons = Object.entries(state.rejections);
    id("rejections").hidden = reasons.length === 0;
    id("rejections").querySelector("ul").replaceChildren(
        ...reasons.map(([reason, count]) => element("li", {}, `${reason}: ${whole(count)}`)));
}

function listen() {
    const events = new EventSource("events");
    events.addEventListener("message", event => show(JSON.parse(event.data)));
    events.addEventListener("error", () => {
        id("state").textContent = "no connection to the feeder; trying again";
        id("state").classList.add("lost");
        // The browser tries again by itself, but not after an answer with another status than 200.
        if (events.readyState === EventSource.CLOSED) {
            setTimeout(listen, 5000);
        }
    });
}

listen();
