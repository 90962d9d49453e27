package io.rankfeed.feeder.cli;

import io.rankfeed.feeder.preview.SheetRow;
import io.rankfeed.feeder.serve.VersionCatalog;
import io.rankfeed.feeder.serve.admission.BatchSource;
import io.rankfeed.feeder.tensor.ColumnRequest;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.Layout;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.transform.step.Canvas;
import io.rankfeed.feeder.transform.step.Decode;
import io.rankfeed.feeder.transform.step.ImageShape;
import io.rankfeed.feeder.transform.step.Interpolation;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.feeder.transform.step.RejectedImageException;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.image.BrokenImageException;
import io.rankfeed.schema.image.ImageBytes;
import io.rankfeed.schema.image.ImageHeader;
import io.rankfeed.schema.image.RgbPixels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A batch of made columns with the columns that they are made of, as a trainer's slot has it. */
final class PreviewBatch {
    private static final int LONGEST_SIDE = 320;
    private static final Decode AS_STORED = new Decode(Decode.Mode.EXACT, Decode.Orientation.IGNORE, true);
    private static final ValueLayout.OfLong OFFSET = ValueLayout.JAVA_LONG_UNALIGNED;

    private final VersionCatalog catalog;
    private final SampleSchema schema;
    private final String feed;
    private final ColumnSelection selection;
    private final List<ColumnRequest> made;
    private final String original;
    private List<TensorSpec> tensors = List.of();
    private MemorySegment slot = MemorySegment.NULL;

    /** @throws ConfigException if no column is made by steps */
    PreviewBatch(VersionCatalog catalog, SampleSchema schema, String feed, ColumnSelection selection) {
        this.catalog = catalog;
        this.schema = schema;
        this.feed = feed;
        this.selection = selection;
        made = selection.columns().orElse(List.of()).stream()
                .filter(column -> column.pipeline().isPresent())
                .toList();
        if (made.isEmpty()) {
            throw new ConfigException("--config: no column of feed '" + feed + "' has image steps ('from' and 'steps');"
                    + " nothing to preview");
        }
        original = made.get(0).pipeline().orElseThrow().source();
    }

    void fill(int rank, int world, long step) {
        List<ColumnRequest> wanted = new ArrayList<>(made);
        if (made.stream().noneMatch(column -> column.name().equals(original))) {
            wanted.add(ColumnRequest.of(original));
        }
        ColumnSelection shown = new ColumnSelection(Optional.of(wanted), selection.transformSeed(), false);
        try (BatchSource source = catalog.open(feed, rank, world, shown)) {
            tensors = source.tensors();
            slot = Arena.ofAuto().allocate(source.slotBytes(), 64);
            source.fill(step, slot, new SlotSizes(tensors.size()));
        }
    }

    /** The images of a row that the batch has. */
    List<SheetRow.Made> after(int row) {
        return made.stream().flatMap(column -> images(column, row)).toList();
    }

    private Stream<SheetRow.Made> images(ColumnRequest column, int row) {
        TensorSpec tensor = tensor(column.name());
        PixelLayout layout = column.pipeline().orElseThrow().layout();
        if (tensor.layout() != Layout.STACKED) {
            return Stream.of(new SheetRow.Made(column.name(), pixels(tensor, row, layout)));
        }
        int first = (int) offset(tensor.sideOffset(), row);
        return IntStream.range(first, (int) offset(tensor.sideOffset(), row + 1L))
                .mapToObj(image ->
                        new SheetRow.Made(column.name() + " " + (image - first), pixels(tensor, image, layout)));
    }

    private long offset(long offsets, long number) {
        return slot.get(OFFSET, offsets + 8 * number);
    }

    /**
     * The first column's image as it is stored, of a list the first one, fitted into a square; empty where it is missing or
     * broken.
     */
    Optional<RgbPixels> before(int row, Canvas canvas) {
        TensorSpec tensor = tensor(original);
        try {
            if (schema.field(original).dtype() == DType.BINARY) {
                boolean isList = tensor.layout() == Layout.LIST;
                long first = isList ? offset(tensor.sideOffset(), row) : row;
                if (isList && first == offset(tensor.sideOffset(), row + 1L)) {
                    return Optional.empty();
                }
                long offsets = isList ? tensor.itemsOffset() : tensor.sideOffset();
                long from = offset(offsets, first);
                decode(canvas, tensor.valuesOffset() + from, (int) (offset(offsets, first + 1) - from));
            } else {
                canvas.view(
                        slot,
                        tensor.valuesOffset() + (long) row * tensor.strideBytes(),
                        tensor.innerDims().get(0),
                        tensor.innerDims().get(1));
            }
        } catch (BrokenImageException | RejectedImageException e) {
            return Optional.empty();
        }
        return Optional.of(fitted(canvas));
    }

    private void decode(Canvas canvas, long offset, int lengthBytes)
            throws BrokenImageException, RejectedImageException {
        ImageHeader header = new ImageHeader();
        header.read(ImageBytes.of(slot.asSlice(offset, lengthBytes).toArray(ValueLayout.JAVA_BYTE)));
        if (header.pixels() > ImageHeader.MAX_PIXELS) {
            throw new RejectedImageException(RejectedImageException.Reason.TOO_LARGE, "has too many pixels");
        }
        canvas.decode(slot, offset, lengthBytes, header, 1, AS_STORED);
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

    private RgbPixels pixels(TensorSpec tensor, int number, PixelLayout layout) {
        byte[] bytes = slot.asSlice(tensor.valuesOffset() + (long) number * tensor.strideBytes(), tensor.strideBytes())
                .toArray(ValueLayout.JAVA_BYTE);
        boolean isPlanes = layout == PixelLayout.NCHW;
        int height = tensor.innerDims().get(isPlanes ? 1 : 0);
        int width = tensor.innerDims().get(isPlanes ? 2 : 1);
        if (!isPlanes) {
            return new RgbPixels(width, height, bytes);
        }
        byte[] mixed = new byte[bytes.length];
        for (int i = 0; i < mixed.length; i++) {
            mixed[i] = bytes[i % 3 * height * width + i / 3];
        }
        return new RgbPixels(width, height, mixed);
    }

    private TensorSpec tensor(String name) {
        return tensors.stream()
                .filter(tensor -> tensor.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
