package io.rankfeed.spark.sample;

import io.rankfeed.schema.manifest.ArtefactFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.V2ExpressionUtils;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * From the path that a row was read from to the index of its file. Rows of a file come one after the other: its path is
 * looked at once, and compared as bytes from then on.
 */
final class FileIndex implements ScalarFunction<Integer> {
    private static final long serialVersionUID = 1L;

    private final HashMap<String, Integer> indexOf = new HashMap<>();
    private final String folder;

    private transient @Nullable UTF8String lastPath;
    private transient int last;

    /**
     * @param id of the artefact, which names its folder
     * @param files below the folder, in the order of their indices
     */
    FileIndex(String id, List<ArtefactFile> files) {
        this.folder = "/" + id + "/";
        files.forEach(file -> indexOf.put(file.path().value(), indexOf.size()));
    }

    /** @param path a column of text */
    Column of(Column path) {
        return ExpressionUtils.column(V2ExpressionUtils.resolveScalarFunction(
                this,
                CollectionConverters.asScala(List.of(ExpressionUtils.expression(path)))
                        .toSeq()));
    }

    @Override
    public String name() {
        return "file_index";
    }

    @Override
    public String canonicalName() {
        return "rankfeed.file_index." + folder + Map.copyOf(indexOf).hashCode();
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
        UTF8String path = row.getUTF8String(0);
        if (!path.equals(lastPath)) {
            String text = path.toString();
            Integer index = indexOf.get(text.substring(text.lastIndexOf(folder) + folder.length()));
            if (index == null) {
                throw new IllegalStateException("Spark read " + text + ", which is not among the files of " + folder);
            }
            last = index;
            lastPath = path.clone();
        }
        return last;
    }
}
