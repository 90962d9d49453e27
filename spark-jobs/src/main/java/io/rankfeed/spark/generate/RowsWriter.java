package io.rankfeed.spark.generate;

import io.rankfeed.spark.generate.CodeContestsRows.Sample;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** Rows through Spark's own writers. How many files there are follows from the rows, never from cores. */
final class RowsWriter {
    static final long ROWS_PER_FILE = 25_000;

    static final StructType SCHEMA =
            StructType.fromDDL("task_id STRING, split STRING, instruction STRING, input STRING,"
                    + " output STRING, is_correct BOOLEAN, difficulty INT");

    private static final List<String> TEXTS = List.of("task_id", "instruction", "input", "output");

    private RowsWriter() {}

    static void write(SparkSession spark, CodeContestsRows rows, GeneratedSet.Format format, Path folder) {
        // Whatever the session's defaults are, these decide the bytes.
        DataFrameWriter<Row> writer = frame(spark, rows, files(rows.shape().rows()))
                .write()
                .format(format.sparkName())
                .option("compression", format == GeneratedSet.Format.JSONL ? "none" : "zstd")
                .option("parquet.compression.codec.zstd.level", 1)
                .option("parquet.block.size", 128L << 20)
                .option("parquet.page.size", 1L << 20)
                .option("maxRecordsPerFile", 0);
        for (String text : TEXTS) {
            // Hardly a text comes twice; hashing them all is a fifth of the time.
            writer.option("parquet.enable.dictionary#" + text, false);
        }
        writer.save(folder.toString());
    }

    static Dataset<Row> frame(SparkSession spark, CodeContestsRows rows, int partitions) {
        MapFunction<Long, Row> row = number -> {
            Sample sample = rows.row(number);
            return RowFactory.create(
                    sample.taskId(),
                    sample.split(),
                    sample.instruction(),
                    sample.input(),
                    sample.output(),
                    sample.isCorrect(),
                    sample.difficulty());
        };
        return spark.range(0, rows.shape().rows(), 1, partitions).map(row, Encoders.row(SCHEMA));
    }

    static int files(long rows) {
        return (int) ((rows + ROWS_PER_FILE - 1) / ROWS_PER_FILE);
    }
}
