package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.udf;
import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.sampling.Mix;
import io.rankfeed.schema.digest.KeyEncoding;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Exact ranks over more rows than one file of the plan holds, and where priorities tie. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SelectionIT {
    private static final int ROWS = 3_200_000;

    private SparkSession spark;

    @BeforeAll
    void start() {
        spark = PreparedFixture.session("local[2]", 4, "true");
    }

    @AfterAll
    void stop() {
        spark.stop();
    }

    @Test
    void filesAreCutAtExactRanksOfTheListsOrder() {
        UDF1<Long, Long> mix = Mix::mix;
        Dataset<Row> keyed = keyed(
                ROWS,
                col("id").mod(4).equalTo(0).cast("int"),
                udf(mix, DataTypes.LongType).apply(col("id")));
        FeedRows feed = FeedRows.ofPools(2, 2_300_000, 100_000);

        Dataset<Row> chosen = Selection.bottom(keyed, feed, new long[] {2_400_000, 800_000});
        List<Row> files = Selection.withFile(chosen, feed, false)
                .groupBy(col(Selection.PLAN_FILE), col(KeyedRows.STRATUM))
                .agg(count(lit(1)), min(KeyedRows.AT), max(KeyedRows.AT))
                .orderBy(Selection.PLAN_FILE, KeyedRows.STRATUM)
                .collectAsList();

        assertThat(files.stream().map(row -> List.of(row.getInt(0), row.getInt(1), row.getLong(2))))
                .containsExactly(
                        List.of(0, 0, 1_048_576L),
                        List.of(1, 0, 1_048_576L),
                        List.of(2, 0, 202_848L),
                        List.of(2, 1, 100_000L));
        long[] priorities = LongStream.range(0, ROWS)
                .filter(id -> id % 4 != 0)
                .map(Mix::mix)
                .sorted()
                .toArray();
        assertThat(files.get(0).getLong(4)).isEqualTo(priorities[1_048_575]);
        assertThat(files.get(1).getLong(3)).isEqualTo(priorities[1_048_576]);
        assertThat(files.get(2).getLong(4)).isEqualTo(priorities[2_299_999]);
    }

    @Test
    void theOrderOfTheTableIsCutExactlyToo() {
        Dataset<Row> keyed = keyed(1_500_000, lit(0), lit(0L))
                .withColumn(PreparedFrame.FILE, col("id").divide(400_000).cast("int"))
                .withColumn(PreparedFrame.ROW, col("id").mod(400_000));
        FeedRows feed = FeedRows.ofPools(2, 1_500_000);

        Row last = Selection.withFile(KeyedRows.byAddress(keyed), feed, true)
                .where(col(Selection.PLAN_FILE).equalTo(0))
                .agg(count(lit(1)), max("id"))
                .head();

        assertThat(last.getLong(0)).isEqualTo(1_048_576);
        assertThat(last.getLong(1)).isEqualTo(1_048_575);
    }

    @Test
    void equalPrioritiesAreDecidedByTheKey() {
        Dataset<Row> keyed = keyed(1000, lit(0), col("id").mod(3).multiply(0L));
        FeedRows feed = FeedRows.ofPools(2, 400);

        List<Row> chosen = Selection.bottom(keyed, feed, new long[] {1000})
                .select("id")
                .orderBy("id")
                .collectAsList();

        List<Long> expected = LongStream.range(0, 1000)
                .boxed()
                .sorted((a, b) -> KeyEncoding.compare(key(a), key(b)))
                .limit(400)
                .sorted()
                .toList();
        assertThat(chosen.stream().map(row -> row.getLong(0))).isEqualTo(expected);
    }

    /** Bins of 2^60 first, and at most 10 rows to collect: they are cut until nothing but equal rows is left. */
    @Test
    void binsAreCutUntilFewRowsAreLeft() {
        UDF1<Long, Long> crowded = id -> (id % 2 == 0 ? Long.MIN_VALUE : Long.MAX_VALUE - 5000) + id / 3;
        Dataset<Row> keyed = keyed(
                6000,
                col("id").mod(2).cast("int"),
                udf(crowded, DataTypes.LongType).apply(col("id")));

        Map<Integer, List<RankedRow>> found = new RankSearch(keyed, new int[] {60, 60}, 10)
                .at(Map.of(0, List.of(0L, 1L, 1500L, 2999L), 1, List.of(7L)));

        found.forEach((stratum, rows) -> {
            List<RankedRow> sorted = LongStream.range(0, 6000)
                    .filter(id -> id % 2 == stratum)
                    .mapToObj(id -> ranked(crowded, id))
                    .sorted()
                    .toList();
            List<Integer> ranks = stratum == 0 ? List.of(0, 1, 1500, 2999) : List.of(7);
            assertThat(rows).isEqualTo(ranks.stream().map(sorted::get).toList());
        });
        assertThat(found).hasSize(2);
    }

    private static RankedRow ranked(UDF1<Long, Long> at, long id) {
        try {
            return new RankedRow(at.call(id), key(id));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aStratumWithoutPoolIsLeftOut() {
        Dataset<Row> keyed = keyed(100, col("id").mod(2).cast("int"), col("id"));

        List<Row> chosen = Selection.bottom(keyed, FeedRows.ofPools(2, 0, 50), new long[] {50, 50})
                .groupBy(KeyedRows.STRATUM)
                .count()
                .collectAsList();

        assertThat(chosen.stream().map(row -> Map.entry(row.getInt(0), row.getLong(1))))
                .containsExactly(Map.entry(1, 50L));
    }

    private Dataset<Row> keyed(int rows, Column stratum, Column at) {
        UDF1<Long, byte[]> key = SelectionIT::key;
        return spark.range(rows)
                .toDF()
                .select(
                        col("id"),
                        stratum.as(KeyedRows.STRATUM),
                        at.as(KeyedRows.AT),
                        udf(key, DataTypes.BinaryType).apply(col("id")).as(KeyedRows.KEY));
    }

    private static byte[] key(long id) {
        return new KeyEncoding().integer(id).toBytes();
    }
}
