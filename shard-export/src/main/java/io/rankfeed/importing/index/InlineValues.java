package io.rankfeed.importing.index;

import io.rankfeed.importing.index.ForeignDataset.Part;
import io.rankfeed.schema.cache.FileBytes;
import io.rankfeed.schema.manifest.External;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Reads the numbers that a version has {@linkplain External#isInline itself}. */
final class InlineValues {
    private final FileWindow file;

    private InlineValues(FileBytes file) {
        this.file = new FileWindow(file);
    }

    /** Returns the part with the values of its small numbers in place of their offsets. */
    static IndexedPart in(IndexedPart part, Part files, DatasetRoot root) throws IOException {
        List<IndexedColumn> columns = new ArrayList<>();
        for (IndexedColumn column : part.columns()) {
            if (External.isInline(column.field())
                    && column.values() instanceof Values.Located located
                    && !part.hasFilePerRow()) {
                try (OpenFile open = root.open(files.files().get(column.file()))) {
                    Values.Numbers numbers = new InlineValues(open.bytes())
                            .read(located, part.damages(), column.field().strideBytes());
                    columns.add(
                            new IndexedColumn(column.name(), column.dtype(), column.shape(), column.file(), numbers));
                }
            } else {
                columns.add(column);
            }
        }
        return new IndexedPart(part.rows(), columns, part.keys(), part.hasFilePerRow(), part.refused(), part.damages());
    }

    private Values.Numbers read(Values.Located values, Damages damages, int bytes) {
        Values.Numbers numbers = new Values.Numbers();
        for (long row = 0; row < values.rows(); row++) {
            if (damages.isDamaged(row)) {
                numbers.add(0);
            } else if (values.length(row) == Values.MISSING) {
                numbers.addMissing();
            } else {
                numbers.add(bits(values.offset(row), bytes));
            }
        }
        return numbers;
    }

    private long bits(long offset, int bytes) {
        ByteBuffer value = file.read(offset, bytes);
        long bits = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            bits = bits << 8 | (value.get(i) & 0xFF);
        }
        return bits;
    }
}
