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
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions that Spark hands to its Parquet readers. */
class FilteredScanIT {
    private static final int IMAGE_BYTES = 20_000;

    /** Where a session, or a column's type, rules the vectorized reader out, the one of parquet-java takes the pages. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRowHasItsOwnValuesWithEitherReader(boolean vectorized, @TempDir Path folder) {
        LocalSpark.session(1, "spark.sql.parquet.enableVectorizedReader", Boolean.toString(vectorized));
        SparkSession spark = Sessions.of(
                "test", new SparkConf(false).set("spark.master", "local[2]"), EnumSet.noneOf(Sessions.Need.class));
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

    private static byte[] image(int n) {
        byte[] image = new byte[IMAGE_BYTES];
        new Random(n).nextBytes(image);
        return image;
    }
}
