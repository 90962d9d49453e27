package io.rankfeed.spark.engine.parquet;

import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.export.parquet.DamagedContent;
import io.rankfeed.export.parquet.PageHeaders;
import io.rankfeed.export.parquet.PageRuns;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.EOFException;
import java.io.IOException;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntPredicate;
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
import org.apache.spark.sql.types.StructType;

/** Checks row groups before they are read: the page headers of the columns, and runs in pages without checksums. */
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
                HadoopReadOptions.builder(conf).withRange(from, to).build())) {
            artifact.check(path, to, reader.getFooter());
            check(path, reader, group -> true, conf);
        } catch (IOException | RuntimeException e) {
            throw failed(path, e);
        }
    }

    /** Checks one row group. Leaves the reader with other requested columns. Throws as {@link #of}. */
    void ofGroup(Path path, ParquetFileReader reader, int number, Configuration conf) {
        try {
            check(path, reader, group -> group == number, conf);
        } catch (IOException | RuntimeException e) {
            throw failed(path, e);
        }
    }

    /** Checks the page headers of one row group. Throws as {@link #of}. */
    void headersOfGroup(Path path, ParquetFileReader reader, int number, Configuration conf) {
        try (FSDataInputStream in = path.getFileSystem(conf).open(path)) {
            headers(
                    path,
                    reader.getFileMetaData().getSchema(),
                    reader.getRowGroups().get(number),
                    in);
        } catch (IOException | RuntimeException e) {
            throw failed(path, e);
        }
    }

    /** Returns the columns that have {@link PageRuns} in pages without checksums. */
    private Set<String> headers(Path path, MessageType schema, BlockMetaData block, FSDataInputStream in)
            throws IOException {
        Set<String> unchecked = new HashSet<>();
        for (ColumnChunkMetaData chunk : block.getColumns()) {
            String[] name = chunk.getPath().toArray();
            if (isRead(name[0])) {
                ColumnDescriptor column = schema.getColumnDescription(name);
                if (PageHeaders.check(path.toString(), column, chunk, block.getRowCount(), in)) {
                    unchecked.add(name[0]);
                }
            }
        }
        return unchecked;
    }

    private void check(Path path, ParquetFileReader reader, IntPredicate which, Configuration conf) throws IOException {
        try (FSDataInputStream in = path.getFileSystem(conf).open(path)) {
            MessageType schema = reader.getFileMetaData().getSchema();
            Set<String> unchecked = new HashSet<>();
            for (int group = 0; group < reader.getRowGroups().size(); group++) {
                BlockMetaData block = reader.getRowGroups().get(group);
                if (block.getRowCount() > 0 && which.test(group)) {
                    unchecked.addAll(headers(path, schema, block, in));
                }
            }
            if (!unchecked.isEmpty()) {
                runs(path, reader, schema, unchecked, which);
            }
        }
    }

    /** Reads one column at a time: the reader keeps a whole row group of the columns that it reads. */
    private static void runs(
            Path path, ParquetFileReader reader, MessageType schema, Set<String> fields, IntPredicate which)
            throws IOException {
        for (int i = 0; i < reader.getRowGroups().size(); i++) {
            // The reader refuses row groups without rows.
            if (reader.getRowGroups().get(i).getRowCount() == 0 || !which.test(i)) {
                continue;
            }
            PageRuns runs = new PageRuns(
                    path.toString(), schema, reader.getRowGroups().get(i).getRowCount());
            for (ColumnDescriptor column : schema.getColumns()) {
                if (fields.contains(column.getPath()[0])) {
                    reader.setRequestedSchema(List.of(column));
                    try (PageReadStore group = reader.readRowGroup(i)) {
                        if (group != null) {
                            runs.check(column, group.getPageReader(column));
                        }
                    }
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
