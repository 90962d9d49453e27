"""Statements without a body: outputs, comments, raw text and assignments."""

from template_cases.odd_tags import ODD_TAGS
from template_cases.writer import OWN, Writer

COMMENTS = (" note ", "", " {{ x }} ", " {% if %} ", "\n two\n lines \n", " # ", "-", " é ", "{#", " 'q ")
RAW = ("{{ x }}", " {% if y %} ", "\n{# c #}\n", "a", "  b  \n", "", "{% endfor %}", "\r\n{{-")
#: How a name is looked at: a list, and any other.
LIST_PROBES = ("{}|length", "{} is defined", "{} is string", "{}|string|length")
PROBES = ("{}", "{}|default('-')", "{} is defined", "{} ~ '!'", "{}|string|length", "[{}]")
NEW_LISTS = ("[]", "messages[1:]", "messages|list", "messages or []")


def print_value(writer: Writer, _: int) -> str:
    """Prints an expression."""
    return writer.output(writer.value(depth=writer.pick((0, 1, 1, 2))))


def probe(writer: Writer, _: int) -> str:
    """Prints what a name is at this point."""
    name = writer.name()
    forms = LIST_PROBES if name in ("messages", "tools") else PROBES
    return writer.output(writer.pick(forms).format(name))


def comment(writer: Writer, _: int) -> str:
    """A comment."""
    return writer.pick(("{#", "{#-", "{#+")) + writer.pick(COMMENTS) + writer.pick(("#}", "-#}", "+#}"))


def raw(writer: Writer, _: int) -> str:
    """A raw block; ``+%}`` after raw, which is refused, is rare."""
    begin = writer.tag("raw")
    return (begin if writer.chance(0.03) else begin.replace("+%}", "%}")) + writer.pick(RAW) + writer.tag("endraw")


def assign(writer: Writer, _: int) -> str:
    """Sets one or two names."""
    how = writer.rng.randrange(8)
    if how == 0:
        names = f"{writer.pick(OWN)}, {writer.pick(('b', 'c', 'item'))}"
        return writer.tag(f"set {names} = {writer.value()}, {writer.value()}")
    if how == 1:
        name = writer.pick(OWN)
        return writer.tag(f"set {name} = {name} ~ {writer.value('str')}")
    if how == 2:
        return writer.tag(f"set {writer.pick(('messages', 'tools'))} = {writer.pick(NEW_LISTS)}")
    if how == 3:
        name = writer.pick(("n", "s"))
        return writer.tag(f"set {name} = {writer.value('small' if name == 'n' else 'str')}")
    return writer.tag(f"set {writer.pick(OWN)} = {writer.value()}")


def namespace(writer: Writer, _: int) -> str:
    """Makes a namespace; sets or prints an attribute of one that is in scope."""
    name = writer.pick(("ns", "state"))
    made = f"set {name} = namespace(count={writer.value('small', 0)}, last={writer.value(depth=0)})"
    if writer.chance(0.2):
        made = f"set {name} = namespace({{'count': 1}}, last=none)"
    if name not in writer.namespaces or not writer.chance(0.8):
        writer.namespaces.append(name)
        return writer.tag(made)
    counted = f"set {name}.count = {name}.count + {writer.value('small', 0)}"
    change = writer.pick((counted, f"set {name}.last = {writer.value()}", ""))
    if change:
        return writer.tag(change)
    return writer.output(writer.pick((f"{name}.count", f"{name}.last", f"{name}.zzz", name, f"{name}['count']")))


def odd(writer: Writer, _: int) -> str:
    """An odd or malformed fragment."""
    return writer.pick(ODD_TAGS)
