package io.rankfeed.export.format.store;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.CountedFile;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.FormatFile;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFiles;
import io.rankfeed.export.format.PartSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/** Writes the Arrow streams of a part. Holds one record batch in memory. */
final class HuggingFaceWriter implements FormatWriter {
    /** The library's own batches have as many. */
    private static final int BATCH_ROWS = 1000;

    /** A batch of more bytes has one row. */
    private static final long BATCH_BYTES = 64L << 20;

    private final FileSet set;
    private final Part part;
    private final PartFiles files;
    private final byte[] schema;
    private final List<ArrowColumn> columns = new ArrayList<>();
    private final List<FormatFile> written = new ArrayList<>();
    /** The checksum and the rows of each file. */
    private final ByteBuilder state = new ByteBuilder();

    /** At most what a batch has in addition to its rows: its message and padding, and the end of the stream. */
    private final long headBytes;

    private final CRC32C crc = new CRC32C();
    private @Nullable CountedFile file;
    private int batchRows;
    private long batchBytes;
    private long fileRows;

    HuggingFaceWriter(FileSet set, Part part, PartFiles files) {
        this.set = set;
        this.part = part;
        this.files = files;
        schema = ArrowStream.schema(new ArrowFeatures(set.schema()));
        for (int field = 0; field < set.schema().fields().size(); field++) {
            columns.add(new ArrowColumn(field, set.schema().fields().get(field)));
        }
        headBytes = ArrowStream.headBytes(columns);
    }

    @Override
    public void row(FormatRow row) throws IOException {
        long rowBytes = 0;
        for (ArrowColumn column : columns) {
            rowBytes += column.rowBytes(row);
        }
        CountedFile out = file == null ? start() : file;
        long shardBytes = set.options().shardBytes();
        if (shardBytes > 0 && fileRows > 0 && out.position() + headBytes + batchBytes + rowBytes > shardBytes) {
            end(out);
            out = start();
        }
        if (batchRows == BATCH_ROWS || (batchRows > 0 && batchBytes + rowBytes > BATCH_BYTES)) {
            flush(out);
        }
        for (ArrowColumn column : columns) {
            column.append(row);
        }
        batchRows++;
        fileRows++;
        batchBytes += rowBytes;
    }

    @Override
    public PartSummary finish() throws IOException {
        end(file == null ? start() : file);
        return PartSummary.of(part.index(), written, state.toByteArray());
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }

    private CountedFile start() throws IOException {
        CountedFile started = new CountedFile(files, HuggingFace.path(set, part.index(), written.size()));
        file = started;
        crc.reset();
        new CheckedOutputStream(started, crc).write(schema);
        return started;
    }

    private void flush(CountedFile out) throws IOException {
        ArrowStream.writeBatch(batchRows, columns, new CheckedOutputStream(out, crc));
        columns.forEach(ArrowColumn::clear);
        batchRows = 0;
        batchBytes = 0;
    }

    private void end(CountedFile out) throws IOException {
        if (batchRows > 0) {
            flush(out);
        }
        out.write(ArrowStream.end());
        state.putInt((int) crc.getValue()).putLong(fileRows);
        written.add(out.publish(fileRows));
        out.close();
        file = null;
        fileRows = 0;
    }
}
