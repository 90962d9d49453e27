package io.rankfeed.feeder.ring;

import io.rankfeed.feeder.tensor.Layout;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.timing.StageTable;
import io.rankfeed.schema.DType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Writes the golden segment that {@code golden/ring.json} describes. Run its main with a path to write the file again, which
 * is right only when docs/format/ring.md changed.
 */
final class GoldenRing {
    static final List<TensorSpec> TENSORS = List.of(
            new TensorSpec("row_id", DType.INT64, Layout.FIXED, List.of(), 0, 0, 32, 0, 0),
            new TensorSpec("image", DType.UINT8, Layout.FIXED, List.of(2, 3), 0, 64, 24, 0, 0),
            new TensorSpec("tokens", DType.INT32, Layout.PADDED, List.of(), 5, 128, 80, 256, 16),
            new TensorSpec("boxes", DType.FLOAT32, Layout.RAGGED, List.of(2), 2, 320, 64, 384, 40),
            new TensorSpec("text", DType.STRING, Layout.RAGGED, List.of(), 8, 448, 32, 512, 40),
            new TensorSpec("text.valid", DType.UINT8, Layout.FIXED, List.of(), 0, 576, 4, 0, 0),
            new TensorSpec("names", DType.STRING, Layout.LIST, List.of(), 2, 640, 32, 704, 40, 768, 72),
            new TensorSpec("pixels", DType.UINT8, Layout.STACKED, List.of(1, 1, 3), 2, 896, 15, 960, 40, 1024, 20),
            new TensorSpec("input_ids", DType.INT64, Layout.DENSE, List.of(), 3, 1088, 96, 0, 0),
            new TensorSpec("labels", DType.INT64, Layout.FLAT, List.of(2), 2, 1216, 128, 0, 0),
            new TensorSpec("cu_seqlens", DType.INT32, Layout.BOUNDS, List.of(), 2, 1344, 20, 0, 0));
    static final RingIdentity IDENTITY = new RingIdentity("0123456789abcdef", "fedcba9876543210", "train", 1, 2, 4, 7);
    private static final int SLOTS = 3;
    private static final int SLOT_BYTES = 1408;
    private static final int PAD = -1;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private GoldenRing() {}

    public static void main(String[] args) throws IOException {
        Path folder = Files.createTempDirectory("golden-ring");
        Path made = write(new SharedMemory(folder));
        Files.write(Path.of(args[0]), Files.readAllBytes(made));
        Files.delete(made);
        Files.delete(folder);
    }

    /** Slot 0: a full batch. Slot 1: a short one, whose second row has no text. Slot 2: a fill that was not finished. */
    static Path write(SharedMemory where) {
        RingLayout layout = RingLayout.of(SLOTS, TENSORS, SLOT_BYTES);
        SegmentName name = new SegmentName(1000, "00c0ffee", 1, "train", 71, 7);
        try (RingSegment segment = RingSegment.create(where, name, layout, IDENTITY, TENSORS)) {
            StageTable stages = new StageTable();
            stages.stage("wait_slot").record(0);
            stages.moveTo(segment.stageTable());
            stages.stage("fill").record(1_000, 6_144);
            stages.stage("fill").record(126_000);

            segment.begin(0, 4);
            MemorySegment first = segment.slot(0);
            int[][] tokens = {{1, 2, 3}, {}, {-7, 2147483647, 5, 6, 7}, {9}};
            String[] texts = {"a", "grüße", "", "日本"};
            float[][] boxes = {{0.5f, 1.5f}, {}, {-1f, 2f, 3f, 4f}, {}};
            String[][] names = {{"a", "é"}, {}, {"", ""}, {"bc"}};
            SlotSizes used = batch(first, new long[] {11, -12, Long.MIN_VALUE, 14}, tokens, boxes, texts, names, 5);
            for (int row = 0; row < 4; row++) {
                first.set(ValueLayout.JAVA_BYTE, 576 + row, (byte) 1);
            }
            used.tokens(9, 20);
            segment.end(0, 4, new SlotFacts(13, 1, 3, 4, 2), used);

            segment.begin(1, 5);
            MemorySegment second = segment.slot(1);
            int[][] fewTokens = {{4}, {}};
            float[][] fewBoxes = {{}, {8f, 9f}};
            String[][] fewNames = {{}, {"y"}};
            SlotSizes fewUsed =
                    batch(second, new long[] {21, 22}, fewTokens, fewBoxes, new String[] {"x", ""}, fewNames, 1);
            second.set(ValueLayout.JAVA_BYTE, 576, (byte) 1);
            fewUsed.tokens(1, 2);
            segment.end(1, 5, new SlotFacts(14, 1, 4, 2, 2), fewUsed);

            segment.begin(2, 6);
            segment.slot(2).set(LONG, 0, 31);
            return segment.file();
        }
    }

