package io.rankfeed.images;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.bytedeco.opencv.opencv_core.Mat;

/**
 * The bytes of {@code cv::Mat} (OpenCV 4, 64-bit), for what the Java binding does only with one object per call. Compared with
 * the binding before it is used.
 *
 * <pre>
 *   0        4        8        12       16       24         32       40         48         56  64     72      80       88
 *   +--------+--------+--------+--------+--------+----------+--------+----------+----------+---+------+-------+--------+--------+
 *   | flags  | dims   | rows   | cols   | data   | datastart| dataend| datalimit| allocator| u | size | step.p| step[0]| step[1]|
 *   | i32    | i32    | i32    | i32    | address| address  | address| address  | address  |   |      |       | u64    | u64    |
 *   +--------+--------+--------+--------+--------+----------+--------+----------+----------+---+------+-------+--------+--------+
 * </pre>
 */
final class MatHeader {
    private static final int FLAGS = 0;
    private static final int DIMS = 4;
    private static final int ROWS = 8;
    private static final int COLS = 12;
    private static final int DATA = 16;
    private static final int DATA_START = 24;
    private static final int DATA_END = 32;
    private static final int DATA_LIMIT = 40;
    private static final int STEP_0 = 80;
    private static final int STEP_1 = 88;
    private static final int BYTES = 96;

    private static final int MAGIC = 0x42FF0000;
    private static final int CONTINUOUS = 1 << 14;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final MemorySegment bytes;

    /** @param mat must outlive this */
    @SuppressWarnings("restricted") // a C++ object of the size above
    MatHeader(Mat mat) {
        bytes = MemorySegment.ofAddress(mat.address()).reinterpret(BYTES);
    }

    /** Whether this build of OpenCV has the layout above. */
    static boolean isAsExpected(int type, int pixelBytes) {
        try (Mat mat = new Mat(3, 5, type)) {
            MatHeader header = new MatHeader(mat);
            boolean isSame = header.rows() == 3
                    && header.cols() == 5
                    && header.data() == mat.data().address()
                    && header.rowBytes() == 5L * pixelBytes
                    && header.bytes.get(LONG, STEP_1) == pixelBytes
                    && header.bytes.get(LONG, DATA_START) == mat.datastart().address()
                    && header.bytes.get(LONG, DATA_END) == mat.dataend().address()
                    && header.bytes.get(LONG, DATA_LIMIT) == mat.datalimit().address()
                    && header.bytes.get(INT, DIMS) == 2
                    && header.bytes.get(INT, FLAGS) == (MAGIC | CONTINUOUS | type);
            mat.release();
            return isSame;
        }
    }

    /** Points the matrix to memory that it does not own. */
    void pointTo(int type, int pixelBytes, long address, int height, int width, long rowBytes) {
        boolean isContinuous = rowBytes == (long) width * pixelBytes || height == 1;
        long end = address + rowBytes * (height - 1) + (long) width * pixelBytes;
        bytes.set(INT, FLAGS, MAGIC | type | (isContinuous ? CONTINUOUS : 0));
        bytes.set(INT, DIMS, 2);
        bytes.set(INT, ROWS, height);
        bytes.set(INT, COLS, width);
        bytes.set(LONG, DATA, address);
        bytes.set(LONG, DATA_START, address);
        bytes.set(LONG, DATA_END, end);
        bytes.set(LONG, DATA_LIMIT, end);
        bytes.set(LONG, STEP_0, rowBytes);
        bytes.set(LONG, STEP_1, pixelBytes);
    }

    int rows() {
        return bytes.get(INT, ROWS);
    }

    int cols() {
        return bytes.get(INT, COLS);
    }

    /** Address of the first pixel. */
    long data() {
        return bytes.get(LONG, DATA);
    }

    /** The distance between the starts of two consecutive rows, in bytes; includes padding at the end of a row. */
    long rowBytes() {
        return bytes.get(LONG, STEP_0);
    }
}
