"""Random templates."""

from collections.abc import Callable

from template_cases import blocks, loops, macros, statements
from template_cases.writer import Writer

#: Writes a statement, whose body, if any, is of that depth.
Statement = Callable[[Writer, int], str]

#: Statements without a body, and all; those that are listed more than once are more frequent.
LEAF_STATEMENTS: tuple[Statement, ...] = (
    *[statements.print_value] * 8,
    *[statements.probe] * 5,
    *[loops.looped] * 3,
    statements.comment,
    statements.raw,
    *[statements.assign] * 4,
    *[statements.namespace] * 2,
    loops.leave,
    macros.use_macro,
)
STATEMENTS: tuple[Statement, ...] = (
    *LEAF_STATEMENTS,
    *[blocks.condition] * 4,
    *[loops.loop] * 6,
    loops.recursive,
    *[macros.macro] * 2,
    *[macros.use_macro] * 2,
    *[macros.call_block] * 2,
    blocks.filter_block,
    *[blocks.with_block] * 2,
    blocks.generation,
    blocks.assign_block,
)


class Templates(Writer):
    """Makes random templates."""

    def statement(self, depth: int) -> str:
        """One statement, with a body only where the depth allows it."""
        return self.pick(STATEMENTS if depth > 0 else LEAF_STATEMENTS)(self, depth - 1)

    def source(self) -> str:
        """One template case."""
        self.left = self.rng.randrange(5, 41)
        parts = []
        while self.left > 0:
            self.left -= 1
            parts += [self.text(), self.statement(4)]
            if self.chance(0.008):
                parts.append(statements.odd(self, 0))
        source = "".join(parts) + self.text()
        return self.garble(source) if self.chance(0.03) else source
