"""Renders sources with jinja2, within limits of time, memory and size."""

import copy
import functools
import gc
import re
import resource
import signal
import sys
import warnings

from template_cases.environment import TooLarge, environments
from template_cases.values import Variables

LONGEST_TEXT = 20_000
CASE_SECONDS = 3
MEMORY = 3 << 30  # bytes of address space above what is in use at the start

ADDRESS = re.compile(
    r"<generator object|\bat 0x[0-9a-f]|object at |<built-in|<bound method|<function|x0 ta\b", re.IGNORECASE
)
MULTIPLIES = re.compile(r"[\w)\]}'\"]\s*\*")


class Timeout(BaseException):
    """The case took too long."""


def on_alarm(*_: object) -> None:
    """Ends the case at its time limit."""
    raise Timeout


def unshared(source: str, variables: Variables) -> Variables:
    """The variables for one render: copies where it may change them, so that no other render sees the change.

    Only jinja2's indent does: its ``s += newline`` extends a list in place.
    """
    return copy.deepcopy(variables) if "indent" in source else variables


class Runner:
    """Renders sources."""

    def __init__(self) -> None:
        self.environment, self.limited = environments()

    def is_too_large(self, source: str, variables: Variables) -> bool:
        """Whether a product or power in the template is larger than the limits."""
        try:
            self.limited.from_string(source).render(**unshared(source, variables))
        except TooLarge:
            return True
        except Exception:
            return False
        return False

    def render(self, source: str, variables: Variables) -> tuple[str | None, str | None] | None:
        """The text or the error of a template; None where the case is to be left out."""
        signal.setitimer(signal.ITIMER_REAL, CASE_SECONDS)
        try:
            if MULTIPLIES.search(source) and self.is_too_large(source, variables):
                return None
            text = self.environment.from_string(source).render(**unshared(source, variables))
            return None if len(text) > LONGEST_TEXT or ADDRESS.search(text) else (text, None)
        except (MemoryError, RecursionError):
            return None
        except Timeout:
            print(f"no result in {CASE_SECONDS} seconds: {source}", file=sys.stderr)
            return None
        except Exception as e:
            first = (str(e).splitlines() or [""])[0]
            return None if ADDRESS.search(str(e)) else (None, f"{type(e).__name__}: {first}")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


@functools.cache
def runner() -> Runner:
    """The runner of this process, prepared for many small compilations."""
    warnings.simplefilter("ignore")
    made = Runner()
    signal.signal(signal.SIGALRM, on_alarm)
    with open("/proc/self/statm") as f:
        used = int(f.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    return made
