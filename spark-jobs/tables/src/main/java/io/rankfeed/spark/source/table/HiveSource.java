package io.rankfeed.spark.source.table;

import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.manifest.Input.HiveInput;
import io.rankfeed.schema.manifest.Input.InputFile;
import io.rankfeed.spark.engine.HiveTable;
import io.rankfeed.spark.engine.InputChanges;
import io.rankfeed.spark.engine.SparkFailures;
import io.rankfeed.spark.file.ContentDigests;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.jsonl.LineLengths;
import io.rankfeed.spark.source.open.ExpectedRows;
import io.rankfeed.spark.source.open.JvmZone;
import io.rankfeed.spark.source.open.OpenSource;
import io.rankfeed.spark.source.open.OtherValues;
import io.rankfeed.spark.source.open.SourceColumns;
import io.rankfeed.spark.source.open.SourceFooter;
import io.rankfeed.spark.source.open.SourceFooters;
import io.rankfeed.spark.source.parquet.ParquetSource;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A table of the metastore. Its rows have an address where Spark reads its files itself; else the job needs a key. */
public final class HiveSource {
    private HiveSource() {}

    public static OpenSource open(SparkSession spark, Configuration conf, String name, SourceSection section) {
        String table = section.location();
        if (!spark.catalog().tableExists(table)) {
            String database = table.contains(".") ? table.substring(0, table.indexOf('.')) : "default";
            throw new ConfigException("sources." + name + ": no table '" + table + "' in the metastore"
                    + Suggestion.hint(table, tables(spark, database)));
        }
        Dataset<Row> rows = spark.table(table);
        HiveTable found = HiveTable.of(spark, name, table, rows);
        List<SourceFile> files = found.files(name, conf);
        return InputChanges.blaming(files, conf, () -> opened(spark, conf, name, section, rows, found, files));
    }

    private static OpenSource opened(
            SparkSession spark,
            Configuration conf,
            String name,
            SourceSection section,
            Dataset<Row> table,
            HiveTable found,
            List<SourceFile> files) {
        Dataset<Row> rows = table;
        List<SourceFooter> footers = found.isParquet() ? SourceFooters.read(files, conf) : List.of();
        List<InputFile> identity = found.isParquet()
                ? footers.stream().map(SourceFooter::identity).toList()
                : ContentDigests.of(spark, conf, files);
        if (found.hasLines(conf)) {
            LineLengths.refuseTooLong(spark, conf, files);
        }
        boolean addressed = true;
        try {
            rows = ParquetSource.addressed(rows);
        } catch (Exception e) {
            // Scala throws the checked AnalysisException without declaring them: there are no such columns.
            if (!(e instanceof AnalysisException)) {
                throw SparkFailures.translated(e);
            }
            addressed = false;
        }
        List<String> read = SourceColumns.read(name, rows, section);
        SourceFooters.refuseUnsupported("sources." + name, footers, read);
        OtherValues.refuse("sources." + name, footers, rows.schema(), read);
        JvmZone.refuseTimestamps(name, found.storedInJvmZone(), read);
        JvmZone.refuseLocalTimes(name, footers, read);
        Dataset<Row> chosen = SourceColumns.chosen(name, rows, section);
        found.refuseNullPartition(name, chosen);
        HiveInput input = new HiveInput(name, section.location(), identity);
        return found.isParquet()
                ? OpenSource.of(name, chosen, addressed, input, footers).expecting(ExpectedRows.of(rows, footers))
                : new OpenSource(name, chosen, addressed, input, files);
    }

    private static List<String> tables(SparkSession spark, String database) {
        if (!spark.catalog().databaseExists(database)) {
            return List.of();
        }
        return spark.sql("SHOW TABLES IN `" + database + "`").select("tableName").collectAsList().stream()
                .map(row -> database + "." + row.getString(0))
                .toList();
    }
}
