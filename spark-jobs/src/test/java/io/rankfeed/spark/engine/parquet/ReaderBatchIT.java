package io.rankfeed.spark.engine.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.run.LocalSpark;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

class ReaderBatchIT {
    @Test
    void rows_large_areDecodedInSmallBatches() {
        // Of its own, for what is lowered stays.
        SparkSession spark = LocalSpark.session(2);
        String rows = "spark.sql.parquet.columnarReaderBatchSize";
        ReaderBatch.fit(spark, 4096);
        assertThat(spark.conf().get(rows)).isEqualTo("4096");
        ReaderBatch.fit(spark, 2 << 20);
        assertThat(spark.conf().get(rows)).isEqualTo("8");
        ReaderBatch.fit(spark, 100);
        assertThat(spark.conf().get(rows)).as("never raised").isEqualTo("8");
        ReaderBatch.fit(spark, Long.MAX_VALUE);
        assertThat(spark.conf().get(rows)).isEqualTo("1");
    }
}
