package io.rankfeed.export.format.record;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.NumpyType;
import io.rankfeed.schema.Field;
import java.util.List;

/** The head of {@code .npy} before a column's arrays. As long as numpy's own, and the same but for the first dimension. */
final class NpyHead {
    private static final int ALIGNMENT = 64;
    /** Magic, version and the length of the text. */
    private static final int TEXT_AT = 10;

    private final Field field;
    private final String before;
    private final String after;
    /** The head of the last value, which most often has the length of the next. */
    private byte[] last = new byte[0];

    private int lastLengthBytes = -1;

    NpyHead(Field field) {
        this.field = field;
        List<Integer> dims = field.shape().dims();
        boolean variable = field.shape().isVariable();
        StringBuilder others = new StringBuilder();
        for (int dim : dims.subList(variable ? 1 : 0, dims.size())) {
            others.append(others.isEmpty() && !variable ? "" : ", ").append(dim);
        }
        before = "{'descr': '" + NumpyType.of(field.dtype()) + "', 'fortran_order': False, 'shape': (";
        after = others + (dims.size() == 1 ? ",), }" : "), }");
    }

    /** Appends the head of a value of this many bytes. */
    void append(int lengthBytes, ByteBuilder to) {
        if (lengthBytes != lastLengthBytes) {
            last = head(field.shape().isVariable() ? Integer.toString(lengthBytes / field.strideBytes()) : "");
            lastLengthBytes = lengthBytes;
        }
        to.put(last);
    }

    private byte[] head(String first) {
        String text = before + first + after;
        int padded = (TEXT_AT + text.length() + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - TEXT_AT;
        ByteBuilder head = new ByteBuilder()
                .put((byte) 0x93)
                .putAscii("NUMPY")
                .put((byte) 1)
                .put((byte) 0);
        head.putShort((short) padded).putAscii(text);
        return head.putAscii(" ".repeat(padded - text.length() - 1))
                .put((byte) '\n')
                .toByteArray();
    }
}
