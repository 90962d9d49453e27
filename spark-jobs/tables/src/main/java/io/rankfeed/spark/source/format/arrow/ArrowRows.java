package io.rankfeed.spark.source.format.arrow;

import io.rankfeed.spark.source.format.BadValue;
import io.rankfeed.spark.source.format.RowFormat.FileRows;
import io.rankfeed.spark.source.format.arrow.IpcFile.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rows of a file, one record batch in memory. */
final class ArrowRows implements FileRows {
    private final IpcFile file;
    private final List<ArrowField> chosen;
    private final Set<Long> dictionariesRead = new HashSet<>();
    private final Map<Long, List<@Nullable Object>> dictionaries = new HashMap<>();
    private final Iterator<Part> parts;

    private ArrowColumn[] columns = {};
    private int rowsInBatch;
    private int rowInBatch;
    private long row;

    ArrowRows(IpcFile file, List<ArrowField> chosen) {
        this.file = file;
        this.chosen = chosen;
        this.parts = file.parts().iterator();
        chosen.stream()
                .flatMap(ArrowField::encoded)
                .forEach(field -> dictionariesRead.add(
                        Objects.requireNonNull(field.dictionary()).id()));
    }

    @Override
    public @Nullable Object @Nullable [] next() {
        while (rowInBatch == rowsInBatch) {
            if (!parts.hasNext()) {
                return null;
            }
            open(parts.next());
        }
        @Nullable Object[] values = new Object[columns.length];
        for (int i = 0; i < values.length; i++) {
            ArrowField field = chosen.get(i);
            try {
                values[i] = columns[i].at(rowInBatch);
                if (values[i] == null && !field.nullable()) {
                    throw BadValue.damaged("null in a column that is not nullable");
                }
            } catch (BadValue e) {
                throw e.in(file.file(), "row " + row + ", column '" + field.name() + "'");
            }
        }
        rowInBatch++;
        row++;
        return values;
    }

    private void open(Part part) {
        Long dictionary = part.dictionary();
        if (dictionary == null) {
            columns = columns(part);
            rowsInBatch = (int) part.rows();
            rowInBatch = 0;
        } else if (dictionariesRead.contains(dictionary)) {
            try {
                load(dictionary, part);
            } catch (BadValue e) {
                throw e.in(file.file(), "dictionary " + dictionary);
            }
        }
    }

    private ArrowColumn[] columns(Part part) {
        BatchParts batch = file.open(part);
        return guarded(part, () -> {
            ColumnReader reader = new ColumnReader(batch, dictionaries);
            Map<ArrowField, ArrowColumn> read = new HashMap<>();
            for (ArrowField field : file.fields()) {
                if (chosen.contains(field)) {
                    read.put(field, reader.read(field));
                } else {
                    reader.skip(field);
                }
            }
            return chosen.stream().map(read::get).toArray(ArrowColumn[]::new);
        });
    }

    private void load(long id, Part part) {
        BatchParts batch = file.open(part);
        ArrowField field = Objects.requireNonNull(file.dictionaries().get(id));
        ArrowColumn values = guarded(part, () -> new ColumnReader(batch, dictionaries).read(field));
        List<@Nullable Object> all = new ArrayList<>();
        if (!file.isStream() && !batch.batch().isDelta() && dictionaries.containsKey(id)) {
            guarded(part, () -> {
                throw BadValue.damaged("a second dictionary for one column, which only streams may have");
            });
        }
        if (batch.batch().isDelta()) {
            all.addAll(dictionaries.getOrDefault(id, List.of()));
        }
        for (int i = 0; i < values.length(); i++) {
            all.add(values.at(i));
        }
        dictionaries.put(id, all);
    }

    private <T> T guarded(Part part, Supplier<T> read) {
        return IpcFile.guarded(file.bytes(), part.bodyOffset(), "body of the message", read);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
