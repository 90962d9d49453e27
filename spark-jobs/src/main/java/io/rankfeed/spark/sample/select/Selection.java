package io.rankfeed.spark.sample.select;

import static org.apache.spark.sql.functions.col;

import io.rankfeed.schema.selection.RowDigests;
import io.rankfeed.spark.engine.InternalRows;
import io.rankfeed.spark.file.ComputedIterator;
import io.rankfeed.spark.sample.strata.RankBins;
import io.rankfeed.spark.sample.table.DirectFunction;
import io.rankfeed.spark.sample.table.KeyedRows;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Chooses of each stratum the first rows of an order, as many as its pool has, and cuts them into the files of a plan,
 * exactly and in one scan: each row goes to the files into which its bin may fall, and the task of a file sorts what
 * came, knows its first row's rank by the bin, and keeps the ranks that are the file's.
 */
public final class Selection implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Rows of every file of the plan but a feed's last. */
    static final long FILE_ROWS = RowDigests.ROWS;

    static final String PLAN_FILE = "plan_file";

    /** A row's {@linkplain #order position among those of its file}, by which almost every pair is distinguished. */
    private static final String ORDER = "order";

    /** Bits of that position below the rank in the file of the first row of its bin. */
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
     * The pools' rows, a partition a file, in the order of stratum and rank; each is valid until the next.
     *
     * @param keyed rows with {@link KeyedRows#STRATUM} and {@link KeyedRows#AT}; those without a stratum are left out
     * @param key decides ties
     * @param columns those of the result, after file, stratum and position in the order
     */
    JavaRDD<InternalRow> files(Dataset<Row> keyed, Column key, String... columns) {
        Map<String, Column> needed = new LinkedHashMap<>();
        for (String column : List.of(KeyedRows.STRATUM, KeyedRows.AT)) {
            needed.put(column, col(column));
        }
        for (String column : columns) {
            needed.put(column, col(column));
        }
        needed.put(KeyedRows.KEY, key.as(KeyedRows.KEY));
        // The key is made only for rows that are in a file.
        Dataset<Row> chosen = keyed.filter(new InSome(feed, bins).of(col(KeyedRows.STRATUM), col(KeyedRows.AT)))
                .select(needed.values().toArray(Column[]::new));
        StructType schema =
                new StructType().add(PLAN_FILE, DataTypes.IntegerType, false).add(ORDER, DataTypes.LongType, false);
        for (StructField field : chosen.schema().fields()) {
            schema = schema.add(field);
        }
        FlatMapFunction<Iterator<InternalRow>, InternalRow> inFiles = InFiles::new;
        List<Column> selected = new ArrayList<>(List.of(col(PLAN_FILE), col(KeyedRows.STRATUM), col(KeyedRows.AT)));
        for (String column : columns) {
            selected.add(col(column));
        }
        FlatMapFunction<Iterator<InternalRow>, InternalRow> exact = Exact::new;
        return InternalRows.of(InternalRows.query(
                                keyed.sparkSession(), InternalRows.of(chosen).mapPartitions(inFiles), schema)
                        .repartitionById(Math.toIntExact((feed.total() + fileRows - 1) / fileRows), col(PLAN_FILE))
                        .sortWithinPartitions(ORDER, KeyedRows.AT, KeyedRows.KEY)
                        .select(selected.toArray(Column[]::new)))
                .mapPartitions(exact);
    }

    /**
     * The sort key of a file's rows, by stratum and position, in one number: a task compares the rows themselves only
     * if their numbers are equal. Of two bins in a file, the later has the greater first rank, because none is empty.
     */
    private long order(int file, int stratum, long at) {
        long rankInFile = feed.start(stratum) + bins.firstRank(stratum, at) - file * fileRows;
        return Math.max(0, rankInFile) << BITS_IN_BIN | bins.withinBin(at, BITS_IN_BIN);
    }

    /** Whether a row is in one of the files. */
    public static final class InSome extends DirectFunction<Boolean> {
        private static final long serialVersionUID = 1L;

        private final FeedRows feed;
        private final RankBins bins;

        InSome(FeedRows feed, RankBins bins) {
            super("in_some_file", DataTypes.BooleanType, DataTypes.IntegerType, DataTypes.LongType);
            this.feed = feed;
            this.bins = bins;
        }

        public boolean invoke(int stratum, long at) {
            return stratum >= 0 && bins.firstRank(stratum, at) < feed.rows(stratum);
        }
    }

    /** Puts before each chosen row, of which stratum and position come first, its file and order: once for each file that may have it. */
    private final class InFiles implements Iterator<InternalRow> {
        private final Iterator<InternalRow> rows;
        private final GenericInternalRow head = new GenericInternalRow(2);
        private final JoinedRow withFile = new JoinedRow();
        private int file = 0;
        private int lastFile = -1;

        InFiles(Iterator<InternalRow> rows) {
            this.rows = rows;
        }

        @Override
        public boolean hasNext() {
            return file <= lastFile || rows.hasNext();
        }

        @Override
        public InternalRow next() {
            if (file > lastFile) {
                InternalRow row = rows.next();
                int stratum = row.getInt(0);
                long at = row.getLong(1);
                long start = feed.start(stratum);
                long end = Math.min(bins.endRank(stratum, at), feed.rows(stratum));
                file = Math.toIntExact((start + bins.firstRank(stratum, at)) / fileRows);
                lastFile = Math.toIntExact((start + end - 1) / fileRows);
                withFile.apply(head, row);
            }
            InternalRow row = withFile.getRight();
            head.setInt(0, file);
            head.setLong(1, order(file, row.getInt(0), row.getLong(1)));
            file++;
            return withFile;
        }
    }

    /** Returns those of a file's sorted rows that belong to it; each is valid until the next call. */
    private final class Exact extends ComputedIterator<InternalRow> {
        private final Iterator<InternalRow> rows;
        private int stratum = -1;
        private long rank;

        Exact(Iterator<InternalRow> rows) {
            this.rows = rows;
        }

        @Override
        protected @Nullable InternalRow compute() {
            while (rows.hasNext()) {
                InternalRow row = rows.next();
                if (row.getInt(1) != stratum) {
                    stratum = row.getInt(1);
                    rank = bins.firstRank(stratum, row.getLong(2));
                }
                long rowRank = rank++;
                if (rowRank < feed.rows(stratum) && (feed.start(stratum) + rowRank) / fileRows == row.getInt(0)) {
                    return row;
                }
            }
            return null;
        }
    }
}
