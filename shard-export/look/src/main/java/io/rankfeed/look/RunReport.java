package io.rankfeed.look;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.report.Report;
import io.rankfeed.report.Report.Bytes;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.store.Store;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** A run: how it ended, what it made or found, its phases and messages (docs/format/manifest.md, section 7). */
final class RunReport {
    static final String FILE_NAME = "run.json";
    static final long MAX_BYTES = 16L << 20;

    /** What the names of the phases that write other formats begin with. */
    private static final String FORMAT = "format ";

    private static final List<String> FACTS = List.of(
            "command",
            "state",
            "exitCode",
            "error",
            "startedAt",
            "endedAt",
            "prepared",
            "plan",
            "version",
            "order",
            "host",
            "sparkApplication");

    private RunReport() {}

    /** @throws CorruptDataException if the file is not JSON */
    static void describe(Report report, Store store, String file) {
        JsonNode run = StrictJson.parse(store.read(file, MAX_BYTES), file);
        String folder = Store.folder(file);
        String id = run.path("runId").asText(Store.name(folder));
        report.answer(String.format(Locale.ROOT, "run %s: %s %s", id, text(run, "command"), text(run, "state")))
                .answer("path: " + folder)
                .answer(String.format(
                        Locale.ROOT, "started %s, ended %s", text(run, "startedAt"), text(run, "endedAt")));
        if (run.hasNonNull("error")) {
            report.answer(String.format(Locale.ROOT, "exit code %s: %s", text(run, "exitCode"), text(run, "error")));
        }
        report.fact("kind", "run").fact("run", id).fact("path", folder);
        FACTS.forEach(name -> report.fact(name, text(run, name)));
        Report.Table phases = report.table("phases", "phase", "seconds", "rows", "bytes", "artifact");
        Iterator<JsonNode> copies = run.path("formats").iterator();
        for (JsonNode phase : run.path("phases")) {
            String name = phase.path("name").asText();
            boolean isCopy = name.startsWith(FORMAT) && copies.hasNext();
            Object artifact = isCopy ? text(copies.next(), "id") : text(run, artifact(name));
            long rows = phase.path("rows").asLong();
            double seconds = phase.path("seconds").asDouble();
            phases.add(name, seconds, rows, new Bytes(phase.path("bytes").asLong()), artifact);
            report.answer(String.format(
                    Locale.ROOT,
                    "%s: %s in %.1f s, %s %s",
                    name,
                    Plural.counted(rows, "row"),
                    seconds,
                    artifact(name),
                    artifact));
        }
        if (!run.path("badRows").isEmpty()) {
            Report.Table bad = report.table("bad rows", "reason", "count");
            run.path("badRows")
                    .properties()
                    .forEach(
                            reason -> bad.add(reason.getKey(), reason.getValue().asLong()));
            report.answer("bad rows: "
                    + Report.listed(bad.rows().stream()
                            .map(row -> row.get(0) + " " + row.get(1))
                            .toList()));
        }
        run.path("messages").forEach(message -> report.note(message.asText()));
    }

    private static String artifact(String phase) {
        return switch (phase) {
            case "sample" -> "plan";
            case "export" -> "version";
            default -> phase.startsWith(FORMAT) ? "formatted copy" : "prepared";
        };
    }

    /** A member that is there and has a text. */
    static Object text(JsonNode run, String name) {
        return run.path(name).asText().isEmpty() || run.path(name).isNull()
                ? Report.NONE
                : run.path(name).asText();
    }
}
