package io.rankfeed.spark.sample.select;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.functions.when;
import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.sampling.order.Mix;
import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.spark.file.FileRow;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.sample.strata.RankBins;
import io.rankfeed.spark.sample.table.KeyedRows;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Exact ranks, whatever the bins are, over more rows than a file holds, and where priorities tie. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SelectionIT {
    private static final int ROWS = 32_000;

    private SparkSession spark;

    @BeforeAll
    void start() {
        spark = LocalSpark.session(4);
    }

    @Test
    void files_areCutAtExactRanksOfTheList() {
        UDF1<Long, Long> mix = Mix::mix;
        Dataset<Row> keyed = keyed(
                ROWS,
                col("id").mod(4).equalTo(0).cast("int"),
                udf(mix, DataTypes.LongType).apply(col("id")));
        FeedRows feed = FeedRows.ofPools(2, 23_000, 1_000);

        List<List<Row>> files = files(keyed, feed, RankBins.priorityShift(1 << 24));

        assertThat(files.stream().map(List::size)).containsExactly(10_000, 10_000, 4_000);
        assertThat(ats(files, 0)).isEqualTo(sortedPriorities(id -> id % 4 != 0, 23_000));
        assertThat(ats(files, 1)).isEqualTo(sortedPriorities(id -> id % 4 == 0, 1_000));
    }

    @Test
    void files_inTableOrder_areCutExactly() {
        Dataset<Row> keyed = keyed(
                15_000,
                lit(0),
                FileRow.of(col("id").divide(4_000).cast("int"), col("id").mod(4_000)));
        FeedRows feed = FeedRows.ofPools(2, 15_000);

        List<List<Row>> files = files(keyed, feed, RankBins.ADDRESS_SHIFT);

        assertThat(files.stream().map(List::size)).containsExactly(10_000, 5_000);
        assertThat(ids(files)).isEqualTo(LongStream.range(0, 15_000).boxed().toList());
    }

    @Test
    void priorities_equal_areDecidedByTheKey() {
        Dataset<Row> keyed = keyed(1000, lit(0), lit(0L));
        FeedRows feed = FeedRows.ofPools(2, 400);

        List<Long> chosen = ids(files(keyed, feed, RankBins.priorityShift(1000)));

        assertThat(chosen)
                .isEqualTo(LongStream.range(0, 1000)
                        .boxed()
                        .sorted((a, b) -> Arrays.compareUnsigned(key(a), key(b)))
                        .limit(400)
                        .toList());
    }

    @Test
    void ranks_anyBinWidth_areExact() {
        UDF1<Long, Long> crowded = id -> (id % 2 == 0 ? Long.MIN_VALUE : Long.MAX_VALUE - 5000) + id / 3;
        Dataset<Row> keyed = keyed(
                6000,
                col("id").mod(2).cast("int"),
                udf(crowded, DataTypes.LongType).apply(col("id")));
        FeedRows feed = FeedRows.ofPools(2, 1500, 8);

        List<Long> expected = ids(files(keyed, feed, 1));

        assertThat(expected).hasSize(1508);
        for (int shift : new int[] {4, 11, 60, 64}) {
            assertThat(ids(files(keyed, feed, shift))).as("shift %d", shift).isEqualTo(expected);
        }
    }

    /** 300,000 bins of one row each are more than the driver takes. */
    @Test
    void bins_tooMany_areWidened() {
        Dataset<Row> keyed = keyed(300_000, lit(0), col("id").multiply(2));

        List<List<Row>> files = files(keyed, FeedRows.ofPools(2, 1234), 1);

        assertThat(ids(files)).isEqualTo(LongStream.range(0, 1234).boxed().toList());
    }

    @Test
    void rows_withoutStratumOrPool_areLeftOut() {
        Column stratum = when(col("id").lt(90), col("id").mod(2).cast("int")).otherwise(KeyedRows.NO_STRATUM);
        Dataset<Row> keyed = keyed(100, stratum, col("id"));

        List<List<Row>> files = files(keyed, FeedRows.ofPools(2, 0, 45), 64);

        assertThat(ids(files)).hasSize(45).allMatch(id -> id % 2 == 1 && id < 90);
    }

    private static List<List<Row>> files(Dataset<Row> keyed, FeedRows feed, int shift) {
        RankBins bins = RankBins.scanned(keyed, feed.strata(), shift);
        return new Selection(feed, bins, 10_000)
                .files(keyed, col("the_key"), "id")
                .map(row -> RowFactory.create(row.getInt(0), row.getInt(1), row.getLong(2), row.getLong(3)))
                .glom()
                .collect();
    }

    private static List<Long> ids(List<List<Row>> files) {
        return files.stream().flatMap(List::stream).map(row -> row.getLong(3)).toList();
    }

    private static List<Long> ats(List<List<Row>> files, int stratum) {
        return files.stream()
                .flatMap(List::stream)
                .filter(row -> row.getInt(1) == stratum)
                .map(row -> row.getLong(2))
                .toList();
    }

    private static List<Long> sortedPriorities(LongPredicate inStratum, long pool) {
        return LongStream.range(0, ROWS)
                .filter(inStratum)
                .map(Mix::mix)
                .sorted()
                .limit(pool)
                .boxed()
                .toList();
    }

    private Dataset<Row> keyed(int rows, Column stratum, Column at) {
        UDF1<Long, byte[]> key = SelectionIT::key;
        return spark.range(rows)
                .toDF()
                .select(
                        col("id"),
                        stratum.as(KeyedRows.STRATUM),
                        at.as(KeyedRows.AT),
                        udf(key, DataTypes.BinaryType).apply(col("id")).as("the_key"));
    }

    private static byte[] key(long id) {
        return new KeyEncoding().integer(id).toBytes();
    }
}
