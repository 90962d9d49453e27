package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.udf;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * Chooses of each stratum the first rows of an order, as many as its pool has, and cuts them into the files of a plan,
 * exactly and in one scan: each row goes to the files into which its bin may fall, and the task of a file sorts what
 * came, knows its first row's rank by the bin, and keeps the ranks that are the file's.
 */
final class Selection implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Rows of every file of the plan but a feed's last. */
    static final long FILE_ROWS = 1L << 20;

    static final String PLAN_FILE = "plan_file";

    /** A row's {@linkplain #order place among those of its file}, by which almost every pair is told apart. */
    private static final String ORDER = "order";

    /** Bits of that place below the rank in the file of the first row of its bin. */
    private static final int BITS_IN_BIN = 40;

    private final FeedRows feed;
    private final RankBins bins;
    private final long fileRows;

    /** @param bins of the rows' order */
    Selection(FeedRows feed, RankBins bins) {
        this(feed, bins, FILE_ROWS);
    }

    Selection(FeedRows feed, RankBins bins, long fileRows) {
        this.feed = feed;
        this.bins = bins;
        this.fileRows = fileRows;
    }

    /**
     * The pools' rows, a partition a file, in the order of stratum and rank.
     *
     * @param keyed rows with {@link KeyedRows#STRATUM} and {@link KeyedRows#AT}; those without a stratum are left out
     * @param key decides ties
     * @param columns those of the result, behind file, stratum and place in the order
     */
    JavaRDD<Row> files(Dataset<Row> keyed, Column key, String... columns) {
        UDF2<Integer, Long, List<Integer>> filesOf =
                (stratum, at) -> stratum == null ? List.of() : filesOf(stratum, at);
        Column files = udf(filesOf, DataTypes.createArrayType(DataTypes.IntegerType, false))
                .apply(col(KeyedRows.STRATUM), col(KeyedRows.AT));
        Column[] selected = new Column[columns.length + 3];
        selected[0] = col(PLAN_FILE);
        selected[1] = col(KeyedRows.STRATUM);
        selected[2] = col(KeyedRows.AT);
        for (int i = 0; i < columns.length; i++) {
            selected[i + 3] = col(columns[i]);
        }
        UDF3<Integer, Integer, Long, Long> order = this::order;
        Column placed = udf(order, DataTypes.LongType).apply(col(PLAN_FILE), col(KeyedRows.STRATUM), col(KeyedRows.AT));
        FlatMapFunction<Iterator<Row>, Row> exact = Exact::new;
        // The key is made only for rows that are in a file.
        return keyed.withColumn(PLAN_FILE, explode(files))
                .withColumn(ORDER, placed)
                .withColumn(KeyedRows.KEY, key)
                .repartitionById(Math.toIntExact((feed.total() + fileRows - 1) / fileRows), col(PLAN_FILE))
                .sortWithinPartitions(ORDER, KeyedRows.AT, KeyedRows.KEY)
                .select(selected)
                .toJavaRDD()
                .mapPartitions(exact);
    }

    private List<Integer> filesOf(int stratum, long at) {
        long first = bins.firstRank(stratum, at);
        long end = Math.min(bins.endRank(stratum, at), feed.rows(stratum));
        if (first >= end) {
            return List.of();
        }
        long start = feed.start(stratum);
        return IntStream.rangeClosed((int) ((start + first) / fileRows), (int) ((start + end - 1) / fileRows))
                .boxed()
                .toList();
    }

    /**
     * In one number what sorts a file's rows by stratum and place: a task sorts by it without looking at the rows, but
     * for those whose numbers are equal. Of two bins in a file the later has the greater first rank, since none is empty.
     */
    private long order(int file, int stratum, long at) {
        long rankInFile = feed.start(stratum) + bins.firstRank(stratum, at) - file * fileRows;
        return Math.max(0, rankInFile) << BITS_IN_BIN | bins.withinBin(at, BITS_IN_BIN);
    }

    /** Of a file's sorted rows those whose numbers lie in it. */
    private final class Exact implements Iterator<Row> {
        private final Iterator<Row> rows;
        private int stratum = -1;
        private long rank;
        private @Nullable Row next;

        Exact(Iterator<Row> rows) {
            this.rows = rows;
            advance();
        }

        private void advance() {
            next = null;
            while (next == null && rows.hasNext()) {
                Row row = rows.next();
                if (row.getInt(1) != stratum) {
                    stratum = row.getInt(1);
                    rank = bins.firstRank(stratum, row.getLong(2));
                }
                if (rank < feed.rows(stratum) && (feed.start(stratum) + rank) / fileRows == row.getInt(0)) {
                    next = row;
                }
                rank++;
            }
        }

        @Override
        public boolean hasNext() {
            return next != null;
        }

        @Override
        public Row next() {
            Row row = next;
            if (row == null) {
                throw new NoSuchElementException();
            }
            advance();
            return row;
        }
    }
}
