package io.rankfeed.spark.file;

import static org.apache.spark.sql.functions.shiftleft;
import static org.apache.spark.sql.functions.shiftright;

import org.apache.spark.sql.Column;

/**
 * The address of a row in a list of files, as one number that sorts by file and row: the file's number in the upper 24 bits, the
 * row's in the lower 40. Addresses of file numbers from 0 on are not negative.
 */
public final class FileRow {
    private static final int ROW_BITS = 40;

    private FileRow() {}

    public static long of(int file, long row) {
        return ((long) file << ROW_BITS) + row;
    }

    public static Column of(Column file, Column row) {
        return shiftleft(file.cast("long"), ROW_BITS).bitwiseOR(row);
    }

    /** The bytes of a row's number in the opposite order: it sorts as numbers do whose low byte is first. */
    public static long reversed(long row) {
        return Long.reverseBytes(row) >>> (Long.SIZE - ROW_BITS);
    }

    public static int file(long address) {
        return (int) (address >>> ROW_BITS);
    }

    public static Column file(Column address) {
        return shiftright(address, ROW_BITS).cast("int");
    }

    public static long row(long address) {
        return address & ((1L << ROW_BITS) - 1);
    }
}
