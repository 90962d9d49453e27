package io.rankfeed.export.petastorm;

import java.util.Set;

/** Names that Python gives a meaning of its own. */
final class ClassAttributes {
    /** The attributes that a Unischema object has before its fields: a field with such a name gets no attribute. */
    static final Set<String> UNISCHEMA = Set.of(
            "fields",
            "create_schema_view",
            "as_spark_schema",
            "make_namedtuple",
            "make_namedtuple_tf",
            "from_arrow_schema");

    /** The keywords of Python, which a field of a named tuple cannot have as its name. */
    static final Set<String> KEYWORDS = Set.of(
            "False",
            "None",
            "True",
            "and",
            "as",
            "assert",
            "async",
            "await",
            "break",
            "class",
            "continue",
            "def",
            "del",
            "elif",
            "else",
            "except",
            "finally",
            "for",
            "from",
            "global",
            "if",
            "import",
            "in",
            "is",
            "lambda",
            "nonlocal",
            "not",
            "or",
            "pass",
            "raise",
            "return",
            "try",
            "while",
            "with",
            "yield");

    private ClassAttributes() {}
}
