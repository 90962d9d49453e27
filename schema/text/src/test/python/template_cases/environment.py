"""The environment of transformers' templates, and the same with limits on products and powers."""

from datetime import datetime
from typing import Any

from jinja2 import Environment
from transformers.utils.chat_template_utils import _compile_jinja_template

LARGEST_BITS = 20_000  # of a power; 4,300 decimal digits, Python's limit of str(int), are 14,285 bits
LONGEST_PRODUCT = 1_000_000  # of a string or list times a number


class TooLarge(Exception):
    """A product or power of the case is larger than the limits."""


class LimitedMixin:
    """Makes an environment raise TooLarge in place of computing a huge product or power."""

    intercepted_binops = frozenset(("*", "**"))

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Called by jinja2 in place of the operators that are intercepted."""
        if operator == "*":
            for one, other in ((left, right), (right, left)):
                if isinstance(one, int) and hasattr(other, "__len__") and one * len(other) > LONGEST_PRODUCT:
                    raise TooLarge
        elif isinstance(left, int) and isinstance(right, int) and left.bit_length() * right > LARGEST_BITS:
            raise TooLarge
        return super().call_binop(context, operator, left, right)  # type: ignore[misc]


def reraise(source: str | None = None) -> None:
    """In place of jinja2's, which rewrites the traceback: the exception is the same."""
    raise  # noqa: PLE0704


def environments() -> tuple[Environment, Environment]:
    """The environment of transformers' templates with a fixed date, and one of the same with limits."""
    environment = _compile_jinja_template("").environment
    environment.globals["strftime_now"] = lambda format: datetime(2026, 7, 1).strftime(format)
    limited = environment.overlay()
    limited.__class__ = type("Limited", (LimitedMixin, type(environment)), {})
    for one in (environment, limited):
        one.handle_exception = reraise
    return environment, limited
