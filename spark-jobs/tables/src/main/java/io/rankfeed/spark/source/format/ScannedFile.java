package io.rankfeed.spark.source.format;

import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.file.FileTasks;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.open.ColumnedFile.Column;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;

/** A {@link StoredFile} that a task read whole. */
record ScannedFile(List<Column> columns, Map<String, DataType> types, long rows) implements Serializable {
    /** Reads files of a format that {@linkplain RowFormat#isScanned() states nothing} before their end. */
    static List<StoredFile> of(SparkSession spark, Configuration conf, List<SourceFile> files, RowFormat format) {
        TaskConfiguration hadoop = new TaskConfiguration(conf);
        List<List<SourceFile>> tasks = FileTasks.of(files);
        List<ScannedFile> found = JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(tasks, tasks.size())
                .flatMap(task -> task.stream()
                        .map(file -> of(read(format, file, hadoop.value())))
                        .iterator())
                .collect();
        List<StoredFile> stored = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            ScannedFile file = found.get(i);
            stored.add(new StoredFile(files.get(i), file.columns(), file.types(), OptionalLong.of(file.rows())));
        }
        return stored;
    }

    private static ScannedFile of(StoredFile file) {
        return new ScannedFile(
                new ArrayList<>(file.columns()),
                new HashMap<>(file.types()),
                file.rows().orElseThrow());
    }

    /** Reads what one file states. */
    static StoredFile read(RowFormat format, SourceFile file, Configuration conf) {
        try {
            return format.stored(file, conf);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + file.path(), e), e);
        }
    }
}
