package io.rankfeed.importing.format;

import io.rankfeed.importing.format.ArrowBuffers.Node;
import io.rankfeed.importing.format.ArrowBuffers.Range;
import io.rankfeed.importing.index.Damages;
import io.rankfeed.importing.index.IndexedColumn;
import io.rankfeed.importing.index.Values;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.flatbuf.Type;

/** A column of an Arrow file that can be fed: takes the buffers of each record batch, and lists where the values are. */
final class ArrowColumn {
    private final ArrowField field;
    private final String path;
    private final Values.Ranges ranges = new Values.Ranges();
    private final Values.Numbers bits = new Values.Numbers();

    /** @param path of the file below the root, for damage */
    ArrowColumn(ArrowField field, String path) {
        this.field = field;
        this.path = path;
    }

    /** Why a field cannot be fed; empty if it can. */
    static Optional<String> refusal(ArrowField field) {
        if (!Field.isName(field.name())) {
            return Optional.of("a name " + Field.NAME_RULE);
        }
        boolean isFed = isFixed(field) || isRagged(field) || field.isBytes() || isFile(field) || isBool(field);
        if (!isFed) {
            return Optional.of("values of type " + field + " are unsupported");
        }
        try {
            new Field(field.name(), dtype(field), shape(field), false);
            return Optional.empty();
        } catch (ConfigException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** Numbers, and lists of fixed size of them. */
    private static boolean isFixed(ArrowField field) {
        return field.isNumber()
                || (field.type() == Type.FixedSizeList
                        && !field.isDictionary()
                        && field.children().size() == 1
                        && isFixed(field.children().get(0)));
    }

    private static boolean isRagged(ArrowField field) {
        return (field.type() == Type.List || field.type() == Type.LargeList)
                && !field.isDictionary()
                && field.children().size() == 1
                && isFixed(field.children().get(0));
    }

    /** The struct in which datasets of Hugging Face have an image or a sound. */
    private static boolean isFile(ArrowField field) {
        return field.type() == Type.Struct_
                && !field.isDictionary()
                && field.children().size() == 2
                && field.children().get(0).name().equals("bytes")
                && field.children().get(0).isBytes()
                && field.children().get(1).name().equals("path")
                && field.children().get(1).isBytes();
    }

    private static boolean isBool(ArrowField field) {
        return field.type() == Type.Bool && !field.isDictionary();
    }

    private static DType dtype(ArrowField field) {
        if (isBool(field)) {
            return DType.BOOL;
        } else if (isFile(field)) {
            return DType.BINARY;
        } else if (field.isBytes()) {
            return field.isText() ? DType.STRING : DType.BINARY;
        }
        return field.isNumber() ? field.number() : dtype(field.children().get(0));
    }

    private static Shape shape(ArrowField field) {
        List<Integer> dims = new ArrayList<>();
        for (ArrowField at = field;
                !at.children().isEmpty() && !isFile(at);
                at = at.children().get(0)) {
            dims.add(at.type() == Type.FixedSizeList ? at.listSize() : Shape.VARIABLE);
        }
        return new Shape(dims);
    }

    IndexedColumn indexed() {
        return new IndexedColumn(field.name(), dtype(field), shape(field), 0, isBool(field) ? bits : ranges);
    }

    /** Removes the rows from this one on, of a record batch that is damaged. */
    void cut(long rows) {
        ranges.cut(rows);
        bits.cut(rows);
    }

    /**
     * Takes the nodes and buffers of a record batch.
     *
     * @param first number of the batch's first row in the file
     * @throws io.rankfeed.schema.failure.CorruptDataException if the buffers are not those of so many rows
     */
    void add(ArrowBuffers buffers, long rows, long first, Damages damages) {
        Node node = buffers.node();
        if (node.rows() != rows) {
            throw buffers.damage(
                    "column '" + field.name() + "' has " + node.rows() + " of a record batch's " + rows + " rows");
        }
        ArrowValidity validity = ArrowValidity.read(buffers, node);
        if (isBool(field)) {
            addBits(buffers, rows, validity);
        } else if (isFile(field)) {
            Node bytes = buffers.node();
            requireRows(buffers, bytes, rows);
            ArrowValidity both = validity.and(ArrowValidity.read(buffers, bytes));
            addBytes(buffers, field.children().get(0), rows, first, both, damages);
            field.children().get(1).skip(buffers);
        } else if (field.isBytes()) {
            addBytes(buffers, field, rows, first, validity, damages);
        } else if (isRagged(field)) {
            addLists(buffers, rows, first, validity, damages);
        } else {
            long stride = elementBytes(field);
            Range values = values(buffers, field, rows, validity);
            for (long row = 0; row < rows; row++) {
                if (validity.has(row)) {
                    ranges.add(values.at() + row * stride, stride);
                } else {
                    ranges.addMissing();
                }
            }
        }
    }

    private void addBits(ArrowBuffers buffers, long rows, ArrowValidity validity) {
        ByteBuffer packed = buffers.read(buffers.range(), (rows + 7) / 8, "bits of column '" + field.name() + "'");
        for (int row = 0; row < rows; row++) {
            if (validity.has(row)) {
                bits.add(packed.get(row / 8) >> (row % 8) & 1);
            } else {
                bits.addMissing();
            }
        }
    }

    private void addBytes(
            ArrowBuffers buffers, ArrowField of, long rows, long first, ArrowValidity validity, Damages damages) {
        Range offsets = buffers.range();
        Range values = buffers.range();
        addRanges(buffers, of.isLarge(), offsets, values, 1, rows, first, validity, damages);
    }

    private void addLists(ArrowBuffers buffers, long rows, long first, ArrowValidity validity, Damages damages) {
        Range offsets = buffers.range();
        ArrowField item = field.children().get(0);
        Node items = buffers.node();
        if (items.nulls() > 0) {
            throw nullItems(buffers);
        }
        buffers.range();
        Range values = values(buffers, item, items.rows(), ArrowValidity.ALL);
        Range whole = new Range(values.at(), items.rows() * elementBytes(item));
        addRanges(buffers, field.isLarge(), offsets, whole, elementBytes(item), rows, first, validity, damages);
    }

    private void addRanges(
            ArrowBuffers buffers,
            boolean isLarge,
            Range offsets,
            Range values,
            long itemBytes,
            long rows,
            long first,
            ArrowValidity validity,
            Damages damages) {
        if (rows == 0) {
            return;
        }
        int width = isLarge ? Long.BYTES : Integer.BYTES;
        ByteBuffer ends = buffers.read(offsets, (rows + 1) * width, "offsets of column '" + field.name() + "'");
        long items = values.bytes() / itemBytes;
        long begin = isLarge ? ends.getLong() : ends.getInt();
        for (long row = 0; row < rows; row++) {
            long end = isLarge ? ends.getLong() : ends.getInt();
            if (!validity.has(row)) {
                ranges.addMissing();
            } else if (begin < 0 || end < begin || end > items) {
                damages.addSample(
                        first + row,
                        path,
                        offsets.at() + row * width,
                        "column '" + field.name() + "': row " + (first + row) + " has items " + begin + " to " + end
                                + " of " + items);
                ranges.addDamaged();
            } else {
                ranges.add(values.at() + begin * itemBytes, (end - begin) * itemBytes);
            }
            begin = end;
        }
    }

    /**
     * Takes the rest of a fixed field, after its node and validity, and returns its values: all of its rows are in them.
     *
     * @param validity of the rows; the items of a row without a value may be null
     */
    private Range values(ArrowBuffers buffers, ArrowField fixed, long rows, ArrowValidity validity) {
        ArrowField at = fixed;
        long count = rows;
        while (!at.isNumber()) {
            count *= at.listSize();
            at = at.children().get(0);
            Node node = buffers.node();
            requireRows(buffers, node, count);
            ArrowValidity items = ArrowValidity.read(buffers, node);
            for (long i = 0; node.nulls() > 0 && i < count; i++) {
                if (!items.has(i) && validity.has(i / (count / rows))) {
                    throw nullItems(buffers);
                }
            }
        }
        Range values = buffers.range();
        buffers.require(
                values,
                Math.multiplyExact(count, (long) at.number().sizeBytes()),
                "values of column '" + field.name() + "'");
        return values;
    }

    private ConfigException nullItems(ArrowBuffers buffers) {
        return Folders.unsupported(
                buffers.file(), "column '" + field.name() + "' has lists with null items; leave the column out");
    }

    private void requireRows(ArrowBuffers buffers, Node node, long wanted) {
        if (node.rows() != wanted) {
            throw buffers.damage("column '" + field.name() + "' has " + node.rows() + " items for " + wanted);
        }
    }

    /** Bytes of one value of a fixed field. */
    private static long elementBytes(ArrowField fixed) {
        return (long) shape(fixed).elements() * dtype(fixed).sizeBytes();
    }
}
