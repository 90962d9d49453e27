"""Random choices, and what is made by nothing else: string literals and garbled sources."""

import random
from collections.abc import Sequence
from typing import TypeVar

from template_cases.tokens import ESCAPES, GARBAGE, PLAIN, TOKEN

Item = TypeVar("Item")


class Chooser:
    """Makes random choices."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def chance(self, probability: float) -> bool:
        """True that often."""
        return self.rng.random() < probability

    def pick(self, options: Sequence[Item]) -> Item:
        """One of the options."""
        return options[int(self.rng.random() * len(options))]

    def string(self) -> str:
        """A string literal, at times with escapes."""
        quote = self.pick("\"'")
        parts = [self.pick(ESCAPES) if self.chance(0.3) else self.pick(PLAIN) for _ in range(self.rng.randrange(5))]
        return quote + "".join(parts) + quote

    def garble(self, source: str) -> str:
        """Removes, doubles, swaps, replaces or inserts a token."""
        tokens = TOKEN.findall(source)
        for _ in range(1 if self.chance(0.8) else 2):
            at = self.rng.randrange(len(tokens) + 1)
            how = self.rng.randrange(5)
            if how == 0:
                tokens[at : at + 1] = []
            elif how == 1:
                tokens[at:at] = tokens[at : at + 1]
            elif how == 2:
                tokens[at : at + 2] = reversed(tokens[at : at + 2])
            elif how == 3:
                tokens[at : at + 1] = [self.pick(GARBAGE)]
            else:
                tokens[at:at] = [self.pick(GARBAGE)]
        return "".join(tokens)
