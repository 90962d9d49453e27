package io.rankfeed.spark.engine.parquet;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.file.RowAddress;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;

/**
 * The content of an artifact's Parquet footers, from the manifest. Page checksums do not cover footers: a changed name
 * of a column gives nulls, a changed position omits a row group. Serialized to the tasks.
 */
public final class ArtifactFooters implements Serializable {
    static final ArtifactFooters NONE = new ArtifactFooters(Map.of(), "");

    private static final long serialVersionUID = 1L;
    private static final String REMEDY = "; remove the folder of this artifact and run the job again";

    private final HashMap<String, Long> rows;
    private final String schema;

    private ArtifactFooters(Map<String, Long> rows, String schema) {
        this.rows = new HashMap<>(rows);
        this.schema = schema;
    }

    /**
     * @param rows of each file, by its path
     * @param schema of all files, in Parquet's notation
     */
    public static ArtifactFooters of(Map<Path, Long> rows, String schema) {
        Map<String, Long> byAddress = new HashMap<>();
        rows.forEach((path, count) -> byAddress.put(RowAddress.canonical(path.toUri()), count));
        return new ArtifactFooters(byAddress, schema);
    }

    boolean isNone() {
        return rows.isEmpty();
    }

    /** @throws CorruptDataException if the footer has other columns or rows, or a row group that no task reads */
    void check(Path file, long lengthBytes, ParquetMetadata footer) {
        if (isNone()) {
            return;
        }
        long listed = rows.getOrDefault(RowAddress.canonical(file.toUri()), -1L);
        long found = 0;
        for (BlockMetaData block : footer.getBlocks()) {
            found += block.getRowCount();
            long middle = block.getStartingPos() + block.getCompressedSize() / 2;
            if (middle < 0 || middle >= lengthBytes) {
                throw new CorruptDataException(file.toString(), "has a row group outside of the file" + REMEDY);
            }
        }
        if (found != listed) {
            throw new CorruptDataException(
                    file.toString(), "its footer has " + found + " rows, its manifest lists " + listed + REMEDY);
        }
        if (!footer.getFileMetaData().getSchema().toString().equals(schema)) {
            throw new CorruptDataException(
                    file.toString(), "its footer has other columns than the first file of the artifact" + REMEDY);
        }
    }
}
