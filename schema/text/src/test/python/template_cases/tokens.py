"""Small pieces of source: contents of string literals, wrong tokens, and how to find names and tokens."""

import re

#: Escapes of string literals, also unknown ones.
ESCAPES = (*r"""\n \t \x41 \u00e9 \" \' \\ \101 \r \0 \q \N{BULLET} \U0001F600 \é""".split(), "\\\n", "\\b")
#: Other contents of string literals.
PLAIN = tuple("a;B;lo; ;1;é;日本;😀;<;&;,;{;%s;{};#;ß;x y;\n;\r\n;%;{{;}};%}".split(";"))
#: Tokens that garbling puts in.
GARBAGE = tuple(
    """( ) [ ] { } , . | ~ is not in if else and + * ** = == : ' " }} %} 1 x ! ? @ & \\ ; $ .. - -}} +}} 1. 007 0x 1__0
    é import lambda <> # for""".split()
)
TOKEN = re.compile(r"\s+|\w+|'[^']*'|\"[^\"]*\"|[*/=!<>]{1,2}|.", re.DOTALL)
NAME = re.compile(r"[^\W\d]\w*")
