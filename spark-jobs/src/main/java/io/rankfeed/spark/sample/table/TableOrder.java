package io.rankfeed.spark.sample.table;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.row_number;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.functions.when;

import io.rankfeed.spark.file.FileRow;
import io.rankfeed.spark.sample.table.PreparedFrame.DataFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.types.DataTypes;

/**
 * The order of a prepared table's rows: that of the source's files and of the rows in them; rows that have no address in
 * a source go before all others, by their address, which also decides ties.
 */
public final class TableOrder {
    /** Name of the column with a row's number in that order, from 0. */
    public static final String INDEX = "__rf_index";

    private TableOrder() {}

    /** A row's position in that order. */
    public static Column position() {
        return when(col(PreparedFrame.SOURCE).geq(0), address(PreparedFrame.SOURCE, PreparedFrame.SOURCE_ROW))
                .otherwise(address().bitwiseOR(lit(Long.MIN_VALUE)));
    }

    /** A row's file in the prepared table and its index in it, which no other row has. */
    public static Column address() {
        return address(PreparedFrame.FILE, PreparedFrame.ROW);
    }

    private static Column address(String file, String row) {
        return FileRow.of(col(file), col(row));
    }

    /** The table's rows with their {@link #INDEX}. Those of a table that is a copy are sorted within each source file. */
    public static Dataset<Row> numbered(PreparedFrame frame) {
        if (frame instanceof InPlaceFrame) {
            long[] before = before(frame.dataFiles());
            UDF2<Integer, Long, Long> index = (file, row) -> before[file] + row;
            return frame.rows()
                    .withColumn(
                            INDEX,
                            udf(index, DataTypes.LongType).apply(col(PreparedFrame.FILE), col(PreparedFrame.ROW)));
        }
        TreeMap<Integer, Long> counts = new TreeMap<>();
        frame.rows()
                .groupBy(PreparedFrame.SOURCE)
                .count()
                .collectAsList()
                .forEach(source -> counts.put(source.getInt(0), source.getLong(1)));
        HashMap<Integer, Long> before = new HashMap<>();
        long rows = 0;
        for (Map.Entry<Integer, Long> source : counts.entrySet()) {
            before.put(source.getKey(), rows);
            rows += source.getValue();
        }
        UDF1<Integer, Long> beforeSource = before::get;
        Column number = row_number()
                .over(Window.partitionBy(PreparedFrame.SOURCE).orderBy(col(PreparedFrame.SOURCE_ROW), address()));
        return frame.rows()
                .withColumn(
                        INDEX,
                        udf(beforeSource, DataTypes.LongType)
                                .apply(col(PreparedFrame.SOURCE))
                                .plus(number)
                                .minus(lit(1L)));
    }

    private static long[] before(List<DataFile> files) {
        long[] before = new long[files.size()];
        for (int i = 1; i < before.length; i++) {
            before[i] = before[i - 1] + files.get(i - 1).rows();
        }
        return before;
    }
}
