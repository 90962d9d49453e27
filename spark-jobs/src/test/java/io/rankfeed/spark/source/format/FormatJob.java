package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.prepare.PrepareFixture;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.sample.table.PreparedFrame;
import io.rankfeed.spark.source.Sources;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.io.TempDir;

/** A job over one source in a folder of its own. */
class FormatJob {
    @TempDir
    Path folder;

    void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (name.endsWith(".gz")) {
            ByteArrayOutputStream zipped = new ByteArrayOutputStream();
            try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
                out.write(bytes);
            }
            bytes = zipped.toByteArray();
        }
        Files.write(file, bytes);
    }

    PreparedTable prepare(String source, String prepare) {
        return Prepare.run(context(source, prepare));
    }

    List<Row> rows(PreparedTable table) {
        return PreparedFrame.open(context("text: /x", "select: {from: t}"), table)
                .rows()
                .selectExpr(table.manifest().schema().names().toArray(String[]::new))
                .collectAsList();
    }

    List<String> messages(String source) {
        JobContext context = context(source, "select: {from: t}");
        Sources sources = context.openSources();
        return sources.missingColumns(context.spark().table("t"));
    }

    /** Opens a source, and returns a text of each of its rows, in the order of their ids. */
    List<String> texts(String source, String text) {
        Sources sources = context(source, "select: {from: t}").openSources();
        sources.refuseOtherCounts();
        return sources.all().get(0).rows().orderBy("id").selectExpr(text).collectAsList().stream()
                .map(row -> row.getString(0))
                .toList();
    }

    void assertRefused(String source, String prepare, Class<? extends RankfeedException> type, String... message) {
        assertThatThrownBy(() -> prepare(source, prepare)).isInstanceOf(type).hasMessageContainingAll(message);
    }

    JobContext context(String source, String prepare) {
        String yaml = "dataset: d\nroot: '" + folder.resolve("out") + "'\nsources:\n  t: {" + source + "}\nprepare:\n"
                + prepare.indent(2) + "sample: {train: {batch: 4, lanes: 2}}\n";
        return JobContext.of(
                PrepareFixture.session(),
                JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()),
                Progress.NONE);
    }
}
