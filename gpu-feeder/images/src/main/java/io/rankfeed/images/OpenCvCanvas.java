package io.rankfeed.images;

import static org.bytedeco.opencv.global.opencv_core.BORDER_CONSTANT;

import io.rankfeed.feeder.transform.step.Border;
import io.rankfeed.feeder.transform.step.Canvas;
import io.rankfeed.feeder.transform.step.Decode;
import io.rankfeed.feeder.transform.step.ImageShape;
import io.rankfeed.feeder.transform.step.Interpolation;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.feeder.transform.step.RejectedImageException;
import io.rankfeed.feeder.transform.step.RejectedImageException.Reason;
import io.rankfeed.schema.failure.Printable;
import io.rankfeed.schema.image.BrokenImageException;
import io.rankfeed.schema.image.Decoding;
import io.rankfeed.schema.image.ImageFile;
import io.rankfeed.schema.image.ImageHeader;
import io.rankfeed.schema.image.Resampler;
import io.rankfeed.schema.image.Resize;
import io.rankfeed.schema.image.RgbPixels;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgcodecs;
import org.bytedeco.opencv.global.opencv_imgproc;
import org.bytedeco.opencv.opencv_core.Mat;
import org.bytedeco.opencv.opencv_core.Point;
import org.bytedeco.opencv.opencv_core.Scalar;
import org.bytedeco.opencv.opencv_core.Size;

/** A canvas on OpenCV matrices: one native call per operation, in memory that no other process can truncate. */
final class OpenCvCanvas implements Canvas {
    private static final int CHANNELS = 3;
    private static final int LEVELS = 256;
    /** The number of hues in 8-bit HSV of OpenCV: steps of 2 degrees. */
    private static final int HUES = 180;

    private static final double TEXT_SCALE = 0.4;
    private static final int ACROSS = 1;
    private static final int UPSIDE_DOWN = 0;
    private static final int BOTH_WAYS = -1;

    private final Pixels file = Pixels.gray();
    private final Pixels source = Pixels.rgb();
    private final Pixels view = Pixels.rgb();
    private final Pixels one = Pixels.rgb();
    private final Pixels other = Pixels.rgb();
    private final Pixels colors = Pixels.rgb();
    private final Pixels gray = Pixels.gray();
    /** All buffers whose size depends on the image. */
    private final Pixels[] sized = {file, source, view, one, other, colors, gray};

    private final Pixels table = Pixels.gray().own(1, LEVELS);
    private final Pixels hsvTable = Pixels.rgb().own(1, LEVELS);
    private final Pixels matrix = Pixels.matrix().own(2, 3);
    private final Planes planes = new Planes();
    private final Size size = new Size();
    private final Scalar border = new Scalar();
    private final Resampler resampler = new Resampler();
    private byte[] samples = {};
    private byte[] resized = {};
    private final MappedPixels mapped = new MappedPixels();
    private boolean isMapped;
    private Pixels now = one;

    @Override
    public int width() {
        return isMapped ? mapped.width() : now.width();
    }

    @Override
    public int height() {
        return isMapped ? mapped.height() : now.height();
    }

    /** Returns the image in memory that native code may read; copies it there if it is in a mapped file. */
    private Pixels image() {
        if (isMapped) {
            isMapped = false;
            now = source.own(mapped.height(), mapped.width());
            mapped.copyTo(now.bytes());
        }
        return now;
    }

    @Override
    public void write(MemorySegment memory, long offset, ImageShape shape, PixelLayout layout) {
        if (height() != shape.height() || width() != shape.width()) {
            throw new IllegalStateException(
                    "an image of " + height() + " × " + width() + " pixels for a tensor of " + shape);
        }
        MemorySegment slot = memory.asSlice(offset, (long) shape.height() * shape.width() * CHANNELS);
        if (layout == PixelLayout.NCHW) {
            planes.write(image(), slot);
        } else if (isMapped) {
            mapped.copyTo(slot);
        } else {
            now.copyTo(slot);
        }
    }

