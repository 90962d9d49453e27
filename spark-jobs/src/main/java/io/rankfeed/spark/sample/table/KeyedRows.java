package io.rankfeed.spark.sample.table;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.udf;

import io.rankfeed.sampling.order.Mix;
import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.schema.digest.Xxh64;
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
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A feed's rows with what selects and orders them: number of the stratum ({@link #NO_STRATUM} for rows of none), priority or position
 * ({@link #AT}), and {@link #key}, by which ties are decided.
 */
public final class KeyedRows {
    public static final String STRATUM = "stratum";
    public static final String AT = "at";
    public static final String KEY = "key";

    public static final int NO_STRATUM = -1;

    /** Purpose of the hash that gives a row its priority (docs/format/plan.md, section 10). */
    private static final long PRIORITY = 7;

    private KeyedRows() {}

    /**
     * What sorts as a row's encoded key does, a function of columns of the rows.
     *
     * @param sourceNames the manifest's list of source files
     * @param keyColumns the job's key; empty where a row's source address identifies it
     */
    public static Column key(List<String> sourceNames, Dataset<Row> rows, List<String> keyColumns) {
        return keyColumns.isEmpty()
                ? new SourceAddress.Key(sourceNames).of(col(PreparedFrame.SOURCE), col(PreparedFrame.SOURCE_ROW))
                : columnsKey(rows, keyColumns);
    }

    /** The hash of a row's encoded key; the arguments are those of {@link #key}. */
    static Column id(List<String> sourceNames, Dataset<Row> rows, List<String> keyColumns) {
        if (keyColumns.isEmpty()) {
            return new SourceAddress.Id(sourceNames).of(col(PreparedFrame.SOURCE), col(PreparedFrame.SOURCE_ROW));
        }
        UDF1<byte[], Long> hashed = encoded -> Xxh64.hash(encoded, 0);
        return udf(hashed, DataTypes.LongType).apply(columnsKey(rows, keyColumns));
    }

    /** @param at a row's position in the order that is wanted */
    public static Dataset<Row> ordered(
            Dataset<Row> rows, Column stratumName, Map<String, Integer> numberOf, Column at) {
        return rows.withColumn(STRATUM, new StratumNumber(numberOf).of(stratumName))
                .withColumn(AT, at);
    }

    /** The keyed hash of a row's id, its sign bit flipped so that signed comparison is the unsigned one. */
    public static Column priority(long seed) {
        return new Priority(seed).of(col(PreparedFrame.ROW_ID));
    }

    /** {@link #priority} of a row id. */
    public static final class Priority extends DirectFunction<Long> {
        private static final long serialVersionUID = 1L;

        private final long seed;

        Priority(long seed) {
            super("priority", DataTypes.LongType, DataTypes.LongType);
            this.seed = seed;
        }

        public long invoke(long rowId) {
            return Mix.key(seed, PRIORITY, rowId) ^ Long.MIN_VALUE;
        }
    }

    /** The number of the stratum of a name; {@link #NO_STRATUM} for a name that is none's. */
    public static final class StratumNumber extends DirectFunction<Integer> {
        private static final long serialVersionUID = 1L;

        private final HashMap<UTF8String, Integer> numberOf = new HashMap<>();

        StratumNumber(Map<String, Integer> numbers) {
            super("stratum_number", DataTypes.IntegerType, DataTypes.StringType);
            numbers.forEach((name, number) -> numberOf.put(UTF8String.fromString(name), number));
        }

        public int invoke(UTF8String name) {
            return numberOf.getOrDefault(name, NO_STRATUM);
        }
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
}
