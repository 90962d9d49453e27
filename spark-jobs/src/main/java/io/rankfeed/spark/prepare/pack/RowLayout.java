package io.rankfeed.spark.prepare.pack;

import io.rankfeed.spark.engine.parquet.RowChecksum;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The columns of a row on its way to its file: first those that are written (the user's, then the row id and its
 * provenance), then those that only place it. A file has {@link RowChecksum} behind the written ones.
 *
 * <pre>
 *   user columns … | _row_id i64, _source i32, _source_row i64 | unit i32, major i64, key binary
 *   ------------------- written -------------------------------- ------ sorted by, in this order
 * </pre>
 *
 * @param columns the user's
 */
public record RowLayout(List<PreparedColumn> columns) implements Serializable {
    public static final String ROW_ID = "_row_id";
    public static final String SOURCE = "_source";
    public static final String SOURCE_ROW = "_source_row";
    public static final String UNIT = "__rf_unit";
    public static final String MAJOR = "__rf_major";
    public static final String KEY = "__rf_key";

    public RowLayout {
        columns = new ArrayList<>(columns);
    }

    public int rowId() {
        return columns.size();
    }

    public int source() {
        return columns.size() + 1;
    }

    public int sourceRow() {
        return columns.size() + 2;
    }

    public int unit() {
        return columns.size() + 3;
    }

    public int major() {
        return columns.size() + 4;
    }

    public int key() {
        return columns.size() + 5;
    }

    public int fields() {
        return columns.size() + 6;
    }

    /** What is in the files: the columns that are written, and the checksum of each row. */
    public StructType stored() {
        return written().add(RowChecksum.field());
    }

    /** What rows bring to the files. */
    public StructType written() {
        List<StructField> fields = new ArrayList<>();
        columns.forEach(column -> fields.add(column.structField()));
        fields.add(DataTypes.createStructField(ROW_ID, DataTypes.LongType, false));
        fields.add(DataTypes.createStructField(SOURCE, DataTypes.IntegerType, false));
        fields.add(DataTypes.createStructField(SOURCE_ROW, DataTypes.LongType, false));
        return DataTypes.createStructType(fields);
    }

    /** What goes through the shuffle. */
    public StructType shuffled() {
        return written()
                .add(UNIT, DataTypes.IntegerType, false)
                .add(MAJOR, DataTypes.LongType, false)
                .add(KEY, DataTypes.BinaryType, false);
    }
}
