"""Writes src/test/resources/chat/expressions.json: random expressions of chat templates with what transformers renders.

    python spark-jobs/src/test/python/expressions_golden.py [--check] [--rows N] [--seed N] [--out FILE]

transformers 5.23.0 made the file in the repository; ``--check`` compares instead of writing. ``text`` is null where Jinja refuses.
"""

import argparse
import copy
import json
import random
import sys
from pathlib import Path

from transformers.utils.chat_template_utils import _compile_jinja_template

FILE = Path(__file__).resolve().parents[1] / "resources/chat/expressions.json"
LETTERS = [*"aBc  \n\t<&'\"\\-_1", "\u00a0", "\u0085", "é", "ß", "İ", "😀", "\u1680", "Σ", "\u200b", "ǆ", "\x1c", "\u2028", "ﬁ"]
ATOMS = [
    "messages", "tools", "nothing", "none", "true", "false", "0", "1", "2", "-1", "1.5", "''", "'a'", "'ab'", "'abc'[1:]", "[]",
    "[1]", "[1, 2]", "{}", "{'a': 1}", "m.role", "m.nothing", "m.get('x')", "m.get('x', 'd')", "messages|length", "messages[1:]",
    "messages[-1]['role']", "'a b'.split(' ')", "a", "b", "l", "d", "n", "x",
]  # fmt: skip
TESTS = ["defined", "undefined", "none", "string", "mapping", "iterable", "sequence", "number", "boolean", "true", "false"]
FILTERS = [
    "length", "count", "trim", "upper", "lower", "capitalize", "string", "tojson", "first", "last", "list", "items|list", "safe",
    "default('z')", "default('z', true)", "join(',')", "replace('a', 'b')", "dictsort", "map('upper')|list",
]  # fmt: skip
METHODS = [
    "a.strip()", "a.lstrip()", "a.rstrip()", "a.strip(b)", "a.lstrip(b)", "a.rstrip(b)", "a.split()", "a.split(b)", "a.replace(b, 'q')",
    "a.find(b)", "a.upper()", "a.lower()", "a.capitalize()", "a.startswith(b)", "a.endswith(b)", "a[1:]", "a[:-1]", "a[::-1]", "a[1:3]",
    "a in b", "a < b", "a ~ b", "a + b", "a.split(b)[-1]", "d|tojson(indent=2)", "d.items()|list", "d.get(a)", "d[a]", "l|join(b)", "l[n]",
    "l[n:]", "l[:n]", "n // 2", "n % 3", "n * n - 1", "-n",
]  # fmt: skip
FORMS = [
    "{{ (%s) }}", "{{ (%s)|tojson }}", "{%% if %s %%}T{%% else %%}F{%% endif %%}", "{%% for i in %s %%}{{ i }};{%% endfor %%}",
    "{%% for m in messages if %s %%}{{ loop.index }}{{ loop.previtem.role }}{%% endfor %%}",
    "{%% set y = %s %%}{{ y }}",
]  # fmt: skip


def expression(draw: random.Random, depth: int) -> str:
    kind = draw.random()
    if depth == 0 or kind < 0.12:
        return draw.choice(ATOMS)
    left, right = expression(draw, depth - 1), expression(draw, depth - 1)
    if kind < 0.25:
        return f"not {left}"
    if kind < 0.40:
        return f"{left} is {draw.choice(['', 'not '])}{draw.choice(TESTS)}"
    if kind < 0.52:
        return f"{left} {draw.choice(['==', '!=', 'in', 'not in', '<', '>', '<=', '>='])} {right}"
    if kind < 0.64:
        return f"{left} {draw.choice(['and', 'or'])} {right}"
    if kind < 0.74:
        return f"{left} {draw.choice(['+', '~', '-', '*', '%', '//'])} {right}"
    if kind < 0.84:
        return f"{left}|{draw.choice(FILTERS)}"
    if kind < 0.90:
        return f"{left} if {right} else {expression(draw, depth - 1)}"
    return draw.choice(METHODS) if kind < 0.97 else f"({left})"


def text(draw: random.Random, most: int) -> str:
    return "".join(draw.choice(LETTERS) for _ in range(draw.randrange(most)))


def case(draw: random.Random) -> dict:
    value = draw.choice(FORMS) % (draw.choice(METHODS) if draw.random() < 0.2 else expression(draw, draw.choice([1, 2, 2, 3, 4])))
    given = {
        "role": "user", "content": "Hi", "a": text(draw, 8), "b": text(draw, 3), "l": [text(draw, 3) for _ in range(draw.randrange(4))],
        "d": {text(draw, 3): draw.choice([text(draw, 3), 1, 2.5, None, True, [1], {"q": None}]) for _ in range(draw.randrange(4))},
        "n": draw.randrange(-4, 5), "x": draw.choice([0, 1, -3, 2.0, 1e16, 1e-5, 123456789.125, 10**12, None, True, [], "", -0.0]),
    }  # fmt: skip
    sets = "".join("{%% set %s = messages[0]['%s'] %%}" % (name, name) for name in "abldnx")
    source = f"{sets}{{% set m = messages[1] %}}{value}{{% generation %}}.{{% endgeneration %}}"
    messages, tools = [given, {"role": "assistant", "content": "Yo"}], draw.choice([None, [{"a": 1}]])
    made = {"source": source, "messages": messages, "tools": tools}
    try:
        template = _compile_jinja_template(source)
        made["text"] = template.render(messages=copy.deepcopy(messages), tools=tools, documents=None, add_generation_prompt=False)
    except Exception:
        made["text"] = None
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=FILE)
    args = parser.parse_args()
    draw = random.Random(args.seed)
    content = "[\n" + ",\n".join(json.dumps(case(draw)) for _ in range(args.rows)) + "\n]\n"
    if args.check:
        if args.out.read_text() != content:
            sys.exit(f"{args.out} differs from what transformers renders now")
    else:
        args.out.write_text(content)


if __name__ == "__main__":
    main()
