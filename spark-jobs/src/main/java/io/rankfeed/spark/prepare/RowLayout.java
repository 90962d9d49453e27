package io.rankfeed.spark.prepare;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The columns of a row on its way to its file: first those that are written (the user's, then the row id and its
 * provenance), then those that only place it.
 *
 * <pre>
 *   user columns … | _row_id i64, _source i32, _source_row i64 | unit i32, major i64, key binary
 *   ------------------- written -------------------------------- ------ sorted by, in this order
 * </pre>
 *
 * @param columns the user's
 */
record RowLayout(List<PreparedColumn> columns) implements Serializable {
    static final String ROW_ID = "_row_id";
    static final String SOURCE = "_source";
    static final String SOURCE_ROW = "_source_row";
    static final String UNIT = "__rf_unit";
    static final String MAJOR = "__rf_major";
    static final String KEY = "__rf_key";

    RowLayout {
        columns = new ArrayList<>(columns);
    }

    int rowId() {
        return columns.size();
    }

    int source() {
        return columns.size() + 1;
    }

    int sourceRow() {
        return columns.size() + 2;
    }

    int unit() {
        return columns.size() + 3;
    }

    int major() {
        return columns.size() + 4;
    }

    int key() {
        return columns.size() + 5;
    }

    int fields() {
        return columns.size() + 6;
    }

    /** What lies in the files. */
    StructType written() {
        List<StructField> fields = new ArrayList<>();
        columns.forEach(column -> fields.add(column.structField()));
        fields.add(DataTypes.createStructField(ROW_ID, DataTypes.LongType, false));
        fields.add(DataTypes.createStructField(SOURCE, DataTypes.IntegerType, false));
        fields.add(DataTypes.createStructField(SOURCE_ROW, DataTypes.LongType, false));
        return DataTypes.createStructType(fields);
    }

    /** What goes through the shuffle. */
    StructType shuffled() {
        return written()
                .add(UNIT, DataTypes.IntegerType, false)
                .add(MAJOR, DataTypes.LongType, false)
                .add(KEY, DataTypes.BinaryType, false);
    }
}
