package io.rankfeed.spark.prepare;

import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.schema.failure.CorruptDataException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Turns rows of the query into rows of {@link RowLayout}: lists packed, row id, provenance and place appended. The
 * query's rows have the user's columns, then the source file's path and the row in it where they are known.
 */
final class RowPacker implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
    private static final long serialVersionUID = 1L;

    private final RowLayout layout;
    private final ArrayList<String> key;
    private final Units units;
    private final boolean addressed;
    private final Places places;

    private transient @Nullable UTF8String lastPath;
    private transient int lastSource;

    /**
     * @param key the key's columns; empty where the address is the key
     * @param addressed whether the rows end with path and row
     */
    RowPacker(RowLayout layout, List<String> key, Units units, boolean addressed, Places places) {
        this.layout = layout;
        this.key = new ArrayList<>(key);
        this.units = units;
        this.addressed = addressed;
        this.places = places;
    }

    @Override
    public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
        int[] keyOrdinals = key.stream().mapToInt(this::ordinal).toArray();
        List<@Nullable TensorPacker> packers = new ArrayList<>();
        for (PreparedColumn column : layout.columns()) {
            packers.add(column.isPacked() ? new TensorPacker(column) : null);
        }
        KeyEncoding encoding = new KeyEncoding();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public InternalRow next() {
                return pack(rows.next(), keyOrdinals, packers, encoding);
            }
        };
    }

    private InternalRow pack(
            InternalRow row, int[] keyOrdinals, List<@Nullable TensorPacker> packers, KeyEncoding encoding) {
        int columns = layout.columns().size();
        int source = -1;
        long sourceRow = -1;
        if (addressed && !row.isNullAt(columns)) {
            source = sourceIndex(row.getUTF8String(columns));
            sourceRow = row.getLong(columns + 1);
        }
        @Nullable Object[] values = new @Nullable Object[layout.fields()];
        for (int i = 0; i < columns; i++) {
            values[i] = row.isNullAt(i) ? null : value(row, i, packers.get(i), source, sourceRow);
        }
        encode(row, keyOrdinals, encoding.clear(), source, sourceRow);
        long rowId = encoding.rowId();
        values[layout.rowId()] = rowId;
        values[layout.source()] = source;
        values[layout.sourceRow()] = sourceRow;
        values[layout.unit()] = units.unit(rowId, source, sourceRow);
        values[layout.major()] = units.major(rowId, source, sourceRow);
        values[layout.key()] = keyOrdinals.length == 0 ? new byte[0] : encoding.toBytes();
        return new GenericInternalRow(values);
    }

    private Object value(InternalRow row, int i, @Nullable TensorPacker packer, int source, long sourceRow) {
        PreparedColumn column = layout.columns().get(i);
        if (packer == null) {
            return row.get(i, column.source());
        }
        try {
            return column.storedBytes(
                    column.source() instanceof ArrayType
                            ? packer.pack(row.getArray(i))
                            : packer.checked(row.getBinary(i)));
        } catch (TensorPacker.Unfit e) {
            throw new CorruptDataException(
                    places.row(source, sourceRow), "column '" + column.name() + "' " + e.getMessage(), e);
        }
    }

    private void encode(InternalRow row, int[] keyOrdinals, KeyEncoding encoding, int source, long sourceRow) {
        if (keyOrdinals.length == 0) {
            encoding.address(places.name(source), sourceRow);
            return;
        }
        for (int i : keyOrdinals) {
            PreparedColumn column = layout.columns().get(i);
            if (row.isNullAt(i)) {
                throw new CorruptDataException(
                        places.row(source, sourceRow),
                        "key column '" + column.name() + "' is null; filter such rows with where");
            }
            Object value = row.get(i, column.source());
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

    private int ordinal(String name) {
        for (int i = 0; i < layout.columns().size(); i++) {
            if (layout.columns().get(i).name().equals(name)) {
                return i;
            }
        }
        throw new IllegalStateException("key column " + name + " was checked before");
    }
}
