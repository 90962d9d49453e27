"""The parts that expressions are made of, by the kind of value that they give."""


def table(text: str) -> dict[str, tuple[str, ...]]:
    """Reads lines of ``kind: source ; source ...``; a kind may have several lines."""
    sources: dict[str, tuple[str, ...]] = {}
    for line in text.strip().splitlines():
        kind, _, listed = line.partition(": ")
        sources[kind] = (*sources.get(kind, ()), *listed.split(" ; "))
    return sources


#: Sources without parts: literals and variables. A source that is listed more than once is picked more often.
LEAVES = table(r"""
int: n ; k ; n ; k ; 0 ; 1 ; 2 ; 3 ; 7 ; 10 ; 42 ; -1 ; 255 ; 0x1F ; 0b101 ; 0o17 ; 1_000 ; 12345678901234567890 ; big
small: 0 ; 1 ; 2 ; 3 ; 4 ; 5 ; k
nonzero: 1 ; 2 ; 3 ; 7 ; -3 ; 10 ; k
tiny: 0 ; 1 ; 2 ; 3 ; k
index: 0 ; 1 ; -1 ; 2 ; -2 ; k ; 5
step: 1 ; 2 ; -1 ; -2 ; 3
float: x ; y ; x ; 0.5 ; 1.0 ; 2.5 ; 1e300 ; 1e-7 ; 1e16 ; 1e15 ; -0.0 ; 0.1 ; 3.14159 ; 1_0.5 ; 1e2 ; 1E+3
float: 123456.789
str: s ; t ; text ; spaced ; bos_token ; s ; t ; "a" ; 'b c' ; "" ; 'user' ; "x,y, z"
text: text ; text ; s ; t ; spaced ; 'one two  three\nfour'
char: ' ' ; ',' ; 'a' ; '\n' ; 'é' ; '-' ; '<' ; 'ab' ; s ; 'lo'
bool: true ; false ; True ; False ; flag ; flag ; add_generation_prompt
none: none ; None ; nothing
undefined: missing ; nope ; d.zzz ; ints[99] ; rows[0].zzz ; s.zzz
ints: ints ; ints ; [1, 2, 3] ; [] ; [3, 1, 2,] ; (2, 1) ; range(3) ; [true, 0, 2]
nums: ints ; floats ; [1, 2.5] ; [0.1, 0.2, 0.3] ; [1.0, 1, true]
strs: words ; words ; ['a', 'B', 'c'] ; ['x'] ; ('b', 'a') ; d ; []
rows: rows ; rows ; messages ; tools ; tree ; [{'role': 'a', 'n': 1}, {'role': 'b', 'n': 0}]
ordered: rows ; rows ; [{'role': 'a', 'n': 1, 'name': 'x'}, {'role': 'A', 'n': 0, 'name': 'y'}]
list: mixed ; nested ; ints ; words ; rows ; no_items ; [] ; () ; (1,) ; [1, 'a', none] ; [[1, 2], [3, 4]]
list: (1, (2, 3)) ; documents
dict: d ; config ; no_keys ; {} ; {'a': 1, 'b': 2} ; {1: 'x', 1.0: 'y'} ; {'a': {'b': 'c'},} ; rows[0] ; messages[0]
dict: {none: 0, true: 1}
row: rows[0] ; rows[-1] ; (rows|first)
pairs: [('a', 1), ('b', 2)] ; d.items() ; [['k', 'v']]
callable: range ; namespace ; dict ; cycler ; joiner ; raise_exception ; strftime_now
same: none ; true ; false ; 1 ; nothing ; flag ; ints ; missing
key: 'a' ; 'b' ; 'role' ; 'n' ; 'zzz' ; 1 ; s
attribute: 'role' ; 'n' ; 'name' ; 'on' ; 'sub.k' ; 'zzz'
ordering: 'n' ; 'name' ; 'role' ; 'role,n' ; 'sub.k' ; 'n,name'
mapper: 'upper' ; 'length' ; 'string' ; 'trim' ; 'capitalize' ; 'list' ; 'tojson' ; 'e' ; 'reverse'
stringmapper: 'upper' ; 'lower' ; 'length' ; 'title' ; 'trim' ; 'int' ; 'string' ; 'float'
nummapper: 'abs' ; 'string' ; 'float' ; 'int' ; 'round' ; 'tojson'
test: 'defined' ; 'none' ; 'string' ; 'number' ; 'mapping' ; 'sequence' ; 'iterable' ; 'true' ; 'boolean' ; 'integer'
test: 'float'
inttest: 'odd' ; 'even' ; 'number' ; 'integer' ; 'boolean'
relation: 'eq' ; 'equalto' ; 'ne' ; '==' ; '!=' ; 'lt' ; '>' ; 'ge' ; '<=' ; 'greaterthan' ; 'lessthan'
filtername: 'upper' ; 'nofilter' ; 'tojson' ; 'e'
testname: 'odd' ; 'notest' ; '==' ; 'in'
base: 10 ; 16 ; 2 ; 8 ; 0 ; 36
case: 'lower' ; 'key' ; true ; false
by: 'key' ; 'value'
rounding: 'common' ; 'ceil' ; 'floor'
precision: 0 ; 1 ; 2 ; 3 ; -1 ; -2
indent: 0 ; 1 ; 2 ; 4 ; none ; '--' ; '\t'
separators: (',', ':') ; (', ', ': ') ; [',', ':'] ; none
filled: '_' ; ' ' ; '0' ; 'é'
percent: '%s' ; '<%s>' ; '%r' ; '%5s|' ; '%-5s|' ; '%.2s' ; '100%% %s' ; '%a'
percentint: '%d' ; '%05d' ; '%+d' ; '%x' ; '%#X' ; '%o' ; '%-6d|' ; '% d' ; '%i' ; '%.3d' ; '%c'
percentfloat: '%f' ; '%.2f' ; '%e' ; '%g' ; '%10.3f' ; '%G' ; '%+.1e' ; '%#.3g' ; '%.0f' ; '%r'
braces: '{}' ; '{0}{0}' ; '{!r}' ; '{:>8}' ; '{:*^9}' ; '{{}}{}' ; '{:<4}|' ; '{0!s:.2}'
bracesint: '{:d}' ; '{:05d}' ; '{:,}' ; '{:x}' ; '{:#b}' ; '{:+}' ; '{:_}' ; '{:>6}' ; '{:e}' ; '{:.1%}' ; '{:n}'
bracesfloat: '{:.2f}' ; '{:e}' ; '{:g}' ; '{:,.3f}' ; '{:010.1f}' ; '{:.3}' ; '{:%}' ; '{}' ; '{:+.0f}'
date: '%Y-%m-%d' ; '%d %b %Y' ; '%B %d, %Y' ; '%A %H:%M:%S' ; '%j %y %%' ; ''
""")
#: Sources with parts. <kind> is an operand, in parentheses most of the time; <!kind> is atomic; <,kind> is as it comes.
FORMS = table(r"""
int: <int> + <int> ; <int> - <int> ; <int> * <small> ; <int> // <nonzero> ; <int> % <nonzero> ; <small> ** <tiny>
int: -<int> ; +<int> ; <!ints>[<,index>] ; <!row>.n ; <!row>['n'] ; <int> if <bool> else <int> ; <bool> + <bool>
int: <small> ** <tiny> ** <tiny> ; <int> or <int> ; -<small> ** <tiny> ; <!ints>.0
small: <small> + <small> ; <small> % <nonzero> ; <!list>|length
float: <float> + <num> ; <num> - <float> ; <float> * <num> ; <int> / <nonzero> ; <float> / <nonzero>
float: <float> // <nonzero> ; <float> % <nonzero> ; -<float> ; 0.1 + 0.2
float: <num> / 3 ; 1e300 * 1e10 ; <!floats>[0]
floats: floats ; [0.5, 1.5] ; [1e16, 2.0]
num: <int> ; <float> ; <int> + <float> ; <!ints>|sum ; <!nums>|sum
str: <str> + <str> ; <str> ~ <any> ; <any> ~ <any> ~ <any> ; <str> * <small> ; <small> * <str> ; <!str>[<,index>]
str: <!str>[<,index>:] ; <!str>[:<,index>] ; <!str>[::<,step>] ; <!str>[<,index>:<,index>:<,step>]
str: <str> if <bool> else <str> ; <str> if <bool> ; <str> or <str> ; <bool> and <str> ; <percent> % <str>
str: <percentint> % <int> ; <percentfloat> % <num> ; '%s-%s' % (<,any>, <,any>) ; <!row>.name ; <!row>['role']
str: <!messages>[<,index>].role ; messages[<,index>]['content'] ; '%(a)s' % {'a': <,any>} ; <!strs>[<,index>]
str: <!gen>|join(',') ; <str> <str> ; 'a' 'b' "c" ; <int> ~ <int> + <str> ; <str>|upper ~ <str>
messages: messages ; messages ; (messages|list) ; messages[1:]
bool: <num> < <num> ; <num> >= <num> ; <int> == <num> ; <any> == <any> ; <any> != <any> ; <str> < <str>
bool: <char> in <str> ; <char> not in <str> ; <any> in <list> ; <key> in <dict> ; <int> not in <ints> ; not <any>
bool: not <bool> ; <bool> and <bool> ; <bool> or <bool> ; <num> < <num> <= <num> ; <int> == <int> != <int>
bool: <str> <= <str> ; <any> is defined ; <undefined> is defined ; <any> is not defined ; <bool> and not <bool>
bool: <!row>.on ; <list> == <list> ; <ints> < <ints> ; not <bool> == <bool> ; <key> in <dict> in [true]
bool: <any> in <undefined> ; <num> > <num> and <any>
none: none if <bool> ; <!dict>.get(<,key>) ; <none>
undefined: <any> if false ; <!dict>.zzz ; <!list>[77] ; <!dict>[<,key>] ; <!undefined>|default
ints: [<,int>, <,int>] ; <ints> + [<,int>] ; <!ints>[<,index>:] ; <!ints>[::<,step>] ; [<,int>] * <small>
ints: (<,int>, <,int>, <,int>)|list
nums: <ints> ; [<,float>, <,int>] ; [<,num>, <,num>, <,num>]
strs: [<,str>, <,str>] ; <!strs>[:<,index>]|list ; [<,str>] + [<,char>] ; (<,str>, <,str>)
rows: <!rows>[<,index>:] ; [<,dict>, <,dict>] ; <ordered> ; <!rows>[::-1]
ordered: rows[::<,step>] ; <ordered> + <ordered> ; [<,row>, <,row>]
list: [<,any>] ; [<,any>, <,any>] ; (<,any>,) ; (<,any>, <,any>) ; <ints> ; <strs> ; <rows> ; <nums> ; <list>
list: <!nested>[<,index>] ; [<,any>] + [<,any>] ; <!pairs>|list ; <list> if <bool> else <list> ; <!gen>|list
list: <!gen>|list ; <!gen>|list ; <!gen>|list ; <!gen>|list ; <!gen>|list
nested: nested ; [[1, 2], [3, 4]] ; (nested|list) ; [<,ints>, <,strs>]
dict: {'a': <,any>} ; {<,key>: <,any>, 'z': <,any>} ; <!rows>[<,index>] ; <dict> or <dict> ; {<,int>: <,any>}
dict: {<,str>: <,dict>} ; dict(a=<,any>, b=<,any>) ; dict(<,pairs>) ; dict(<,dict>, c=<,any>) ; {(1, 2): <,any>}
dict: messages[<,index>] ; config
row: <!ordered>|first ; <!ordered>|last ; <!ordered>[0]
pairs: <!dict>.items() ; <!dict>|items ; <!dict>|dictsort ; [(<,key>, <,any>)]
""")
#: What a part may be that is not what was wanted.
KINDS = tuple("int float str bool list dict none undefined ints strs rows num pairs gen".split())
#: What a part of any kind may be.
ANY = tuple("int int float str str str bool list ints strs dict rows none undefined num pairs".split())
#: What a whole expression may be.
TOP = (*ANY, *"list list list bool str int float row nested any any any".split())
