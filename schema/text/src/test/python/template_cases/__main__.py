"""Prints random Jinja expressions or templates as JSON lines, with the results of jinja2 as transformers sets it up.

    python -m template_cases --kind expressions|templates --seed N --count N [--jobs N] [--stats]
    python /path/template_cases --kind ...

A line is {"source", "variables", "text", "error"}: ``text`` is what ``render(**variables)`` returns, or null where
jinja2 refuses the template or fails in it; ``error`` is then the class and the first line of its message. The same seed
and count give the same lines, whatever the number of jobs. Cases with memory addresses, of huge results or that exhaust
the stack are left out and replaced. ``--stats`` prints the counts of texts and errors to stderr at the end.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

if not __package__:  # started by the path of the folder, which is then the first of sys.path
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from template_cases.cases import KINDS, chunks


def main() -> None:
    """Prints the cases that the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="template_cases", description="Prints random Jinja sources with jinja2's results as JSON lines."
    )
    parser.add_argument("--kind", choices=KINDS, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1, help="processes; the lines do not depend on it")
    parser.add_argument("--stats", action="store_true", help="count texts and errors, to stderr")
    options = parser.parse_args()
    errors: Counter[str] = Counter()
    for cases in chunks(options.kind, options.seed, options.count, options.jobs):
        for line, error in cases:
            print(line)
            errors[error or ""] += 1
    if options.stats:
        texts = errors.pop("", 0)
        frequent = [f"{count:6} {error}" for error, count in errors.most_common(40)]
        print(f"{texts} texts, {errors.total()} errors", *frequent, sep="\n", file=sys.stderr)


if __name__ == "__main__":
    main()
