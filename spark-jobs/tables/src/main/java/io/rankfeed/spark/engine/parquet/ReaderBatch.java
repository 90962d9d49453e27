package io.rankfeed.spark.engine.parquet;

import org.apache.spark.sql.SparkSession;

/**
 * Sets the number of rows that Spark's Parquet reader decodes at once, which is one number for a session. By default
 * these are 4,096 rows of any size, in memory that doubles as it fills: for rows of megabytes, several times the bytes
 * of a whole row group.
 */
public final class ReaderBatch {
    private static final String ROWS = "spark.sql.parquet.columnarReaderBatchSize";

    /** The memory that the rows of a batch should take, in bytes. */
    private static final long BATCH_BYTES = 16 << 20;

    private ReaderBatch() {}

    /**
     * Returns the average bytes of a row among rows that are read together; 0 if all of them may be decoded at once.
     */
    public static long rowBytes(long bytes, long rows) {
        return bytes <= BATCH_BYTES ? 0 : bytes / Math.max(1, rows);
    }

    /**
     * Lowers the number where that many rows would take too much; never raises it.
     *
     * @param rowBytes the maximum {@link #rowBytes} of a table
     */
    public static void fit(SparkSession spark, long rowBytes) {
        long fitting = Math.max(1, BATCH_BYTES / Math.max(1, rowBytes));
        if (fitting < Long.parseLong(spark.conf().get(ROWS))) {
            spark.conf().set(ROWS, fitting);
        }
    }
}
