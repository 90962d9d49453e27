package io.rankfeed.spark.prepare.write;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.engine.RowSteps;
import io.rankfeed.spark.prepare.pack.BadRow;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.pack.SourceIndex;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.util.Utils;
import org.jspecify.annotations.Nullable;

/**
 * What a task does: writes the units that its rows belong to, or merges the tails of earlier ones.
 *
 * @param layout of the rows
 * @param places for messages
 * @param tailsApart whether rows that fill no block go to a scratch file
 * @param guard what is done with bad rows
 * @param statistics what is measured of the others
 * @param keyCheck whether the rows' ids are wanted
 */
record RowGroupTask(
        RowLayout layout,
        SourceIndex places,
        ArtifactAttempt folder,
        UnitWriter.Format format,
        boolean tailsApart,
        Guard guard,
        Statistics statistics,
        KeyCheck keyCheck)
        implements Serializable {
    /** A block of rows is in memory where an executor has 6 × 1.2 blocks for each core; encoding them takes as much again. */
    private static final int LOG_MEMORY_PART = 6;

    private static final long LEAST_LOG_MEMORY_BYTES = 48 << 20;
    private static final long MOST_LOG_MEMORY_BYTES = 1 << 30;

    /**
     * @param onBadRow what is done with bad rows
     * @param unit the one after all others, which has nothing but bad rows
     * @param content gives rows of the layout as JSON
     */
    record Guard(OnBadRow onBadRow, int unit, RowSteps content) implements Serializable {}

    /** Rows sorted by unit, then by their place in it. */
    Iterator<UnitResult> units(Iterator<InternalRow> rows) {
        List<UnitResult> results = new ArrayList<>();
        @Nullable UnitWriter writer = null;
        int unit = -1;
        try {
            while (rows.hasNext()) {
                UnsafeRow row = (UnsafeRow) rows.next();
                if (row.getInt(layout.unit()) == guard.unit()) {
                    finish(writer, results);
                    writer = null;
                    results.add(bad(row, rows));
                    return results.iterator();
                }
                if (writer == null || row.getInt(layout.unit()) != unit) {
                    finish(writer, results);
                    if (row.getInt(layout.unit()) < unit) {
                        throw new IllegalStateException("rows of unit " + unit + " are not contiguous");
                    }
                    unit = row.getInt(layout.unit());
                    writer = writer(unit);
                }
                writer.add(row);
            }
            finish(writer, results);
            writer = null;
        } finally {
            if (writer != null) {
                writer.close();
            }
        }
        return results.iterator();
    }

    /** The unit of bad rows, which is a task's last. */
    private UnitResult bad(UnsafeRow first, Iterator<InternalRow> rest) {
        try (BadRowFiles quarantine = quarantine(guard.unit())) {
            InternalRow row = first;
            while (true) {
                quarantine.add(
                        BadRow.decoded(row.getBinary(layout.key())),
                        row.getInt(layout.source()),
                        row.getLong(layout.sourceRow()));
                if (!rest.hasNext()) {
                    return UnitResult.ofBad(guard.unit(), quarantine.counts(), quarantine.finish());
                }
                row = rest.next();
            }
        }
    }

    private BadRowFiles quarantine(int unit) {
        return new BadRowFiles(guard.onBadRow(), places, folder, unit, format.compression(), scratch());
    }

    private static Path scratch() {
        return Path.of(Utils.getLocalDir(SparkEnv.get().conf()));
    }

    /** The memory for rows that wait to be encoded, in bytes, for each of the tasks that this JVM may run at the same time. */
    private static int logMemoryBytes() {
        int tasks = SparkEnv.get()
                .conf()
                .getInt("spark.executor.cores", Runtime.getRuntime().availableProcessors());
        long part = Runtime.getRuntime().maxMemory() / LOG_MEMORY_PART / tasks;
        return (int) Math.min(Math.max(part, LEAST_LOG_MEMORY_BYTES), MOST_LOG_MEMORY_BYTES);
    }

    /** The rows of several units' tails, in the units' order, as files of one unit more. */
    UnitResult merged(int unit, List<String> tails) {
        try (UnitWriter writer = writer(unit)) {
            for (String tail : tails) {
                try (InputStream in = new BufferedInputStream(folder.openScratch(tail), 1 << 16)) {
                    RowLog.readAll(in, layout.fields(), writer::add);
                } catch (IOException e) {
                    throw new EnvironmentException(IoReason.of("cannot read " + tail, e), e);
                }
            }
            return writer.finish();
        }
    }

    private static void finish(@Nullable UnitWriter writer, List<UnitResult> results) {
        if (writer != null) {
            try (writer) {
                results.add(writer.finish());
            }
        }
    }

    private UnitWriter writer(int unit) {
        return new UnitWriter(
                layout,
                places,
                new KeyDeduplicator(layout, places, guard, quarantine(unit)),
                statistics.open(places),
                folder,
                format,
                unit,
                tailsApart,
                keyCheck == KeyCheck.AFTER ? new RowIds() : null,
                logMemoryBytes(),
                scratch());
    }
}
