"""Draws many plans over versions, each with the request that the second planner gets; and the one process that plans
and feeds them."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from math import gcd
from pathlib import Path
from random import Random
from typing import Any

from claims import Plan
from launch import PROJECT, House, answer, rankfeed

from plans import drawn
from plans.reader import Reader

BUILT = PROJECT / "gpu-feeder" / "target"
WITHOUT_LANES = ("manifest.json", "selection.json")
Steps = list[list[list[int]]]  # by rank and step, the row ids


class Child:
    """`PlanChild` of the feeder's test classes: a line of JSON in, a line of JSON out."""

    def __init__(self, log: Path):
        self.log = log
        self.nanos: list[int] = []

    def __enter__(self) -> Child:
        self.java = rankfeed("java").stdout.strip()
        self.start()
        return self

    def start(self) -> None:
        words = ["--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xmx512m"]
        words += ["-cp", f"{BUILT / 'rankfeed-gpu-feeder.jar'}:{BUILT / 'test-classes'}"]
        self.process = subprocess.Popen(
            [self.java, *words, "io.rankfeed.feeder.plan.PlanChild"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log.open("w"), text=True,
        )  # fmt: skip

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin
        self.process.stdin.close()  # its sign to end
        self.process.wait(30)

    def send(self, request: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()

    def ask(self, **request: object) -> Any:
        self.send(request)
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, f"no answer to {request}: {self.log.read_text()[-3000:]}"
        return json.loads(line)

    def plan(self, *words: object) -> tuple[dict[str, Any] | None, str]:
        """Returns the answer of `rankfeed plan`, or None and the message of a configuration error."""
        done = self.ask(plan=[*map(str, words), "--json"])
        self.nanos.append(done["nanos"])
        if done["exitCode"] == 2:
            return None, done["err"]
        assert done["exitCode"] == 0, done["err"]
        return answer(done["out"]), ""

    def fed(self, feed: Path, over: Path | None, name: str, world: int, steps: range, kill: bool = False) -> Steps:
        """Returns what the feeder's assembly puts into the slots of each rank; with ``kill``, one process is
        killed with -9 as soon as it is asked, and another one does the same."""
        what = {"feed": str(feed), "name": name, "world": world, "from": steps.start, "to": steps.stop}
        request = what | ({"over": str(over)} if over else {})
        if kill:
            self.send(request)
            self.process.kill()
            self.process.communicate()
            self.start()
        found: Steps = self.ask(**request)
        return found


def without_lanes(house: House, root: Path) -> House:
    """Returns the version in a folder that has no lanes, so that none can be read."""
    copy = House(root, house.version, house.plan, house.prepared, house.order)
    plan = Path("plans") / house.plan / "manifest.json"
    order = Path("orders") / house.order / "order.json"
    for file in [plan, order, *(Path("versions") / house.version / name for name in WITHOUT_LANES)]:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(house.root / file, root / file)
    commits = root / "commits"
    commits.mkdir(exist_ok=True)
    for commit in sorted((house.root / "commits").iterdir()):
        shutil.copy(commit, commits / f"{len(list(commits.iterdir())) + 1:010}.json")
    return copy


@cache
def row_ids(house: House, feed: str) -> dict[tuple[int, int], int]:
    return Plan(house.root, house.version, feed).by_index


def stored(house: House, feed: str) -> dict[str, Any]:
    """The feed as a member of the second planner: lanes and pools."""
    selection = json.loads((house.path / "selection.json").read_text())
    one = next(one for one in selection["feeds"] if one["name"] == feed)
    strata = [{"name": stratum["name"], "rows": stratum["rows"]} for stratum in one["strata"]]
    return {"name": feed, "lanes": one["lanes"], "strata": strata, "hashed": one["list"]["by"] == "hash"}


def divisors(n: int) -> list[int]:
    return [d for d in range(1, n + 1) if n % d == 0]


def replan(draw: Random, member: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Draws the settings of a plan over a feed, and the same request for the second planner, which has no
    `redistribute`."""
    pools = [stratum["rows"] for stratum in member["strata"]]
    lanes = draw.choice([member["lanes"], *divisors(member["lanes"])])
    batches = [lanes * draw.randint(1, 24 // lanes + 2) for _ in range(draw.choice([1, 1, 3]))]
    rows, epochs = max(batches) * draw.randint(1, 9) + draw.randrange(max(batches)), draw.randint(1, 3)
    order = "global" if member["hashed"] else draw.choice(["global", "planned"])
    weighed = len(pools) > 1
    mode = "stream" if weighed else draw.choice(["pass", "pass", "pass", "padded"])
    rows = rows if weighed else sum(pools) if mode == "padded" else min(rows, sum(pools))
    wide = (not weighed or len(set(batches)) == 1) and order == "global" and draw.random() < 0.2
    request = {
        "seed": draw.randrange(1 << 62), "lanes": lanes, "batch": batches[0], "epochs": epochs, "rows": rows,
        "mode": mode, "order": order,
    }  # fmt: skip
    settings: dict[str, Any] = {**request, "balance-within": "epoch" if wide else "batch"}
    stages = drawn.stages(draw, pools, epochs, batches, rows) if weighed else []
    if weighed:
        names = [stratum["name"] for stratum in member["strata"]]
        settings |= {"stages": [stage_of(stage, names) for stage in stages], "on-rare": "leave-out"}
        settings["on-shortage"] = draw.choice(["repeat", "repeat", "repeat", "redistribute"])
    cycles = "list" if order == "planned" else "shuffled"
    of_member = {name: member[name] for name in ("name", "lanes", "strata")} | {"cycles": cycles}
    known = settings.get("on-shortage") != "redistribute"
    return settings, {**request, "members": [of_member], "wide": wide, "stages": stages} if known else None


def stage_of(stage: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """A stage of the second planner as the command takes it."""
    ((kind, end),) = stage["end"].items()
    ends = {} if kind == "run" else {kind: int(end) if kind == "rows" else float(end)}
    weights = {name: float(weight) for name, weight in zip(names, stage["weights"], strict=True)}
    return {**ends, "weights": weights, "batch": stage["batch"]}


def words(settings: dict[str, Any]) -> list[str]:
    return [f"--set={key}={json.dumps(value)}" for key, value in settings.items()]


def mixture(draw: Random, members: dict[str, tuple[dict[str, Any], dict[str, Any]]]) -> tuple[dict, dict]:
    """Draws the settings of a mixture of members, each with its order, and the same request for the second planner."""
    names = sorted(members)
    orders = [members[name][1] | {"members": [members[name][1]["members"][0] | {"name": name}]} for name in names]
    lanes = gcd(*(order["members"][0]["lanes"] for order in orders))
    batch, epochs = lanes * draw.randint(1, 5), draw.randint(1, 3)
    rows = batch * draw.randint(1, 9) + draw.randrange(batch)
    stages = drawn.stages(draw, [1] * len(names), epochs, [batch], rows)
    request = {"seed": draw.randrange(1 << 62), "batch": batch, "epochs": epochs, "rows": rows}
    request["on-end"] = draw.choice(["repeat", "stop", "redistribute"])
    own = [{key: value for key, value in stage_of(stage, names).items() if key != "batch"} for stage in stages]
    settings = {**request, "members": {name: words for name, (words, _) in members.items()}, "stages": own}
    return settings, {**request, "plans": orders, "stages": stages}


def numbers(order: dict[str, Any]) -> dict[str, Any]:
    """What two planners agree on: an order without its version's names and the stages of its segments."""
    names = "seed lanes batch epochs stepsPerEpoch epochStarts mode order window".split()
    found = {name: order[name] for name in names if name in order}
    found["segments"] = [{k: v for k, v in one.items() if k != "stage"} for one in order["segments"]]
    known = ("name", "lanes", "cycles", "strata")
    return found | {"members": [{name: member[name] for name in known} for member in order["members"]]}


def expected(order: dict[str, Any], ids: list[dict[tuple[int, int], int]], world: int, steps: range) -> Steps:
    """What the second reader gives each rank; ``ids`` has the row ids of each member."""
    reader = Reader(order)
    first: list[int] = []  # by stratum, the first one of its member
    for member in order["members"]:
        first += [len(first)] * len(member["strata"])

    def row_id(row: Any) -> int:
        return ids[reader.member_of[row.stratum]][row.stratum - first[row.stratum], row.index]

    return [[[row_id(row) for row in reader.batch(t, rank, world)] for t in steps] for rank in range(world)]
