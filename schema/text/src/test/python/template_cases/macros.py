"""Macros, their calls and call blocks."""

from template_cases.statements import probe
from template_cases.writer import Macro, Writer

#: How many parameters a macro has, and how many of them have defaults.
COUNTS = ((0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (3, 2))
PARAMETERS = ("a", "b", "item")
DEFAULTS = ("1", "'z'", "n", "none", "a", "[]", "missing")
MORE = ("varargs", "varargs|length", "kwargs", "varargs ~ kwargs", "kwargs.z")
CALLERS = ("caller()", "caller()", "caller(1)", "'<' ~ caller() ~ '>'", "caller(a)", "caller()|trim")
#: Bodies of a macro for call blocks, where none is in scope, and calls of it.
BOXES = (
    "[{{ title }}{{ caller() }}]",
    "{{ caller(title, 2) }}",
    "{{ caller()|upper }}{{ caller() }}",
    "{% if caller %}{{ caller() }}{% endif %}",
)
BOX_CALLS = ("box()", "box('x')", "box(title=n)", "box(missing)")


def macro(writer: Writer, depth: int) -> str:
    """The definition of a macro."""
    if writer.in_macro and writer.chance(0.8):
        return probe(writer, depth)
    name = writer.pick(("show", "field", "turn"))
    count, optional = writer.pick(COUNTS)
    names = PARAMETERS[:count]
    defaults = [writer.pick(DEFAULTS) for _ in names]
    required = count - optional
    listed = [*names[:required], *(f"{one}={defaults[required + at]}" for at, one in enumerate(names[required:]))]
    takes_more, has_caller = writer.chance(0.25), writer.chance(0.3)
    saved = writer.loops, writer.breakable, writer.in_macro
    writer.loops, writer.breakable, writer.in_macro = 0, False, True
    outer, writer.macros = writer.macros, []
    inner = writer.body(depth, 3)
    if takes_more:
        inner += writer.output(writer.pick(MORE) if writer.chance(0.4) else "varargs ~ kwargs")
    if has_caller:
        inner += writer.output(writer.pick(CALLERS))
    if names:
        inner += writer.output(writer.pick(names))
    writer.loops, writer.breakable, writer.in_macro = saved
    writer.macros = [*outer, Macro(name, count, optional, takes_more, has_caller)]
    return writer.tag(f"macro {name}({', '.join(listed)})") + inner + writer.tag("endmacro")


def macro_call(writer: Writer, called: Macro) -> str:
    """A call, at times with too few or too many arguments."""
    count = called.parameters
    given = [writer.value(depth=0) for _ in range(count - writer.rng.randrange(called.optional + 1))]
    if writer.chance(0.15) and given:
        given.pop()
    if called.takes_more and writer.chance(0.6):
        given += [writer.value(depth=0), "z=" + writer.value(depth=0)]
    elif writer.chance(0.03):
        given += ["1", "2"]
    elif writer.chance(0.15) and len(given) < count:
        given.append(PARAMETERS[count - 1] + "=" + writer.value(depth=0))
    return f"{called.name}({', '.join(given)})"


def use_macro(writer: Writer, depth: int) -> str:
    """Prints what a macro in scope gives, or one of its attributes."""
    ready = [one for one in writer.macros if not one.has_caller]
    if not ready:
        return macro(writer, depth) if depth >= 0 else probe(writer, depth)
    called = writer.pick(ready)
    call, name = macro_call(writer, called), called.name
    calls = (call, call, call, f"{call}|upper", f"{call} ~ '.'", f"{call}|length")
    return writer.output(writer.pick((*calls, f"{name}.name", f"{name}.arguments", f"{name}.caller")))


def call_block(writer: Writer, depth: int) -> str:
    """A call block, of a macro in scope or of one made for it; break in it, which is refused, is rare."""
    ready = [one for one in writer.macros if one.has_caller]
    before = ""
    if ready:
        call = macro_call(writer, writer.pick(ready))
    else:
        before = writer.tag("macro box(title='T')") + writer.pick(BOXES) + writer.tag("endmacro")
        call = writer.pick(BOX_CALLS)
    saved = writer.loops, writer.breakable
    writer.loops, writer.breakable = 0, writer.breakable and writer.chance(0.05)
    last = "" if writer.chance(0.4) else "(a=[], b=2)"
    given = ("(a=0, b=1)", "(a='x', b=2)", "(a=n, b=2)", "(a=n, b=2)", "(a=1, b=a)", last)
    made = before + writer.tag(f"call{writer.pick(given)} {call}") + writer.body(depth, 2) + writer.tag("endcall")
    writer.loops, writer.breakable = saved
    return made
