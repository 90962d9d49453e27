package io.rankfeed.spark.prepare.sequence;

import io.rankfeed.job.PackSection;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.spark.run.PreparedTable;
import java.util.Locale;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** Reports how well the rows of a table were packed. */
public final class SequenceReport {
    private SequenceReport() {}

    /** One line for the log; reads two columns of the table. */
    public static String of(SparkSession spark, PreparedTable table, PackSection pack) {
        Row sums = spark.read()
                .parquet(new Path(table.path(), "data").toString())
                .agg(functions.sum(PackSection.MEMBER_COUNT), functions.sum(PackSection.TOKEN_COUNT))
                .head();
        long sequences = table.manifest().rows();
        double free = 1 - (double) sums.getLong(1) / ((double) sequences * pack.to());
        return String.format(
                Locale.ROOT,
                "%s packed into %s of at most %,d tokens, %.2f %% of them free",
                Plural.counted(sums.getLong(0), "row"),
                Plural.counted(sequences, "sequence"),
                pack.to(),
                100 * free);
    }
}
