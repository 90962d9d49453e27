package io.rankfeed.spark.prepare.write;

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
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one row of each key, where rows of a key are adjacent. Duplicates end the job, or are bad rows: the row that is kept is the
 * first by its address in the source, then by its bytes, whatever their order.
 */
final class KeyDeduplicator {
    private final RowLayout layout;
    private final SourceIndex places;
    private final BadRowFiles quarantine;
    private final Consumer<UnsafeRow> next;
    /** Gives a row as JSON; null if a duplicate ends the job. */
    private final RowSteps.@Nullable Run content;

    private final List<UnsafeRow> duplicates = new ArrayList<>();
    private @Nullable UnsafeRow held;
    private boolean begun;
    private long lastMajor;
    private byte[] lastKey = new byte[0];
    private int lastSource;
    private long lastSourceRow;

    /**
     * @param quarantine gets duplicates that do not end the job
     * @param next gets rows that stay, some time later
     */
    KeyDeduplicator(TableSpec spec, BadRowFiles quarantine, Consumer<UnsafeRow> next) {
        this.layout = spec.layout();
        this.places = spec.places();
        this.quarantine = quarantine;
        this.next = next;
        this.content = spec.content() == null ? null : spec.content().open();
    }

    void add(UnsafeRow row) {
        byte[] key = row.getBinary(layout.key());
        long major = row.getLong(layout.major());
        boolean duplicate = begun && key.length > 0 && major == lastMajor && Arrays.equals(key, lastKey);
        if (duplicate && content == null) {
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
        if (content == null) {
            next.accept(row);
        } else if (duplicate) {
            duplicates.add(row.copy());
        } else {
            finish();
            held = row.copy();
        }
    }

    /** Gives the last row. */
    void finish() {
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
        RowSteps.Run contents = Objects.requireNonNull(content);
        for (UnsafeRow duplicate : duplicates.subList(1, duplicates.size())) {
            InternalRow json = contents.of(duplicate);
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
}