    private static SlotSizes batch(
            MemorySegment slot,
            long[] ids,
            int[][] tokens,
            float[][] boxes,
            String[] texts,
            String[][] names,
            int width) {
        int rows = ids.length;
        long boxAt = 0;
        long textAt = 0;
        slot.set(LONG, 384, 0);
        slot.set(LONG, 512, 0);
        for (int row = 0; row < rows; row++) {
            slot.set(LONG, 8L * row, ids[row]);
            for (int b = 0; b < 6; b++) {
                slot.set(ValueLayout.JAVA_BYTE, 64 + 6L * row + b, (byte) (50 * row + b));
            }
            for (int i = 0; i < width; i++) {
                slot.set(INT, 128 + 4L * (row * width + i), i < tokens[row].length ? tokens[row][i] : PAD);
            }
            slot.set(INT, 256 + 4L * row, tokens[row].length);
            for (float value : boxes[row]) {
                slot.set(FLOAT, 320 + 4 * boxAt++, value);
            }
            slot.set(LONG, 384 + 8L * (row + 1), boxAt / 2);
            byte[] utf8 = texts[row].getBytes(StandardCharsets.UTF_8);
            MemorySegment.copy(utf8, 0, slot, ValueLayout.JAVA_BYTE, 448 + textAt, utf8.length);
            textAt += utf8.length;
            slot.set(LONG, 512 + 8L * (row + 1), textAt);
        }
        int items = lists(slot, names);
        long[] used = {
            8L * rows,
            6L * rows,
            4L * rows * width,
            4 * boxAt,
            textAt,
            rows,
            slot.get(LONG, 768 + 8L * items),
            3L * items,
            8L * rows * Math.min(width, 3),
            16L * items,
            4L * (rows + 1)
        };
        long[] widths = {0, 0, width, 0, 0, 0, 0, 0, Math.min(width, 3), 0, longest(names)};
        texts(slot, names, Math.min(width, 3));
        SlotSizes sizes = new SlotSizes(used.length);
        for (int t = 0; t < used.length; t++) {
            sizes.tensor(t, used[t], widths[t]);
        }
        return sizes;
    }

    private static int longest(String[][] names) {
        return Arrays.stream(names).mapToInt(row -> row.length).max().orElse(0);
    }

    /** As many tokens as names: token k of the batch has the labels 10 k and −100; as input_ids they are k + 1, padded with 0. */
    private static void texts(MemorySegment slot, String[][] names, int width) {
        int token = 0;
        slot.set(INT, 1344, 0);
        for (int row = 0; row < names.length; row++) {
            for (int i = 0; i < width; i++) {
                slot.set(LONG, 1088 + 8L * (row * width + i), i < names[row].length ? token + i + 1 : 0);
            }
            for (int i = 0; i < names[row].length; i++) {
                slot.set(LONG, 1216 + 16L * token, 10L * token);
                slot.set(LONG, 1216 + 16L * token + 8, -100);
                token++;
            }
            slot.set(INT, 1344 + 4L * (row + 1), token);
        }
    }

    /** As many pixels as names: image k of the batch has the bytes 10 k, 10 k + 1, 10 k + 2. */
    private static int lists(MemorySegment slot, String[][] names) {
        int item = 0;
        long at = 0;
        for (int row = 0; row < names.length; row++) {
            slot.set(LONG, 704 + 8L * row, item);
            slot.set(LONG, 960 + 8L * row, item);
            for (String name : names[row]) {
                byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
                MemorySegment.copy(utf8, 0, slot, ValueLayout.JAVA_BYTE, 640 + at, utf8.length);
                slot.set(LONG, 768 + 8L * item, at);
                at += utf8.length;
                for (int b = 0; b < 3; b++) {
                    slot.set(ValueLayout.JAVA_BYTE, 896 + 3L * item + b, (byte) (10 * item + b));
                }
                slot.set(INT, 1024 + 4L * item, row);
                item++;
            }
        }
        slot.set(LONG, 704 + 8L * names.length, item);
        slot.set(LONG, 960 + 8L * names.length, item);
        slot.set(LONG, 768 + 8L * item, at);
        return item;
    }
}
