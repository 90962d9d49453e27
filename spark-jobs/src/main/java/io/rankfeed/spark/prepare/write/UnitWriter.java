package io.rankfeed.spark.prepare.write;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.export.commit.FaultPoints;
import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.job.PrepareSection;
import io.rankfeed.job.PrepareSection.OversizedRow;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.prepare.pack.BadRow;
import io.rankfeed.spark.prepare.pack.KeyText;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.write.RowGroupEncoder.Encoded;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Locale;
import java.util.TreeMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/** Writes the rows of one unit, which come in their total order, as files of one row group each. */
final class UnitWriter implements AutoCloseable, RowGroupCutter.Sink {
    /** A block of rows is in memory where an executor has 6 × 1.2 blocks for each core; encoding them takes as much again. */
    private static final int LOG_MEMORY_PART = 6;

    private static final long MIN_LOG_MEMORY_BYTES = 48 << 20;
    private static final long MAX_LOG_MEMORY_BYTES = 1 << 30;

    private final TableSpec spec;
    private final RowLayout layout;
    private final int unit;
    private final boolean keepsTail;
    private final @Nullable RowIds ids;
    private final BadRowFiles quarantine;
    private final KeyDeduplicator keys;
    private final Statistics.Running statistics;
    private final RowLog log;
    private final RowGroupEncoder encoder;
    private final RowGroupCutter cutter;
    private final Publications files;
    private final BitSet nulls = new BitSet();
    private long oversized;

    private UnitWriter(
            TableSpec spec, int unit, boolean keepsTail, @Nullable RowIds ids, Statistics statistics, Path scratch) {
        this.spec = spec;
        this.layout = spec.layout();
        this.unit = unit;
        this.keepsTail = keepsTail;
        this.ids = ids;
        this.quarantine = new BadRowFiles(spec, unit, scratch);
        this.keys = new KeyDeduplicator(spec, quarantine, this::taken);
        this.statistics = statistics.open(spec.places());
        this.log = new RowLog(layout.fields(), scratch, logMemoryBytes());
        this.encoder = new RowGroupEncoder(layout.stored(), spec.format().compression(), scratch);
        this.cutter = new RowGroupCutter(encoder, log, spec.format().blockBytes(), this);
        this.files = new Publications(spec.folder());
    }

    /** @param scratch a local folder */
    static UnitWriter ofUnit(TableSpec spec, int unit, Path scratch) {
        @Nullable RowIds ids = spec.keyCheck() == KeyCheck.AFTER ? new RowIds() : null;
        return new UnitWriter(spec, unit, spec.mergesTails(), ids, spec.statistics(), scratch);
    }

    /** Writes what is left over of other units, whose rows were measured before. */
    static UnitWriter ofTails(TableSpec spec, int unit, Path scratch) {
        return new UnitWriter(spec, unit, false, null, spec.statistics().none(), scratch);
    }

    /** The memory for rows that wait to be encoded, in bytes, for each of the tasks that this JVM may run at the same time. */
    private static int logMemoryBytes() {
        int tasks = SparkEnv.get()
                .conf()
                .getInt("spark.executor.cores", Runtime.getRuntime().availableProcessors());
        long part = Runtime.getRuntime().maxMemory() / LOG_MEMORY_PART / tasks;
        return (int) Math.min(Math.max(part, MIN_LOG_MEMORY_BYTES), MAX_LOG_MEMORY_BYTES);
    }

    /** Adds a row; one of the unit after the others is bad. */
    void add(UnsafeRow row) {
        if (row.getInt(layout.unit()) < spec.units().count()) {
            keys.add(row);
        } else {
            quarantine.add(
                    BadRow.decoded(row.getBinary(layout.key())),
                    row.getInt(layout.source()),
                    row.getLong(layout.sourceRow()));
        }
    }

    private void taken(UnsafeRow row) {
        if (row.anyNull()) {
            for (int i = 0; i < layout.columns().size(); i++) {
                if (row.isNullAt(i)) {
                    nulls.set(i);
                }
            }
        }
        if (ids != null) {
            ids.add(row.getLong(layout.rowId()));
        }
        statistics.add(row);
        cutter.add(row);
    }

    UnitResult finish() {
        keys.finish();
        @Nullable String tail = null;
        if (keepsTail) {
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
                oversized,
                cutter.encodes(),
                new TreeMap<>(quarantine.counts()),
                new ArrayList<>(quarantine.finish()),
                new ArrayList<>(statistics.finish()),
                ids == null ? null : ids.finished());
    }

    @Override
    public void filled(Encoded group) {
        publish(group, spec.format().blockBytes());
    }

    @Override
    public void oversized(Encoded row) {
        if (spec.format().onOversizedRow() == OversizedRow.ERROR) {
            log.replay(row.cut(), refused -> refuseOversized(refused, row.lengthBytes()));
        }
        oversized++;
        // Its file is one block all the same, where a file's block can be as it likes.
        long chunk = PrepareSection.CHECKSUM_CHUNK_BYTES;
        publish(row, (row.lengthBytes() + chunk - 1) / chunk * chunk);
    }

    private void refuseOversized(UnsafeRow row, long bytes) {
        byte[] key = row.getBinary(layout.key());
        throw new ConfigException(spec.places().row(row.getInt(layout.source()), row.getLong(layout.sourceRow()))
                + ": the row"
                + (key.length == 0 ? "" : " of the key " + KeyText.of(key)) + " takes " + ByteSize.rounded(bytes)
                + ", and a block has " + new ByteSize(spec.format().blockBytes()) + "; raise prepare.block to "
                + (bytes / (1 << 20) + 1)
                + " MiB, filter such rows with where, or write prepare.on-oversized-row: keep");
    }

    private void publish(Encoded encoded, long fileBlockBytes) {
        files.add(encoded, UnitResult.file(unit, files.count()), fileBlockBytes);
    }

    private String writeTail() {
        ArtifactAttempt folder = spec.folder();
        String name = String.format(Locale.ROOT, "tail-%05d", unit);
        try {
            ArtifactAttempt.Scratch scratch = folder.scratch(name);
            try (OutputStream out = scratch.stream()) {
                log.writeTo(out);
            }
            return scratch.name();
        } catch (IOException e) {
            throw Storage.failed("write to", folder.path(), e);
        }
    }

    @Override
    public void close() {
        // In this order: nothing is under way to its place any more when its file goes.
        try (quarantine;
                encoder;
                cutter) {
            files.close();
        }
    }
}
