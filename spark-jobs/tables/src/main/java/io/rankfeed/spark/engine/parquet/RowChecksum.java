package io.rankfeed.spark.engine.parquet;

import io.rankfeed.spark.engine.TensorMetadata;
import io.rankfeed.spark.tensor.ScalarKind;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The checksums of a prepared row: over its values and its number in the file, so that a reader of row n can check that
 * the values are those of row n. There is one for each group of columns, so that a subset of the columns can be checked
 * alone. Format: docs/format/manifest.md, section 9. Travels to the tasks.
 */
public final class RowChecksum implements Serializable {
    /** The column of the prepared table. */
    public static final String COLUMN = "_checksum";

    private static final long serialVersionUID = 1L;

    /** The columns that begin every checksum, in this order. */
    private static final List<String> PROVENANCE = List.of("_row_id", "_source", "_source_row");

    /** Groups of numbers, and groups of strings and binary. */
    private static final int MAX_GROUPS = 8;

    private static final int NUMBERS_TOGETHER = 16;

    /** A column and where rows have it. */
    private record Value(String name, ScalarKind kind, int ordinal, int headBytes) implements Serializable {}

    private final Value[][] groups;
    private final int[] provenance;
    private final int stored;

    private RowChecksum(Value[][] groups, int[] provenance, int stored) {
        this.groups = groups;
        this.provenance = provenance;
        this.stored = stored;
    }

    /** The field that a file's schema ends with. */
    public static StructField field() {
        return DataTypes.createStructField(COLUMN, DataTypes.BinaryType, false);
    }

