package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.shiftleft;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.udf;

import io.rankfeed.sampling.Mix;
import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.spark.run.Columns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;

/**
 * A feed's rows with what selects and orders them: number of the stratum, priority or address ({@link #AT}), encoded
 * key ({@link #KEY}), row id and address. Rows of no stratum are left out.
 */
final class KeyedRows {
    static final String STRATUM = "stratum";
    static final String AT = "at";
    static final String KEY = "key";

    /** Purpose of the hash that gives a row its priority (docs/format/plan.md, section 10). */
    private static final long PRIORITY = 7;

    /** Bits of an address that hold the row in its file. */
    static final int ROW_BITS = 40;

    private final Dataset<Row> rows;
    private final Column key;

    /** @param keyColumns the job's key; empty where a row's source address identifies it */
    KeyedRows(PreparedFrame prepared, Dataset<Row> rows, List<String> keyColumns) {
        this.rows = rows;
        this.key = keyColumns.isEmpty() ? sourceKey(prepared) : columnsKey(rows, keyColumns);
    }

    /** Ordered by the keyed hash of the row id. */
    Dataset<Row> byPriority(Column stratumName, List<String> strata, long seed) {
        UDF1<Long, Long> priority = rowId -> Mix.key(seed, PRIORITY, rowId) ^ Long.MIN_VALUE;
        return keyed(stratumName, strata, udf(priority, DataTypes.LongType).apply(col(PreparedFrame.ROW_ID)));
    }

    /** The same rows in the order of the table. */
    static Dataset<Row> byAddress(Dataset<Row> keyed) {
        Column file = shiftleft(col(PreparedFrame.FILE).cast("long"), ROW_BITS);
        return keyed.withColumn(AT, file.bitwiseOR(col(PreparedFrame.ROW)));
    }

    private Dataset<Row> keyed(Column stratumName, List<String> strata, Column at) {
        Map<String, Integer> numberOf = new HashMap<>();
        strata.forEach(name -> numberOf.put(name, numberOf.size()));
        UDF1<String, Integer> number = numberOf::get;
        return rows.select(
                        udf(number, DataTypes.IntegerType).apply(stratumName).as(STRATUM),
                        at.as(AT),
                        key.as(KEY),
                        col(PreparedFrame.ROW_ID),
                        col(PreparedFrame.FILE),
                        col(PreparedFrame.ROW))
                .where(col(STRATUM).isNotNull());
    }

    private static Column columnsKey(Dataset<Row> rows, List<String> keyColumns) {
        List<String> known = Arrays.asList(rows.columns());
        for (String column : keyColumns) {
            if (!known.contains(column)) {
                throw new ConfigException(
                        "prepare.key: '" + column + "' is no prepared column" + Suggestion.hint(column, known));
            }
        }
        List<String> names = new ArrayList<>(keyColumns);
        UDF1<Row, byte[]> encode = values -> {
            KeyEncoding encoding = new KeyEncoding();
            for (int i = 0; i < names.size(); i++) {
                encoding.value(names.get(i), values.get(i));
            }
            return encoding.toBytes();
        };
        Column[] columns = names.stream().map(Columns::named).toArray(Column[]::new);
        return udf(encode, DataTypes.BinaryType).apply(struct(columns));
    }

    private static Column sourceKey(PreparedFrame prepared) {
        List<String> sources = new ArrayList<>(prepared.manifest().sources());
        UDF2<Integer, Long, byte[]> encode = (source, row) -> new KeyEncoding()
                .address(source < 0 ? "" : sources.get(source), row)
                .toBytes();
        return udf(encode, DataTypes.BinaryType).apply(col(PreparedFrame.SOURCE), col(PreparedFrame.SOURCE_ROW));
    }
}
