package io.rankfeed.spark.source.format.csv;

import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.spark.source.format.FormatSource;
import io.rankfeed.spark.source.jsonl.ColumnCase;
import io.rankfeed.spark.source.open.OpenSource;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** A folder of CSV files, or one: the address of a row is the line at which it begins. */
public final class CsvSource {
    private CsvSource() {}

    public static OpenSource open(
            SparkSession spark, Configuration conf, String name, SourceSection section, OnBadRow onBadRow) {
        Optional<StructType> schema = section.schema().map(ddl -> declared(name, ddl));
        CsvFormat format = new CsvFormat(
                schema.orElse(null),
                section.header().orElse(true),
                section.delimiter().orElse(""));
        OpenSource source = FormatSource.open(spark, conf, name, section, FileFormat.CSV, format, onBadRow);
        schema.ifPresent(columns -> refuseMissing(name, columns, source));
        return source;
    }

    private static StructType declared(String name, String ddl) {
        StructType schema = StructType.fromDDL(ddl);
        ColumnCase.refuseDeclared(name, schema);
        for (StructField column : schema.fields()) {
            if (!CsvValues.holds(column)) {
                throw new ConfigException("sources." + name + ".schema: column '" + column.name() + "' is "
                        + column.dataType().simpleString() + ", which is not read from CSV; take STRING, which has the"
                        + " value as written, and convert it in the job's SQL");
            }
        }
        return schema;
    }

    /** @throws ConfigException naming a column that the schema declares and no file has */
    private static void refuseMissing(String name, StructType schema, OpenSource source) {
        Set<String> found = source.columns().map(columns -> columns.names()).orElseThrow();
        for (String column : schema.fieldNames()) {
            if (!found.contains(column)) {
                throw new ConfigException("sources." + name + ".schema: the header of no file has a column '" + column
                        + "'; the case of letters counts");
            }
        }
    }
}
