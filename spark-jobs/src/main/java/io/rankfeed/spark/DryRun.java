package io.rankfeed.spark;

import io.rankfeed.spark.job.FeedSection;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.prepare.Preview;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.sample.Sample;
import java.util.ArrayList;
import java.util.List;

/** What a job would give, found by counting; nothing is written. */
final class DryRun {
    private DryRun() {}

    static List<String> report(JobContext context) {
        List<String> lines = new ArrayList<>();
        Preview preview = Prepare.preview(context);
        lines.add(String.format(
                "prepare: %,d rows of %d columns from %,d bytes of input; %s",
                preview.rows(),
                preview.columns(),
                preview.inputBytes(),
                preview.table().isPresent()
                        ? "made already: " + preview.table().get().path()
                        : "to be made"));
        if (preview.table().isPresent() && !context.job().sample().isEmpty()) {
            Sample.preview(context, preview.table().get())
                    .forEach(report -> report.lines().forEach(line -> lines.add("sample: " + line)));
        } else {
            context.job().sample().forEach((name, feed) -> lines.add(feed(name, feed, preview)));
        }
        return lines;
    }

    private static String feed(String name, FeedSection feed, Preview preview) {
        long available = preview.count(feed.where());
        long rows = feed.rows().orElse(available);
        boolean all = feed.kind() == FeedSection.Kind.SEQUENTIAL || feed.epochMode() == FeedSection.Mode.PADDED;
        long steps = all ? -Math.floorDiv(-rows, (long) feed.batch()) : rows / feed.batch();
        String shortage = rows > available ? "; more than there are, see on-shortage" : "";
        return String.format(
                "sample: %s: %,d of %,d rows%s; on every rank %d x %,d steps, of %d/W rows on each of W ranks (W divides %d)",
                name, rows, available, shortage, feed.epochs(), steps, feed.batch(), feed.lanes());
    }
}
