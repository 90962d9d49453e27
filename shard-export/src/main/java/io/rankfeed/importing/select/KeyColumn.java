package io.rankfeed.importing.select;

import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.OpenFile;
import io.rankfeed.importing.index.Values;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.cache.FileBytes;
import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A column whose values identify samples: integers, booleans, texts or bytes (docs/format/plan.md, section 10.4). */
final class KeyColumn {
    private final DatasetIndex index;
    private final DatasetRoot root;
    private final Field field;

    /** @throws ConfigException if the column is unknown, or cannot be a key */
    KeyColumn(DatasetIndex index, DatasetRoot root, String name) {
        this.index = index;
        this.root = root;
        this.field = index.schema().field(name);
        boolean isKey = field.shape().rank() == 0 && !field.dtype().id().contains("float");
        if (!isKey
                || index.indexed().stream()
                        .anyMatch(part -> part.hasFilePerRow() && field.dtype().isBytes())) {
            throw new ConfigException(
                    "column '" + name + "' is " + field.dtype().id() + " " + field.shape()
                            + ", which cannot be a key; choose a column of integers, booleans, texts or bytes");
        }
    }

    /** Reads the keys of a part, sample after sample. */
    interface Reader extends AutoCloseable {
        /** Adds the key of a sample. @throws ConfigException if it has none */
        void add(KeyEncoding encoding, long row);

        @Override
        void close();
    }

    Reader open(int part) {
        @Nullable
        Values values = index.indexed()
                .get(part)
                .column(field.name())
                .map(column -> column.values())
                .orElse(null);
        int number = values instanceof Values.Located ? index.columns().files().getOrDefault(field.name(), 0) : 0;
        String path = index.parts().get(part).files().get(number);
        @Nullable OpenFile file = values instanceof Values.Located ? root.open(path) : null;
        return new Reader() {
            @Override
            public void add(KeyEncoding encoding, long row) {
                if (values instanceof Values.Numbers numbers && !numbers.isMissing(row)) {
                    addNumber(encoding, numbers.bits(row));
                } else if (file != null
                        && values instanceof Values.Located located
                        && located.length(row) != Values.MISSING) {
                    addBytes(encoding, file.bytes(), located.offset(row), located.length(row));
                } else {
                    throw new ConfigException("sample " + row + " of " + root.shown(path) + " has no value in column '"
                            + field.name() + "', which is the key; choose another --key, or leave it out");
                }
            }

            @Override
            public void close() {
                try {
                    if (file != null) {
                        file.close();
                    }
                } catch (IOException e) {
                    throw new EnvironmentException(IoReason.of("cannot close " + root.shown(path), e), e);
                }
            }
        };
    }

    private void addNumber(KeyEncoding encoding, long bits) {
        if (field.dtype() == DType.BOOL) {
            encoding.bool(bits != 0);
        } else {
            encoding.integer(Strata.widened(field.dtype(), bits));
        }
    }

    private void addBytes(KeyEncoding encoding, FileBytes file, long offset, long length) {
        byte[] value = file.read(offset, length, "the key").array();
        if (field.dtype() == DType.STRING) {
            encoding.utf8(value, 0, value.length);
        } else {
            encoding.binary(value);
        }
    }
}
