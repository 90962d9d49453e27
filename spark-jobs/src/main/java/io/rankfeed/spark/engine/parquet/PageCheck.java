package io.rankfeed.spark.engine.parquet;

import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.export.parquet.DamagedContent;
import io.rankfeed.export.parquet.PageHeaders;
import io.rankfeed.export.parquet.RowLevels;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.EOFException;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.HadoopReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.types.StructType;

/**
 * Checks row groups before they are read: the page headers of the columns, and the levels of columns with lists if their
 * pages have no checksums.
 */
final class PageCheck implements Serializable {
    private static final long serialVersionUID = 1L;

    private final HashSet<String> columns = new HashSet<>();

    private final ArtifactFooters artifact;

    /** @param columns that are read; only these are checked. Names are case-insensitive, as in Spark */
    PageCheck(StructType columns, ArtifactFooters artifact) {
        this.artifact = artifact;
        for (String name : columns.fieldNames()) {
            this.columns.add(name.toLowerCase(Locale.ROOT));
        }
    }

    /**
     * Checks the row groups whose middle is in a range of bytes.
     *
     * @throws CorruptDataException naming the file and the column
     */
    void of(Path path, long from, long to, Configuration conf) {
        try (ParquetFileReader reader = ParquetFileReader.open(
                        HadoopInputFile.fromPath(path, conf),
                        HadoopReadOptions.builder(conf).withRange(from, to).build());
                FSDataInputStream in = path.getFileSystem(conf).open(path)) {
            artifact.check(path, to, reader.getFooter());
            MessageType schema = reader.getFileMetaData().getSchema();
            Set<String> unprotected = new HashSet<>();
            for (BlockMetaData block : reader.getRowGroups()) {
                if (block.getRowCount() > 0) {
                    for (ColumnChunkMetaData chunk : block.getColumns()) {
                        String[] column = chunk.getPath().toArray();
                        boolean checksummed = !isRead(column[0])
                                || PageHeaders.check(path.toString(), chunk, block.getRowCount(), in);
                        if (!checksummed && schema.getMaxRepetitionLevel(column) > 0) {
                            unprotected.add(column[0]);
                        }
                    }
                }
            }
            if (!unprotected.isEmpty()) {
                levels(path, reader, schema, unprotected);
            }
        } catch (IOException | RuntimeException e) {
            throw failed(path, e);
        }
    }

    private static void levels(Path path, ParquetFileReader reader, MessageType schema, Set<String> columns)
            throws IOException {
        List<Type> lists = new ArrayList<>();
        for (Type field : schema.getFields()) {
            if (columns.contains(field.getName())) {
                lists.add(field);
            }
        }
        MessageType requested = new MessageType(schema.getName(), lists);
        reader.setRequestedSchema(requested);
        for (PageReadStore group = reader.readNextRowGroup(); group != null; group = reader.readNextRowGroup()) {
            for (ColumnDescriptor column : requested.getColumns()) {
                if (column.getMaxRepetitionLevel() > 0) {
                    RowLevels.check(
                            path.toString(), requested, column, group.getPageReader(column), group.getRowCount());
                }
            }
        }
    }

    boolean isRead(String column) {
        return columns.contains(column.toLowerCase(Locale.ROOT));
    }

    private static RuntimeException failed(Path path, Exception e) {
        if (e instanceof CorruptDataException damage) {
            return damage;
        }
        boolean isInput = e instanceof IOException && !(e instanceof EOFException) && !DamagedContent.isDecoders(e);
        return isInput || StorageFailures.isUnavailable(e)
                ? new EnvironmentException("cannot read " + path + ": " + StorageFailures.firstLine(e), e)
                : new CorruptDataException(path.toString(), "cannot be read: " + DamagedContent.why(e), e);
    }
}
