package io.rankfeed.spark.sample.table;

import io.rankfeed.spark.file.RowAddress;
import java.util.HashMap;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Maps the path from which a row was read to the index of its file. The rows of a file follow each other: its path is
 * parsed once, and then compared as bytes.
 */
public final class FileIndex extends DirectFunction<Integer> {
    private static final long serialVersionUID = 1L;

    private final HashMap<String, Integer> indexOf = new HashMap<>();
    private transient @Nullable UTF8String lastPath;
    /** Spark gives the rows of a batch one object. */
    private transient @Nullable UTF8String lastObject;

    private transient int last;

    /** @param files in the order of their indices, written as {@link RowAddress#canonical} does */
    FileIndex(List<String> files) {
        super("file_index", DataTypes.IntegerType, DataTypes.StringType);
        files.forEach(file -> indexOf.put(file, indexOf.size()));
    }

    @SuppressWarnings("ReferenceEquality") // Texts are compared where the objects are not one.
    public int invoke(UTF8String path) {
        if (path != lastObject && !path.equals(lastPath)) {
            String text = path.toString();
            Integer index = indexOf.get(RowAddress.canonical(text));
            if (index == null) {
                throw new IllegalStateException("Spark read " + text + ", which is none of the table's files");
            }
            last = index;
            lastPath = path.clone();
        }
        lastObject = path;
        return last;
    }
}
