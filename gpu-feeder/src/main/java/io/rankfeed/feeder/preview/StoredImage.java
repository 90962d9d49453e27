package io.rankfeed.feeder.preview;

import io.rankfeed.feeder.preview.SheetRow.Picture;
import io.rankfeed.feeder.tensor.Layout;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.transform.step.Canvas;
import io.rankfeed.feeder.transform.step.Decode;
import io.rankfeed.feeder.transform.step.ImageShape;
import io.rankfeed.feeder.transform.step.Interpolation;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.feeder.transform.step.RejectedImageException;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.image.BrokenImageException;
import io.rankfeed.schema.image.ImageBytes;
import io.rankfeed.schema.image.ImageHeader;
import io.rankfeed.schema.image.RgbPixels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;

/**
 * An image as the version has it: a file, or pixels.
 *
 * @param slot that has its bytes
 * @param offset of its first byte
 * @param lengthBytes 0 if it is missing
 */
record StoredImage(FilledSlot slot, Field field, long offset, int lengthBytes) {
    private static final int LONGEST_SIDE = 512;
    private static final Decode AS_STORED = new Decode(Decode.Mode.EXACT, Decode.Orientation.IGNORE, true);

    /** @param item number in the batch, where rows have lists */
    static StoredImage of(FilledSlot slot, Field field, int row, int item) {
        TensorSpec tensor = slot.tensor(field.name());
        if (field.dtype() != DType.BINARY) {
            boolean isPresent = slot.isPresent(slot.find(field.name() + CacheColumn.VALID_SUFFIX), row);
            int bytes = isPresent ? tensor.strideBytes() : 0;
            return new StoredImage(slot, field, tensor.valuesOffset() + (long) row * tensor.strideBytes(), bytes);
        }
        boolean isList = tensor.layout() == Layout.LIST;
        long offsets = isList ? tensor.itemsOffset() : tensor.sideOffset();
        int number = isList ? item : row;
        int from = slot.offset(offsets, number);
        return new StoredImage(slot, field, tensor.valuesOffset() + from, slot.offset(offsets, number + 1L) - from);
    }

    /** The image itself, reduced if it is large; empty if it is missing or broken. */
    Picture shown(String name, Canvas canvas) {
        if (lengthBytes == 0) {
            return new Picture(name, Optional.empty(), List.of("missing"));
        }
        try {
            if (field.dtype() == DType.BINARY) {
                decode(canvas);
            } else {
                List<Integer> dims = field.shape().dims();
                canvas.view(slot.memory(), offset, dims.get(0), dims.get(1));
            }
        } catch (BrokenImageException | RejectedImageException e) {
            return new Picture(name, Optional.empty(), List.of(String.valueOf(e.getMessage())));
        }
        String size = "stored " + canvas.height() + " × " + canvas.width();
        RgbPixels fitted = fitted(canvas);
        boolean isWhole = size.equals("stored " + fitted.height() + " × " + fitted.width());
        return new Picture(name, Optional.of(fitted), isWhole ? List.of() : List.of(size + ", reduced"));
    }

    private void decode(Canvas canvas) throws BrokenImageException, RejectedImageException {
        ImageHeader header = new ImageHeader();
        header.read(ImageBytes.of(slot.memory().asSlice(offset, lengthBytes).toArray(ValueLayout.JAVA_BYTE)));
        if (header.pixels() > ImageHeader.MAX_PIXELS) {
            throw new RejectedImageException(RejectedImageException.Reason.TOO_LARGE, "has too many pixels");
        }
        canvas.decode(slot.memory(), offset, lengthBytes, header, 1, AS_STORED);
    }

    private static RgbPixels fitted(Canvas canvas) {
        double scale = Math.min(1, (double) LONGEST_SIDE / Math.max(canvas.width(), canvas.height()));
        int width = Math.max(1, (int) (canvas.width() * scale));
        int height = Math.max(1, (int) (canvas.height() * scale));
        if (scale < 1) {
            canvas.resize(width, height, Interpolation.AREA);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(3L * width * height);
            canvas.write(out, 0, new ImageShape(height, width), PixelLayout.NHWC);
            return new RgbPixels(width, height, out.toArray(ValueLayout.JAVA_BYTE));
        }
    }
}
