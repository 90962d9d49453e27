package io.rankfeed.spark;

import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.spark.engine.ConfigErrors;
import io.rankfeed.spark.export.CacheSizes;
import io.rankfeed.spark.export.Export;
import io.rankfeed.spark.format.FormattedCopies;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.prepare.Preview;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.sample.ChosenLines;
import io.rankfeed.spark.sample.FeedReport;
import io.rankfeed.spark.sample.Sample;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Computes what a job would write, with the code that plans the job; nothing is written. */
final class DryRun {
    private final JobContext context;
    private final Consumer<String> out;
    private final ConfigErrors errors = new ConfigErrors();

    private DryRun(JobContext context, Consumer<String> out) {
        this.context = context;
        this.out = out;
    }

    /**
     * @param out gets the report, line by line
     * @throws io.rankfeed.schema.failure.ConfigException after the report, if the job would be refused; what is refused
     *     next to it is suppressed in it
     */
    static void report(Goal goal, JobContext context, Consumer<String> out) {
        new DryRun(context, out).report(goal);
    }

    private void report(Goal goal) {
        Preview preview = Prepare.preview(context, new ChosenLines(context));
        boolean made = preview.table().isPresent();
        String bytes = context.job().prepare().rewrite().isPresent()
                ? "none of them written again, in "
                : (made ? "" : "about ") + ByteSize.rounded(preview.lengthBytes()) + " of Parquet, from ";
        out.accept(String.format(
                Locale.ROOT,
                "prepare: %s, %s, %s%s of input; %s",
                Plural.counted(preview.counts().rows(), "row"),
                Plural.counted(preview.schema().fields().size(), "column"),
                bytes,
                ByteSize.rounded(preview.inputBytes()),
                preview.table().map(table -> "made already: " + table.path()).orElse("to be made")));
        preview.counts().leftOut().ifPresent(bad -> out.accept("prepare: " + bad));
        preview.scans().forEach(scan -> out.accept("prepare: reads " + scan));
        if (goal.samples()) {
            List<FeedReport> feeds = preview.table()
                    .map(table -> Sample.preview(context, table, errors))
                    .orElseGet(() -> Sample.preview(context, preview::rowsFor, errors));
            context.progress().ended();
            feeds.forEach(feed -> feed.lines().forEach(line -> out.accept("sample: " + line)));
            if (goal.exports()) {
                feeds.forEach(feed -> errors.check(() ->
                        Export.refuseTooManyFiles(feed.feed(), context.job().export())));
                sizes(preview).ifPresent(sizes -> {
                    feeds.forEach(feed -> caches(sizes, feed));
                    feeds.forEach(feed -> formats(preview, sizes, feed));
                });
            }
        }
        errors.throwIfAny();
    }

    private void formats(Preview preview, CacheSizes sizes, FeedReport feed) {
        if (errors.isEmpty()) {
            FormattedCopies.preview(
                    Export.columns(preview.schema(), context.job().export()),
                    context.job().export(),
                    feed.feed().name(),
                    feed.rowsInCache(),
                    sizes.bytesPerRow(),
                    line -> out.accept("export: " + line));
        }
    }

    /** The size with {@code pool: all}, or without it. */
    private void otherPool(CacheSizes sizes, TrainFeed feed, long stored) {
        long all = feed.strata().stream().mapToLong(Stratum::available).sum();
        long rows = stored < all ? all : feed.drawnRows();
        // Less than a batch is what every pass leaves out.
        if (Math.abs(rows - stored) >= feed.batch()) {
            out.accept(String.format(
                    Locale.ROOT,
                    "export: %s: with pool: %s, %s in about %s",
                    feed.name(),
                    stored < all ? "all" : "run",
                    Plural.counted(rows, "row"),
                    ByteSize.rounded(sizes.lengthBytes(rows))));
        }
    }

    private Optional<CacheSizes> sizes(Preview preview) {
        Map<String, Double> meanBytes = new HashMap<>();
        for (int i = 0; i < preview.meanBytes().size(); i++) {
            meanBytes.put(preview.schema().names().get(i), preview.meanBytes().get(i));
        }
        return errors.of(() -> Export.columns(preview.schema(), context.job().export()))
                .map(columns -> {
                    FormattedCopies.check(
                            columns,
                            context.job().export(),
                            context.job().sample().keySet(),
                            errors);
                    CacheSizes sizes = CacheSizes.of(
                            columns, meanBytes, context.job().export().batchRows());
                    out.accept(String.format(
                            Locale.ROOT,
                            "export: %s, about %s a row",
                            Plural.counted(columns.fields().size(), "column"),
                            ByteSize.rounded((long) sizes.bytesPerRow())));
                    return sizes;
                });
    }

    private void caches(CacheSizes sizes, FeedReport feed) {
        out.accept(String.format(
                Locale.ROOT,
                "export: %s: %s in the caches, about %s in %s",
                feed.feed().name(),
                Plural.counted(feed.rowsInCache(), "row"),
                ByteSize.rounded(sizes.lengthBytes(feed.feed())),
                Plural.counted(feed.feed().lanes(), "lane")));
        if (feed.feed() instanceof TrainFeed train && train.mode() != EpochMode.PADDED) {
            otherPool(sizes, train, feed.rowsInCache());
        }
        sizes.byWorldSize(feed).forEach(line -> out.accept("export: " + line));
    }
}
