package io.rankfeed.look;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.report.Page;
import io.rankfeed.report.Report;
import io.rankfeed.report.Report.Bytes;
import io.rankfeed.report.Report.Table;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * {@code report.html} of a run: its facts and what is in the artifacts that it made or found. A run that failed is
 * reported as far as it came.
 */
public final class RunPage {
    private static final List<String> PHASES = List.of("prepare", "sample", "export");

    private final JsonNode run;
    private final String dataset;
    private final Map<String, String> notable;
    private final Store.Finder stores;
    private final Page page;

    private RunPage(JsonNode run, String dataset, Map<String, String> notable, Store.Finder stores) {
        this.run = run;
        this.dataset = dataset;
        this.notable = notable;
        this.stores = stores;
        this.page = new Page(Store.name(dataset) + ", run " + text("runId"));
    }

    /**
     * The page's bytes.
     *
     * @param run what run.json says, docs/format/manifest.md section 7
     * @param dataset the dataset's folder
     * @param notable what a reader must know of the run, by a name
     */
    public static byte[] of(JsonNode run, String dataset, Map<String, String> notable, Store.Finder stores) {
        RunPage page = new RunPage(run, dataset, notable, stores);
        page.head();
        page.timings();
        page.reported();
        page.badRows();
        page.artifacts();
        page.job();
        return page.page.bytes();
    }

    private void head() {
        String state = text("state");
        page.element("h1", "", Store.name(dataset));
        page.begin("p", "soft")
                .element("span", "", text("command") + ", run " + text("runId") + " ")
                .element("span", state.equals("failed") ? "state failed" : "state committed", state)
                .end("p");
        if (state.equals("failed")) {
            failure();
        }
        Map<String, Object> facts = new LinkedHashMap<>(notable);
        facts.put("started", text("startedAt"));
        facts.put("took", took());
        facts.put("host", text("host"));
        facts.put("Spark application", text("sparkApplication"));
        facts.put("root", Store.folder(dataset));
        for (String kind : List.of("prepared", "plan", "version", "order")) {
            if (run.has(kind)) {
                facts.put(kind, text(kind));
            }
        }
        run.path("formats")
                .forEach(copy -> facts.put(
                        "format " + copy.path("format").asText(),
                        copy.path("id").asText()));
        page.facts(facts);
    }

    private void failure() {
        int done = run.path("phases").size();
        String where = done < PHASES.size() && done < goal()
                ? "in " + PHASES.get(done)
                : otherFormat(done - PHASES.size())
                        .map(format -> "in format " + format)
                        .orElse("at its end");
        page.begin("div", "failure")
                .element("strong", "", "Failed " + where + ", exit code " + text("exitCode"))
                .element("p", "", text("error"));
        if (done > 0) {
            page.element(
                    "p",
                    "soft",
                    "Complete: " + String.join(", ", PHASES.subList(0, Math.min(done, PHASES.size())))
                            + ". The next run of the same job finds that made and goes on from there.");
        }
        page.end("div");
    }

    /** The name of a format of the job other than lanes, by its number among these. */
    private Optional<String> otherFormat(int number) {
        List<String> others = new ArrayList<>();
        run.path("job")
                .path("export")
                .path("formats")
                .forEach(entry -> others.add(entry.path("format").asText()));
        others.remove("lanes");
        return number >= 0 && number < others.size() ? Optional.of(others.get(number)) : Optional.empty();
    }

    /** The number of phases of the command. */
    private int goal() {
        int phase = PHASES.indexOf(text("command"));
        return phase < 0 ? PHASES.size() : phase + 1;
    }

    private void timings() {
        List<JsonNode> phases = new ArrayList<>();
        run.path("phases").forEach(phases::add);
        if (phases.isEmpty()) {
            return;
        }
        double longest = phases.stream().mapToDouble(RunPage::seconds).max().orElse(1);
        Table table = new Table("phase", "seconds", "", "rows", "bytes", "rowsPerSecond");
        for (JsonNode phase : phases) {
            long rows = phase.path("rows").asLong();
            long bytes = phase.path("bytes").asLong();
            table.add(
                    phase.path("name").asText(),
                    seconds(phase),
                    new Page.Bar(seconds(phase) / Math.max(longest, 1e-3)),
                    rows,
                    bytes == 0 ? Report.NONE : new Bytes(bytes),
                    (long) (rows / Math.max(seconds(phase), 1e-3)));
        }
        page.element("h2", "", "Time").table(table);
        page.element(
                "p",
                "soft",
                "A phase whose artifact existed already took the time of finding it. Spark's start is not in these.");
    }

    /** Writes the messages as on the terminal: row groups, strata, rows left out and why. */
    private void reported() {
        List<String> lines = messages();
        if (!lines.isEmpty()) {
            page.element("h2", "", "Messages").element("pre", "", String.join("\n", lines));
        }
    }

    private List<String> messages() {
        List<String> lines = new ArrayList<>();
        run.path("messages").forEach(line -> lines.add(line.asText()));
        return lines;
    }

    /** Rows that the query gave and the prepared table does not hold, by reason. */
    private void badRows() {
        JsonNode bad = run.path("badRows");
        if (bad.isEmpty()) {
            return;
        }
        Table table = new Table("rows of the query", "count");
        long given = planned();
        for (JsonNode count : bad) {
            given += count.asLong();
        }
        table.add("in all", given);
        bad.properties()
                .forEach(reason ->
                        table.add("bad: " + reason.getKey(), reason.getValue().asLong()));
        table.add("in the prepared table", planned());
        page.element("h2", "", "Rows in and out").table(table);
    }

    private void artifacts() {
        for (String kind : List.of("prepared", "plan", "version")) {
            if (run.has(kind)) {
                artifact(kind, text(kind));
            }
        }
    }

    private void artifact(String kind, String id) {
        ArtifactFormat format =
                switch (kind) {
                    case "prepared" -> ArtifactFormat.PREPARED;
                    case "plan" -> ArtifactFormat.PLAN;
                    default -> ArtifactFormat.VERSION;
                };
        try {
            Store store = stores.of(dataset);
            String folder = dataset + "/" + format.folder() + "/" + id;
            Artifact artifact = Artifact.open(
                    store, store.find(folder).map(StoredFile::path).orElse(folder));
            switch (kind) {
                case "prepared" -> ArtifactSections.prepared(page, artifact);
                case "plan" -> ArtifactSections.plan(page, artifact, planned());
                default -> ArtifactSections.version(page, artifact);
            }
        } catch (RankfeedException e) {
            page.element("p", "failed", kind + " " + id + " cannot be shown: " + e.getMessage());
        }
    }

    /** Rows that the plan was made over. */
    private long planned() {
        return run.path("phases").path(0).path("rows").asLong();
    }

    private void job() {
        if (!run.has("job")) {
            return;
        }
        page.element("h2", "", "Job").begin("details", "").element("summary", "", "as it was resolved");
        String job = new String(CanonicalJson.indented(run.path("job")), StandardCharsets.UTF_8);
        page.element("pre", "", job).end("details");
    }

    private String took() {
        if (!run.has("endedAt")) {
            return "";
        }
        Duration took = Duration.between(Instant.parse(text("startedAt")), Instant.parse(text("endedAt")));
        return String.format(Locale.ROOT, "%.1f s", took.toMillis() / 1e3);
    }

    private static double seconds(JsonNode phase) {
        return Double.parseDouble(phase.path("seconds").asText("0"));
    }

    private String text(String member) {
        return run.path(member).asText();
    }
}
