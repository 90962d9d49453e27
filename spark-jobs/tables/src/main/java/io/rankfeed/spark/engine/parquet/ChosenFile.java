package io.rankfeed.spark.engine.parquet;

import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.export.parquet.DamagedContent;
import io.rankfeed.export.parquet.PageRuns;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.RankfeedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.HadoopReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore.MissingOffsetIndexException;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Reads some rows of a Parquet file, by their row numbers. Row groups without a chosen row are not read. Of the others,
 * if the file has a page index, only the pages are read that contain a chosen row, or the row before the last chosen
 * one. Row groups that are read whole are checked by {@link PageCheck}, as before a scan; single pages of
 * {@link Values#ANY} by their headers, and by {@link PageRuns} as they are read.
 */
public final class ChosenFile implements AutoCloseable {
    /** The types that the columns may have. */
    public enum Values {
        /** Values without nesting, as every prepared table has them. */
        FLAT,
        /** All types that Spark reads, such as lists and unsigned numbers. */
        ANY
    }

    private final String path;
    private final long[] rows;
    private final StructType columns;
    private final Supplier<RecordMaterializer<InternalRow>> records;
    private final IntPredicate audited;
    private final Values kind;
    private final Configuration conf;
    private final ParquetFileReader reader;
    private final MessageColumnIO columnIo;
    private final MessageType requested;
    private int group = -1;
    private long groupFirst;
    private long groupEnd;
    private int next;
    private @Nullable GroupRows values;
    private @Nullable WholeGroup whole;

    /**
     * @param rows ascending; equal ones may be next to each other
     * @param headBytes by column, how many bytes of each value are left out
     * @param audited row groups that are also read whole, to compare each chosen row
     */
    public ChosenFile(
            String path,
            long[] rows,
            StructType columns,
            Values kind,
            int[] headBytes,
            IntPredicate audited,
            Configuration conf) {
        this.path = path;
        this.rows = rows;
        this.columns = columns;
        this.audited = audited;
        this.kind = kind;
        this.conf = conf;
        try {
            reader = ParquetFileReader.open(
                    HadoopInputFile.fromPath(new Path(path), conf),
                    HadoopReadOptions.builder(conf)
                            .usePageChecksumVerification(true)
                            .build());
            MessageType whole = reader.getFileMetaData().getSchema();
            List<Type> wanted = new ArrayList<>();
            for (String column : columns.fieldNames()) {
                wanted.add(whole.getType(column));
            }
            requested = new MessageType(whole.getName(), wanted);
            reader.setRequestedSchema(requested);
            records = () ->
                    kind == Values.FLAT ? new FlatRecords(columns, headBytes) : SparkRecords.of(requested, columns);
            columnIo = new ColumnIOFactory(reader.getFileMetaData().getCreatedBy()).getColumnIO(requested, whole);
        } catch (IOException | RuntimeException e) {
            throw failed(path, e);
        }
    }

    /** The next of the rows; equal ones are one row. The object given is filled again by the next call. */
    public InternalRow next() {
        long row = rows[next];
        try {
            while (row >= groupEnd) {
                group++;
                groupFirst = groupEnd;
                groupEnd += reader.getRowGroups().get(group).getRowCount();
                values = null;
            }
            if (values == null) {
                values = open();
            }
            InternalRow value = values.at(row - groupFirst);
            if (whole != null && !whole.hasAt(row - groupFirst, value)) {
                throw new CorruptDataException(
                        path + ", row " + row,
                        "has other values where its pages are read alone than where its row group is read whole: the"
                                + " page index is wrong, or the reader; write the file again, or have prepare write the"
                                + " table, without prepare: none (rewrite: none)");
            }
            do {
                next++;
            } while (next < rows.length && rows[next] == row);
            return value;
        } catch (IOException | RuntimeException e) {
            throw failed(path, e);
        }
    }

    private GroupRows open() throws IOException {
        int to = Arrays.binarySearch(rows, next, rows.length, groupEnd);
        int end = to >= 0 ? to : -to - 1;
        while (end > next && rows[end - 1] == groupEnd) {
            end--;
        }
        BlockMetaData block = reader.getRowGroups().get(group);
        PageCheck check = new PageCheck(columns, ArtifactFooters.NONE);
        RowRanges some = RowRuns.ranges(rows, next, end, groupFirst, block.getRowCount());
        if (some.rowCount() == block.getRowCount() || !hasPages(block)) {
            check.ofGroup(new Path(path), reader, group, conf);
            reader.setRequestedSchema(requested);
            whole = null;
            return rows(reader.readRowGroup(group), FilledPages.Check.NONE);
        }
        FilledPages.Check pages = FilledPages.Check.NONE;
        if (kind == Values.ANY) {
            check.headersOfGroup(new Path(path), reader, group, conf);
            PageRuns runs = new PageRuns(path, requested, block.getRowCount());
            ColumnIndexStore indexes = reader.getColumnIndexStore(group);
            pages = (column, own) ->
                    runs.checked(column, own, indexes.getOffsetIndex(ColumnPath.get(column.getPath())));
        }
        PageReadStore chosen = reader.readFilteredRowGroup(group, some);
        whole = audited.test(group)
                ? new WholeGroup(rows(reader.readRowGroup(group), FilledPages.Check.NONE), columns)
                : null;
        return rows(chosen, pages);
    }

    private GroupRows rows(PageReadStore pages, FilledPages.Check check) {
        return new GroupRows(pages, columnIo, records.get(), check);
    }

    private boolean hasPages(BlockMetaData block) {
        try {
            return FilledPages.canBeChosen(reader.getColumnIndexStore(group), requested, block);
        } catch (MissingOffsetIndexException e) {
            return false;
        }
    }

    private static RuntimeException failed(String path, Exception e) {
        if (e instanceof RankfeedException known) {
            return known;
        }
        return StorageFailures.isUnavailable(e)
                ? new EnvironmentException("cannot read " + path + ": " + StorageFailures.firstLine(e), e)
                : new CorruptDataException(path, "cannot be read: " + DamagedContent.why(e), e);
    }

    @Override
    public void close() {
        try {
            reader.close();
        } catch (IOException e) {
            throw failed(path, e);
        }
    }
}