    /** The checksums over rows with the columns of a file, in their order; empty if the file has no checksums. */
    public static Optional<RowChecksum> in(StructType file) {
        List<String> names = Arrays.asList(file.fieldNames());
        if (!names.contains(COLUMN)) {
            return Optional.empty();
        }
        List<Value> numbers = new ArrayList<>();
        List<Value> bytes = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            StructField field = file.apply(i);
            if (PROVENANCE.contains(field.name()) || field.name().equals(COLUMN)) {
                continue;
            }
            ScalarKind kind = ScalarKind.of(field.dataType())
                    .orElseThrow(() -> new IllegalArgumentException("no prepared column is " + field));
            int headBytes =
                    TensorMetadata.of(field).map(TensorMetadata::headBytes).orElse(0);
            (kind.isBytes() ? bytes : numbers).add(new Value(field.name(), kind, i, headBytes));
        }
        Value[][] groups = Stream.concat(
                        grouped(numbers, (numbers.size() + NUMBERS_TOGETHER - 1) / NUMBERS_TOGETHER),
                        grouped(bytes, bytes.size()))
                .toArray(Value[][]::new);
        return Optional.of(new RowChecksum(groups, ordinals(names), names.indexOf(COLUMN)));
    }

    /** Adjacent columns, in groups of nearly equal size. */
    private static Stream<Value[]> grouped(List<Value> values, int wanted) {
        int count = Math.min(wanted, MAX_GROUPS);
        return IntStream.range(0, count)
                .mapToObj(group -> values.subList(group * values.size() / count, (group + 1) * values.size() / count)
                        .toArray(Value[]::new));
    }

    private static int[] ordinals(List<String> names) {
        return PROVENANCE.stream().mapToInt(names::indexOf).toArray();
    }

    /** Returns all columns of the groups that contain a wanted column. */
    public List<String> columnsWith(Collection<String> wanted) {
        return Arrays.stream(groups)
                .filter(group -> names(group).stream().anyMatch(wanted::contains))
                .flatMap(group -> names(group).stream())
                .toList();
    }

    private static List<String> names(Value[] group) {
        return Arrays.stream(group).map(Value::name).toList();
    }

    /**
     * The checksums over rows with other columns, tensors without headers. Groups that lack a column are not checked.
     *
     * @param columns of the rows, in their order
     */
    public RowChecksum over(List<String> columns) {
        Value[][] moved = Arrays.stream(groups)
                .map(group -> columns.containsAll(names(group)) ? group : new Value[0])
                .map(group -> Arrays.stream(group)
                        .map(value -> new Value(value.name(), value.kind(), columns.indexOf(value.name()), 0))
                        .toArray(Value[]::new))
                .toArray(Value[][]::new);
        return new RowChecksum(moved, ordinals(columns), columns.indexOf(COLUMN));
    }

    /** Returns the state for one task. */
    public Computation open() {
        return new Computation();
    }

    /** Computes the checksums of one row after the other. */
    public final class Computation {
        private static final int LARGEST_BYTES = 1 + Long.BYTES;

        private final CRC32C crc = new CRC32C();
        private final ByteBuffer small = ByteBuffer.allocate(512).order(ByteOrder.LITTLE_ENDIAN);
        private final ByteBuffer checksums =
                ByteBuffer.allocate(Integer.BYTES * groups.length).order(ByteOrder.LITTLE_ENDIAN);

        private Computation() {}

        /**
         * The checksums of a row, valid until the next call.
         *
         * @param number of the row in its file
         */
        public byte[] of(SpecializedGetters row, long number) {
            for (int group = 0; group < groups.length; group++) {
                if (groups[group].length > 0) {
                    checksums.putInt(Integer.BYTES * group, checksum(groups[group], row, number));
                }
            }
            return checksums.array();
        }

        /**
         * Compares a row with the checksums in it.
         *
         * @param number that the row must have in its file
         * @return the columns of the first group that differs; empty if the values are those of this row
         */
        public List<String> differing(SpecializedGetters row, long number) {
            byte[] expected = row.isNullAt(stored) ? new byte[0] : row.getBinary(stored);
            byte[] actual = of(row, number);
            for (int group = 0; group < groups.length; group++) {
                int at = Integer.BYTES * group;
                if (groups[group].length > 0
                        && (expected.length != actual.length
                                || !Arrays.equals(expected, at, at + Integer.BYTES, actual, at, at + Integer.BYTES))) {
                    return names(groups[group]);
                }
            }
            return List.of();
        }

        private int checksum(Value[] values, SpecializedGetters row, long number) {
            crc.reset();
            small.clear()
                    .putLong(number)
                    .putLong(row.getLong(provenance[0]))
                    .putInt(row.getInt(provenance[1]))
                    .putLong(row.getLong(provenance[2]));
            for (Value value : values) {
                if (small.remaining() < LARGEST_BYTES) {
                    flush();
                }
                if (row.isNullAt(value.ordinal())) {
                    small.put((byte) 0);
                } else if (value.kind().isBytes()) {
                    small.put((byte) 1);
                    bytes(row, value);
                } else {
                    small.put((byte) 1).putLong(bits(row, value));
                }
            }
            flush();
            return (int) crc.getValue();
        }

        /** Parquet's writer knows one NaN. */
        private static long bits(SpecializedGetters row, Value value) {
            return switch (value.kind()) {
                case FLOAT -> Float.floatToIntBits(row.getFloat(value.ordinal()));
                case DOUBLE -> Double.doubleToLongBits(row.getDouble(value.ordinal()));
                default -> value.kind().bits(row, value.ordinal());
            };
        }

        private void bytes(SpecializedGetters row, Value value) {
            // An unsafe row stores strings and binary in the same way, so no copy is needed.
            if (row instanceof UnsafeRow) {
                UTF8String text = row.getUTF8String(value.ordinal());
                if (text.getBaseObject() instanceof byte[] base) {
                    add(
                            base,
                            (int) (text.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET),
                            text.numBytes(),
                            value.headBytes());
                    return;
                }
            }
            byte[] copy = value.kind() == ScalarKind.STRING
                    ? row.getUTF8String(value.ordinal()).getBytes()
                    : row.getBinary(value.ordinal());
            add(copy, 0, copy.length, value.headBytes());
        }

        private void add(byte[] bytes, int from, int length, int headBytes) {
            small.putInt(length - headBytes);
            flush();
            crc.update(bytes, from + headBytes, length - headBytes);
        }

        private void flush() {
            crc.update(small.array(), 0, small.position());
            small.clear();
        }
    }
}
