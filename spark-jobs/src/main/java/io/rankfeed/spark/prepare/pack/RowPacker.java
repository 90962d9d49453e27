package io.rankfeed.spark.prepare.pack;

import io.rankfeed.job.PrepareSection.NonFinite;
import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.file.BadLine;
import io.rankfeed.spark.file.ComputedIterator;
import io.rankfeed.spark.file.FileRow;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.function.Consumer;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.InternalRow$;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.Function2;

/**
 * Turns rows of the query into rows of {@link RowLayout}: lists packed, row id, provenance and place appended. The
 * query's rows have the user's columns, then the source file's path and the row in it where they are known.
 *
 * @param key the key's columns; empty where the address is the key
 * @param addressed whether the rows end with path and row
 */
public record RowPacker(
        RowLayout layout,
        ArrayList<String> key,
        Units units,
        boolean addressed,
        SourceIndex places,
        NonFinite nonFinite)
        implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
    /** The key of a row that is identified by its position alone, which is one number. */
    private static final byte[] NO_KEY = new byte[0];

    @Override
    public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
        Packing packing = open();
        return ComputedIterator.mapped(rows, row -> {
            try {
                return packing.pack(row);
            } catch (UnfitValueException e) {
                throw new CorruptDataException(packing.place(row), e.getMessage(), e);
            }
        });
    }

    /** The rows of a unit, out of rows in their order among which others may be before and after. */
    public Iterator<InternalRow> ofUnit(int unit, Iterator<InternalRow> rows) {
        Iterator<InternalRow> all = call(rows);
        return new ComputedIterator<>() {
            @Override
            protected @Nullable InternalRow compute() {
                while (all.hasNext()) {
                    InternalRow row = all.next();
                    int its = row.getInt(layout.unit());
                    if (its >= unit) {
                        return its == unit ? row : null;
                    }
                }
                return null;
            }
        };
    }

    /** Packs rows for the failures alone. */
    public Consumer<InternalRow> check() {
        return open()::pack;
    }

    /** Opens the packer for one task. */
    Packing open() {
        return new Packing();
    }

    /**
     * Lines that are no rows, and rows of files that are not like the others, for the unit of bad ones.
     *
     * @param driving whether their file is one of the driving source's
     */
    public Iterator<InternalRow> bad(Iterator<BadLine> lines, boolean driving) {
        Packing packing = open();
        return ComputedIterator.mapped(
                lines,
                line -> packing.bad(
                        new BadRow(line.reason(), line.location() + " " + line.what(), line.text()),
                        driving ? UTF8String.fromString(line.file()) : null,
                        line.number()));
    }

    /** The source location of a packed row. */
    GuardedPacker.Place place(InternalRow packed) {
        return new GuardedPacker.Place(packed.getInt(layout.source()), packed.getLong(layout.sourceRow()));
    }

    /** What to say of a packed row whose key another has. */
    String duplicate(InternalRow packed) {
        return KeyText.duplicate(packed.getBinary(layout.key()));
    }

    /** Packs the rows of one task. */
    final class Packing {
        private final int[] keyOrdinals =
                key.stream().mapToInt(RowPacker.this::ordinal).toArray();
        private final Function2<SpecializedGetters, Object, Object>[] keyValues = accessors(keyOrdinals);
        private final ColumnCopy[] copies = layout.columns().stream()
                .map(column -> ColumnCopy.of(column, nonFinite))
                .toArray(ColumnCopy[]::new);
        private final UnsafeRowWriter packed = new UnsafeRowWriter(layout.fields(), 256);
        private final KeyEncoding encoding = new KeyEncoding();
        private @Nullable UTF8String lastPath;
        private int lastSource;
        private int namedSource = -2;
        private byte[] sourceName = NO_KEY;

        /**
         * The row, packed; the object is reused from one to the next.
         *
         * @throws UnfitValueException if a value cannot be held, or a key is null
         */
        InternalRow pack(InternalRow row) {
            int columns = layout.columns().size();
            int source = -1;
            long sourceRow = -1;
            if (addressed && !row.isNullAt(columns)) {
                source = sourceIndex(row.getUTF8String(columns));
                sourceRow = row.getLong(columns + 1);
            }
            packed.reset();
            packed.zeroOutNullBytes();
            for (int i = 0; i < columns; i++) {
                if (row.isNullAt(i)) {
                    packed.setNullAt(i);
                } else {
                    copies[i].copy(row, i, packed);
                }
            }
            encode(row, source, sourceRow);
            long rowId = encoding.rowId();
            packed.write(layout.rowId(), rowId);
            packed.write(layout.source(), source);
            packed.write(layout.sourceRow(), sourceRow);
            packed.write(layout.unit(), units.unit(rowId, source, sourceRow));
            packed.write(layout.major(), units.major(rowId, source, sourceRow));
            packed.write(layout.key(), keyOrdinals.length == 0 ? NO_KEY : encoding.toBytes());
            return packed.getRow();
        }

        /** A row for the unit after the others, in the order of its place. */
        public InternalRow bad(BadRow bad, @Nullable UTF8String path, long sourceRow) {
            int source = path == null ? -1 : sourceIndex(path);
            @Nullable Object[] values = new @Nullable Object[layout.fields()];
            values[layout.rowId()] = 0L;
            values[layout.source()] = source;
            values[layout.sourceRow()] = source < 0 ? -1L : sourceRow;
            values[layout.unit()] = units.count();
            values[layout.major()] = source < 0 ? -1L : FileRow.of(source, sourceRow);
            values[layout.key()] = bad.encoded();
            return new GenericInternalRow(values);
        }

        /** A human-readable row of the query. */
        String place(InternalRow row) {
            int columns = layout.columns().size();
            return addressed && !row.isNullAt(columns)
                    ? places.row(sourceIndex(row.getUTF8String(columns)), row.getLong(columns + 1))
                    : places.row(-1, -1);
        }

        private void encode(InternalRow row, int source, long sourceRow) {
            encoding.clear();
            if (keyOrdinals.length == 0) {
                if (source != namedSource) {
                    sourceName = encoding.string(places.name(source)).toBytes();
                    namedSource = source;
                    encoding.clear();
                }
                encoding.encoded(sourceName).integer(sourceRow);
                return;
            }
            for (int k = 0; k < keyOrdinals.length; k++) {
                int i = keyOrdinals[k];
                PreparedColumn column = layout.columns().get(i);
                if (row.isNullAt(i)) {
                    throw new UnfitValueException(
                            Reason.NULL_KEY, "key column '" + column.name() + "' is null; filter such rows with where");
                }
                Object value = keyValues[k].apply(row, i);
                if (value instanceof UTF8String text) {
                    byte[] utf8 = text.getBytes();
                    encoding.utf8(utf8, 0, utf8.length);
                } else {
                    encoding.value(column.name(), value);
                }
            }
        }

        /** Rows of a file come one after the other: its spelling is unravelled once. */
        private int sourceIndex(UTF8String path) {
            if (path.equals(lastPath)) {
                return lastSource;
            }
            lastSource = places.source(path.toString());
            lastPath = path.clone();
            return lastSource;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private Function2<SpecializedGetters, Object, Object>[] accessors(int[] ordinals) {
        return Arrays.stream(ordinals)
                .mapToObj(i ->
                        InternalRow$.MODULE$.getAccessor(layout.columns().get(i).source(), false))
                .toArray(Function2[]::new);
    }

    private int ordinal(String name) {
        for (int i = 0; i < layout.columns().size(); i++) {
            if (layout.columns().get(i).name().equals(name)) {
                return i;
            }
        }
        throw new IllegalStateException("key column " + name + " was checked before");
    }
}