    @Override
    public void decode(
            MemorySegment memory, long offset, int lengthBytes, ImageHeader header, int reduction, Decode options)
            throws RejectedImageException {
        isMapped = false;
        try {
            if (header.isDecodedInJava()) {
                decodeInJava(memory.asSlice(offset, lengthBytes).toArray(ValueLayout.JAVA_BYTE), options);
            } else {
                decodeNatively(FileCopy.of(file, memory, offset, lengthBytes, header), header, reduction, options);
                // OpenCV does not read the EXIF data of a WebP, which follows the pixels or has a prefix that OpenCV
                // does not know.
                if (header.format() == ImageHeader.Format.WEBP && options.orientation() == Decode.Orientation.APPLY) {
                    turn(header.orientation());
                }
            }
        } catch (BrokenImageException e) {
            throw RejectedImageException.of(e);
        }
    }

    private void decodeNatively(Pixels from, ImageHeader header, int reduction, Decode options)
            throws RejectedImageException {
        boolean applies =
                options.orientation() == Decode.Orientation.APPLY && header.format() != ImageHeader.Format.WEBP;
        // With IMREAD_COLOR_RGB the constants for gray mean the reduction alone; those for color ask for blue first.
        int flags = opencv_imgcodecs.IMREAD_COLOR_RGB
                | (applies ? 0 : opencv_imgcodecs.IMREAD_IGNORE_ORIENTATION)
                | switch (reduction) {
                    case 1 -> 0;
                    case 2 -> opencv_imgcodecs.IMREAD_REDUCED_GRAYSCALE_2;
                    case 4 -> opencv_imgcodecs.IMREAD_REDUCED_GRAYSCALE_4;
                    case 8 -> opencv_imgcodecs.IMREAD_REDUCED_GRAYSCALE_8;
                    default -> throw new IllegalArgumentException("reduction " + reduction);
                };
        now = source.own(Math.ceilDiv(header.height(), reduction), Math.ceilDiv(header.width(), reduction));
        try (Mat decoded = opencv_imgcodecs.imdecode(from.mat(), flags, source.mat())) {
            String error = NativeMessages.takeTiffError();
            if (decoded.empty() || !error.isEmpty()) {
                throw new RejectedImageException(
                        Reason.CORRUPTED,
                        "is corrupted: " + (error.isEmpty() ? "OpenCV cannot decode it" : Printable.of(error)));
            }
        } catch (RuntimeException e) {
            NativeMessages.takeTiffError();
            throw new RejectedImageException(
                    Reason.CORRUPTED, "is corrupted: " + Printable.of(String.valueOf(e.getMessage())));
        }
    }

    /** @param orientation of EXIF, 1 to 8 */
    private void turn(int orientation) {
        if (orientation >= 5) {
            Pixels from = now;
            now = one.own(/* height= */ from.width(), /* width= */ from.height());
            opencv_core.transpose(from.mat(), now.mat());
        }
        switch (orientation) {
            case 2, 6 -> flip(ACROSS);
            case 3, 7 -> flip(BOTH_WAYS);
            case 4, 8 -> flip(UPSIDE_DOWN);
            default -> {}
        }
    }

    private void decodeInJava(byte[] bytes, Decode options) throws BrokenImageException {
        Decoding decoding =
                new Decoding(options.orientation() == Decode.Orientation.APPLY, options.tolerateTruncated());
        try (ImageFile image = ImageFile.open(bytes)) {
            RgbPixels rgb = image.rgb(decoding);
            now = one.own(rgb.height(), rgb.width());
            MemorySegment.copy(rgb.bytes(), 0, now.bytes(), ValueLayout.JAVA_BYTE, 0, rgb.bytes().length);
        }
    }

    @Override
    public void view(MemorySegment memory, long offset, int height, int width) {
        mapped.pointTo(memory, offset, height, width);
        isMapped = true;
        now = source;
    }

