package io.rankfeed.export.format;

import io.rankfeed.export.format.known.Formats;
import io.rankfeed.export.lane.LaneHeader;
import io.rankfeed.export.lane.LaneWriter;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Prints the rows per second of processor time of the writer of lanes and of each format, without a disk. The first argument
 * is the number of token rows; the others are formats, by default all.
 */
public final class FormatRates {
    private static final int ROUNDS = 12;
    private static final SampleSchema TOKENS = new SampleSchema(List.of(
            new Field("tokens", DType.UINT16, Shape.of(512), false),
            new Field("label", DType.INT32, Shape.scalar(), false)));
    private static final SampleSchema IMAGES = new SampleSchema(List.of(
            new Field("image", DType.BINARY, Shape.scalar(), false),
            new Field("label", DType.INT32, Shape.scalar(), false)));

    private FormatRates() {}

    public static void main(String[] args) throws IOException {
        List<String> names = new ArrayList<>(Formats.names());
        names.add("tfrecord tensors=bytes");
        if (args.length > 1) {
            names.retainAll(List.of(args));
        }
        measure("1 KiB of tokens", TOKENS, 1024, Integer.parseInt(args[0]), names);
        measure("20 KiB of JPEG", IMAGES, 20480, Integer.parseInt(args[0]) / 10, names);
    }

    private static void measure(String what, SampleSchema schema, int lengthBytes, int rows, List<String> names)
            throws IOException {
        Random random = new Random(1);
        List<byte[]> values = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            byte[] value = new byte[lengthBytes];
            random.nextBytes(value);
            values.add(value);
        }
        double lanes = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long start = cpuNanos();
            writeLane(schema, values, rows);
            lanes = Math.max(lanes, rate(rows, start));
        }
        System.out.printf("%s: lanes %.0f rows/s%n", what, lanes);
        for (String name : names) {
            Format format = Formats.named(name.split(" ", -1)[0]);
            FormatOptions options =
                    name.contains("=") ? FormatOptions.none().with("tensors", "bytes") : FormatOptions.none();
            FileSet set = FileSet.of(format, "train", schema, rows, (long) rows * lengthBytes, options);
            try {
                format.check(set);
            } catch (ConfigException e) {
                System.out.printf("%s: %s: %s%n", what, name, e.getMessage());
                continue;
            }
            double best = 0;
            for (int round = 0; round < ROUNDS; round++) {
                long start = cpuNanos();
                write(format, set, values);
                best = Math.max(best, rate(rows, start));
            }
            System.out.printf("%s: %s %.0f rows/s, %.2f of lanes%n", what, name, best, best / lanes);
        }
    }

    /** Processor time of this thread, so that other processes do not matter much. */
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static double rate(int rows, long start) {
        return rows / ((cpuNanos() - start) / 1e9);
    }

    private static void writeLane(SampleSchema schema, List<byte[]> values, int rows) throws IOException {
        LaneWriter writer = new LaneWriter(new LaneHeader("train", "0", schema, 1024), OutputStream.nullOutputStream());
        for (int row = 0; row < rows; row++) {
            byte[] value = values.get(row & 63);
            writer.beginRow(row, 0, row);
            writer.putBytes(0, value, 0, value.length);
            writer.putBits(1, row);
            writer.endRow();
        }
        writer.finish();
    }

    /** All parts in turn, with the survey if there is one. */
    private static void write(Format format, FileSet set, List<byte[]> values) throws IOException {
        FormatRow row = new FormatRow(set.schema());
        List<byte[]> surveys = new ArrayList<>();
        var survey = format.survey(set);
        if (survey.isPresent()) {
            for (long at = 0; at < set.rows(); at++) {
                fill(row, at, values);
                survey.get().row(row);
            }
            surveys.add(survey.get().result());
        }
        List<PartSummary> parts = new ArrayList<>();
        for (int number = 0; number < set.parts(); number++) {
            Part part = set.part(number).with(surveys);
            try (FormatWriter writer = format.open(set, part, Nowhere::new)) {
                for (long at = 0; at < part.rows(); at++) {
                    fill(row, part.firstRow() + at, values);
                    writer.row(row);
                }
                parts.add(writer.finish());
            }
        }
        format.finish(set, parts, Nowhere::new);
    }

    private static void fill(FormatRow row, long at, List<byte[]> values) {
        byte[] value = values.get((int) (at & 63));
        row.begin(at);
        row.putBytes(0, value, 0, value.length);
        row.putBits(1, at);
        row.end();
    }

    /** A file whose bytes are discarded. */
    private record Nowhere(String path) implements PartFile {
        @Override
        public OutputStream stream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public void publish(long rows) {}

        @Override
        public void close() {}
    }
}
