package io.rankfeed.spark.prepare.write;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.export.commit.FaultPoints;
import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.job.PrepareSection;
import io.rankfeed.job.PrepareSection.Compression;
import io.rankfeed.job.PrepareSection.OversizedRow;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.prepare.pack.KeyText;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.pack.SourceIndex;
import io.rankfeed.spark.prepare.write.RowGroupEncoder.Encoded;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Locale;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/** Writes the rows of one unit, which come in their total order, as files of one row group each. */
final class UnitWriter implements AutoCloseable, RowGroupCutter.Sink {
    private final RowLayout layout;
    private final SourceIndex places;
    private final KeyDeduplicator keys;
    private final Statistics.Running statistics;
    private final ArtifactAttempt folder;
    private final long blockBytes;
    private final OversizedRow onOversizedRow;
    private final int unit;
    private final boolean tailsApart;
    private final @Nullable RowIds ids;
    private final int columns;
    private final RowLog log;
    private final RowGroupEncoder encoder;
    private final RowGroupCutter cutter;
    private final Publications files;
    private final BitSet nulls = new BitSet();
    private long rows;
    private long oversized;

    /**
     * The format of the files.
     *
     * @param blockBytes that no row group may cross
     */
    record Format(long blockBytes, Compression compression, OversizedRow onOversizedRow) implements Serializable {
        static Format of(PrepareSection section) {
            return new Format(section.block().bytes(), section.compression(), section.onOversizedRow());
        }
    }

    /**
     * @param keys to be closed with this
     * @param tailsApart whether rows that fill no block go to a scratch file, to be merged with others
     * @param ids gets those of the rows, if they are wanted
     * @param logMemoryBytes for rows that wait; more go to the scratch folder
     * @param scratch a local folder
     */
    UnitWriter(
            RowLayout layout,
            SourceIndex places,
            KeyDeduplicator keys,
            Statistics.Running statistics,
            ArtifactAttempt folder,
            Format format,
            int unit,
            boolean tailsApart,
            @Nullable RowIds ids,
            int logMemoryBytes,
            Path scratch) {
        this.layout = layout;
        this.places = places;
        this.keys = keys;
        this.statistics = statistics;
        this.folder = folder;
        this.blockBytes = format.blockBytes();
        this.onOversizedRow = format.onOversizedRow();
        this.unit = unit;
        this.tailsApart = tailsApart;
        this.ids = ids;
        this.columns = layout.columns().size();
        this.log = new RowLog(layout.fields(), scratch, logMemoryBytes);
        this.encoder = new RowGroupEncoder(layout.stored(), format.compression(), scratch);
        this.cutter = new RowGroupCutter(encoder, log, blockBytes, this);
        this.files = new Publications(folder);
    }

    void add(UnsafeRow row) {
        keys.add(row, this::taken);
    }

    private void taken(UnsafeRow row) {
        if (row.anyNull()) {
            for (int i = 0; i < columns; i++) {
                if (row.isNullAt(i)) {
                    nulls.set(i);
                }
            }
        }
        if (ids != null) {
            ids.add(row.getLong(layout.rowId()));
        }
        rows++;
        statistics.add(row);
        cutter.add(row);
    }

    UnitResult finish() {
        keys.release(this::taken);
        @Nullable String tail = null;
        if (tailsApart) {
            cutter.finishFull();
            tail = log.rows() > 0 ? writeTail() : null;
        } else {
            Encoded rest = cutter.finish();
            if (rest != null) {
                filled(rest);
            }
        }
        ArrayList<WrittenFile> written = new ArrayList<>(files.finish());
        FaultPoints.reached("prepare.unit-written");
        return new UnitResult(
                unit,
                written,
                tail,
                nulls,
                rows,
                oversized,
                cutter.encodes(),
                new TreeMap<>(keys.quarantine().counts()),
                new ArrayList<>(keys.quarantine().finish()),
                new ArrayList<>(statistics.finish()),
                ids == null ? null : ids.finished());
    }

    @Override
    public void filled(Encoded group) {
        publish(group, blockBytes);
    }

    @Override
    public void oversized(Encoded row) {
        if (onOversizedRow == OversizedRow.ERROR) {
            log.replay(row.cut(), refused -> refuseOversized(refused, row.lengthBytes()));
        }
        oversized++;
        // Its file is one block all the same, where a file's block can be as it likes.
        long chunk = PrepareSection.CHECKSUM_CHUNK_BYTES;
        publish(row, (row.lengthBytes() + chunk - 1) / chunk * chunk);
    }

    private void refuseOversized(UnsafeRow row, long bytes) {
        byte[] key = row.getBinary(layout.key());
        throw new ConfigException(places.row(row.getInt(layout.source()), row.getLong(layout.sourceRow())) + ": the row"
                + (key.length == 0 ? "" : " of the key " + KeyText.of(key)) + " takes " + ByteSize.rounded(bytes)
                + ", and a block has " + new ByteSize(blockBytes) + "; raise prepare.block to "
                + (bytes / (1 << 20) + 1)
                + " MiB, filter such rows with where, or write prepare.on-oversized-row: keep");
    }

    private void publish(Encoded encoded, long fileBlockBytes) {
        files.add(encoded, UnitResult.file(unit, files.count()), fileBlockBytes);
    }

    private String writeTail() {
        String name = String.format(Locale.ROOT, "tail-%05d", unit);
        try {
            ArtifactAttempt.Scratch scratch = folder.scratch(name);
            try (OutputStream out = scratch.stream()) {
                log.writeTo(out);
            }
            return scratch.name();
        } catch (IOException e) {
            throw new EnvironmentException(Storage.reason("cannot write to " + folder.path(), folder.path(), e), e);
        }
    }

    @Override
    public void close() {
        // The last first: nothing is under way to its place any more when its file goes.
        try (keys;
                encoder;
                cutter) {
            files.close();
        }
    }
}
