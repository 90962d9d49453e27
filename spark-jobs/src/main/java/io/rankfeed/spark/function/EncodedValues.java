package io.rankfeed.spark.function;

import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.spark.engine.Argument;
import io.rankfeed.spark.tensor.ScalarKind;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/** Writes arguments in the encoding of keys (docs/format/plan.md, section 10). */
final class EncodedValues implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The kind of each value; null for the type of a NULL literal. */
    private final @Nullable ScalarKind[] kinds;

    private final int first;

    /** @param first how many arguments are before those that are encoded */
    private EncodedValues(@Nullable ScalarKind[] kinds, int first) {
        this.kinds = kinds;
        this.first = first;
    }

    static EncodedValues of(String function, List<Argument> arguments, int first) {
        @Nullable ScalarKind[] kinds = new ScalarKind[arguments.size() - first];
        for (int i = 0; i < kinds.length; i++) {
            Argument argument = arguments.get(first + i);
            kinds[i] = argument.isNull() ? null : kind(function, argument);
        }
        return new EncodedValues(kinds, first);
    }

    private static ScalarKind kind(String function, Argument argument) {
        return argument.isText()
                ? ScalarKind.STRING
                : ScalarKind.of(argument.type())
                        .filter(kind -> !kind.isReal())
                        .orElseThrow(() -> argument.refused(
                                function, "a value", "an integer, string, binary or boolean: cast it"));
    }

    KeyEncoding of(InternalRow row) {
        KeyEncoding out = new KeyEncoding();
        for (int i = 0; i < kinds.length; i++) {
            int at = first + i;
            ScalarKind kind = kinds[i];
            if (kind == null || row.isNullAt(at)) {
                out.missing();
            } else if (kind == ScalarKind.STRING) {
                byte[] utf8 = row.getUTF8String(at).getBytes();
                out.utf8(utf8, 0, utf8.length);
            } else if (kind == ScalarKind.BINARY) {
                out.binary(row.getBinary(at));
            } else if (kind == ScalarKind.BOOLEAN) {
                out.bool(row.getBoolean(at));
            } else {
                out.integer(kind.bits(row, at));
            }
        }
        return out;
    }
}
