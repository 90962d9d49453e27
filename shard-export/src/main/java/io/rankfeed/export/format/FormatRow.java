package io.rankfeed.export.format;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The values of one row by field, filled again for each row: {@link #begin}, one {@code put…} for each field in any order,
 * {@link #end}. Arrays are not copied; they must not change before the row is written.
 */
public final class FormatRow {
    private static final byte[] NOTHING = new byte[0];

    private enum State {
        UNSET,
        MISSING,
        PRESENT
    }

    private final List<Field> fields;
    private final State[] states;
    private final boolean[] numbers;
    private final Field.Kind[] kinds;
    /** By field, what the length of a value is a multiple of, or is equal to if its size is fixed. */
    private final int[] strides;

    private final long[] bits;
    private final byte[][] arrays;
    private final int[] offsets;
    private final int[] lengths;
    private long rowId;

    public FormatRow(SampleSchema schema) {
        fields = schema.fields();
        int count = fields.size();
        states = new State[count];
        numbers = new boolean[count];
        kinds = new Field.Kind[count];
        strides = new int[count];
        bits = new long[count];
        arrays = new byte[count][];
        offsets = new int[count];
        lengths = new int[count];
        for (int field = 0; field < count; field++) {
            numbers[field] = Format.isNumber(fields.get(field));
            kinds[field] = fields.get(field).kind();
            strides[field] = fields.get(field).strideBytes();
            lengths[field] = fields.get(field).dtype().sizeBytes();
        }
    }

    public void begin(long id) {
        rowId = id;
        Arrays.fill(states, State.UNSET);
    }

    /** A scalar of any numeric type: its low bits, as many as the type is wide. */
    public void putBits(int field, long value) {
        if (!numbers[field]) {
            throw new IllegalArgumentException("column '" + fields.get(field).name() + "' is not a scalar");
        }
        bits[field] = value;
        states[field] = State.PRESENT;
    }

    /**
     * A value that is bytes already: a tensor packed row-major and little-endian, UTF-8, binary, or a list of these as
     * {@link PackedList}.
     *
     * @throws CorruptDataException if that many bytes are not a value of the field, or a string is not UTF-8
     */
    public void putBytes(int field, byte[] value, int offset, int lengthBytes) {
        Field declared = fields.get(field);
        int stride = strides[field];
        boolean fits = kinds[field] == Field.Kind.FIXED ? lengthBytes == stride : lengthBytes % stride == 0;
        if (numbers[field] || !fits) {
            throw new CorruptDataException(
                    "column '" + declared.name() + "'",
                    "a value of " + lengthBytes + " bytes is not a valid "
                            + declared.dtype().id() + " " + declared.shape());
        }
        if (declared.dtype() == DType.STRING) {
            requireText(field, value, offset, lengthBytes);
        }
        arrays[field] = value;
        offsets[field] = offset;
        lengths[field] = lengthBytes;
        states[field] = State.PRESENT;
    }

    /** Readers of strings and of the metadata refuse all rows of a file for one that is not UTF-8. */
    private void requireText(int field, byte[] value, int offset, int lengthBytes) {
        boolean isText = true;
        if (kinds[field] == Field.Kind.LIST) {
            PackedList list = new PackedList(value, offset, lengthBytes);
            int at = list.valuesOffset();
            for (int item = 0; item < list.count(); item++) {
                isText &= isText(value, at, list.itemLength(item));
                at += list.itemLength(item);
            }
        } else {
            isText = isText(value, offset, lengthBytes);
        }
        if (!isText) {
            throw new CorruptDataException(
                    "column '" + fields.get(field).name() + "'",
                    "the string in row " + rowId + " is not UTF-8; cast the column to binary in the query");
        }
    }

    private static boolean isText(byte[] bytes, int offset, int lengthBytes) {
        int end = offset + lengthBytes;
        int at = offset;
        while (at < end && bytes[at] >= 0) {
            at++;
        }
        if (at == end) {
            return true;
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, at, end - at));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /** @throws CorruptDataException if the field may not be without a value */
    public void putMissing(int field) {
        if (!fields.get(field).nullable()) {
            throw new CorruptDataException(
                    "column '" + fields.get(field).name() + "'",
                    "has no value in row " + rowId + ", but is not nullable");
        }
        states[field] = State.MISSING;
    }

    /** @throws IllegalStateException if a field has neither a value nor is missing */
    public void end() {
        for (int field = 0; field < states.length; field++) {
            if (states[field] == State.UNSET) {
                throw new IllegalStateException(
                        "column '" + fields.get(field).name() + "' has no value at the end of row " + rowId);
            }
        }
    }

    public long rowId() {
        return rowId;
    }

    public boolean isMissing(int field) {
        return states[field] != State.PRESENT;
    }

    /** The low bits of a scalar; those above the width of its type are undefined. */
    public long bits(int field) {
        return bits[field];
    }

    /** The array that has the value, from {@link #offset} on; empty if it is missing. */
    public byte[] array(int field) {
        return isMissing(field) ? NOTHING : arrays[field];
    }

    public int offset(int field) {
        return isMissing(field) ? 0 : offsets[field];
    }

    /** Bytes of the value, of scalars too; 0 if it is missing. */
    public int lengthBytes(int field) {
        return isMissing(field) ? 0 : lengths[field];
    }

    /** The items of a list. */
    public PackedList list(int field) {
        return new PackedList(arrays[field], offsets[field], lengths[field]);
    }

    /** Appends the value: a scalar little-endian, otherwise its bytes; nothing if it is missing. */
    public void appendTo(ByteBuilder target, int field) {
        if (isMissing(field)) {
            return;
        }
        if (numbers[field]) {
            target.putBits(bits[field], lengths[field]);
        } else {
            target.put(arrays[field], offsets[field], lengths[field]);
        }
    }
}
