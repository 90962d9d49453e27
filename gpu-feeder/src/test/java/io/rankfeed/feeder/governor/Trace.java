package io.rankfeed.feeder.governor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * How long the batches of a feed take, by the number of threads that help.
 *
 * @param stage that takes the time of a load
 * @param step seconds of the trainer between two requests
 */
record Trace(String name, String stage, int processors, Load load, double step) {
    /** Seconds to make a batch. */
    interface Load {
        double seconds(int workers, int batch);
    }

    /** A part that is divided among the threads, as far as there are processors; each thread in excess costs some time. */
    private static Load divided(double serial, double parallel, int processors, double excess) {
        return (workers, batch) ->
                serial + parallel / Math.min(1 + workers, processors) + excess * Math.max(0, 1 + workers - processors);
    }

    /** Every nth batch takes longer. */
    private static Load slowAtTimes(Load load, int every, double factor) {
        return (workers, batch) -> load.seconds(workers, batch) * (batch % every == 7 ? factor : 1);
    }

    static List<Trace> synthetic() {
        return List.of(
                new Trace("decode", "decode", 16, divided(0.002, 0.2, 16, 0), 0.001),
                new Trace("decode-oversubscribed", "decode", 8, divided(0.002, 0.2, 8, 0.004), 0.001),
                new Trace("text-partly-serial", "text", 16, divided(0.03, 0.05, 16, 0), 0.001),
                new Trace("trainer", "assemble", 16, divided(0.002, 0.02, 16, 0), 0.2),
                new Trace("balanced", "decode", 16, divided(0.002, 0.2, 16, 0), 0.03),
                new Trace("equal", "decode", 16, divided(0, 0.18, 16, 0), 0.02),
                new Trace("two-processors", "assemble", 2, divided(0.002, 0.03, 2, 0.0005), 0.01),
                new Trace("fast-disk", "read", 4, (workers, batch) -> Math.max(0.02, 0.2 / (1 + workers)), 0.001),
                new Trace(
                        "slow-disk",
                        "read",
                        16,
                        (workers, batch) -> workers < 2 ? 0.09 / (1 + workers) : 0.03 + 0.0015 * (workers - 2),
                        0.001),
                new Trace("stalls", "read", 16, slowAtTimes(divided(0.001, 0.03, 16, 0), 50, 30), 0.02),
                new Trace("slow-rows", "decode", 16, slowAtTimes(divided(0.001, 0.03, 16, 0), 20, 10), 0.02));
    }

    /**
     * Two feeds, measured on two processors that other programs used too. {@code decode}: batches of 32 JPEG files of 34 KB, resized to
     * 224 × 224 and flipped. {@code disk}: batches of 2 rows of 1 MiB in an .npy file on a disk of 60 MB/s (a FUSE file system). Each has
     * a trainer that only takes batches, one that is about as fast as the feeder, and a slow one.
     */
    static List<Trace> recorded() throws IOException {
        return List.of(
                recorded("decode", 2, 0.001),
                recorded("decode", 2, 0.01),
                recorded("decode", 2, 0.25),
                recorded("disk", 2, 0.001),
                recorded("disk", 2, 0.045),
                recorded("disk", 2, 0.25));
    }

    /**
     * Loads that were measured, a line for each number of workers: the stage, the number, and the milliseconds of batches in succession.
     *
     * @param step of the trainer
     */
    private static Trace recorded(String name, int processors, double step) throws IOException {
        TreeMap<Integer, double[]> loads = new TreeMap<>();
        String stage = "";
        InputStream file = Objects.requireNonNull(Trace.class.getResourceAsStream("/governor/" + name + ".csv"));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            for (String line : lines.lines().toList()) {
                String[] cells = line.split(",", -1);
                stage = cells[0];
                loads.put(
                        Integer.valueOf(cells[1]),
                        Stream.of(cells)
                                .skip(2)
                                .mapToDouble(cell -> Double.parseDouble(cell) / 1e3)
                                .toArray());
            }
        }
        return new Trace(
                name,
                stage,
                processors,
                (workers, batch) -> {
                    double[] nearest =
                            Objects.requireNonNull(loads.floorEntry(workers)).getValue();
                    return nearest[batch % nearest.length];
                },
                step);
    }

    @Override
    public String toString() {
        return name + ", step " + step;
    }
}
