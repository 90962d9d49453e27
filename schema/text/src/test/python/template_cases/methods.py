"""The methods and functions that expressions call.

A line is the result's kind, then receiver.method or a function, with its arguments: [name=]kind, with a ? after
optional ones. A kind in quotes is the source of the argument itself. Kinds are those of operands.py, besides gen, an
iterator, and any.
"""

METHODS = """
str str.upper()
str str.lower()
str str.strip(char?)
str str.lstrip(char?)
str str.rstrip(char?)
strs str.split(sep=char?, maxsplit=small?)
bool str.startswith(char, index?, index?)
bool str.endswith(char, index?)
str str.replace(char, str, small?)
str char.join(strs)
int str.find(char, index?, index?)
int str.rfind(char, index?)
int str.index(char)
int str.count(char, index?)
str str.title()
str str.capitalize()
bool str.isdigit()
str braces.format(any)
str bracesint.format(int)
str bracesfloat.format(float)
any dict.get(key, any?)
list dict.items()
list dict.keys()
list dict.values()
dict dict.copy()
int ints.count(any)
int ints.index(int)
any list.append(any)
any dict.update(dict)
any dict.pop(key)
any list.sort()
int small.bit_length()
bool float.is_integer()
"""
FUNCTIONS = """
ints range(small)
ints range(small, small, step?)
dict dict(a=any?, b=any?)
any namespace(a=any?)
str joiner(sep=char?)
any cycler(any, any)
str strftime_now(date)
any raise_exception(str)
"""
