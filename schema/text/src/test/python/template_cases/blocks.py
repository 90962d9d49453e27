"""Statements with a body, besides loops and macros."""

from template_cases.writer import OWN, Writer

BLOCK_FILTERS = (
    *("upper", "trim", "indent(2)", "replace('a', 'b')", "lower|trim", "title", "length", "tojson", "e"),
    *("default('-')", "list|join('.')"),
)


def condition(writer: Writer, depth: int) -> str:
    """An if with its elifs and else; an inline if in its condition, which is refused, is rare."""
    test = writer.value("bool" if writer.chance(0.7) else "any")
    made = writer.tag(f"if ({test})" if " if " in test and writer.chance(0.9) else f"if {test}") + writer.body(depth)
    for _ in range(writer.pick((0, 0, 0, 1, 2))):
        made += writer.tag(f"elif {writer.value('bool')}") + writer.body(depth, 2)
    if writer.chance(0.5):
        made += writer.tag("else") + writer.body(depth, 3)
    return made + writer.tag("endif")


def assign_block(writer: Writer, depth: int) -> str:
    """Sets a name to what a body prints."""
    breakable, writer.breakable = writer.breakable, writer.breakable and writer.chance(0.1)
    filters = f" | {writer.pick(BLOCK_FILTERS)}" if writer.chance(0.4) else ""
    made = writer.tag(f"set {writer.pick(OWN)}{filters}") + writer.body(depth, 2) + writer.tag("endset")
    writer.breakable = breakable
    return made


def filter_block(writer: Writer, depth: int) -> str:
    """A filter over a body."""
    breakable, writer.breakable = writer.breakable, writer.breakable and writer.chance(0.2)
    made = writer.tag(f"filter {writer.pick(BLOCK_FILTERS)}") + writer.body(depth, 2) + writer.tag("endfilter")
    writer.breakable = breakable
    return made


def with_block(writer: Writer, depth: int) -> str:
    """A scope with names of its own."""
    one, two = f"a = {writer.value()}", f"a = {writer.value()}, b = a"
    given = writer.pick(("", one, two, f"n = {writer.value('small', 0)}, c = n", "messages = messages[:1]"))
    return writer.tag(f"with {given}".rstrip()) + writer.body(depth, 3) + writer.tag("endwith")


def generation(writer: Writer, depth: int) -> str:
    """A generation block; break and continue in it, which are refused, are rare."""
    breakable, writer.breakable = writer.breakable, writer.breakable and writer.chance(0.05)
    made = writer.tag("generation") + writer.body(depth, 3) + writer.tag("endgeneration")
    writer.breakable = breakable
    return made
