package io.rankfeed.spark.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.report.Report;
import io.rankfeed.report.Report.Bytes;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Manifest;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/** A dataset's artifacts and runs, one line each. What is damaged or unfinished is listed as such. */
final class DatasetReport {
    private static final long MAX_RUN_BYTES = 16L << 20;

    private DatasetReport() {}

    static void describe(Report report, FileTree tree, Path folder) {
        report.fact("kind", "dataset").fact("dataset", folder.getName()).fact("path", FileTree.name(folder));
        Report.Table artifacts = report.table("artifacts", "kind", "id", "rows", "files", "bytes", "state");
        for (ArtifactFormat format : ArtifactFormat.values()) {
            for (FileStatus entry : tree.entries(new Path(folder, format.folder()))) {
                artifact(artifacts, tree, format, entry.getPath());
            }
        }
        Report.Table runs =
                report.table("runs", "run", "command", "state", "exitCode", "startedAt", "endedAt", "error");
        for (FileStatus entry : tree.entries(new Path(folder, "runs"))) {
            run(runs, tree, entry.getPath());
        }
    }

    private static void artifact(Report.Table table, FileTree tree, ArtifactFormat format, Path folder) {
        String id = folder.getName();
        if (tree.status(new Path(folder, Manifest.FILE_NAME)).isEmpty()) {
            table.add(format.folder(), id, Report.NONE, Report.NONE, Report.NONE, "unfinished");
            return;
        }
        try {
            Artifact artifact = Artifact.open(tree, folder);
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

    private static void run(Report.Table table, FileTree tree, Path folder) {
        Path file = new Path(folder, "run.json");
        try {
            JsonNode run = StrictJson.parse(tree.read(file, MAX_RUN_BYTES), FileTree.name(file));
            table.add(
                    run.path("runId").asText(folder.getName()),
                    text(run, "command"),
                    text(run, "state"),
                    text(run, "exitCode"),
                    text(run, "startedAt"),
                    text(run, "endedAt"),
                    text(run, "error"));
        } catch (CorruptDataException e) {
            table.add(folder.getName(), Report.NONE, "damaged", Report.NONE, Report.NONE, Report.NONE, e.getMessage());
        }
    }

    private static Object text(JsonNode run, String name) {
        String text = run.path(name).asText();
        return text.isEmpty() || run.path(name).isNull() ? Report.NONE : text;
    }
}
