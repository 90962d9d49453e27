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

/**
 * Computes and packs rows one by one. Bad rows are left out, or written to a unit of their own.
 *
 * @param content gives the rows as JSON
 * @param file index of the column with the row's file; -1 if there is none
 * @param row index of the column with the row's number in it; -1 if there is none
 * @param duplicates rows that are bad too; null if bad rows are left out
 */
public record GuardedPacker(
        RowSteps steps,
        RowSteps content,
        RowPacker packer,
        int file,
        int row,
        @Nullable Broadcast<Duplicates> duplicates)
        implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
    /** The location of a row in the driving source: the index of the file and of the row in it. */
    public record Place(int source, long row) implements Serializable {}

    /** The locations of rows whose key an earlier row has. */
    public record Duplicates(HashSet<Place> places) implements Serializable {
        public static Duplicates none() {
            return new Duplicates(new HashSet<>());
        }
    }

    /** @param duplicates rows that are bad too; null to leave bad rows out */
    public static GuardedPacker of(GuardedQuery query, RowPacker packer, @Nullable Broadcast<Duplicates> duplicates) {
        List<String> columns = Arrays.asList(query.below().columns());
        return new GuardedPacker(
                query.steps(),
                query.content(),
                packer,
                columns.indexOf(RowAddress.FILE),
                columns.indexOf(RowAddress.ROW),
                duplicates);
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
            if (duplicates == null) {
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
