"""Loops, and the statements that stand in them."""

from template_cases.statements import probe
from template_cases.tokens import NAME
from template_cases.writer import Writer

#: The kind of the loop variable where expressions may use it, the targets and the iterable. <list> is any list.
LOOPS = (
    ("row", "item", "rows"),
    ("row", "item", "rows[:2]"),
    ("", "message", "messages"),
    ("", "messages", "messages"),
    ("small", "i", "range(3)"),
    ("int", "i", "ints"),
    ("int", "n", "ints"),
    ("str", "w", "words"),
    ("", "key, value", "d.items()"),
    ("", "key, value", "d|dictsort"),
    ("", "a, b", "[(1, 2), (3, 4)]"),
    ("", "item", "nested"),
    ("str", "s", "'abc'"),
    ("", "item", "[]"),
    ("", "item", "missing"),
    ("", "group", "rows|groupby('role')"),
    ("", "(a, (b, c))", "[(1, (2, 3))]"),
    ("int", "i", "ints|select('odd')"),
    ("", "k", "d"),
    ("", "item", "<list>"),
    ("", "item", "messages[::-1]"),
    ("", "tool", "tools or []"),
    ("", "x", "mixed"),
)
#: What is read of the variable loop.
LOOPED = (
    *"index index0 revindex revindex0 first last length depth depth0 previtem nextitem".split(),
    *("cycle('a', 'b', 1)", "changed(item)", "changed(loop.index // 2)", "previtem is defined", "nextitem.role"),
    *("zzz", "cycle(*['x', 'y'])", "cycle()"),
)
DEEPER = ("loop(node.children)", "loop(node.children)|upper", "'[' ~ loop(node.children) ~ ']'")
NODES = ("node.name", "loop.depth", "loop.depth0 ~ node.name", "loop.length")


def condition_of_loop(writer: Writer, names: list[str]) -> str:
    """The condition of a loop, if any; one that names loop, which is refused, is rare."""
    if not writer.chance(0.25):
        return ""
    first, last = names[0], names[-1]
    own = (first, f"{last} is defined", f"not {first}", writer.value("bool"), "loop.first", f"{first} != 1")
    test = writer.pick(own)
    return "" if test == "loop.first" and writer.chance(0.7) else f" if {test}"


def loop(writer: Writer, depth: int) -> str:
    """A loop with one of the forms of targets and iterables."""
    listed = writer.value("list", 1)
    kind, target, iterable = writer.pick(LOOPS)
    if iterable == "<list>":
        iterable = f"({listed})"
    names = NAME.findall(target)
    local, loops, breakable = {k: list(v) for k, v in writer.local.items()}, writer.loops, writer.breakable
    if kind:
        writer.local.setdefault(kind, []).append(names[0])
    test = condition_of_loop(writer, names)
    writer.loops, writer.breakable = writer.loops + 1, True
    body = writer.body(depth)
    if writer.chance(0.4):
        body += writer.output(writer.pick(names))
    writer.local, writer.loops, writer.breakable = local, loops, breakable
    made = writer.tag(f"for {target} in {iterable}{test}") + body
    if writer.chance(0.2):
        made += writer.tag("else") + writer.body(depth, 2)
    made += writer.tag("endfor")
    if writer.chance(0.15) and names[0] not in ("messages", "message"):
        made += writer.output(writer.pick(names))
    return made


def recursive(writer: Writer, depth: int) -> str:
    """A recursive loop."""
    loops, writer.loops = writer.loops, writer.loops + 1
    inner = writer.pick(DEEPER)
    before = writer.text() + writer.output(writer.pick(NODES))
    deeper = writer.tag("if node.children") + writer.output(inner) + writer.tag("endif")
    made = writer.tag("for node in tree recursive") + before + deeper + writer.body(0, 1)
    writer.loops = loops
    return made + (writer.tag("else") + "none" if writer.chance(0.2) else "") + writer.tag("endfor")


def looped(writer: Writer, depth: int) -> str:
    """Prints something of the loop that it is in."""
    if not writer.loops:
        return probe(writer, depth)
    return writer.output(f"loop.{writer.pick(LOOPED)}" if writer.chance(0.95) else "loop")


def leave(writer: Writer, depth: int) -> str:
    """A break or continue in an if."""
    if not writer.breakable:
        return probe(writer, depth)
    test = writer.pick(("loop.index == 2", "loop.first", "loop.last", writer.value("bool"), "loop.index0 > 0"))
    begin = writer.tag(f"if {test}") + writer.text()
    return begin + writer.tag(writer.pick(("break", "continue"))) + writer.text() + writer.tag("endif")
