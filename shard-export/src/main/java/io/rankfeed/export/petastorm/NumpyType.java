package io.rankfeed.export.petastorm;

import io.rankfeed.schema.DType;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A numpy type as a Unischema names it; never by what numpy 2 calls it, which numpy 1 could not load. */
public enum NumpyType {
    BOOL("bool_", DType.BOOL, "b1"),
    INT8("int8", DType.INT8, "i1"),
    UINT8("uint8", DType.UINT8, "u1"),
    INT16("int16", DType.INT16, "i2"),
    UINT16("uint16", DType.UINT16, "u2"),
    INT32("int32", DType.INT32, "i4"),
    UINT32("uint32", DType.UINT32, "u4"),
    INT64("int64", DType.INT64, "i8"),
    UINT64("uint64", DType.UINT64, "u8"),
    FLOAT16("float16", DType.FLOAT16, "f2"),
    FLOAT32("float32", DType.FLOAT32, "f4"),
    FLOAT64("float64", DType.FLOAT64, "f8"),
    STR("str_", DType.STRING, "U"),
    BYTES("bytes_", DType.BINARY, "S"),
    DATETIME64("datetime64", null, "M8"),
    /** {@code decimal.Decimal}, which is not a numpy type and is where one does. */
    DECIMAL("Decimal", null, "");

    private static final List<NumpyType> ALL = List.of(values());
    private static final Map<String, NumpyType> NUMPY_ALIASES = Map.of(
            "bool",
            BOOL,
            "string_",
            BYTES,
            "unicode_",
            STR,
            "str",
            STR,
            "bytes",
            BYTES,
            "half",
            FLOAT16,
            "float_",
            FLOAT64);
    private static final Map<String, NumpyType> BUILTINS = Map.of(
            "bool", BOOL, "int", INT64, "long", INT64, "float", FLOAT64, "str", STR, "unicode", STR, "bytes", BYTES);

    private final String id;
    private final Optional<DType> dtype;
    private final String code;

    NumpyType(String id, @Nullable DType dtype, String code) {
        this.id = id;
        this.dtype = Optional.ofNullable(dtype);
        this.code = code;
    }

    /** The type's name in the module numpy, valid in numpy 1 and 2. */
    public String id() {
        return id;
    }

    /**
     * Returns the element type of a sample that holds such values; empty for dates and decimals, which no element type
     * holds.
     */
    public Optional<DType> dtype() {
        return dtype;
    }

    /** Kind and size, as in the {@code descr} of an {@code .npy} header; text has no size here. */
    String code() {
        return code;
    }

    public boolean isText() {
        return this == STR || this == BYTES;
    }

    /** The type that a sample's element type is; bfloat16 has none. */
    static Optional<NumpyType> of(DType dtype) {
        return ALL.stream()
                .filter(type -> type.dtype.equals(Optional.of(dtype)))
                .findFirst();
    }

    /** Returns the type that a name in a pickle stands for; empty if it is not a type. */
    static Optional<NumpyType> of(PickleNode.Name name) {
        if (name.equals(PickleNames.DECIMAL)) {
            return Optional.of(DECIMAL);
        } else if (name.module().equals(PickleNames.BUILTINS)) {
            return Optional.ofNullable(BUILTINS.get(name.name()));
        } else if (!name.module().equals(PickleNames.NUMPY)) {
            return Optional.empty();
        }
        return ALL.stream()
                .filter(type -> type != DECIMAL && type.id.equals(name.name()))
                .findFirst()
                .or(() -> Optional.ofNullable(NUMPY_ALIASES.get(name.name())));
    }

    /** Returns every name that the module numpy has for one of these types. */
    static Set<String> names() {
        Set<String> names = new LinkedHashSet<>(NUMPY_ALIASES.keySet());
        Arrays.stream(values()).filter(type -> type != DECIMAL).forEach(type -> names.add(type.id));
        return Set.copyOf(names);
    }
}
