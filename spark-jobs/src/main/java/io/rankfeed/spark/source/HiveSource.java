package io.rankfeed.spark.source;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.manifest.Input.HiveInput;
import io.rankfeed.schema.manifest.Input.InputFile;
import io.rankfeed.spark.job.SourceSection;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A table of the metastore. Its rows have an address where Spark reads its files itself; else the job needs a key. */
final class HiveSource {
    private HiveSource() {}

    static OpenSource open(SparkSession spark, Configuration conf, String name, SourceSection section) {
        String table = section.location();
        if (!spark.catalog().tableExists(table)) {
            String database = table.contains(".") ? table.substring(0, table.indexOf('.')) : "default";
            throw new ConfigException("sources." + name + ": no table '" + table + "' in the metastore"
                    + Suggestion.hint(table, tables(spark, database)));
        }
        Map<String, String> details = details(spark, table);
        String location = details.get("Location");
        if (location == null) {
            throw new ConfigException(
                    "sources." + name + ": " + table
                            + " is a view, whose data has no identity; name its tables as sources and its query in prepare.sql");
        }
        SourceFiles folder = new SourceFiles(name, location, conf);
        List<SourceFile> files = folder.list(file -> true);
        boolean parquet = details.values().stream()
                .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("parquet"));
        List<InputFile> identity = parquet
                ? ParquetFooters.read(files, conf).stream()
                        .map(ParquetFooter::identity)
                        .toList()
                : files.stream().map(folder::digested).toList();
        Dataset<Row> rows = spark.table(table);
        boolean addressed = true;
        try {
            rows = ParquetSource.addressed(rows);
        } catch (Exception e) {
            // Scala throws the checked AnalysisException unannounced: there are no such columns.
            if (!(e instanceof AnalysisException)) {
                throw SparkFailures.translated(e);
            }
            addressed = false;
        }
        return new OpenSource(
                name,
                SourceColumns.chosen(name, rows, section),
                addressed,
                new HiveInput(name, table, identity),
                files);
    }

    private static List<String> tables(SparkSession spark, String database) {
        if (!spark.catalog().databaseExists(database)) {
            return List.of();
        }
        return spark.sql("SHOW TABLES IN `" + database + "`").select("tableName").collectAsList().stream()
                .map(row -> database + "." + row.getString(0))
                .toList();
    }

    private static Map<String, String> details(SparkSession spark, String table) {
        String quoted = Arrays.stream(table.split("\\.", -1))
                .map(part -> "`" + part.replace("`", "``") + "`")
                .collect(Collectors.joining("."));
        return spark.sql("DESCRIBE TABLE EXTENDED " + quoted).collectAsList().stream()
                .filter(row -> List.of("Location", "Provider", "InputFormat", "Serde Library")
                        .contains(row.getString(0)))
                .collect(Collectors.toMap(row -> row.getString(0), row -> row.getString(1), (a, b) -> a));
    }
}
