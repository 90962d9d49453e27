package io.rankfeed.importing.format;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.cache.FileBytes;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Printable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header of an array file of NumPy, versions 1 to 3.
 *
 * @param shape the dimensions, slowest first; none of them is negative
 * @param valuesOffset offset of the first element in the file, in bytes
 */
record NpyHeader(DType dtype, List<Long> shape, long valuesOffset) {
    private static final byte[] MAGIC = "\u0093NUMPY".getBytes(StandardCharsets.ISO_8859_1);
    private static final int PREFIX_BYTES = 8;
    /** NumPy itself reads at most 10,000 characters. */
    private static final int MAX_HEADER_BYTES = 1 << 16;

    /** The dictionary that NumPy writes; the keys are sorted. Versions of Python 2 wrote long integers as {@code 3L}. */
    private static final Pattern DICTIONARY = Pattern.compile("\\{\\s*'descr':\\s*(?:'([^']*)'|(\\[.*\\]))\\s*,"
            + "\\s*'fortran_order':\\s*(True|False)\\s*,\\s*'shape':\\s*\\(([0-9L,\\s]*)\\)\\s*,?\\s*\\}\\s*");

    private static final Map<String, DType> TYPES = Map.ofEntries(
            Map.entry("b1", DType.BOOL),
            Map.entry("i1", DType.INT8),
            Map.entry("u1", DType.UINT8),
            Map.entry("i2", DType.INT16),
            Map.entry("u2", DType.UINT16),
            Map.entry("i4", DType.INT32),
            Map.entry("u4", DType.UINT32),
            Map.entry("i8", DType.INT64),
            Map.entry("u8", DType.UINT64),
            Map.entry("f2", DType.FLOAT16),
            Map.entry("f4", DType.FLOAT32),
            Map.entry("f8", DType.FLOAT64));

    /**
     * Reads the header, and compares it with the length of the file.
     *
     * @throws CorruptDataException if the file is not an array, or has another length
     * @throws io.rankfeed.schema.failure.ConfigException if it is one whose samples cannot be read by offset
     */
    static NpyHeader read(FileBytes file) {
        long lengthBytes = file.lengthBytes();
        if (lengthBytes < PREFIX_BYTES + 4) {
            throw file.damage(0, "is not an array of NumPy: it has " + lengthBytes + " bytes");
        }
        ByteBuffer prefix = file.read(0, PREFIX_BYTES + 4L, "the header");
        for (byte expected : MAGIC) {
            if (prefix.get() != expected) {
                throw file.damage(0, "is not an array of NumPy: no \\x93NUMPY");
            }
        }
        int version = prefix.get();
        int minor = prefix.get();
        if (version < 1 || version > 3 || minor != 0) {
            throw file.damage(6, "is an array of NumPy's format " + version + "." + minor + "; 1.0 to 3.0 are read");
        }
        long length = version == 1 ? prefix.getShort() & 0xFFFF : prefix.getInt() & 0xFFFFFFFFL;
        int at = PREFIX_BYTES + (version == 1 ? 2 : 4);
        if (length > MAX_HEADER_BYTES || length > lengthBytes - at) {
            throw file.damage(
                    PREFIX_BYTES, "a header of " + length + " bytes does not fit into the array's " + lengthBytes);
        }
        byte[] text = new byte[(int) length];
        file.read(at, length, "the header").get(text);
        return parse(file, at, new String(text, StandardCharsets.ISO_8859_1), lengthBytes - at - length);
    }

    /** @param at offset of the text in the file */
    private static NpyHeader parse(FileBytes file, long at, String text, long valuesBytes) {
        Matcher dictionary = DICTIONARY.matcher(text);
        if (!dictionary.matches()) {
            throw file.damage(
                    at, "the header is not a dictionary of descr, fortran_order and shape: " + Printable.of(text));
        }
        String descr = dictionary.group(1);
        DType dtype = dtype(file, descr == null ? dictionary.group(2) : descr);
        List<Long> shape = new ArrayList<>();
        long elements = 1;
        for (String dim : dictionary.group(4).split(",", -1)) {
            if (!dim.isBlank()) {
                long size = dimension(file, at, dim.strip());
                shape.add(size);
                elements = elements == 0 || size == 0 ? 0 : product(file, at, elements, size);
            }
        }
        if (dictionary.group(3).equals("True") && shape.size() > 1) {
            throw Folders.unsupported(
                    file, "is in Fortran order, in which rows are not contiguous; save numpy.ascontiguousarray(x)");
        }
        long bytes = product(file, at, elements, dtype.sizeBytes());
        if (bytes != valuesBytes) {
            throw file.damage(
                    at + text.length(),
                    "has " + valuesBytes + " bytes of values; its shape " + shape + " requires " + bytes);
        }
        return new NpyHeader(dtype, shape, at + text.length());
    }

    private static DType dtype(FileBytes file, String descr) {
        DType dtype = descr.length() == 3 ? TYPES.get(descr.substring(1)) : null;
        char order = descr.isEmpty() ? ' ' : descr.charAt(0);
        if (dtype == null) {
            throw Folders.unsupported(
                    file, "dtype " + Printable.of(descr) + " is unsupported; use numbers of 1 to 8 bytes");
        } else if (dtype.sizeBytes() == 1 ? "|<>=".indexOf(order) < 0 : order != '<') {
            throw Folders.unsupported(
                    file, "dtype " + Printable.of(descr) + " is unsupported: numbers must be little-endian");
        }
        return dtype;
    }

    private static long dimension(FileBytes file, long at, String text) {
        String digits = text.endsWith("L") ? text.substring(0, text.length() - 1) : text;
        if (!digits.matches("[0-9]{1,18}")) {
            throw file.damage(at, "'" + Printable.of(text) + "' is not a dimension");
        }
        return Long.parseLong(digits);
    }

    private static long product(FileBytes file, long at, long a, long b) {
        if (a != 0 && b > Long.MAX_VALUE / a) {
            throw file.damage(at, "the shape has 2^63 bytes or more");
        }
        return a * b;
    }
}
