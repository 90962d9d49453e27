"""Random expressions."""

import random
import re

from template_cases.calls import CALLS_BY_RESULT, Call, Parameter
from template_cases.chooser import Chooser
from template_cases.operands import ANY, FORMS, KINDS, LEAVES, TOP

PART = re.compile(r"<([!,]?)([a-z]+)>")
OPERATOR = re.compile(r" [~+*%/] |\||^-| if ")
#: How tightly an expression holds together.
ATOMIC, FILTERED, OPERATION = range(3)
#: What may be wrong with the arguments of a call.
MISTAKES = ("kind", "drop", "extra", "keyword", "twice")


class Expressions(Chooser):
    """Makes random expressions of a wanted kind of value."""

    def __init__(self, rng: random.Random, wild: float, clumsy: float) -> None:
        """``wild`` is how often a part has another kind than wanted, ``clumsy`` how often arguments are wrong."""
        super().__init__(rng)
        self.wild = wild
        self.clumsy = clumsy
        self.local: dict[str, list[str]] = {}

    def make(self, kind: str, depth: int) -> tuple[str, int]:
        """An expression and how tightly it holds together: as an atom, a filtered expression or an operation."""
        if kind[0] == "'":
            return kind, ATOMIC
        if self.wild and self.chance(self.wild):
            kind = self.pick(KINDS)
        if kind == "any":
            if depth > 0 and self.chance(0.2):
                return self.call(self.pick(CALLS_BY_RESULT["any"]), depth - 1)
            kind = self.pick(ANY)
        local = self.local.get(kind)
        if local and self.chance(0.4):
            return self.pick(local), ATOMIC
        leaves = LEAVES.get(kind)
        forms, calls = FORMS.get(kind, ()), CALLS_BY_RESULT.get(kind, ())
        if leaves and (depth <= 0 or self.chance(0.3) or not (forms or calls)):
            if kind == "str" and self.chance(0.3):
                return self.string(), ATOMIC
            source = self.pick(leaves)
            return source, ATOMIC if source[0] not in "-+" else FILTERED
        return self.composite(kind, depth)

    def composite(self, kind: str, depth: int) -> tuple[str, int]:
        """An expression with parts; the kind has forms or calls."""
        forms, calls = FORMS.get(kind, ()), CALLS_BY_RESULT.get(kind, ())
        if calls and (not forms or self.chance(0.55)):
            return self.call(self.pick(calls), depth - 1)
        return self.form(self.pick(forms), depth - 1)

    def form(self, form: str, depth: int) -> tuple[str, int]:
        """Fills in the parts of a form."""
        level = ATOMIC

        def part(match: re.Match[str]) -> str:
            nonlocal level
            how, kind = match.groups()
            source, tightness = self.make(kind, depth)
            if how == ",":
                return source
            if how == "!":
                return source if tightness == ATOMIC else f"({source})"
            level = OPERATION
            return source if tightness < OPERATION or self.chance(0.1) else f"({source})"

        source = PART.sub(part, form)
        if level == ATOMIC and OPERATOR.search(form):
            level = OPERATION
        return source, level

    def call(self, call: Call, depth: int) -> tuple[str, int]:
        """A call of a method or function, an application of a filter or a test."""
        arguments = self.arguments(call.parameters, depth)
        if not call.mark:
            source = f"{call.name}({arguments})"
            return (f"{source}()", ATOMIC) if call.name == "joiner" and self.chance(0.7) else (source, ATOMIC)
        receiver, tightness = self.make(call.receiver, depth)
        if tightness == OPERATION or (tightness == FILTERED and call.mark == "."):
            receiver = f"({receiver})"
        if call.mark == ".":
            if receiver[-1].isdigit() and receiver.isdigit():
                receiver = f"({receiver})"
            return f"{receiver}.{call.name}({arguments})", ATOMIC
        brackets = f"({arguments})" if arguments or self.chance(0.1) else ""
        if call.mark == "|":
            bar = "|" if self.chance(0.8) else " | "
            return f"{receiver}{bar}{call.name}{brackets}", FILTERED
        if brackets and len(call.parameters) == 1 and re.fullmatch(r"\w+|'[^']*'", arguments) and self.chance(0.5):
            brackets = f" {arguments}"
        return f"{receiver} is {'not ' if self.chance(0.15) else ''}{call.name}{brackets}", OPERATION

    def arguments(self, parameters: tuple[Parameter, ...], depth: int) -> str:
        """Arguments in random forms: positional, keyword, * and **; at times wrong ones."""
        wrong = self.pick(MISTAKES) if self.clumsy and self.chance(self.clumsy) else ""
        positional: list[str] = []
        keywords: list[tuple[str, str]] = []
        skipped = False
        for one in parameters:
            if one.optional and (skipped or self.chance(0.6)):
                skipped = True
                if one.name is None or self.chance(0.75):
                    continue
            kind = self.pick(KINDS) if wrong == "kind" and self.chance(0.6) else one.kind
            source = self.make(kind, depth - 1)[0]
            if one.name and (skipped or keywords or self.chance(0.4)):
                keywords.append((one.name, source))
            elif not skipped:
                positional.append(source)
        if wrong == "drop" and positional:
            positional.pop()
        elif wrong == "extra":
            positional.append(self.make("any", depth - 1)[0])
        elif wrong == "keyword":
            keywords.append((self.pick(("zzz", "attribute", "count", "value", "s")), self.make("any", 0)[0]))
        elif wrong == "twice" and parameters and parameters[0].name:
            keywords.append((parameters[0].name, self.make(parameters[0].kind, 0)[0]))
        if positional and self.chance(0.04):
            positional = [f"*[{', '.join(positional)}]"]
        if keywords and self.chance(0.06):
            given = ", ".join(f"{name!r}: {source}" for name, source in keywords)
            return ", ".join([*positional, f"**{{{given}}}"])
        return ", ".join([*positional, *(f"{name}={source}" for name, source in keywords)])

    def source(self) -> str:
        """One expression case."""
        depth = self.pick((1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5))
        kind = self.pick(TOP)
        source = self.make(kind, depth)[0] if kind == "any" else self.composite(kind, depth)[0]
        if self.chance(0.15):
            source = self.garble(source)
        return f"{{{{ {source} }}}}"
