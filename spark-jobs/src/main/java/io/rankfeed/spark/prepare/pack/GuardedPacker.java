package io.rankfeed.spark.prepare.pack;

import io.rankfeed.spark.engine.GuardedQuery;
import io.rankfeed.spark.engine.RowSteps;
import io.rankfeed.spark.engine.SparkFailures;
import io.rankfeed.spark.file.ComputedIterator;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Computes and packs rows one by one. Bad rows are left out, or written to a unit of their own. */
public final class GuardedPacker implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
    private static final long serialVersionUID = 1L;

    /** The location of a row in the driving source: the index of the file and of the row in it. */
    public record Place(int source, long row) implements Serializable {}

    /** The locations of rows whose key an earlier row has. */
    public record Duplicates(HashSet<Place> places) implements Serializable {
        public static Duplicates none() {
            return new Duplicates(new HashSet<>());
        }
    }

    private final RowSteps steps;
    private final RowSteps content;
    private final RowPacker packer;
    private final int file;
    private final int row;
    private final boolean kept;
    private final @Nullable Broadcast<Duplicates> duplicates;

    private GuardedPacker(
            RowSteps steps,
            RowSteps content,
            RowPacker packer,
            int file,
            int row,
            boolean kept,
            @Nullable Broadcast<Duplicates> duplicates) {
        this.steps = steps;
        this.content = content;
        this.packer = packer;
        this.file = file;
        this.row = row;
        this.kept = kept;
        this.duplicates = duplicates;
    }

    /** Leaves bad rows out. */
    public static GuardedPacker dropping(GuardedQuery query, RowPacker packer) {
        List<String> columns = Arrays.asList(query.below().columns());
        return new GuardedPacker(
                query.steps(),
                query.content(),
                packer,
                columns.indexOf(RowAddress.FILE),
                columns.indexOf(RowAddress.ROW),
                false,
                null);
    }

    /** Gives bad rows too, and takes those at these places for such. */
    public GuardedPacker keeping(Broadcast<Duplicates> bad) {
        return new GuardedPacker(steps, content, packer, file, row, true, bad);
    }

    @Override
    public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
        RowSteps.Run computing = steps.open();
        RowSteps.Run contentJson = content.open();
        RowPacker.Packing packing = packer.open();
        return new ComputedIterator<>() {
            @Override
            protected @Nullable InternalRow compute() {
                InternalRow row = null;
                while (row == null && rows.hasNext()) {
                    row = taken(rows.next(), computing, contentJson, packing);
                }
                return row;
            }
        };
    }

    private @Nullable UTF8String path(InternalRow raw) {
        return file < 0 || raw.isNullAt(file) ? null : raw.getUTF8String(file);
    }

    private long sourceRow(InternalRow raw) {
        return row < 0 || raw.isNullAt(row) ? -1 : raw.getLong(row);
    }

    private @Nullable InternalRow taken(
            InternalRow raw, RowSteps.Run computing, RowSteps.Run contentJson, RowPacker.Packing packing) {
        try {
            InternalRow computed = computing.of(raw);
            if (computed == null) {
                return null;
            }
            InternalRow packed = packing.pack(computed);
            if (duplicates != null && duplicates.value().places().contains(packer.place(packed))) {
                throw new UnfitValueException(Reason.DUPLICATE_KEY, packer.duplicate(packed));
            }
            return packed;
        } catch (RuntimeException e) {
            UnfitValueException unfit = SparkFailures.unfitValue(e).orElseThrow(() -> e);
            if (!kept) {
                return null;
            }
            InternalRow json = contentJson.of(raw);
            String columns = json == null || json.isNullAt(0)
                    ? "{}"
                    : json.getUTF8String(0).toString();
            return packing.bad(new BadRow(unfit.reason(), unfit.getMessage(), columns), path(raw), sourceRow(raw));
        }
    }
}
