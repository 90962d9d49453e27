package io.rankfeed.export.petastorm;

import io.rankfeed.export.petastorm.PickleNode.Name;
import io.rankfeed.schema.failure.Printable;
import java.util.Map;
import java.util.Set;

/**
 * The names that a Unischema's pickle may have, by exact module. Names that Petastorm had in earlier packages, and
 * Python 2's modules, are replaced by today's.
 */
final class PickleNames {
    static final String UNISCHEMA = "petastorm.unischema";
    static final String CODECS = "petastorm.codecs";
    static final String SPARK_TYPES = "pyspark.sql.types";
    static final String NUMPY = "numpy";
    static final String BUILTINS = "builtins";

    static final Name SCHEMA = new Name(UNISCHEMA, "Unischema");
    static final Name FIELD = new Name(UNISCHEMA, "UnischemaField");
    static final Name ORDERED_DICT = new Name("collections", "OrderedDict");
    static final Name RECONSTRUCTOR = new Name("copyreg", "_reconstructor");
    static final Name RESTORE = new Name("pyspark.serializers", "_restore");
    static final Name OBJECT = new Name(BUILTINS, "object");
    static final Name TUPLE = new Name(BUILTINS, "tuple");
    static final Name DECIMAL = new Name("decimal", "Decimal");

    private static final Map<String, String> TODAY = Map.of(
            "__builtin__", BUILTINS,
            "copy_reg", "copyreg",
            "av.experimental.deepdrive.dataset_toolkit.unischema", UNISCHEMA,
            "av.experimental.deepdrive.dataset_toolkit.codecs", CODECS,
            "av.ml.dataset_toolkit.unischema", UNISCHEMA,
            "av.ml.dataset_toolkit.codecs", CODECS);

    private static final Map<String, Set<String>> ALLOWED = Map.of(
            UNISCHEMA,
            Set.of("Unischema", "UnischemaField"),
            CODECS,
            Set.of("ScalarCodec", "NdarrayCodec", "CompressedNdarrayCodec", "CompressedImageCodec"),
            SPARK_TYPES,
            Set.of(
                    "StringType",
                    "BinaryType",
                    "BooleanType",
                    "ByteType",
                    "ShortType",
                    "IntegerType",
                    "LongType",
                    "FloatType",
                    "DoubleType",
                    "DecimalType",
                    "DateType",
                    "TimestampType",
                    "TimestampNTZType"),
            NUMPY,
            NumpyType.names(),
            BUILTINS,
            Set.of("object", "tuple", "bool", "int", "long", "float", "str", "unicode", "bytes"),
            "collections",
            Set.of("OrderedDict"),
            "copyreg",
            Set.of("_reconstructor"),
            "pyspark.serializers",
            Set.of("_restore"),
            "decimal",
            Set.of("Decimal"));

    private PickleNames() {}

    /** @throws PickleDamage if no Unischema has this name */
    static Name known(int at, String module, String name) throws PickleDamage {
        String today = TODAY.getOrDefault(module, module);
        if (!ALLOWED.getOrDefault(today, Set.of()).contains(name)) {
            throw new PickleDamage(
                    at, "names " + Printable.of(module + "." + name) + ", which is not a part of a Unischema");
        }
        return new Name(today, name);
    }

    /** Classes whose instances are a name with a state. */
    static boolean isStateful(Name name) {
        return name.equals(SCHEMA)
                || name.module().equals(CODECS)
                || name.module().equals(SPARK_TYPES);
    }
}
