package io.rankfeed.spark.source.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.prepare.PrepareFixture;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that Spark wrote and another program changed: pyarrow keeps Spark's schema in the footer whatever the columns are. */
class StaleSchemaIT {
    @TempDir
    Path folder;

    /** Spark reads 300000 as the SMALLINT -27680. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "int32 x | x SMALLINT | INT | 300000",
                "int32 x | x INTERVAL MONTH | INTERVAL MONTH | INTERVAL '300000' MONTH",
                "group x { required int32 a; } | x STRUCT<a: TINYINT> | STRUCT<a: INT> | {300000}",
            })
    void type_ofChangedColumn_isTheStoredOne(String column, String spark, String type, String read) throws IOException {
        boolean isNested = column.startsWith("group");
        Dataset<Row> rows = rows(written(column, spark, row -> {
            (isNested ? row.addGroup("x") : row).append(isNested ? "a" : "x", 300_000);
            return row;
        }));
        assertThat(rows.schema().apply("x").dataType().sql().replace(" NOT NULL", ""))
                .isEqualTo(type);
        assertThat(rows.selectExpr("CAST(x AS STRING)").first().getString(0)).isEqualTo(read);
    }

    @Test
    void renamedColumn_isReadByItsNewNameAlone() throws IOException {
        Path file = written("int32 x", "before INT", row -> row.append("x", 7));
        Dataset<Row> rows = rows(file);
        assertThat(rows.columns()).startsWith("id", "x").doesNotContain("before");
        assertThat(rows.selectExpr("x").first().getInt(0)).isEqualTo(7);
        assertThatThrownBy(() -> rows(file, ", columns: [id, before]"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("sources.t.columns: no column 'before'");
    }

    private Path written(String column, String spark, UnaryOperator<Group> values) throws IOException {
        Path file = folder.resolve("a.parquet");
        MessageType schema = MessageTypeParser.parseMessageType(
                "message m { required int64 id; required " + column + (column.endsWith("}") ? " }" : "; }"));
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(file.toUri()))
                .withConf(new Configuration())
                .withType(schema)
                .withExtraMetaData(Map.of(
                        "org.apache.spark.version",
                        "3.5.1",
                        "org.apache.spark.sql.parquet.row.metadata",
                        StructType.fromDDL("id BIGINT, " + spark).json()))
                .build()) {
            writer.write(values.apply(new SimpleGroupFactory(schema).newGroup().append("id", 1L)));
        }
        return file;
    }

    private Dataset<Row> rows(Path file) {
        return rows(file, "");
    }

    private Dataset<Row> rows(Path file, String more) {
        String yaml = "dataset: d\nroot: '" + folder.resolve("out") + "'\nsources: {t: {parquet: '" + file + "'" + more
                + "}}\nprepare: {select: {from: t}}\nsample: {train: {batch: 4, lanes: 2}}\n";
        return JobContext.of(
                        PrepareFixture.session(),
                        JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()),
                        Progress.NONE)
                .openSources()
                .all()
                .get(0)
                .rows();
    }
}
