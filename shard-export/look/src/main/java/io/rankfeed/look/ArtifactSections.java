package io.rankfeed.look;

import io.rankfeed.report.DecisionLines;
import io.rankfeed.report.LanesReport;
import io.rankfeed.report.OrderReport;
import io.rankfeed.report.Page;
import io.rankfeed.report.PlanPictures;
import io.rankfeed.report.Report;
import io.rankfeed.report.Report.Bytes;
import io.rankfeed.report.Report.Table;
import io.rankfeed.schema.manifest.FeedDecisions;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Input.InputFile;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.StoredFeed;
import io.rankfeed.schema.order.StoredFeeds;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/** A page's sections on the three artifacts: what {@code inspect} reports, pictures first. */
final class ArtifactSections {
    private ArtifactSections() {}

    static void prepared(Page page, Artifact artifact) {
        page.element("h2", "", "Sources").table(sources(artifact.manifest().inputs()));
        page.element("h2", "", "Prepared table");
        Report report = new Report();
        PreparedReport.describe(report, artifact, Optional.empty());
        page.facts(report.facts());
        report.pictures().values().forEach(page::picture);
        if (!artifact.prepared().isInPlace()) {
            page.begin("details", "").element("summary", "", "row groups by file");
            tables(page, report, "layout");
            page.end("details");
        }
        tables(page, report, "columns");
    }

    /** @param rows of the prepared table */
    static void plan(Page page, Artifact artifact, long rows) {
        page.element("h2", "", "Plan");
        Order order = artifact.order();
        page.element("h3", "", "Rows in and out").table(rowsInAndOut(order, rows));
        for (Feed feed : order.feeds()) {
            if (feed instanceof TrainFeed train) {
                page.element("h3", "", "Strata of " + feed.name() + ", as the run draws them")
                        .picture(PlanPictures.stages(train));
                FeedDecisions decisions = artifact.plan().decisions().get(feed.name());
                if (decisions != null) {
                    page.element("p", "soft", "Decided from the rows:")
                            .element("pre", "", String.join("\n", DecisionLines.of(decisions)));
                }
            }
        }
        Report report = new Report();
        OrderReport.describe(report, order);
        report.tables().forEach((name, table) -> {
            if (name.startsWith("strata of ")) {
                page.element("h3", "", Page.words(name)).table(table);
            }
        });
        page.begin("details", "").element("summary", "", "feeds, stages, rows per rank");
        report.tables().forEach((name, table) -> {
            if (!name.startsWith("strata of ")) {
                page.element("h3", "", Page.words(name)).table(table);
            }
        });
        page.end("details");
    }

    static void version(Page page, Artifact artifact) {
        page.element("h2", "", "Caches");
        StoredFeeds stored = artifact.stored();
        Report report = new Report();
        artifact.describe(report);
        LanesReport.describe(report, artifact.manifest(), stored);
        page.facts(report.facts());
        for (StoredFeed feed : stored.feeds()) {
            SortedMap<Long, Long> rows = LanesReport.rowsByLane(artifact.manifest(), feed.name());
            page.element("h3", "", "Rows by lane of " + feed.name()).picture(PlanPictures.lanes(rows, feed.lanes()));
        }
        tables(page, report, "lanes", "columns");
    }

    private static void tables(Page page, Report report, String... names) {
        for (String name : names) {
            page.element("h3", "", Page.words(name))
                    .table(Objects.requireNonNull(report.tables().get(name)));
        }
    }

    private static Table sources(List<Input> inputs) {
        Table table = new Table("source", "kind", "version", "files", "bytes");
        for (Input input : inputs) {
            if (input instanceof Input.FolderInput folder) {
                source(table, folder.name(), folder.kind(), Report.NONE, folder.files());
            } else if (input instanceof Input.HiveInput hive) {
                source(table, hive.name(), hive.kind(), hive.table(), hive.files());
            } else if (input instanceof Input.DeltaInput delta) {
                String version = delta.version() + " of table " + delta.table();
                table.add(delta.name(), delta.kind(), version, Report.NONE, Report.NONE);
            }
        }
        return table;
    }

    private static void source(Table table, String name, String kind, Object version, List<InputFile> files) {
        long bytes = files.stream().mapToLong(InputFile::bytes).sum();
        table.add(name, kind, version, (long) files.size(), new Bytes(bytes));
    }

    /** Counts the rows of each feed, from the prepared table to its caches. */
    private static Table rowsInAndOut(Order order, long prepared) {
        Table table = new Table("feed", "prepared", "leftOutByWhereOrBins", "available", "notNeeded", "inTheCaches");
        for (Feed feed : order.feeds()) {
            long available;
            long kept;
            if (feed instanceof TrainFeed train) {
                available =
                        train.strata().stream().mapToLong(Stratum::available).sum();
                kept = train.strata().stream().mapToLong(Stratum::rows).sum();
            } else {
                available = ((SequentialFeed) feed).rows();
                kept = available;
            }
            table.add(feed.name(), prepared, prepared - available, available, available - kept, kept);
        }
        return table;
    }
}
