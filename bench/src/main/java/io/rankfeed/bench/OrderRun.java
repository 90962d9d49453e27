package io.rankfeed.bench;

import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.sampling.order.EpochOrder;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Measures what a rank needs to compute its rows: bytes to read, time to open them in a JVM that has done nothing yet,
 * and nanoseconds per row of a batch at every world size that the plan allows. Prints lines of JSON.
 */
public final class OrderRun {
    private static final int WARM_UP = 3;
    private static final long MEASURED_ROWS = 2_000_000;

    private OrderRun() {}

    /** @param args folder of a plan with the feed {@code train}, and {@code open} where it is only to be opened */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        long began = System.nanoTime();
        TrainFeed order = open(folder);
        EpochOrder first = new EpochOrder(order, 0, 1);
        BatchRows rows = new BatchRows(first.rowsPerBatch());
        first.fill(0, rows);
        double openMillis = (System.nanoTime() - began) / 1e6;
        System.out.printf(
                Locale.ROOT,
                "{\"bytes\": %d, \"open_ms\": %.1f}%n",
                Files.size(folder.resolve(Order.FILE_NAME)) + Files.size(folder.resolve(Manifest.FILE_NAME)),
                openMillis);
        for (int world = 1; args.length == 1 && world <= order.lanes(); world++) {
            if (order.lanes() % world == 0) {
                measure(order, world);
            }
        }
    }

    private static TrainFeed open(Path folder) throws IOException {
        Path orderFile = folder.resolve(Order.FILE_NAME);
        Manifest manifest = ManifestJson.parse(Files.readAllBytes(folder.resolve(Manifest.FILE_NAME)), "manifest.json");
        Order file = OrderJson.parse(Files.readAllBytes(orderFile), manifest, orderFile.toString());
        return (TrainFeed) file.feeds().get(0);
    }

    private static void measure(TrainFeed order, int world) {
        EpochOrder ranks = new EpochOrder(order, 0, world);
        BatchRows rows = new BatchRows(ranks.rowsPerBatch());
        double min = Double.MAX_VALUE;
        for (int round = 0; round < 2 * WARM_UP; round++) {
            double nanos = nanosPerRow(order, ranks, rows);
            min = round < WARM_UP ? min : Math.min(min, nanos);
        }
        System.out.printf(
                Locale.ROOT,
                "{\"world\": %d, \"rows_per_batch\": %d, \"ns_per_row\": %.1f}%n",
                world,
                ranks.rowsPerBatch(),
                min);
    }

    private static double nanosPerRow(TrainFeed order, EpochOrder ranks, BatchRows rows) {
        long batches = Math.max(1, MEASURED_ROWS / ranks.rowsPerBatch());
        long began = System.nanoTime();
        for (long batch = 0; batch < batches; batch++) {
            ranks.fill(batch % order.steps(), rows);
        }
        return (double) (System.nanoTime() - began) / (batches * ranks.rowsPerBatch());
    }
}
