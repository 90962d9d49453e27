package io.rankfeed.spark.prepare.write;

import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.engine.RowSteps;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import io.rankfeed.spark.prepare.pack.BadRow;
import io.rankfeed.spark.prepare.pack.KeyText;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.pack.SourceIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one row of each key, where rows of a key are adjacent. Duplicates end the job, or are bad rows: the row that is kept is the
 * first by its address in the source, then by its bytes, whatever their order.
 */
final class KeyDeduplicator implements AutoCloseable {
    private final RowLayout layout;
    private final SourceIndex places;
    private final boolean refuses;
    private final BadRowFiles quarantine;
    private final RowSteps.Run content;
    private final List<UnsafeRow> duplicates = new ArrayList<>();
    private @Nullable UnsafeRow held;
    private boolean begun;
    private long lastMajor;
    private byte[] lastKey = new byte[0];
    private int lastSource;
    private long lastSourceRow;

    KeyDeduplicator(RowLayout layout, SourceIndex places, RowGroupTask.Guard guard, BadRowFiles quarantine) {
        this.layout = layout;
        this.places = places;
        this.refuses = guard.onBadRow() == OnBadRow.FAIL;
        this.quarantine = quarantine;
        this.content = guard.content().open();
    }

    /** @param next gets rows that stay, some time later */
    void add(UnsafeRow row, Consumer<UnsafeRow> next) {
        byte[] key = row.getBinary(layout.key());
        long major = row.getLong(layout.major());
        boolean duplicate = begun && key.length > 0 && major == lastMajor && Arrays.equals(key, lastKey);
        if (duplicate && refuses) {
            throw new CorruptDataException(
                    places.rows(
                            lastSource, lastSourceRow, row.getInt(layout.source()), row.getLong(layout.sourceRow())),
                    KeyText.duplicate(key));
        }
        begun = true;
        lastMajor = major;
        lastKey = key;
        lastSource = row.getInt(layout.source());
        lastSourceRow = row.getLong(layout.sourceRow());
        if (refuses) {
            next.accept(row);
        } else if (duplicate) {
            duplicates.add(row.copy());
        } else {
            release(next);
            held = row.copy();
        }
    }

    /** Gives the last row. */
    void release(Consumer<UnsafeRow> next) {
        UnsafeRow last = held;
        if (last == null) {
            return;
        }
        held = null;
        if (duplicates.isEmpty()) {
            next.accept(last);
            return;
        }
        duplicates.add(last);
        duplicates.sort(Comparator.<UnsafeRow>comparingInt(row -> row.getInt(layout.source()))
                .thenComparingLong(row -> row.getLong(layout.sourceRow()))
                .thenComparing(UnsafeRow::getBytes, Arrays::compareUnsigned));
        next.accept(duplicates.get(0));
        for (UnsafeRow duplicate : duplicates.subList(1, duplicates.size())) {
            InternalRow json = content.of(duplicate);
            quarantine.add(
                    new BadRow(
                            Reason.DUPLICATE_KEY,
                            KeyText.duplicate(duplicate.getBinary(layout.key())),
                            json == null ? "{}" : json.getUTF8String(0).toString()),
                    duplicate.getInt(layout.source()),
                    duplicate.getLong(layout.sourceRow()));
        }
        duplicates.clear();
    }

    BadRowFiles quarantine() {
        return quarantine;
    }

    @Override
    public void close() {
        quarantine.close();
    }
}
