package io.rankfeed.spark.sample.select;

import static org.apache.spark.sql.functions.col;

import io.rankfeed.job.FeedSection;
import io.rankfeed.job.plan.CountedStratum;
import io.rankfeed.schema.manifest.FeedDecisions;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.spark.engine.InternalRows;
import io.rankfeed.spark.sample.strata.BinCounts;
import io.rankfeed.spark.sample.strata.RankBins;
import io.rankfeed.spark.sample.strata.StageLevels;
import io.rankfeed.spark.sample.strata.StrataColumns;
import io.rankfeed.spark.sample.table.KeyedRows;
import io.rankfeed.spark.sample.table.PreparedFrame;
import io.rankfeed.spark.sample.table.TableOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;

/**
 * A feed with its numbers, and the rows of the table that it may draw from.
 *
 * @param decisions what was decided to come to them by looking at the rows
 * @param drawnAs by rare stratum the one of the plan for which its rows count
 * @param easyToHard how its lists are ordered where its stages have an order
 * @param dropped rows left out because they are unbinned, or no stage takes them
 * @param rows those that its condition leaves
 * @param stratumName the name of a row's stratum
 * @param counts how many rows each stratum has in each bin of the order
 */
public record PlannedFeed(
        FeedSection section,
        FeedOrder order,
        Feed feed,
        FeedDecisions decisions,
        Map<String, String> drawnAs,
        Optional<EasyToHard> easyToHard,
        List<CountedStratum> strata,
        long dropped,
        Dataset<Row> rows,
        Column stratumName,
        BinCounts counts) {
    private static final String RANK = "rank";
    private static final String TABLE_ORDER = "table_order";

    private static final String[] RESULT = {PreparedFrame.ROW_ID, PreparedFrame.FILE, PreparedFrame.ROW};

    /** Chosen rows, in the columns of {@link Selection#files}. */
    private static final StructType CHOSEN = new StructType()
            .add(Selection.PLAN_FILE, DataTypes.IntegerType)
            .add(KeyedRows.STRATUM, DataTypes.IntegerType)
            .add(KeyedRows.AT, DataTypes.LongType)
            .add(PreparedFrame.ROW_ID, DataTypes.LongType)
            .add(PreparedFrame.FILE, DataTypes.IntegerType)
            .add(PreparedFrame.ROW, DataTypes.LongType);

    /** Writes the rows of its pools: a scan, and two more of the pools where their lists have the table's order. */
    public List<RowsFile> write(PreparedFrame prepared, List<String> keyColumns, PlanFiles files) {
        FeedRows feedRows = FeedRows.of(feed);
        Column key = KeyedRows.key(prepared.manifest().sources(), rows, keyColumns);
        Dataset<Row> keyedRows = KeyedRows.ordered(rows, stratumName, numbers(), order.chooses());
        if (easyToHard.isPresent()) {
            return writeEasyToHard(easyToHard.get(), feedRows, keyedRows, key, files);
        }
        if (order.lists() == FeedOrder.Lists.AS_CHOSEN) {
            Column ties = order.ties() == FeedOrder.Ties.BY_KEY ? key : TableOrder.address();
            return files.write(chosen(feedRows, keyedRows, ties, RESULT));
        }
        Dataset<Row> ordered = keyedRows.withColumn(TABLE_ORDER, TableOrder.position());
        if (wholeStrata(feedRows)) {
            return writeInTableOrder(feedRows, ordered, files);
        }
        List<String> columns = new ArrayList<>(List.of(RESULT));
        columns.add(TABLE_ORDER);
        Dataset<Row> pool = kept(
                chosen(feedRows, ordered, key, columns.toArray(String[]::new)),
                CHOSEN.add(TABLE_ORDER, DataTypes.LongType));
        try {
            return writeInTableOrder(feedRows, pool, files);
        } finally {
            pool.unpersist();
        }
    }

    /** The indices, in their files, of the rows of its pools; all of them come to the driver. */
    public List<Long> pool(List<String> sourceNames, List<String> keyColumns) {
        Column key = KeyedRows.key(sourceNames, rows, keyColumns);
        Dataset<Row> keyedRows = KeyedRows.ordered(rows, stratumName, numbers(), order.chooses());
        int row = CHOSEN.fieldIndex(PreparedFrame.ROW);
        return chosen(FeedRows.of(feed), keyedRows, key, RESULT)
                .map(chosen -> chosen.getLong(row))
                .collect();
    }

    private List<RowsFile> writeEasyToHard(
            EasyToHard stages, FeedRows feedRows, Dataset<Row> keyedRows, Column key, PlanFiles files) {
        List<String> columns = new ArrayList<>(List.of(RESULT));
        columns.add(KeyedRows.KEY);
        StructType schema =
                CHOSEN.add(KeyedRows.KEY, rows.select(key).schema().apply(0).dataType());
        for (int i = 0; i < stages.levels().columns().size(); i++) {
            columns.add(StageLevels.name(i));
            schema = schema.add(StageLevels.name(i), DataTypes.IntegerType);
        }
        JavaRDD<InternalRow> chosen =
                chosen(feedRows, stages.levels().added(keyedRows), key, columns.toArray(String[]::new));
        Dataset<Row> pool = kept(EasyToHard.ranked(chosen, feedRows), schema.add(RANK, DataTypes.LongType));
        try {
            Dataset<Row> ordered = stages.ordered(pool, RANK).drop(Selection.PLAN_FILE);
            RankBins bins = RankBins.scanned(ordered, feedRows.strata(), EasyToHard.SHIFT);
            return files.write(new Selection(feedRows, bins).files(ordered, col(KeyedRows.KEY), RESULT));
        } finally {
            pool.unpersist();
        }
    }

    private static List<RowsFile> writeInTableOrder(FeedRows feedRows, Dataset<Row> pool, PlanFiles files) {
        Dataset<Row> inTableOrder = pool.withColumn(KeyedRows.AT, col(TABLE_ORDER));
        RankBins bins = RankBins.scanned(inTableOrder, feedRows.strata(), RankBins.ADDRESS_SHIFT);
        return files.write(new Selection(feedRows, bins).files(inTableOrder, TableOrder.address(), RESULT));
    }

    /** Rows that are read more than once. */
    private Dataset<Row> kept(JavaRDD<InternalRow> pool, StructType schema) {
        return InternalRows.query(rows.sparkSession(), pool, schema).persist(StorageLevel.MEMORY_AND_DISK());
    }

    private JavaRDD<InternalRow> chosen(FeedRows feedRows, Dataset<Row> keyedRows, Column key, String... result) {
        Map<String, Integer> numbers = numbers();
        RankBins bins =
                RankBins.of(counts, feedRows.strata(), line -> numbers.getOrDefault(StrataColumns.stratumOf(line), -1));
        return new Selection(feedRows, bins).files(keyedRows, key, result);
    }

    private boolean wholeStrata(FeedRows feedRows) {
        long[] available = available();
        for (int s = 0; s < available.length; s++) {
            if (feedRows.rows(s) != available[s]) {
                return false;
            }
        }
        return true;
    }

    private List<String> stratumNames() {
        return feed instanceof TrainFeed train
                ? train.strata().stream().map(Stratum::name).toList()
                : List.of(CountedStratum.ALL);
    }

    /** The number of each stratum's rows in the plan. */
    private Map<String, Integer> numbers() {
        Map<String, Integer> numbers = new HashMap<>();
        stratumNames().forEach(name -> numbers.put(name, numbers.size()));
        drawnAs.forEach((rare, name) -> numbers.put(rare, Objects.requireNonNull(numbers.get(name))));
        return numbers;
    }

    private long[] available() {
        Map<String, Long> counted = strata.stream()
                .collect(Collectors.toMap(
                        stratum -> drawnAs.getOrDefault(stratum.name(), stratum.name()),
                        CountedStratum::rows,
                        Long::sum));
        return stratumNames().stream().mapToLong(counted::get).toArray();
    }
}
