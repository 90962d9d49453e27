package io.rankfeed.spark.sample.table;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.udf;

import io.rankfeed.sampling.order.Mix;
import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.spark.engine.Columns;
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
 * A feed's rows with what selects and orders them: number of the stratum (null for rows of none), priority or position
 * ({@link #AT}), and {@link #key}, by which ties are decided.
 */
public final class KeyedRows {
    public static final String STRATUM = "stratum";
    public static final String AT = "at";
    public static final String KEY = "key";

    /** Purpose of the hash that gives a row its priority (docs/format/plan.md, section 10). */
    private static final long PRIORITY = 7;

    private KeyedRows() {}

    /**
     * A row's encoded key, a function of columns of the rows.
     *
     * @param sourceNames the manifest's list of source files
     * @param keyColumns the job's key; empty where a row's source address identifies it
     */
    public static Column key(List<String> sourceNames, Dataset<Row> rows, List<String> keyColumns) {
        return keyColumns.isEmpty() ? sourceKey(sourceNames) : columnsKey(rows, keyColumns);
    }

    /** @param at a row's position in the order that is wanted */
    public static Dataset<Row> ordered(
            Dataset<Row> rows, Column stratumName, Map<String, Integer> numberOf, Column at) {
        return rows.withColumn(STRATUM, stratum(stratumName, numberOf)).withColumn(AT, at);
    }

    /** The keyed hash of a row's id, its sign bit flipped so that signed comparison is the unsigned one. */
    public static Column priority(long seed) {
        UDF1<Long, Long> priority = rowId -> Mix.key(seed, PRIORITY, rowId) ^ Long.MIN_VALUE;
        return udf(priority, DataTypes.LongType).apply(col(PreparedFrame.ROW_ID));
    }

    /** The number of the stratum of a name; null for a name that is none's. */
    static Column stratum(Column stratumName, Map<String, Integer> numbers) {
        HashMap<String, Integer> numberOf = new HashMap<>(numbers);
        UDF1<String, Integer> number = numberOf::get;
        return udf(number, DataTypes.IntegerType).apply(stratumName);
    }

    /** The encoded key of a row. */
    public static Column columnsKey(Dataset<Row> rows, List<String> keyColumns) {
        List<String> known = Arrays.asList(rows.columns());
        for (String column : keyColumns) {
            if (!known.contains(column)) {
                throw new ConfigException(
                        "prepare.key: '" + column + "' is not a prepared column" + Suggestion.hint(column, known));
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

    private static Column sourceKey(List<String> sourceNames) {
        List<String> sources = new ArrayList<>(sourceNames);
        UDF2<Integer, Long, byte[]> encode = (source, row) -> new KeyEncoding()
                .address(source < 0 ? "" : sources.get(source), row)
                .toBytes();
        return udf(encode, DataTypes.BinaryType).apply(col(PreparedFrame.SOURCE), col(PreparedFrame.SOURCE_ROW));
    }
}
