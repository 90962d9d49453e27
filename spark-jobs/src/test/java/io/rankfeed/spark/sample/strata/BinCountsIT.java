package io.rankfeed.spark.sample.strata;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;
import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.run.LocalSpark;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BinCountsIT {
    /** More than 2¹⁸ lines are too many for the driver: bins are widened. Each of a wider bin has rows of both parts. */
    @ParameterizedTest
    @CsvSource({"1000, 0", "131072, 0", "524288, 2"})
    void counts_ofFewOrManyBins_areOfOneScan(int rows, int wider) {
        SparkSession spark = LocalSpark.session(2);
        LongAccumulator scanned = spark.sparkContext().longAccumulator();
        UDF1<Long, Long> counted = id -> {
            scanned.add(1);
            return id;
        };
        Dataset<Row> counts = spark.range(0, rows, 1, 4)
                .select(udf(counted, DataTypes.LongType).apply(col("id")).as(RankBins.BIN))
                .groupBy(col(RankBins.BIN).mod(2).as("part"), col(RankBins.BIN))
                .count();

        BinCounts found = BinCounts.of(counts, 3);

        assertThat(scanned.value()).isEqualTo(rows);
        assertThat(found.rows()).isEqualTo(rows);
        assertThat(found.shift()).isEqualTo(3 + wider);
        Map<Long, Long> byPart = found.lines().stream()
                .collect(Collectors.groupingBy(line -> line.getLong(0), Collectors.summingLong(BinCounts::rows)));
        assertThat(byPart).isEqualTo(Map.of(0L, rows / 2L, 1L, rows / 2L));
    }
}
