package io.rankfeed.schema;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import java.util.Arrays;
import java.util.List;

/** The element type of a field. The ids are in JSON, the wire codes in the ring; neither ever changes its meaning. */
public enum DType {
    BOOL("bool", 1, 1),
    INT8("int8", 1, 2),
    UINT8("uint8", 1, 3),
    INT16("int16", 2, 4),
    UINT16("uint16", 2, 5),
    INT32("int32", 4, 6),
    UINT32("uint32", 4, 7),
    INT64("int64", 8, 8),
    UINT64("uint64", 8, 9),
    FLOAT16("float16", 2, 10),
    BFLOAT16("bfloat16", 2, 11),
    FLOAT32("float32", 4, 12),
    FLOAT64("float64", 8, 13),
    STRING("string", 1, 14),
    BINARY("binary", 1, 15);

    private static final List<DType> ALL = List.of(values());

    private final String id;
    private final int sizeBytes;
    private final int wireCode;

    DType(String id, int sizeBytes, int wireCode) {
        this.id = id;
        this.sizeBytes = sizeBytes;
        this.wireCode = wireCode;
    }

    /** The name in JSON and YAML. */
    public String id() {
        return id;
    }

    /** Bytes of one element as stored; 1 for string and binary, whose elements are their bytes. */
    public int sizeBytes() {
        return sizeBytes;
    }

    /** The code of one unsigned byte that the ring's tensor table uses. */
    public int wireCode() {
        return wireCode;
    }

    /** Whether this is string or binary: values have any length, and no shape. */
    public boolean isBytes() {
        return this == STRING || this == BINARY;
    }

    /** @throws ConfigException if no type has this id; the message names the nearest */
    public static DType fromId(String id) {
        for (DType type : ALL) {
            if (type.id.equals(id)) {
                return type;
            }
        }
        List<String> known = Arrays.stream(values()).map(DType::id).toList();
        throw new ConfigException("unknown dtype '" + id + "'" + Suggestion.hint(id, known));
    }
}
