package io.rankfeed.spark.engine.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeGroupTest {
    private static final MessageType TYPE =
            MessageTypeParser.parseMessageType("message m { required int64 n; required int32 twice; }");

    @Test
    void row_ofOtherValues_isTold(@TempDir Path folder) throws Exception {
        Configuration conf = new Configuration();
        org.apache.hadoop.fs.Path file =
                new org.apache.hadoop.fs.Path(folder.resolve("a.parquet").toUri());
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(HadoopOutputFile.fromPath(file, conf))
                .withType(TYPE)
                .build()) {
            for (int n = 0; n < 100; n++) {
                writer.write(new SimpleGroupFactory(TYPE)
                        .newGroup()
                        .append("n", (long) n)
                        .append("twice", 2 * n));
            }
        }
        StructType columns = StructType.fromDDL("n BIGINT, twice INT");
        try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromPath(file, conf))) {
            WholeGroup whole = new WholeGroup(
                    new GroupRows(
                            reader.readRowGroup(0),
                            new ColumnIOFactory().getColumnIO(TYPE),
                            SparkRecords.of(TYPE, columns),
                            FilledPages.Check.NONE),
                    columns);
            assertThat(whole.hasAt(3, row(3L, 6))).isTrue();
            assertThat(whole.hasAt(7, row(7L, 16))).isFalse();
            assertThat(whole.hasAt(8, row(9L, 18))).isFalse();
            assertThat(whole.hasAt(99, row(99L, 198))).isTrue();
        }
    }

    private static InternalRow row(Object... values) {
        return new GenericInternalRow(values);
    }
}
