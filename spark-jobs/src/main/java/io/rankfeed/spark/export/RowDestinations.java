package io.rankfeed.spark.export;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.pmod;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.engine.InternalRows;
import io.rankfeed.spark.file.FileRow;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * The destinations of the planned rows of each prepared file, in scratch files next to the version: 28 bytes a row, in
 * the order in which a task that reads the prepared file needs them. The wide rows are therefore shuffled only once, to
 * their caches, and a task has only some of the plan's rows in memory. Serialized to the tasks.
 */
final class RowDestinations implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Destinations that are read or written at once. */
    private static final int BLOCK_ROWS = 1 << 11;

    /** Rows of a scratch file: what one task sorts. */
    private static final long ROWS_TOGETHER = 1L << 20;

    /**
     * The destinations of the rows of one prepared file: {@code count} records from {@code offset} bytes of a scratch
     * file.
     *
     * @param rows the number of different rows
     * @param pages the number of pages that contain these rows, as {@link TablePages} estimates them
     */
    record Stretch(int file, String scratch, long offset, long count, long rows, long pages) implements Serializable {}

    private final ArtifactAttempt folder;
    private final HashMap<Integer, Stretch> stretches = new HashMap<>();

    private RowDestinations(ArtifactAttempt folder, List<Stretch> stretches) {
        this.folder = folder;
        stretches.forEach(stretch -> this.stretches.put(stretch.file(), stretch));
    }

    /**
     * @param planned columns of {@link PlannedRows}
     * @param rows how many there are
     * @param pageRows of a page, by file
     */
    static RowDestinations write(Dataset<Row> planned, long rows, long[] pageRows, ArtifactAttempt folder) {
        int tasks = (int) Math.min(Export.MAX_TASKS, 1 + rows / ROWS_TOGETHER);
        List<Stretch> stretches = InternalRows.of(planned.select(
                                PlannedRows.ADDRESS, PlannedRows.UNIT, PlannedRows.ORDINAL, PlannedRows.PLANNED_ID)
                        .repartitionById(tasks, pmod(FileRow.file(col(PlannedRows.ADDRESS)), lit(tasks)))
                        .sortWithinPartitions(PlannedRows.ADDRESS))
                .mapPartitions(destinations -> written(destinations, pageRows, folder))
                .collect();
        return new RowDestinations(folder, stretches);
    }

    private static Iterator<Stretch> written(
            Iterator<InternalRow> destinations, long[] pageRows, ArtifactAttempt folder) throws IOException {
        List<Stretch> stretches = new ArrayList<>();
        if (!destinations.hasNext()) {
            return stretches.iterator();
        }
        ArtifactAttempt.Scratch scratch = folder.scratch("destinations");
        ByteBuffer block = ByteBuffer.allocate(Cursor.BYTES * BLOCK_ROWS);
        try (OutputStream out = scratch.stream()) {
            int file = -1;
            long from = 0;
            long written = 0;
            long last = -1;
            long rows = 0;
            long page = -1;
            long pages = 0;
            while (destinations.hasNext()) {
                InternalRow destination = destinations.next();
                int next = FileRow.file(destination.getLong(0));
                if (next != file) {
                    if (written > from) {
                        stretches.add(
                                new Stretch(file, scratch.name(), from * Cursor.BYTES, written - from, rows, pages));
                    }
                    file = next;
                    from = written;
                    last = -1;
                    rows = 0;
                    page = -1;
                    pages = 0;
                }
                long row = FileRow.row(destination.getLong(0));
                if (row != last) {
                    last = row;
                    rows++;
                }
                if (row / pageRows[file] != page) {
                    page = row / pageRows[file];
                    pages++;
                }
                if (!block.hasRemaining()) {
                    out.write(block.array());
                    block.clear();
                }
                block.putLong(row);
                block.putInt(destination.getInt(1));
                block.putLong(destination.getLong(2));
                block.putLong(destination.getLong(3));
                written++;
            }
            out.write(block.array(), 0, block.position());
            stretches.add(new Stretch(file, scratch.name(), from * Cursor.BYTES, written - from, rows, pages));
        }
        return stretches.iterator();
    }

    /** The prepared files that have a row with a destination, ascending. */
    List<Integer> files() {
        return stretches.keySet().stream().sorted().toList();
    }

    /** The rows with a destination, by prepared file. */
    Collection<Stretch> stretches() {
        return stretches.values();
    }

    /** Opens a cursor before the first row of a prepared file; it is empty if no row of the file is planned. */
    Cursor open(int file) {
        try {
            return new Cursor(stretches.get(file));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private EnvironmentException failed(IOException e) {
        return new EnvironmentException(
                IoReason.of("cannot read the destinations of rows in " + folder.path(), e) + "; run the job again", e);
    }

    /** Walks through the destinations of a file, each valid until the next. */
    final class Cursor implements AutoCloseable {
        private static final int BYTES = 28;

        private final @Nullable FSDataInputStream in;
        private final ByteBuffer block = ByteBuffer.allocate(BYTES * BLOCK_ROWS).limit(0);
        private long left;
        private long row = -1;
        private int unit;
        private long ordinal;
        private long plannedId;

        private Cursor(@Nullable Stretch stretch) throws IOException {
            if (stretch == null) {
                in = null;
                return;
            }
            in = folder.openScratch(stretch.scratch());
            in.seek(stretch.offset());
            left = stretch.count();
        }

        /** Goes to the next destination. @return false if there is none */
        boolean next() {
            if (in == null || left == 0) {
                return false;
            }
            if (!block.hasRemaining()) {
                fill(in);
            }
            row = block.getLong();
            unit = block.getInt();
            ordinal = block.getLong();
            plannedId = block.getLong();
            left--;
            return true;
        }

        private void fill(FSDataInputStream from) {
            int bytes = (int) Math.min(left, BLOCK_ROWS) * BYTES;
            try {
                from.readFully(block.array(), 0, bytes);
            } catch (IOException e) {
                throw failed(e);
            }
            block.position(0).limit(bytes);
        }

        /** The index of the row in the prepared file. */
        long row() {
            return row;
        }

        int unit() {
            return unit;
        }

        long ordinal() {
            return ordinal;
        }

        long plannedId() {
            return plannedId;
        }

        @Override
        public void close() {
            if (in != null) {
                try {
                    in.close();
                } catch (IOException e) {
                    throw failed(e);
                }
            }
        }
    }
}
