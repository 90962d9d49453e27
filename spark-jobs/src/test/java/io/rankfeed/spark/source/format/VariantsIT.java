package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.run.LocalSpark;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Variants whose fields Spark wrote into columns of their own (shredding), in files and in Delta tables. */
class VariantsIT extends FormatJob {
    private static final String SHREDDING = "spark.sql.variant.writeShredding.enabled";

    /** Values of the type of a field's column and of others, as Spark prints them. */
    private static final List<String> VALUES = List.of(
            "{\"a\":1,\"b\":\"x\",\"d\":1.25,\"l\":[1,2]}",
            "{\"a\":\"one\",\"b\":\"y\",\"e\":null}",
            "[1,\"a\"]",
            "5",
            "null",
            "{\"a\":123456789012345678,\"d\":1.0E40,\"x\":1.0E30}",
            "{}",
            "{\"a\":99999,\"d\":123456789012.5,\"l\":[{\"a\":1}]}",
            "{\"a\":[null],\"d\":-1.999,\"l\":[]}");

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "parquet | -",
                "parquet | a BIGINT, b STRING, d DECIMAL(15, 2), l ARRAY<INT>",
                "parquet | a SMALLINT, d DECIMAL(9, 3)",
                "parquet | a INT, d DOUBLE, e STRING",
                "parquet | d DECIMAL(38, 2), x DOUBLE",
                "delta   | -",
                "delta   | a INT, b STRING, d DECIMAL(15, 2), l ARRAY<INT>",
            })
    void values_areThoseThatWereWritten(String format, @Nullable String columns) {
        SparkSession session = LocalSpark.session(3, "spark.sql.parquet.filterPushdown", "false");
        session.conf().set(SHREDDING, columns != null);
        session.conf().set("spark.sql.variant.forceShreddingSchemaForTest", columns == null ? "" : columns);
        Path table = folder.resolve("table");
        session.createDataset(VALUES, Encoders.STRING())
                .coalesce(1)
                .selectExpr("monotonically_increasing_id() AS id", "parse_json(value) AS v")
                .write()
                .format(format)
                .option("delta.enableVariantShredding", "true")
                .save(table.toString());

        Dataset<Row> read = context(format + ": '" + table + "'", "select: {from: t}")
                .openSources()
                .all()
                .get(0)
                .rows();
        assertThat(read.orderBy("id").selectExpr("to_json(v)").collectAsList().stream()
                        .map(row -> row.getString(0)))
                .containsExactlyElementsOf(VALUES);
        assertThat(read
                        .orderBy("id")
                        .where("try_variant_get(v, '$.a', 'BIGINT') > 1")
                        .selectExpr("id")
                        .collectAsList()
                        .stream()
                        .map(row -> row.getLong(0)))
                .containsExactly(5L, 7L);
    }
}
