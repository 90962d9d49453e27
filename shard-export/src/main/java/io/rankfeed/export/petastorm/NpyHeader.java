package io.rankfeed.export.petastorm;

import io.rankfeed.schema.failure.Printable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The head of the bytes that {@code np.save} writes.
 *
 * <pre>
 *   0  0x93 "NUMPY"    6  u8 major, u8 minor    8  u16 (major 1) or u32 length of the text
 *   …  {'descr': '&lt;f4', 'fortran_order': False, 'shape': (3, 4), } spaces LF    then the elements
 * </pre>
 *
 * @param order {@code <}, {@code >}, {@code =} or {@code |}
 * @param code kind and size of an element, as {@code f4} or {@code U7}
 * @param lengthBytes of the head
 */
record NpyHeader(char order, String code, boolean fortran, List<Integer> shape, int lengthBytes) {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    private static final int MAGIC_BYTES = 6;
    private static final int ALIGNMENT = 64;
    private static final int MAX_TEXT_BYTES = 4096;
    private static final int VARIABLE_DIGITS = 10;

    /** The header as numpy writes it: no other key, no structured type. */
    private static final Pattern TEXT = Pattern.compile("\\{'descr': '([<>=|])([A-Za-z][0-9]{1,9})',"
            + " 'fortran_order': (True|False), 'shape': \\(((?:[0-9]{1,10}L?,? ?)*+)\\),? *\\}\\s*");

    /** @throws Unfit if these bytes are no array */
    static NpyHeader parse(byte[] npy) throws Unfit {
        if (npy.length < 12 || !Arrays.equals(npy, 0, MAGIC_BYTES, MAGIC, 0, MAGIC_BYTES)) {
            throw new Unfit("is not an array as np.save writes it");
        }
        int sizeBytes = npy[6] == 1 ? 2 : 4;
        long length = 0;
        for (int i = 0; i < sizeBytes; i++) {
            length |= (npy[8 + i] & 0xFFL) << (8 * i);
        }
        int start = 8 + sizeBytes;
        if (npy[6] < 1 || npy[6] > 3 || length > MAX_TEXT_BYTES || length > npy.length - start) {
            throw new Unfit("has an array's head of version " + npy[6] + " and " + length + " bytes");
        }
        String text = new String(npy, start, (int) length, StandardCharsets.ISO_8859_1);
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new Unfit("has an array's head that is none of numbers or text: " + Printable.of(text));
        }
        return new NpyHeader(
                matcher.group(1).charAt(0),
                matcher.group(2),
                matcher.group(3).equals("True"),
                shape(matcher.group(4)),
                start + (int) length);
    }

    private static List<Integer> shape(String text) throws Unfit {
        try {
            return Arrays.stream(text.split("[L, ]+", -1))
                    .filter(dim -> !dim.isEmpty())
                    .map(Integer::parseInt)
                    .toList();
        } catch (NumberFormatException e) {
            throw new Unfit("has an array of a shape beyond 2^31");
        }
    }

    /**
     * The length in bytes of the header that {@link #write} makes for a column's arrays: the same for every row, so
     * that it can be removed without being read.
     *
     * @param dims shape of one row, -1 where it is variable
     */
    static int lengthBytes(NumpyType type, List<Integer> dims) {
        List<String> widest = dims.stream()
                .map(dim -> dim < 0 ? "9".repeat(VARIABLE_DIGITS) : Integer.toString(dim))
                .toList();
        int needed = MAGIC.length + 2 + text(type, widest).length() + 1;
        return (needed + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /** Puts the head before the elements; {@code lengthBytes} is what {@link #lengthBytes} says of the column. */
    static byte[] write(NumpyType type, List<Integer> shape, int lengthBytes, byte[] elements) {
        byte[] npy = new byte[lengthBytes + elements.length];
        Arrays.fill(npy, 0, lengthBytes, (byte) ' ');
        System.arraycopy(MAGIC, 0, npy, 0, MAGIC.length);
        int textBytes = lengthBytes - MAGIC.length - 2;
        npy[MAGIC.length] = (byte) textBytes;
        npy[MAGIC.length + 1] = (byte) (textBytes >> 8);
        byte[] text = text(type, shape.stream().map(Object::toString).toList()).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, npy, MAGIC.length + 2, text.length);
        npy[lengthBytes - 1] = '\n';
        System.arraycopy(elements, 0, npy, lengthBytes, elements.length);
        return npy;
    }

    private static String text(NumpyType type, List<String> shape) {
        String dims = shape.stream().map(dim -> dim + ",").collect(Collectors.joining(" "));
        // numpy writes (3,) and (3, 4).
        String tuple = shape.size() > 1 ? dims.substring(0, dims.length() - 1) : dims;
        char order = type.code().endsWith("1") ? '|' : '<';
        return "{'descr': '" + order + type.code() + "', 'fortran_order': False, 'shape': (" + tuple + "), }";
    }
}
