package io.rankfeed.spark.prepare;

import io.rankfeed.job.JobFile;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.run.SharedTables;
import io.rankfeed.spark.source.Sources;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/** One session for the tests of this package, and inputs whose bytes hardly compress. */
public final class PrepareFixture {
    private PrepareFixture() {}

    public static SparkSession session() {
        return LocalSpark.current(3);
    }

    /** Rows {@code id, label, tokens, note} in several files. */
    public static Path table(Path folder, int rows, int files) {
        return SharedTables.put(rows + " rows in " + files + " files", folder, to -> session()
                .range(0, rows, 1, files)
                .selectExpr(
                        "id",
                        "id % 3 = 0 AS label",
                        "transform(sequence(0, cast(id % 40 as int)), x -> cast(hash(id, x) as int)) AS tokens",
                        "concat(sha2(cast(id as string), 512), sha2(cast(-id as string), 512)) AS note")
                .write()
                .parquet(to.toString()));
    }

    public static PreparedTable prepare(Path root, Path source, String prepare) {
        return prepare(root, "  t: {parquet: '" + source + "'}", prepare);
    }

    public static PreparedTable prepare(Path root, String sources, String prepare) {
        return Prepare.run(context(root, sources, prepare));
    }

    /** What a dry run counts. */
    public static Preview preview(Path root, String sources, String prepare) {
        return Prepare.preview(context(root, sources, prepare), Sources.NO_CHOICE);
    }

    private static JobContext context(Path root, String sources, String prepare) {
        String yaml = "dataset: d\nroot: '" + root + "'\nsources:\n" + sources + "\nprepare:\n" + prepare.indent(2);
        return JobContext.of(
                session(), JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE);
    }

    public static Path folder(PreparedTable table) {
        return Path.of(table.path().toUri().getPath());
    }
}
