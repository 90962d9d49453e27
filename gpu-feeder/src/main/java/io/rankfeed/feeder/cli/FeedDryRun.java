package io.rankfeed.feeder.cli;

import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.ring.RingLayout;
import io.rankfeed.feeder.serve.VersionCatalog;
import io.rankfeed.feeder.serve.admission.ServeSettings;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.transform.DecodeBudget;
import io.rankfeed.schema.config.ByteSize;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints what a feed would serve, without copying or serving anything. */
record FeedDryRun(OpenOrder opened, FeedPlan plan) {
    private static final String ROW = "  %-24s %-9s %-26s %12s%n";

    /** @throws io.rankfeed.schema.failure.ConfigException if options, feed file and version do not fit */
    void print(PrintStream out) {
        ServeSettings settings = plan.settings(opened);
        VersionCatalog catalog =
                new VersionCatalog(opened, plan.lanes(), new GatherPool(0), DecodeBudget.DEFAULT_BYTES, out::println);
        catalog.feeds().stream()
                .filter(facts -> settings.feeds().contains(facts.name()))
                .forEach(facts -> {
                    int world = settings.world().orElse(1);
                    ColumnPlan columns = catalog.columnPlan(facts.name(), world, settings.columnsOf(facts.name()));
                    out.printf(
                            Locale.ROOT,
                            "feed %s: %,d steps of %,d rows%s, world %d: %,d rows per rank%n",
                            facts.name(),
                            facts.totalSteps(),
                            facts.feed().batch(),
                            facts.epochs() > 1 ? " in " + facts.epochs() + " epochs" : "",
                            world,
                            columns.rows());
                    print(columns, settings, out);
                });
    }

    private static void print(ColumnPlan columns, ServeSettings settings, PrintStream out) {
        out.printf(Locale.ROOT, ROW, "tensor", "dtype", "shape", "at most");
        for (TensorSpec tensor : columns.tensors()) {
            out.printf(
                    Locale.ROOT,
                    ROW,
                    tensor.name(),
                    tensor.dtype().id(),
                    shape(tensor, columns.rows()),
                    new ByteSize(tensor.valuesCapacityBytes()));
        }
        columns.normalizations()
                .forEach((name, how) -> out.printf(
                        Locale.ROOT,
                        "  %s becomes %s [rows, 3, height, width] on the trainer's device: mean %s, std %s%n",
                        name,
                        how.dtype().name().toLowerCase(Locale.ROOT),
                        how.mean().orElseThrow(),
                        how.std().orElseThrow()));
        RingLayout ring = RingLayout.of(settings.slots(), columns.tensors(), columns.slotBytes());
        out.printf(
                Locale.ROOT,
                "  ring of depth %s%d: %,d MiB per rank%n",
                settings.minSlots() < settings.slots() ? "up to " : "",
                settings.slots(),
                Math.ceilDiv(ring.lengthBytes(), 1L << 20));
    }

    private static String shape(TensorSpec tensor, int rows) {
        List<String> dims = new ArrayList<>();
        switch (tensor.layout()) {
            case FIXED -> dims.add(Integer.toString(rows));
            case PADDED, DENSE -> {
                dims.add(Integer.toString(rows));
                dims.add("≤ " + Math.max(1, tensor.maxLength()));
            }
            case RAGGED -> dims.add("≤ " + tensor.valuesCapacityBytes() / tensor.strideBytes());
            case FLAT -> {
                dims.add("1");
                dims.add("≤ " + tensor.valuesCapacityBytes() / tensor.strideBytes());
            }
            case BOUNDS -> dims.add("≤ " + tensor.valuesCapacityBytes() / tensor.strideBytes());
            case LIST -> dims.add("≤ " + tensor.valuesCapacityBytes());
            case STACKED -> dims.add("≤ " + tensor.itemsCapacityBytes() / 4);
        }
        tensor.innerDims().forEach(dim -> dims.add(dim.toString()));
        return "[" + String.join(", ", dims) + "]";
    }
}
