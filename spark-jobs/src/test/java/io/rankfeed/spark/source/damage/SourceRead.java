package io.rankfeed.spark.source.damage;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.engine.SparkFailures;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.source.open.OpenSource;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What the first step of prepare makes of a source: its rows, or a failure.
 *
 * @param rows as text, in the order of the file; empty after a failure
 */
record SourceRead(List<String> rows, @Nullable RuntimeException failure) {
    /** @param source as the job file has it, such as <code>{parquet: '/x'}</code> */
    static SourceRead of(SparkSession spark, String source) {
        String yaml =
                "dataset: d\nroot: /tmp/never-written\nsources:\n  t: " + source + "\nprepare:\n  select: {from: t}\n";
        JobContext context = JobContext.of(
                spark, JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE);
        try {
            OpenSource open = context.openSources().all().get(0);
            List<Row> rows = open.rows().drop(RowAddress.FILE, RowAddress.ROW).collectAsList();
            if (rows.size() != open.rowsInFiles().orElse(rows.size())) {
                open.refuseOtherCount();
            }
            return new SourceRead(rows.stream().map(SourceRead::text).toList(), null);
        } catch (Exception e) {
            // Scala throws checked exceptions without declaring them.
            return new SourceRead(List.of(), SparkFailures.translated(e));
        }
    }

    /** The exit code of a command. */
    int exitCode() {
        return failure == null
                ? 0
                : failure instanceof ConfigException ? 2 : failure instanceof CorruptDataException ? 3 : 4;
    }

    private static String text(@Nullable Object value) {
        if (value instanceof Row row) {
            return CollectionConverters.asJava(row.toSeq()).stream()
                    .map(SourceRead::text)
                    .toList()
                    .toString();
        } else if (value instanceof scala.collection.Seq<?> list) {
            return CollectionConverters.asJava(list).stream()
                    .map(SourceRead::text)
                    .toList()
                    .toString();
        } else if (value instanceof scala.collection.Map<?, ?> map) {
            return CollectionConverters.asJava(map).entrySet().stream()
                    .map(entry -> text(entry.getKey()) + "=" + text(entry.getValue()))
                    .toList()
                    .toString();
        }
        return value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value);
    }
}
