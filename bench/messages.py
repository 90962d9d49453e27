#!/usr/bin/env python3
"""Print every message and help text of the project, one per line, for a review of the wording.

A text is a Java expression of string literals, or a Python string that is not a docstring, of at least three words. Parts that
are computed appear as "…".

Usage: bench/messages.py [FILE]      (default: standard output)
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MIN_WORDS = 3
LITERAL = re.compile(r'"""(?P<block>.*?)"""|"(?P<line>(?:[^"\\\n]|\\.)*)"', re.DOTALL)
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.DOTALL)
# Between two literals of one text: concatenation, operands, and the commas of an array of help lines.
JOINED = re.compile(r'\s*\+\s*(?:[\w.()\[\]<>:?\s"-]{0,160}?\+\s*)?')


def java(text):
    """Yields (line, text) for the expressions of string literals in a Java file."""
    masked = blank_comments(text)
    literals = list(LITERAL.finditer(masked))
    at = 0
    while at < len(literals):
        first = literals[at]
        words = value(first)
        while at + 1 < len(literals):
            between = masked[literals[at].end() : literals[at + 1].start()]
            if not JOINED.fullmatch(between):
                break
            words += ("" if between.strip() == "+" else "…") + value(literals[at + 1])
            at += 1
        yield masked.count("\n", 0, first.start()) + 1, words
        at += 1


def blank_comments(text):
    """Replaces comments by spaces; those within a literal stay."""
    both = re.compile(f"{LITERAL.pattern}|(?P<comment>{COMMENT.pattern})", re.DOTALL)
    return both.sub(
        lambda found: re.sub(r"[^\n]", " ", found[0]) if found["comment"] else found[0],
        text,
    )


def value(literal):
    text = literal["block"] if literal["line"] is None else literal["line"]
    return re.sub(r"\s+", " ", text.replace(r"\n", " ").replace(r"\"", '"'))


def python(text):
    """Yields (line, text) for the strings of a Python file that are not docstrings."""
    tree = ast.parse(text)
    docs = set()
    parts = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            docs.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            parts.update(id(part) for part in ast.walk(node) if isinstance(part, ast.Constant))
            yield node.lineno, "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs | parts:
            yield node.lineno, node.value


def texts():
    files = sorted(ROOT.glob("*/src/main/java/**/*.java")) + sorted(ROOT.glob("*/*/src/main/java/**/*.java"))
    files += sorted(ROOT.glob("gpu-feeder/python/src/**/*.py"))
    for file in files:
        found = (java if file.suffix == ".java" else python)(file.read_text())
        for line, text in sorted(found):
            text = re.sub(r"\s+", " ", text).strip()
            if len(re.findall(r"[A-Za-z]{2,}", text)) >= MIN_WORDS and " " in text:
                yield f"{file.relative_to(ROOT)}:{line}: {text}"


def main():
    lines = "\n".join(texts()) + "\n"
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(lines)
    else:
        sys.stdout.write(lines)


if __name__ == "__main__":
    main()
