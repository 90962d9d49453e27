package io.rankfeed.feeder.preview;

import io.rankfeed.feeder.preview.SheetRow.Picture;
import io.rankfeed.feeder.tensor.Layout;
import io.rankfeed.feeder.tensor.PlannedColumn.Made;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.transform.BoundPipeline;
import io.rankfeed.feeder.transform.CanvasMaker;
import io.rankfeed.feeder.transform.DecodeBudget;
import io.rankfeed.feeder.transform.ImageWorker;
import io.rankfeed.feeder.transform.ImageWorkers;
import io.rankfeed.feeder.transform.step.Canvas;
import io.rankfeed.feeder.transform.step.Decode;
import io.rankfeed.feeder.transform.step.ImageShape;
import io.rankfeed.feeder.transform.step.Interpolation;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.feeder.transform.step.RejectedImageException;
import io.rankfeed.sampling.order.BatchRows;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The pictures of a batch by row: each as it is stored, then as the columns of the batch have it. */
public final class PictureViews implements AutoCloseable {
    private static final int LONGEST_SIDE = 512;
    private static final Decode AS_STORED = new Decode(Decode.Mode.EXACT, Decode.Orientation.IGNORE, true);

    /** A stored image. */
    private record Stored(Field field, long offset, int lengthBytes) {}

    private final FilledSlot batch;
    private final FilledSlot aside;
    private final BatchRows rows;
    private final Map<String, List<Made>> bySource = new LinkedHashMap<>();
    private final Canvas canvas;
    private final RecordingCanvas recording;
    private final ImageWorkers workers;
    private final ImageWorker worker;

    /**
     * @param batch as the trainer gets it
     * @param aside has the columns that its images are made of
     * @param rows with cycles
     */
    public PictureViews(FilledSlot batch, FilledSlot aside, BatchRows rows, CanvasMaker maker) {
        this.batch = batch;
        this.aside = aside;
        this.rows = rows;
        batch.columns().stream()
                .filter(Made.class::isInstance)
                .map(Made.class::cast)
                .forEach(made -> bySource.computeIfAbsent(made.field().name(), source -> new ArrayList<>())
                        .add(made));
        canvas = maker.make();
        recording = new RecordingCanvas(maker.make());
        workers = new ImageWorkers(
                new CanvasMaker() {
                    @Override
                    public Canvas make() {
                        return recording;
                    }

                    @Override
                    public void redirectMessages(Consumer<String> lines) {}
                },
                new DecodeBudget(DecodeBudget.DEFAULT_BYTES));
        worker = workers.take();
    }

    /** A canvas for drawing a sheet. */
    public Canvas canvas() {
        return canvas;
    }

    List<Supplier<Picture>> row(int row, long rowId) {
        List<Supplier<Picture>> pictures = new ArrayList<>();
        bySource.forEach((source, columns) -> {
            TensorSpec tensor = aside.tensor(source);
            boolean isList = tensor.layout() == Layout.LIST;
            int first = isList ? aside.offset(tensor.sideOffset(), row) : 0;
            int count = isList ? aside.offset(tensor.sideOffset(), row + 1L) - first : 1;
            for (int item = 0; item < count; item++) {
                String number = isList ? " " + item : "";
                int place = isList ? item : -1;
                Stored stored = stored(columns.get(0).field(), tensor, row, first + item);
                pictures.add(() -> before(source + number + " as stored", stored));
                columns.forEach(column -> pictures.add(() -> after(column, number, row, rowId, place, stored)));
            }
        });
        return pictures;
    }

    private Stored stored(Field field, TensorSpec tensor, int row, int item) {
        if (field.dtype() != DType.BINARY) {
            boolean isPresent = aside.isPresent(aside.find(field.name() + CacheColumn.VALID_SUFFIX), row);
            int bytes = isPresent ? tensor.strideBytes() : 0;
            return new Stored(field, tensor.valuesOffset() + (long) row * tensor.strideBytes(), bytes);
        }
        boolean isList = tensor.layout() == Layout.LIST;
        long offsets = isList ? tensor.itemsOffset() : tensor.sideOffset();
        int number = isList ? item : row;
        int from = aside.offset(offsets, number);
        return new Stored(field, tensor.valuesOffset() + from, aside.offset(offsets, number + 1L) - from);
    }

    private Picture before(String name, Stored stored) {
        if (stored.lengthBytes() == 0) {
            return new Picture(name, Optional.empty(), List.of("missing"));
        }
        try {
            if (stored.field().dtype() == DType.BINARY) {
                decode(stored);
            } else {
                List<Integer> dims = stored.field().shape().dims();
                canvas.view(aside.memory(), stored.offset(), dims.get(0), dims.get(1));
            }
        } catch (BrokenImageException | RejectedImageException e) {
            return new Picture(name, Optional.empty(), List.of(String.valueOf(e.getMessage())));
        }
        String size = "stored " + canvas.height() + " × " + canvas.width();
        RgbPixels fitted = fitted();
        boolean isWhole = size.equals("stored " + fitted.height() + " × " + fitted.width());
        return new Picture(name, Optional.of(fitted), isWhole ? List.of() : List.of(size + ", reduced"));
    }

    private void decode(Stored stored) throws BrokenImageException, RejectedImageException {
        ImageHeader header = new ImageHeader();
        header.read(ImageBytes.of(
                aside.memory().asSlice(stored.offset(), stored.lengthBytes()).toArray(ValueLayout.JAVA_BYTE)));
        if (header.pixels() > ImageHeader.MAX_PIXELS) {
            throw new RejectedImageException(RejectedImageException.Reason.TOO_LARGE, "has too many pixels");
        }
        canvas.decode(aside.memory(), stored.offset(), stored.lengthBytes(), header, 1, AS_STORED);
    }

    private RgbPixels fitted() {
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

    /** @param item number in the row's list; −1 where the row has one image */
    private Picture after(Made column, String number, int row, long rowId, int item, Stored stored) {
        TensorSpec tensor = column.tensor();
        long image = item < 0 ? row : batch.offset(tensor.sideOffset(), row) + item;
        List<String> notes = new ArrayList<>(operations(column.pipeline(), rowId, rows.cycle(row), item, stored));
        if (!batch.isPresent(column.valid(), image)) {
            notes.add(tensor.name() + ".valid is 0: zeros");
        }
        return new Picture(
                tensor.name() + number,
                Optional.of(pixels(tensor, image, column.pipeline().pipeline().layout())),
                notes);
    }

    /** Runs the steps again, to see what they do. */
    private List<String> operations(BoundPipeline pipeline, long rowId, long cycle, int item, Stored stored) {
        if (stored.lengthBytes() == 0) {
            return List.of();
        }
        if (item < 0) {
            worker.begin(pipeline, rowId, cycle);
        } else {
            worker.begin(pipeline, rowId, cycle, item);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(pipeline.rowBytes());
            if (pipeline.pipeline().decodes()) {
                worker.file(pipeline, aside.memory(), stored.offset(), stored.lengthBytes(), out, 0);
            } else {
                worker.pixels(pipeline, aside.memory(), stored.offset(), out, 0);
            }
        } catch (RejectedImageException e) {
            return List.of(e.reason().id() + ": " + e.getMessage());
        }
        return recording.operations();
    }

    private RgbPixels pixels(TensorSpec tensor, long number, PixelLayout layout) {
        byte[] bytes = batch.memory()
                .asSlice(tensor.valuesOffset() + number * tensor.strideBytes(), tensor.strideBytes())
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

    @Override
    public void close() {
        canvas.close();
        workers.giveBack(worker);
        workers.close();
    }
}
