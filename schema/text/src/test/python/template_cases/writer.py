"""What the statements of templates are written with."""

import random
import re
from abc import ABC, abstractmethod
from typing import NamedTuple

from template_cases.expressions import Expressions

#: Pieces of text between statements.
TEXTS = tuple(
    "\n;\n;\n;\n\n;  ;    ;\t; \n  ;\r\n;\r;a;Hello;x y;é日本😀;# ;{ ;};}};%};#};##;-;';<|im_start|>;\u00a0;\x0b;\x0c;"
    "\u2028;\x85;{ {;\n   ;\n\t;end\n;  \n;.;%;{;\u200b;\\n".split(";")
)
#: Names that templates set: those of variables, and others.
SHADOWED = ("messages", "tools", "n", "s", "missing")
OWN = ("a", "b", "c", "total", "item")
#: Begins and ends of tags; those that are listed more than once are more frequent.
TAG_BEGINS, TAG_ENDS = "{% {% {% {%- {%- {%+".split(), "%} %} %} -%} -%} +%}".split()
OUTPUT_BEGINS, OUTPUT_ENDS = "{{ {{ {{ {{ {{- {{+".split(), "}} }} }} -}}".split()
#: A brace that would begin a tag.
BRACE = re.compile(r"\{(?=[{%#]|$)")


class Macro(NamedTuple):
    """A macro in scope."""

    name: str
    parameters: int
    optional: int
    takes_more: bool
    has_caller: bool


class Writer(Expressions, ABC):
    """Writes tags, texts and bodies; keeps track of the macros, variables and loops that are in scope."""

    def __init__(self, rng: random.Random, wild: float, clumsy: float) -> None:
        """``wild`` and ``clumsy`` are those of the expressions."""
        super().__init__(rng, wild, clumsy)
        self.left = 0  # statements that may still be made
        self.macros: list[Macro] = []
        self.namespaces: list[str] = []
        self.loops = 0
        self.breakable = False
        self.in_macro = False

    @abstractmethod
    def statement(self, depth: int) -> str:
        """One statement."""

    def space(self) -> str:
        """White space within a tag."""
        return " " if self.chance(0.88) else self.pick(("", "  ", "\n  ", "\t"))

    def tag(self, content: str) -> str:
        """A statement tag with random whitespace control."""
        begin, end = self.pick(TAG_BEGINS), self.pick(TAG_ENDS)
        return f"{begin}{self.space()}{content}{self.space()}{end}"

    def output(self, source: str) -> str:
        """An output tag of an expression."""
        begin, end = self.pick(OUTPUT_BEGINS), self.pick(OUTPUT_ENDS)
        return f"{begin} {source}{self.space()}{end}" if source[0] in "+-{" else f"{begin}{self.space()}{source} {end}"

    def text(self) -> str:
        """Text between statements, rarely one with the begin of a tag."""
        made = "".join(self.pick(TEXTS) for _ in range(self.rng.randrange(4)))
        return made if self.chance(0.005) else BRACE.sub("{ ", made)

    def value(self, kind: str = "any", depth: int = 1) -> str:
        """An expression of that kind."""
        return self.make(kind, depth)[0]

    def name(self) -> str:
        """A name that templates set."""
        return self.pick(SHADOWED if self.chance(0.25) else OWN)

    def body(self, depth: int, most: int = 4) -> str:
        """A few statements with texts between them. Macros, namespaces and local variables of it end with it."""
        macros, namespaces = len(self.macros), len(self.namespaces)
        local = {kind: list(names) for kind, names in self.local.items()}
        parts = [self.text()]
        for _ in range(self.rng.randrange(1, most + 1)):
            if self.left <= 0:
                break
            self.left -= 1
            parts += [self.statement(depth), self.text()]
        del self.macros[macros:], self.namespaces[namespaces:]
        self.local = local
        return "".join(parts)
