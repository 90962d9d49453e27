package io.rankfeed.spark.sample.table;

import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.file.RowAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Maps the path from which a row was read to the index of its file. The rows of a file follow each other: its path is
 * parsed once, and then compared as bytes. Public for the code that Spark generates.
 */
public final class FileIndex implements ScalarFunction<Integer> {
    private static final long serialVersionUID = 1L;

    private final HashMap<String, Integer> indexOf = new HashMap<>();
    private transient @Nullable UTF8String lastPath;
    private transient int last;

    /** @param files in the order of their indices, written as {@link RowAddress#canonical} does */
    FileIndex(List<String> files) {
        files.forEach(file -> indexOf.put(file, indexOf.size()));
    }

    /** @param path a column of text */
    Column of(Column path) {
        return Columns.computed(this, path);
    }

    @Override
    public String name() {
        return "file_index";
    }

    @Override
    public String canonicalName() {
        return "rankfeed.file_index." + Map.copyOf(indexOf).hashCode();
    }

    @Override
    public DataType[] inputTypes() {
        return new DataType[] {DataTypes.StringType};
    }

    @Override
    public DataType resultType() {
        return DataTypes.IntegerType;
    }

    @Override
    public boolean isResultNullable() {
        return false;
    }

    @Override
    public Integer produceResult(InternalRow row) {
        return invoke(row.getUTF8String(0));
    }

    /** Spark calls a method of this name directly, without first making a row of the path. */
    public int invoke(UTF8String path) {
        if (!path.equals(lastPath)) {
            String text = path.toString();
            Integer index = indexOf.get(RowAddress.canonical(text));
            if (index == null) {
                throw new IllegalStateException("Spark read " + text + ", which is none of the table's files");
            }
            last = index;
            lastPath = path.clone();
        }
        return last;
    }
}
