"""The lines of the cases, in chunks that can be made by several processes."""

import json
import multiprocessing
import random
from collections.abc import Iterator

from template_cases.expressions import Expressions
from template_cases.rendering import runner
from template_cases.templates import Templates
from template_cases.tokens import NAME
from template_cases.values import DUMPED, VARIANTS

KINDS = ("expressions", "templates")
CHUNK = 250  # cases that share a random generator

#: A line and the error in it.
Case = tuple[str, str | None]


def maker(kind: str, rng: random.Random) -> Expressions:
    """The maker of the next case: some cases are free of wrong parts, some have many."""
    if kind == "expressions":
        return Expressions(rng, *rng.choice(((0.0, 0.05), (0.01, 0.2), (0.02, 0.25), (0.06, 0.3))))
    return Templates(rng, *rng.choice(((0.0, 0.0), (0.0, 0.0), (0.0, 0.01), (0.01, 0.02))))


def chunk(job: tuple[str, int, int, int]) -> list[Case]:
    """The cases of one chunk: of that kind and seed, the chunk's number and how many cases it has."""
    kind, seed, number, count = job
    rng = random.Random(f"{kind} {seed} {number}")
    cases: list[Case] = []
    while len(cases) < count:
        source = maker(kind, rng).source()
        variant = rng.randrange(len(VARIANTS))
        names = [name for name in dict.fromkeys(NAME.findall(source)) if name in VARIANTS[variant]]
        result = runner().render(source, {name: VARIANTS[variant][name] for name in names})
        if result is None:
            continue
        variables = ", ".join(DUMPED[variant][name] for name in names)
        text, error = (json.dumps(one) for one in result)
        line = f'{{"source": {json.dumps(source)}, "variables": {{{variables}}}, "text": {text}, "error": {error}}}'
        cases.append((line, result[1]))
    return cases


def chunks(kind: str, seed: int, count: int, jobs: int) -> Iterator[list[Case]]:
    """The chunks in order, made by that many processes."""
    work = [(kind, seed, start // CHUNK, min(CHUNK, count - start)) for start in range(0, count, CHUNK)]
    if jobs == 1:
        yield from map(chunk, work)
    else:
        with multiprocessing.Pool(jobs) as pool:
            yield from pool.imap(chunk, work)
