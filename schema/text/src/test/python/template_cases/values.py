"""The variables that templates are rendered with."""

import json
from typing import Any

Variables = dict[str, Any]


def function(name: str, description: str, parameters: Variables) -> Variables:
    """A tool as chat templates get it."""
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


CALL = {"type": "function", "function": {"name": "weather", "arguments": {"city": "Köln", "days": 2, "x": None}}}
MESSAGES: list[Variables] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": " Weather in Köln?\n"},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "tool", "name": "weather", "content": '{"t": 3.0, "ok": true}'},
    {"role": "assistant", "content": '<think>\nhm\n</think>\n\n3 degrees & "sun"'},
]
PARTS = [
    {"role": "user", "content": [{"type": "text", "text": "a <b>"}, {"type": "image"}]},
    {"role": "assistant", "content": "ok 😀"},
]
TOOLS = [function("weather", "é <x> 'q'", {"required": ["city"], "n": {}}), function("add", "", {})]
BRANCHES = [{"name": "b", "children": []}, {"name": "c", "children": [{"name": "d", "children": []}]}]
TREE = [{"name": "a", "children": BRANCHES}]
ROWS = [
    {"role": "user", "n": 3, "name": "Bo", "on": True, "sub": {"k": 1}},
    {"role": "tool", "n": 1, "name": "al", "on": False, "sub": {"k": 0}},
    {"role": "user", "n": 2, "name": "Al", "on": True, "sub": {"k": 1}},
]
CONFIGS: tuple[Variables, ...] = (
    {"items": [1], "keys": "k", "n": 4, "": 0, "a-b": 1},
    {"get": 1, "a": {"b": [1, {"c": "deep"}]}, "é": "ü"},
    {"role": "x", "list": [3, 2, 1], "f": 1e22},
    {"a": "{}", "b": "%s"},
)
DICTS: tuple[Variables, ...] = (
    {"b": 1, "a": 2, "C": 3},
    {"x": "y", "role": "user"},
    {"k": None, "j": True, "i": 1.5},
    {"one": [1], "two": {"three": 3}},
)
TEXTS = (
    "one two\nthree\n\n four",
    "a\r\nb\x0cc d",
    '<a href="x">&amp;</a>',
    "日本語 text 😀\u2028end",
)

#: The four values of each name: one for each variant, all of the same kind.
VALUES: dict[str, tuple[Any, ...]] = {
    "messages": (MESSAGES, PARTS, MESSAGES[:2], []),
    "tools": (TOOLS, None, TOOLS[:1], []),
    "documents": ([{"title": "T", "text": "x y"}], [], None, [{"title": "é"}]),
    "add_generation_prompt": (True, False, True, False),
    "bos_token": ("<s>", "<|begin|>", "", "▁"),
    "n": (3, 7, 0, -4),
    "k": (2, 1, 3, 2),
    "big": (2**70, -(10**18), 10**15, 9007199254740993),
    "x": (0.5, -1.25, 3.0, 1e-5),
    "y": (2.5, 1e16, 123456789.125, -0.0),
    "s": ("abc", "straße", "", "A1 ٣²Ⅷ"),
    "t": ("Hello World", "it's o'neil-foo (bar)", "ǆ İ ŉ ß ﬁ", "aaa bbb  aaa"),
    "text": TEXTS,
    "flag": (True, False, True, False),
    "nothing": (None, None, None, None),
    "ints": ([3, 1, 2, 1], [10, 0, -5], [5], [1, 2, 3, 4, 5, 6, 7]),
    "floats": ([1.5, 0.1, -2.0], [2.0, 1e-7, 1e300], [0.1, 0.2, 0.3], []),
    "words": (["b", "A", "a", "B"], ["z", "é", "", "user"], ["user", "tool", "user"], [" a", "b ", "A,b"]),
    "mixed": ([1, "a", None, 2.0, True], ["x", 0, [], {}, False], [0, -0.0, "0"], [None, None]),
    "nested": ([[1, 2], [3], []], [["a", "b"], ["c"]], [[], [[]], [1, [2, [3]]]], [[3, 1], [2, 9], [2, 1]]),
    "rows": (ROWS, ROWS[:2], ROWS[::-1], [*ROWS, *ROWS]),
    "d": DICTS,
    "config": CONFIGS,
    "tree": (TREE, BRANCHES, [], TREE * 2),
    "no_items": ([], [], [], []),
    "no_keys": ({}, {}, {}, {}),
    "spaced": ("  x \t", "\n\na b\n", "x", "\u00a0x\u3000"),
}
#: The four sets of variables.
VARIANTS: tuple[Variables, ...] = tuple({name: four[variant] for name, four in VALUES.items()} for variant in range(4))
#: Each variable of them as a JSON member.
DUMPED = tuple(
    {name: f"{json.dumps(name)}: {json.dumps(value)}" for name, value in variant.items()} for variant in VARIANTS
)