    @Override
    public void crop(int x, int y, int width, int height) {
        if (x < 0 || y < 0 || width < 1 || height < 1 || x > width() - width || y > height() - height) {
            throw new IllegalArgumentException("crop of " + height + " × " + width + " at " + y + ", " + x
                    + " of an image of " + height() + " × " + width());
        }
        if (isMapped) {
            mapped.crop(x, y, width, height);
            return;
        }
        long rowBytes = now.rowBytes();
        now = view.pointTo(now.address() + y * rowBytes + (long) x * CHANNELS, height, width, rowBytes);
    }

    @Override
    public void resize(int width, int height, Interpolation interpolation) {
        size.width(width).height(height);
        Pixels from = image();
        Pixels out = out(height, width);
        opencv_imgproc.resize(from.mat(), out.mat(), size, 0, 0, flag(interpolation));
        now = out;
    }

    private static int flag(Interpolation interpolation) {
        return switch (interpolation) {
            case NEAREST -> opencv_imgproc.INTER_NEAREST;
            case BILINEAR -> opencv_imgproc.INTER_LINEAR;
            case BICUBIC -> opencv_imgproc.INTER_CUBIC;
            case AREA -> opencv_imgproc.INTER_AREA;
        };
    }

    @Override
    public void resizeAsPillow(int width, int height, Interpolation interpolation) {
        int rowBytes = width() * CHANNELS;
        samples = enough(samples, height() * rowBytes);
        resized = enough(resized, height * width * CHANNELS);
        Pixels image = image();
        MemorySegment from = image.bytes();
        for (int y = 0; y < height(); y++) {
            MemorySegment.copy(from, ValueLayout.JAVA_BYTE, y * image.rowBytes(), samples, y * rowBytes, rowBytes);
        }
        Resize filter = interpolation == Interpolation.BICUBIC ? Resize.BICUBIC : Resize.BILINEAR;
        resampler.resize(filter, samples, width(), height(), resized, width, height);
        Pixels out = out(height, width);
        MemorySegment.copy(resized, 0, out.bytes(), ValueLayout.JAVA_BYTE, 0, height * width * CHANNELS);
        now = out;
    }

    private static byte[] enough(byte[] bytes, int wanted) {
        return bytes.length < wanted ? new byte[wanted] : bytes;
    }

    @Override
    public void flipHorizontally() {
        flip(ACROSS);
    }

    @Override
    public void flipVertically() {
        flip(UPSIDE_DOWN);
    }

    private void flip(int code) {
        Pixels from = image();
        Pixels out = out(height(), width());
        opencv_core.flip(from.mat(), out.mat(), code);
        now = out;
    }

    @Override
    public void pad(int top, int bottom, int left, int right, int red, int green, int blue) {
        border.put(0, red).put(1, green).put(2, blue);
        Pixels from = image();
        Pixels out = out(height() + top + bottom, width() + left + right);
        // A view's neighbors are not its border.
        int isolated = opencv_core.BORDER_ISOLATED;
        opencv_core.copyMakeBorder(from.mat(), out.mat(), top, bottom, left, right, BORDER_CONSTANT | isolated, border);
        now = out;
    }

    @Override
    public void warp(double[] coefficients, Interpolation interpolation, Border borders, List<Integer> value) {
        MemorySegment.copy(coefficients, 0, matrix.bytes(), ValueLayout.JAVA_DOUBLE, 0, coefficients.length);
        size.width(width()).height(height());
        border.put(0, value.get(0)).put(1, value.get(1)).put(2, value.get(2));
        Pixels from = image();
        Pixels out = out(height(), width());
        int outside =
                switch (borders) {
                    case CONSTANT -> BORDER_CONSTANT;
                    case REPLICATE -> opencv_core.BORDER_REPLICATE;
                    case REFLECT -> opencv_core.BORDER_REFLECT;
                    case REFLECT_101 -> opencv_core.BORDER_REFLECT_101;
                };
        opencv_imgproc.warpAffine(from.mat(), out.mat(), matrix.mat(), size, flag(interpolation), outside, border);
        now = out;
    }

