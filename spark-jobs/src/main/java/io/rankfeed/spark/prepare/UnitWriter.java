package io.rankfeed.spark.prepare;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.job.PrepareSection.Compression;
import io.rankfeed.spark.prepare.RowGroupEncoder.Encoded;
import io.rankfeed.spark.run.ArtefactAttempt;
import io.rankfeed.spark.run.FaultPoints;
import io.rankfeed.spark.run.StagedFile;
import io.rankfeed.spark.run.WrittenFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Locale;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/** Writes the rows of one unit, which come in their total order, as files of one row group each. */
final class UnitWriter implements AutoCloseable {
    private static final int LOG_MEMORY_BYTES = 48 << 20;

    private final RowLayout layout;
    private final Places places;
    private final ArtefactAttempt folder;
    private final long blockBytes;
    private final int unit;
    private final boolean tailsApart;
    private final RowLog log;
    private final RowGroupCutter cutter;
    private final ArrayList<WrittenFile> files = new ArrayList<>();
    private final BitSet nulls = new BitSet();
    private long rows;
    private long lastMajor;
    private byte[] lastKey = new byte[0];
    private int lastSource;
    private long lastSourceRow;

    /**
     * @param tailsApart whether rows that fill no block go to a scratch file, to be merged with others
     * @param scratch a local folder
     */
    UnitWriter(
            RowLayout layout,
            Places places,
            ArtefactAttempt folder,
            long blockBytes,
            Compression compression,
            int unit,
            boolean tailsApart,
            Path scratch) {
        this.layout = layout;
        this.places = places;
        this.folder = folder;
        this.blockBytes = blockBytes;
        this.unit = unit;
        this.tailsApart = tailsApart;
        this.log = new RowLog(layout.fields(), scratch, LOG_MEMORY_BYTES);
        RowGroupEncoder encoder = new RowGroupEncoder(layout.written(), compression, scratch);
        this.cutter = new RowGroupCutter(encoder, log, blockBytes, this::publish);
    }

    void add(UnsafeRow row) {
        for (int i = 0; i < layout.columns().size(); i++) {
            if (row.isNullAt(i)) {
                nulls.set(i);
            }
        }
        refuseDuplicate(row);
        rows++;
        cutter.add(row);
    }

    UnitResult finish() {
        @Nullable String tail = null;
        Encoded rest = cutter.finish();
        if (rest != null) {
            try (rest) {
                if (tailsApart) {
                    tail = writeTail();
                } else {
                    publish(rest);
                }
            }
        }
        FaultPoints.reached("prepare.unit-written");
        return new UnitResult(unit, files, tail, nulls, rows, cutter.encodes());
    }

    /** Rows of a key come one after the other, in either order of units. */
    private void refuseDuplicate(UnsafeRow row) {
        byte[] key = row.getBinary(layout.key());
        long major = row.getLong(layout.major());
        if (key.length > 0 && rows > 0 && major == lastMajor && Arrays.equals(key, lastKey)) {
            throw new CorruptDataException(
                    places.rows(
                            lastSource, lastSourceRow, row.getInt(layout.source()), row.getLong(layout.sourceRow())),
                    KeyText.duplicate(key));
        }
        lastSource = row.getInt(layout.source());
        lastSourceRow = row.getLong(layout.sourceRow());
        lastMajor = major;
        lastKey = key;
    }

    private void publish(Encoded encoded) {
        try (StagedFile file = folder.stage(UnitResult.file(unit, files.size()), blockBytes)) {
            Files.copy(encoded.file(), file.stream());
            files.add(file.publish(encoded.rows()));
            FaultPoints.reached("prepare.file-written");
        } catch (IOException e) {
            throw new EnvironmentException("cannot write to " + folder.path() + ": " + e.getMessage(), e);
        }
    }

    private String writeTail() {
        String name = String.format(Locale.ROOT, "tail-%05d", unit);
        try {
            ArtefactAttempt.Scratch scratch = folder.scratch(name);
            try (OutputStream out = scratch.stream()) {
                log.writeTo(out);
            }
            return scratch.name();
        } catch (IOException e) {
            throw new EnvironmentException("cannot write to " + folder.path() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        cutter.close();
    }
}
