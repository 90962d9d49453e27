package io.rankfeed.spark.sample.select;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.shiftleft;
import static org.apache.spark.sql.functions.shiftrightunsigned;
import static org.apache.spark.sql.functions.udf;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.spark.file.ComputedIterator;
import io.rankfeed.spark.sample.strata.StageLevels;
import io.rankfeed.spark.sample.table.KeyedRows;
import java.util.Iterator;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.types.DataTypes;

/**
 * Lists whose stages go easy to hard: of a stratum's rows in the order of their hash the first are those of the first stage, as
 * many as it draws, the next those of the second; in a stage that has an order its rows are put in that of their levels. What
 * is drawn at which step does not change, for a first pass draws a list from its beginning (docs/format/plan.md, section 10).
 */
public final class EasyToHard {
    /** The number of hash bits in the position that orders rows: the stage, 8 bits of level, and the upper bits of the hash. */
    private static final int HASH_BITS = 44;

    private static final int LEVEL_BITS = 8;

    /** Bins of a 64th of a level's rows. */
    static final int SHIFT = HASH_BITS - 6;

    private final StageLevels levels;

    /** The number of rows of the list that the stages up to this one draw, by stratum and stage. */
    private final long[][] ends;

    private EasyToHard(StageLevels levels, long[][] ends) {
        this.levels = levels;
        this.ends = ends;
    }

    StageLevels levels() {
        return levels;
    }

    /**
     * @throws ConfigException if a stratum comes round again before an ordered stage is over
     */
    public static Optional<EasyToHard> of(StageLevels levels, Feed feed) {
        if (levels.isEmpty()) {
            return Optional.empty();
        }
        TrainFeed order = (TrainFeed) feed;
        int stages = levels.columns().size();
        long[][] ends = new long[order.strata().size()][stages];
        for (int s = 0; s < ends.length; s++) {
            Stratum stratum = order.strata().get(s);
            for (int i = 0; i < order.segments().size(); i++) {
                Segment segment = order.segments().get(i);
                long rows = segment.quotas().get(s) * order.lanes();
                for (int stage = Math.toIntExact(segment.stage()); stage < stages; stage++) {
                    ends[s][stage] += rows;
                }
            }
            for (int stage = 0; stage < stages; stage++) {
                long before = stage == 0 ? 0 : ends[s][stage - 1];
                if (levels.columns().get(stage).isPresent()
                        && ends[s][stage] > before
                        && ends[s][stage] > stratum.rows()) {
                    throw new ConfigException("feed '" + order.name() + "': stage " + stage + ", order-by: stratum '"
                            + stratum.name() + "' has " + stratum.rows() + " rows in its pool, and by the stage's end "
                            + ends[s][stage]
                            + " are drawn, so that some are repeated in no order; request fewer rows, or leave"
                            + " order-by out");
                }
            }
        }
        return Optional.of(new EasyToHard(levels, ends));
    }

    /**
     * Rows with their rank in their stratum's list behind their other columns.
     *
     * @param chosen the pools, as {@link Selection#files} gives them
     */
    static JavaRDD<InternalRow> ranked(JavaRDD<InternalRow> chosen, FeedRows feed) {
        FlatMapFunction<Iterator<InternalRow>, InternalRow> ranked = rows -> {
            GenericInternalRow rank = new GenericInternalRow(1);
            JoinedRow withRank = new JoinedRow();
            long[] number = {-1};
            return ComputedIterator.mapped(rows, row -> {
                number[0] = number[0] < 0 ? row.getInt(0) * Selection.FILE_ROWS : number[0] + 1;
                rank.setLong(0, number[0] - feed.start(row.getInt(1)));
                return withRank.apply(row, rank);
            });
        };
        return chosen.mapPartitions(ranked);
    }

    /** @param ranked rows with {@link KeyedRows#STRATUM}, their rank in its list by hash, and levels; {@link KeyedRows#AT} is the hash */
    Dataset<Row> ordered(Dataset<Row> ranked, String rank) {
        long[][] stageEnds = ends;
        UDF2<Integer, Long, Integer> stageOf = (stratum, rankInList) -> {
            int stage = 0;
            while (stage < stageEnds[stratum].length - 1 && rankInList >= stageEnds[stratum][stage]) {
                stage++;
            }
            return stage;
        };
        Column stage = udf(stageOf, DataTypes.IntegerType).apply(col(KeyedRows.STRATUM), col(rank));
        Column hash = shiftrightunsigned(col(KeyedRows.AT).bitwiseXOR(lit(Long.MIN_VALUE)), Long.SIZE - HASH_BITS);
        Column position = shiftleft(stage.cast("long"), HASH_BITS + LEVEL_BITS)
                .bitwiseOR(shiftleft(levels.of(stage).cast("long"), HASH_BITS))
                .bitwiseOR(hash);
        return ranked.withColumn(KeyedRows.AT, position);
    }
}