    @Override
    public void scaleAndAdd(double factor, double added) {
        MemorySegment to = table.bytes();
        for (int level = 0; level < LEVELS; level++) {
            float value = level * (float) factor + (float) added;
            to.set(ValueLayout.JAVA_BYTE, level, (byte) Math.max(0, Math.min(LEVELS - 1, value)));
        }
        Pixels from = image();
        Pixels out = out(height(), width());
        opencv_core.LUT(from.mat(), table.mat(), out.mat());
        now = out;
    }

    @Override
    public void saturate(double factor) {
        toGray();
        colors.own(height(), width());
        opencv_imgproc.cvtColor(gray.mat(), colors.mat(), opencv_imgproc.COLOR_GRAY2RGB);
        Pixels from = image();
        Pixels out = out(height(), width());
        opencv_core.addWeighted(from.mat(), factor, colors.mat(), 1 - factor, 0, out.mat());
        now = out;
    }

    @Override
    public void turnHue(double fraction) {
        MemorySegment to = hsvTable.bytes();
        for (int level = 0; level < LEVELS; level++) {
            double hue = (level + fraction * HUES) % HUES;
            to.set(ValueLayout.JAVA_BYTE, level * 3L, (byte) (hue < 0 ? hue + HUES : hue));
            to.set(ValueLayout.JAVA_BYTE, level * 3L + 1, (byte) level);
            to.set(ValueLayout.JAVA_BYTE, level * 3L + 2, (byte) level);
        }
        colors.own(height(), width());
        opencv_imgproc.cvtColor(image().mat(), colors.mat(), opencv_imgproc.COLOR_RGB2HSV);
        opencv_core.LUT(colors.mat(), hsvTable.mat(), colors.mat());
        Pixels out = out(height(), width());
        opencv_imgproc.cvtColor(colors.mat(), out.mat(), opencv_imgproc.COLOR_HSV2RGB);
        now = out;
    }

    @Override
    public void draw(String text, int x, int y) {
        try (Point begin = new Point(x, y);
                Scalar gray = new Scalar(64, 64, 64, 0)) {
            opencv_imgproc.putText(image().mat(), text, begin, opencv_imgproc.FONT_HERSHEY_SIMPLEX, TEXT_SCALE, gray);
        }
    }

    @Override
    public void trim(long keptBytes) {
        isMapped = false;
        now = one;
        long bytes = (long) samples.length + resized.length;
        for (Pixels pixels : sized) {
            bytes += pixels.ownBytes();
        }
        if (bytes > keptBytes) {
            samples = new byte[0];
            resized = new byte[0];
            for (Pixels pixels : sized) {
                pixels.free();
            }
        }
    }

    @Override
    public double meanGray() {
        toGray();
        // The sum: every level is positive.
        return opencv_core.norm(gray.mat(), opencv_core.NORM_L1, opencv_core.noArray()) / ((double) height() * width());
    }

    private void toGray() {
        gray.own(height(), width());
        opencv_imgproc.cvtColor(image().mat(), gray.mat(), opencv_imgproc.COLOR_RGB2GRAY);
    }

    /** The matrix that the next operation writes to. */
    private Pixels out(int height, int width) {
        // A view looks into one of the two, or into neither: its memory must not be written to while it is read.
        return isIn(one) ? other.own(height, width) : one.own(height, width);
    }

    private boolean isIn(Pixels scratch) {
        return now == scratch || (now == view && scratch.holds(view.address()));
    }

    @Override
    public void close() {
        for (Pixels pixels : sized) {
            pixels.close();
        }
        for (Pixels pixels : new Pixels[] {table, hsvTable, matrix}) {
            pixels.close();
        }
        planes.close();
        size.deallocate();
        border.deallocate();
    }
}
