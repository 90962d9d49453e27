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
import io.rankfeed.feeder.transform.MemberSeeds;
import io.rankfeed.feeder.transform.step.Canvas;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.feeder.transform.step.RejectedImageException;
import io.rankfeed.sampling.order.BatchRows;
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
    private final FilledSlot batch;
    private final FilledSlot aside;
    private final BatchRows rows;
    private final int mixedMembers;
    private final Map<String, List<Made>> bySource = new LinkedHashMap<>();
    private final Canvas canvas;
    private final RecordingCanvas recording;
    private final ImageWorkers workers;
    private final ImageWorker worker;

    /**
     * @param batch as the trainer gets it
     * @param aside has the columns that its images are made of
     * @param rows with cycles
     * @param mixedMembers number of members of a mixture; 0 for a version
     */
    public PictureViews(FilledSlot batch, FilledSlot aside, BatchRows rows, int mixedMembers, CanvasMaker maker) {
        this.batch = batch;
        this.aside = aside;
        this.rows = rows;
        this.mixedMembers = mixedMembers;
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

    List<Supplier<Picture>> row(int row, long rowId, int member) {
        List<Supplier<Picture>> pictures = new ArrayList<>();
        bySource.forEach((source, columns) -> {
            TensorSpec tensor = aside.tensor(source);
            boolean isList = tensor.layout() == Layout.LIST;
            int first = isList ? aside.offset(tensor.sideOffset(), row) : 0;
            int count = isList ? aside.offset(tensor.sideOffset(), row + 1L) - first : 1;
            for (int item = 0; item < count; item++) {
                String number = isList ? " " + item : "";
                int itemIndex = isList ? item : -1;
                StoredImage stored = StoredImage.of(aside, columns.get(0).field(), row, first + item);
                pictures.add(() -> stored.shown(source + number + " as stored", canvas));
                columns.forEach(column -> pictures.add(
                        () -> after(column, drawn(column.pipeline(), member), number, row, rowId, itemIndex, stored)));
            }
        });
        return pictures;
    }

    /** Returns the steps with the random numbers of a member's rows. */
    private BoundPipeline drawn(BoundPipeline pipeline, int member) {
        return pipeline.withSeed(MemberSeeds.of(pipeline.seed(), mixedMembers)[member]);
    }

    /**
     * @param drawn the steps of the column, with the random numbers of the row
     * @param item number in the row's list; −1 where the row has one image
     */
    private Picture after(
            Made column, BoundPipeline drawn, String number, int row, long rowId, int item, StoredImage stored) {
        TensorSpec tensor = column.tensor();
        long image = item < 0 ? row : batch.offset(tensor.sideOffset(), row) + item;
        List<String> notes = new ArrayList<>(operations(drawn, rowId, rows.cycle(row), item, stored));
        if (!batch.isPresent(column.valid(), image)) {
            notes.add(tensor.name() + ".valid is 0: zeros");
        }
        return new Picture(
                tensor.name() + number,
                Optional.of(pixels(tensor, image, column.pipeline().pipeline().layout())),
                notes);
    }

    /** Runs the steps again, to see what they do. */
    private List<String> operations(BoundPipeline pipeline, long rowId, long cycle, int item, StoredImage stored) {
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
                worker.file(pipeline, stored.slot().memory(), stored.offset(), stored.lengthBytes(), out, 0);
            } else {
                worker.pixels(pipeline, stored.slot().memory(), stored.offset(), out, 0);
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
