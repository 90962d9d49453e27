package io.rankfeed.export.format.record;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.CountedFile;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.FormatFile;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFiles;
import io.rankfeed.export.format.PartSummary;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds one shard in memory, because its head has the offsets of all rows, unless all rows have the same size. */
final class MdsWriter implements FormatWriter {
    /** A shard must fit into an array. */
    private static final long MAX_BYTES = 1L << 30;

    private static final long MAX_RESERVED_BYTES = 160L << 20;

    private final FileSet set;
    private final List<MdsColumn> columns;
    private final byte[] config;
    private final Part part;
    private final PartFiles files;
    private final List<FormatFile> written = new ArrayList<>();
    private final ByteBuilder rows = new ByteBuilder();
    /** The end of each row of the shard in {@link #rows}. */
    private final ByteBuilder ends = new ByteBuilder();

    private final int variable;
    private @Nullable CountedFile file;
    /** The length that the open file will have. */
    private long fileBytes;
    /** Rows of fixed size in all shards so far, including those of the open one that are not yet written. */
    private long begun;

    MdsWriter(FileSet set, List<MdsColumn> columns, byte[] config, Part part, PartFiles files) {
        this.set = set;
        this.columns = columns;
        this.config = config;
        this.part = part;
        this.files = files;
        this.variable =
                (int) columns.stream().filter(column -> column.sizeBytes() < 0).count();
    }

    /** The limit of a shard in bytes. */
    static long sizeLimit(FileSet set) {
        return set.options().shardBytes() == 0
                ? MAX_BYTES
                : Math.min(MAX_BYTES, set.options().shardBytes());
    }

    @Override
    public void row(FormatRow row) throws IOException {
        if (variable == 0) {
            fixedRow(row);
            return;
        }
        int start = rows.size();
        append(row);
        int count = ends.size() / Integer.BYTES;
        if (count > 0 && headBytes(count + 1) + rows.size() > sizeLimit(set)) {
            refuseLarge();
            writeShard(start);
        }
        ends.putInt(rows.size());
        if (count == 0) {
            reserve(rows.size());
        }
    }

    /** Writes a row of a size that all rows have, after the head if it is the first of its shard. */
    private void fixedRow(FormatRow row) throws IOException {
        rows.clear();
        append(row);
        if (file == null) {
            long fit = (sizeLimit(set) - headBytes(0)) / (Integer.BYTES + rows.size());
            long left = part.rows() - begun;
            if (fit < left) {
                refuseLarge();
            }
            int shardRows = (int) Math.max(1, Math.min(left, fit));
            begun += shardRows;
            for (int i = 1; i <= shardRows; i++) {
                ends.putInt(i * rows.size());
            }
            file = open();
        }
        CountedFile out = file;
        out.write(rows);
        if (out.position() == fileBytes) {
            endShard(out);
        }
    }

    private void refuseLarge() {
        if (set.options().shardBytes() == 0) {
            throw new ConfigException("format mds: a shard of " + part.rows() + " rows exceeds " + MAX_BYTES
                    + " bytes; set shard-bytes, or fewer shard-rows");
        }
    }

    @Override
    public PartSummary finish() throws IOException {
        if (file != null) {
            throw new IllegalStateException("part " + part.index() + " has fewer than " + part.rows() + " rows");
        }
        if (ends.size() > 0) {
            writeShard(rows.size());
        }
        return PartSummary.of(part.index(), written);
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }

    /** Makes room for a shard of rows like the first, so that growing does not copy it several times. */
    private void reserve(int rowBytes) {
        long expected = rowBytes * part.rows();
        long wanted = Math.min(expected + expected / 16, MAX_RESERVED_BYTES);
        rows.reserve((int) Math.min(wanted, sizeLimit(set)));
    }

    /** The size of each value that has no fixed one, then the values. */
    private void append(FormatRow row) {
        int sizeAt = rows.size();
        rows.putZeros(variable * Integer.BYTES);
        for (MdsColumn column : columns) {
            int start = rows.size();
            column.append(row, rows);
            if (column.sizeBytes() < 0) {
                rows.setInt(sizeAt, rows.size() - start);
                sizeAt += Integer.BYTES;
            }
        }
    }

    /** Writes the rows before {@code end} and keeps those after it. */
    private void writeShard(int end) throws IOException {
        CountedFile out = open();
        file = out;
        out.write(rows.array(), 0, end);
        endShard(out);
        rows.removeBefore(end);
    }

    /** Writes the head of a shard whose rows have these {@link #ends}. */
    private CountedFile open() throws IOException {
        int count = ends.size() / Integer.BYTES;
        int first = Math.toIntExact(headBytes(count));
        ByteBuilder head = new ByteBuilder().putInt(count).putInt(first);
        for (int row = 0; row < count; row++) {
            head.putInt(first + ends.getInt(row * Integer.BYTES));
        }
        fileBytes = Integer.toUnsignedLong(first + ends.getInt((count - 1) * Integer.BYTES));
        CountedFile opened = new CountedFile(files, set.shardPath("shard.", part.index(), written.size(), ".mds"));
        opened.write(head.put(config));
        return opened;
    }

    private void endShard(CountedFile ended) throws IOException {
        written.add(ended.publish(ends.size() / Integer.BYTES));
        ended.close();
        file = null;
        ends.clear();
    }

    private long headBytes(int count) {
        return Integer.BYTES * (2L + count) + config.length;
    }
}
