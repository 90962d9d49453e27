package io.rankfeed.look;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.report.Report;
import io.rankfeed.report.Report.Bytes;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.run.StoredPlan;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A dataset's artifacts and runs, one line each. What is damaged or unfinished is listed as such. */
final class DatasetReport {
    private DatasetReport() {}

    static void describe(Report report, Store store, String folder) {
        String name = Store.name(folder);
        report.answer("dataset " + name).answer("path: " + folder);
        report.fact("kind", "dataset").fact("dataset", name).fact("path", folder);
        Report.Table artifacts = report.table("artifacts", "kind", "id", "rows", "files", "bytes", "state");
        for (ArtifactFormat format : ArtifactFormat.values()) {
            int first = artifacts.rows().size();
            for (StoredFile entry : store.entries(folder + "/" + format.folder())) {
                artifact(artifacts, store, format, entry.path());
            }
            List<List<Object>> found =
                    artifacts.rows().subList(first, artifacts.rows().size());
            if (format != ArtifactFormat.FORMATTED || !found.isEmpty()) {
                report.answer(String.format(Locale.ROOT, "%s: %s", format.folder(), states(found, 5)));
            }
        }
        Report.Table orders = report.table("orders", "id", "names", "version", "feeds", "batch", "epochs", "state");
        List<StoredPlan> plans = StoredPlan.in(folder, store);
        plans.forEach(plan -> plan(orders, plan));
        List<String> names =
                plans.stream().flatMap(plan -> plan.names().stream()).sorted().toList();
        report.answer(
                "orders: " + states(orders.rows(), 6) + (names.isEmpty() ? "" : "; names: " + Report.listed(names)));
        Report.Table runs =
                report.table("runs", "run", "command", "state", "exitCode", "startedAt", "endedAt", "error");
        for (StoredFile entry : store.entries(folder + "/" + Inspection.RUNS)) {
            run(runs, store, entry.path());
        }
        report.answer("runs: " + states(runs.rows(), 2));
        runs.rows().stream()
                .max(Comparator.comparing(
                        row -> row.get(4) == Report.NONE ? "" : row.get(4).toString()))
                .ifPresent(last -> report.answer("last run: "
                        + Report.listed(last.stream()
                                .filter(value -> value != Report.NONE)
                                .map(Object::toString)
                                .toList())));
    }

    /** Counts the rows of a table by state, as in "3 complete, 1 damaged". */
    private static String states(List<List<Object>> rows, int column) {
        Map<String, Long> counts = rows.stream()
                .collect(Collectors.groupingBy(
                        row -> row.get(column).toString().replaceFirst(":.*", ""),
                        TreeMap::new,
                        Collectors.counting()));
        return counts.isEmpty()
                ? "none"
                : counts.entrySet().stream()
                        .map(state -> String.format(Locale.ROOT, "%,d %s", state.getValue(), state.getKey()))
                        .collect(Collectors.joining(", "));
    }

    private static void artifact(Report.Table table, Store store, ArtifactFormat format, String folder) {
        String id = Store.name(folder);
        if (store.find(folder + "/" + Manifest.FILE_NAME).isEmpty()) {
            table.add(format.folder(), id, Report.NONE, Report.NONE, Report.NONE, "unfinished");
            return;
        }
        try {
            Artifact artifact = Artifact.open(store, folder);
            artifact.files();
            Manifest manifest = artifact.manifest();
            table.add(
                    format.folder(),
                    id,
                    manifest.rows(),
                    (long) manifest.files().size(),
                    new Bytes(manifest.totalBytes()),
                    artifact.is(format) && manifest.id().equals(id) ? "complete" : "in the wrong folder");
        } catch (CorruptDataException e) {
            table.add(format.folder(), id, Report.NONE, Report.NONE, Report.NONE, "damaged: " + e.getMessage());
        }
    }

    private static void plan(Report.Table table, StoredPlan plan) {
        List<Feed> feeds = plan.order().map(Order::feeds).orElse(List.of());
        table.add(
                shown(List.of(plan.id())),
                shown(plan.names()),
                shown(plan.order().map(Order::versions).orElse(Set.of())),
                shown(feeds.stream().map(Feed::name).toList()),
                shown(feeds.stream().map(feed -> Integer.toString(feed.batch())).toList()),
                shown(feeds.stream()
                        .map(feed -> Integer.toString(feed instanceof TrainFeed train ? train.epochs() : 1))
                        .toList()),
                plan.state());
    }

    private static Object shown(Collection<String> words) {
        String all = String.join(", ", words);
        return all.isEmpty() ? Report.NONE : all;
    }

    private static void run(Report.Table table, Store store, String folder) {
        String file = folder + "/" + RunReport.FILE_NAME;
        try {
            JsonNode run = StrictJson.parse(store.read(file, RunReport.MAX_BYTES), file);
            table.add(
                    run.path("runId").asText(Store.name(folder)),
                    RunReport.text(run, "command"),
                    RunReport.text(run, "state"),
                    RunReport.text(run, "exitCode"),
                    RunReport.text(run, "startedAt"),
                    RunReport.text(run, "endedAt"),
                    RunReport.text(run, "error"));
        } catch (CorruptDataException e) {
            table.add(
                    Store.name(folder), Report.NONE, "damaged", Report.NONE, Report.NONE, Report.NONE, e.getMessage());
        }
    }
}
