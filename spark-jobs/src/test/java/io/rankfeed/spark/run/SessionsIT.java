package io.rankfeed.spark.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.engine.SourceFiles;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Spark's Parquet readers give in a session of a command. */
class SessionsIT {
    private static final int IMAGE_BYTES = 20_000;

    /** Where a session, or a column's type, rules the vectorized reader out, the one of parquet-java takes the pages. */
    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void row_eitherReader_hasItsOwnValues(String vectorized, @TempDir Path folder) {
        SparkSession spark = session(vectorized);
        spark.createDataFrame(
                        IntStream.rangeClosed(0, 100)
                                .mapToObj(n -> RowFactory.create(n, image(n)))
                                .toList(),
                        StructType.fromDDL("n INT, image BINARY"))
                .coalesce(1)
                .write()
                // Ten numbers or three images are a page; the last number is alone in its page.
                .option("parquet.page.row.count.limit", 10)
                .option("parquet.page.size", 50_000)
                .option("parquet.page.size.row.check.min", 1)
                .mode("overwrite")
                .parquet(folder.toString());
        List<Row> rows = SourceFiles.reader(spark)
                .parquet(folder.toString())
                .where("n IN (2, 100)")
                .orderBy("n")
                .collectAsList();
        assertThat(rows).extracting(row -> row.getInt(0)).containsExactly(2, 100);
        rows.forEach(row -> assertThat((byte[]) row.get(1)).isEqualTo(image(row.getInt(0))));
    }

    @ParameterizedTest
    @CsvSource({"v1,none", "v1,snappy", "v2,none", "v2,snappy", "v2,zstd"})
    void value_anyEncoding_isTheWrittenOne(String version, String compression, @TempDir Path folder) {
        SparkSession spark = session("true");
        spark.createDataFrame(
                        IntStream.range(0, 200)
                                .mapToObj(n -> RowFactory.create(n, image(n), "text " + n, List.of("a" + n, "b")))
                                .toList(),
                        StructType.fromDDL("n INT, image BINARY, text STRING, names ARRAY<STRING>"))
                .coalesce(1)
                .write()
                .option("parquet.writer.version", version)
                .option("parquet.enable.dictionary", false)
                .option("parquet.page.size", 100_000)
                .option("compression", compression)
                .mode("overwrite")
                .parquet(folder.toString());
        List<Row> rows = SourceFiles.reader(spark).parquet(folder.toString()).collectAsList();
        assertThat(rows).hasSize(200);
        for (Row row : rows) {
            int n = row.getInt(0);
            assertThat((byte[]) row.get(1)).as("image of %d", n).isEqualTo(image(n));
            assertThat(row.getString(2)).isEqualTo("text " + n);
            assertThat(row.<String>getList(3)).containsExactly("a" + n, "b");
        }
    }

    private static SparkSession session(String vectorized) {
        LocalSpark.session(1, "spark.sql.parquet.enableVectorizedReader", vectorized);
        return Sessions.of(
                "test", new SparkConf(false).set("spark.master", "local[2]"), EnumSet.noneOf(Sessions.Need.class));
    }

    private static byte[] image(int n) {
        byte[] image = new byte[IMAGE_BYTES];
        new Random(n).nextBytes(image);
        return image;
    }
}
