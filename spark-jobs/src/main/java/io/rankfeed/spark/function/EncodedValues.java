package io.rankfeed.spark.function;

import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.spark.engine.Argument;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;

/** Writes arguments in the encoding of keys (docs/format/plan.md, section 10). */
final class EncodedValues implements Serializable {
    private static final long serialVersionUID = 1L;

    private enum Kind {
        BYTE,
        SHORT,
        INTEGER,
        LONG,
        BOOLEAN,
        TEXT,
        BINARY,
        NULL
    }

    private final Kind[] kinds;
    private final int first;

    /** @param first how many arguments stand before those that are encoded */
    private EncodedValues(Kind[] kinds, int first) {
        this.kinds = kinds;
        this.first = first;
    }

    static EncodedValues of(String function, List<Argument> arguments, int first) {
        return new EncodedValues(
                arguments.stream()
                        .skip(first)
                        .map(argument -> kind(function, argument))
                        .toArray(Kind[]::new),
                first);
    }

    private static Kind kind(String function, Argument argument) {
        DataType type = argument.type();
        if (type instanceof StringType) {
            return Kind.TEXT;
        }
        return switch (type.typeName()) {
            case "byte" -> Kind.BYTE;
            case "short" -> Kind.SHORT;
            case "integer" -> Kind.INTEGER;
            case "long" -> Kind.LONG;
            case "boolean" -> Kind.BOOLEAN;
            case "binary" -> Kind.BINARY;
            case "void" -> Kind.NULL;
            default -> throw argument.refused(function, "a value", "an integer, string, binary or boolean: cast it");
        };
    }

    KeyEncoding of(InternalRow row) {
        KeyEncoding out = new KeyEncoding();
        for (int i = 0; i < kinds.length; i++) {
            int at = first + i;
            Kind kind = row.isNullAt(at) ? Kind.NULL : kinds[i];
            switch (kind) {
                case BYTE -> out.integer(row.getByte(at));
                case SHORT -> out.integer(row.getShort(at));
                case INTEGER -> out.integer(row.getInt(at));
                case LONG -> out.integer(row.getLong(at));
                case BOOLEAN -> out.bool(row.getBoolean(at));
                case BINARY -> out.binary(row.getBinary(at));
                case NULL -> out.missing();
                case TEXT -> {
                    byte[] utf8 = row.getUTF8String(at).getBytes();
                    out.utf8(utf8, 0, utf8.length);
                }
            }
        }
        return out;
    }
}
