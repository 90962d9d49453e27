package io.rankfeed.spark.source.format;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.file.ComputedIterator;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.source.format.RowFormat.BadRowException;
import io.rankfeed.spark.source.format.RowFormat.FileRows;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;

/** The rows of a task's files, with the wanted columns alone. */
final class FormatRows extends ComputedIterator<Row> {
    /** Decides what happens to a bad row. */
    interface OnBadRow {
        /** Returns the row that replaces the bad one; null to leave it out. */
        @Nullable
        Row replaced(BadRowException bad);
    }

    private final RowFormat format;
    private final Iterator<FilePart> parts;
    private final String[] columns;
    private final Configuration conf;
    private final OnBadRow onBadRow;

    private @Nullable FilePart part;
    private @Nullable FileRows rows;
    /** For each wanted column, its index among the values of the file; -1 for a column of the folders. */
    private int[] indices = new int[0];

    private long row;

    /** @param skipsBadRows whether bad rows are left out; otherwise the first one is an error */
    FormatRows(RowFormat format, List<FilePart> parts, String[] columns, Configuration conf, boolean skipsBadRows) {
        this(format, parts, columns, conf, bad -> {
            if (!skipsBadRows) {
                throw new CorruptDataException(bad.location(), String.valueOf(bad.getMessage()), bad);
            }
            return null;
        });
    }

    /** @param onBadRow is given each bad row when it is read */
    FormatRows(RowFormat format, List<FilePart> parts, String[] columns, Configuration conf, OnBadRow onBadRow) {
        this.format = format;
        this.parts = parts.iterator();
        this.columns = columns;
        this.conf = conf;
        this.onBadRow = onBadRow;
        TaskContext task = TaskContext.get();
        if (task != null) {
            // A query that needs only some rows ends before the file does.
            task.addTaskCompletionListener((TaskCompletionListener) ended -> close());
        }
    }

    @Override
    protected @Nullable Row compute() {
        while (rows != null || parts.hasNext()) {
            try {
                FileRows open = rows == null ? open(parts.next()) : rows;
                @Nullable Object[] values = open.next();
                if (values != null) {
                    return row(values, open.line().orElse(row++));
                }
                close();
            } catch (BadRowException e) {
                row++;
                Row instead = onBadRow.replaced(e);
                if (instead != null) {
                    return instead;
                }
            } catch (IOException e) {
                throw new EnvironmentException(
                        IoReason.of("cannot read " + (part == null ? "a file" : part.file()), e), e);
            }
        }
        return null;
    }

    private FileRows open(FilePart next) throws IOException {
        part = next;
        List<String> read =
                Arrays.stream(columns).filter(next.columns()::contains).toList();
        indices = Arrays.stream(columns).mapToInt(read::indexOf).toArray();
        row = 0;
        FileRows opened = format.rows(next.file(), read, conf);
        rows = opened;
        return opened;
    }

    private Row row(@Nullable Object[] values, long number) {
        FilePart from = part;
        @Nullable Object[] row = new @Nullable Object[columns.length];
        for (int i = 0; i < columns.length && from != null; i++) {
            row[i] = switch (columns[i]) {
                case RowAddress.FILE -> from.address();
                case RowAddress.ROW -> number;
                default -> indices[i] < 0 ? from.folders().get(columns[i]) : values[indices[i]];
            };
        }
        return RowFactory.create(row);
    }

    private void close() {
        FileRows open = rows;
        rows = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                throw new EnvironmentException(IoReason.of("cannot close a file", e), e);
            }
        }
    }
}
