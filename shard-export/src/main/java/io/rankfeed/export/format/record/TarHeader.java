package io.rankfeed.export.format.record;

import io.rankfeed.schema.failure.ConfigException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The header of a regular file in a USTAR archive: 0444, owner {@code bigdata} as the library's writer has, time 0. Only
 * name, size and checksum differ from row to row.
 */
final class TarHeader {
    static final int BYTES = 512;
    static final byte[] ZEROS = new byte[2 * BYTES];

    private static final int NAME_BYTES = 100;
    private static final int ID_DIGITS = 20;
    private static final int SIZE_AT = 124;
    private static final int SIZE_DIGITS = 11;
    private static final int CHECKSUM_AT = 148;
    private static final int CHECKSUM_DIGITS = 6;

    private final byte[] suffix;
    private final byte[] header = new byte[BYTES];
    /** The sum of all bytes but name and size. */
    private final int sum;

    /** @param suffix the end of the name, after the row id */
    TarHeader(String suffix) {
        this.suffix = suffix.getBytes(StandardCharsets.US_ASCII);
        if (this.suffix.length > NAME_BYTES - ID_DIGITS) {
            throw new ConfigException("format webdataset: extension '" + suffix.substring(1) + "' has more than "
                    + (NAME_BYTES - ID_DIGITS - 1) + " characters; set a shorter one in extensions");
        }
        put(100, "0000444\0");
        put(108, "0000000\0");
        put(116, "0000000\0");
        put(136, "00000000000\0");
        put(CHECKSUM_AT, "        ");
        put(156, "0");
        put(257, "ustar\00000");
        put(265, "bigdata");
        put(297, "bigdata");
        put(329, "0000000\0");
        put(337, "0000000\0");
        int total = 0;
        for (byte b : header) {
            total += b;
        }
        sum = total;
        put(CHECKSUM_AT + CHECKSUM_DIGITS, "\0 ");
    }

    /** Returns the header, which is valid until the next call. */
    byte[] of(long rowId, long length) {
        int at = putDecimal(rowId);
        System.arraycopy(suffix, 0, header, at, suffix.length);
        Arrays.fill(header, at + suffix.length, NAME_BYTES, (byte) 0);
        putOctal(SIZE_AT, SIZE_DIGITS, length);
        int total = sum;
        for (int i = 0; i < at + suffix.length; i++) {
            total += header[i];
        }
        for (int i = SIZE_AT; i < SIZE_AT + SIZE_DIGITS; i++) {
            total += header[i];
        }
        putOctal(CHECKSUM_AT, CHECKSUM_DIGITS, total);
        return header;
    }

    /** Zeros after this many bytes. */
    static int padding(long length) {
        return (int) (-length & (BYTES - 1));
    }

    private int putDecimal(long value) {
        String digits = Long.toString(value);
        for (int i = 0; i < digits.length(); i++) {
            header[i] = (byte) digits.charAt(i);
        }
        return digits.length();
    }

    private void putOctal(int at, int digits, long value) {
        long left = value;
        for (int i = at + digits - 1; i >= at; i--) {
            header[i] = (byte) ('0' + (left & 7));
            left >>>= 3;
        }
    }

    private void put(int at, String ascii) {
        byte[] bytes = ascii.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
