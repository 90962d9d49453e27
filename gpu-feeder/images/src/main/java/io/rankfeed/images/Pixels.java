package io.rankfeed.images;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.opencv_core.Mat;

/**
 * An OpenCV matrix whose header points to other memory for each image. OpenCV writes there without an allocation if
 * size and type match the header. Its own memory grows until it is freed.
 */
final class Pixels implements AutoCloseable {
    private static final long ALIGNMENT_BYTES = 64;

    private final int type;
    private final int pixelBytes;
    private final Mat mat;
    private final MatHeader header;
    private Arena arena = Arena.ofShared();
    private MemorySegment memory = MemorySegment.NULL;
    private long target;

    /** Creates an empty RGB image of three 8-bit channels. */
    static Pixels rgb() {
        return new Pixels(opencv_core.CV_8UC3, 3, new Mat());
    }

    /** Creates an empty gray image of one 8-bit channel. */
    static Pixels gray() {
        return gray(new Mat());
    }

    /** @param mat empty; may be an element of something that owns it */
    static Pixels gray(Mat mat) {
        return new Pixels(opencv_core.CV_8UC1, 1, mat);
    }

    /** Creates an empty matrix of doubles. */
    static Pixels matrix() {
        return new Pixels(opencv_core.CV_64FC1, Double.BYTES, new Mat());
    }

    private Pixels(int type, int pixelBytes, Mat mat) {
        this.type = type;
        this.pixelBytes = pixelBytes;
        this.mat = mat;
        this.header = new MatHeader(mat);
    }

    /** Points the header to the memory of this object, which is enlarged if the image does not fit. */
    Pixels own(int height, int width) {
        long bytes = (long) height * width * pixelBytes;
        if (memory.byteSize() < bytes) {
            Arena larger = Arena.ofShared();
            try {
                memory = larger.allocate(bytes, ALIGNMENT_BYTES);
            } catch (OutOfMemoryError e) {
                larger.close();
                throw e;
            }
            arena.close();
            arena = larger;
        }
        return pointTo(memory.address(), height, width, (long) width * pixelBytes);
    }

    /** Points the header to memory of another owner, which must stay valid while it is used. */
    Pixels pointTo(long address, int height, int width, long rowBytes) {
        if (!isAtTarget()) {
            mat.release();
        }
        header.pointTo(type, pixelBytes, address, height, width, rowBytes);
        target = address;
        return this;
    }

    /** Whether the image is in the memory that the header was pointed to; else OpenCV allocated other memory. */
    private boolean isAtTarget() {
        return header.data() == target;
    }

    /** Whether an address is in the memory that this object owns. */
    boolean holds(long address) {
        return address >= memory.address() && address < memory.address() + memory.byteSize();
    }

    Mat mat() {
        return mat;
    }

    int height() {
        return header.rows();
    }

    int width() {
        return header.cols();
    }

    long rowBytes() {
        return header.rowBytes();
    }

    /** Address of the first pixel. */
    long address() {
        return header.data();
    }

    /** The memory from the first byte of the first pixel to the last byte of the last pixel; rows may have gaps between them. */
    @SuppressWarnings("restricted") // where OpenCV says that the image is
    MemorySegment bytes() {
        return MemorySegment.ofAddress(address())
                .reinterpret(rowBytes() * (height() - 1) + (long) width() * pixelBytes);
    }

    /** @param to receives the pixels without gaps; has exactly their size */
    void copyTo(MemorySegment to) {
        MemorySegment from = bytes();
        long length = (long) width() * pixelBytes;
        if (length == rowBytes()) {
            MemorySegment.copy(from, 0, to, 0, from.byteSize());
            return;
        }
        for (int y = 0; y < height(); y++) {
            MemorySegment.copy(from, y * rowBytes(), to, y * length, length);
        }
    }

    /** The size of the memory that this object owns, in bytes. */
    long ownBytes() {
        return memory.byteSize();
    }

    /** Frees the memory that this object owns and that of OpenCV. */
    void free() {
        forget();
        arena = Arena.ofShared();
        memory = MemorySegment.NULL;
    }

    /** Releases the memory; the owner of the matrix frees the header. */
    void forget() {
        pointTo(0, 1, 1, 1);
        arena.close();
    }

    @Override
    public void close() {
        forget();
        mat.deallocate();
    }
}
