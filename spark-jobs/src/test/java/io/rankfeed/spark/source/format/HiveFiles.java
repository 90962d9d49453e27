package io.rankfeed.spark.source.format;

import io.rankfeed.spark.run.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A job over a Hive table of the database {@code formats}, which can have a file of another writer. */
class HiveFiles extends FormatJob {
    static final String BY_ID = "select: {from: t, columns: [id]}\nkey: [id]";

    SparkSession spark;

    @BeforeEach
    void database() {
        spark = LocalSpark.session(2, "hive.exec.dynamic.partition.mode", "nonstrict");
        spark.sql("CREATE DATABASE formats");
    }

    @AfterEach
    void dropped() {
        spark.sql("DROP DATABASE formats CASCADE");
    }

    /** Makes the table {@code formats.t} of a folder, with the columns id and x. */
    void table(String type, Path folder) {
        spark.sql("CREATE EXTERNAL TABLE formats.t (id BIGINT, x " + type + ") STORED AS PARQUET LOCATION '" + folder
                + "'");
    }

    Path written(String column, Map<String, String> footer, UnaryOperator<Group> values) throws IOException {
        return written("spark_schema", column, footer, values);
    }

    /**
     * Writes a folder with a Parquet file of one row, whose columns are id and another one.
     *
     * @param root the name of the schema, which writers choose
     */
    Path written(String root, String column, Map<String, String> footer, UnaryOperator<Group> values)
            throws IOException {
        Path table = Files.createDirectory(folder.resolve("table"));
        MessageType schema = MessageTypeParser.parseMessageType(
                "message " + root + " { required int64 id; required " + column + (column.endsWith("}") ? " }" : "; }"));
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(
                        new org.apache.hadoop.fs.Path(table.resolve("a.parquet").toUri()))
                .withConf(new Configuration())
                .withType(schema)
                .withExtraMetaData(footer)
                .build()) {
            writer.write(values.apply(new SimpleGroupFactory(schema).newGroup().append("id", 1L)));
        }
        return table;
    }
}
