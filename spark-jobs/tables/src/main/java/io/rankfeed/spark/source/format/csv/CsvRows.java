package io.rankfeed.spark.source.format.csv;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import io.rankfeed.spark.source.format.RowFormat.BadRowException;
import io.rankfeed.spark.source.format.RowFormat.FileRows;
import io.rankfeed.spark.source.jsonl.GzipMembers;
import io.rankfeed.spark.tensor.ScalarKind;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;

/** The rows of a CSV file after its header. All columns of the source are checked, whichever are wanted. */
final class CsvRows implements FileRows {
    private static final int MAX_SHOWN = 60;

    private final String file;
    private final CsvRecords records;
    private final List<@Nullable StructField> columns;
    /** For each column of the file, its index among the columns that are read; -1 if it is not read. */
    private final int[] indices;

    private final int width;
    private long line;

    CsvRows(String file, CsvRecords records, List<@Nullable StructField> columns, List<String> wanted) {
        this.file = file;
        this.records = records;
        this.columns = columns;
        this.indices = columns.stream()
                .mapToInt(column -> column == null ? -1 : wanted.indexOf(column.name()))
                .toArray();
        this.width = wanted.size();
    }

    @Override
    public @Nullable Object @Nullable [] next() throws IOException, BadRowException {
        CsvRecords.Found found;
        try {
            found = records.next();
        } catch (GzipMembers.CorruptedException e) {
            throw new CorruptDataException(file, String.valueOf(e.getMessage()), e);
        }
        if (found == null) {
            return null;
        }
        line = found.line();
        if (found.fault() != null) {
            throw malformed(found, found.fault());
        } else if (found.values().size() != columns.size()) {
            throw malformed(
                    found, "has " + found.values().size() + " values, and the file has " + columns.size() + " columns");
        }
        @Nullable Object[] values = new @Nullable Object[width];
        for (int i = 0; i < indices.length; i++) {
            StructField column = columns.get(i);
            if (column != null) {
                Object value = value(found, column, found.values().get(i));
                if (indices[i] >= 0) {
                    values[indices[i]] = value;
                }
            }
        }
        return values;
    }

    private @Nullable Object value(CsvRecords.Found found, StructField column, @Nullable String text)
            throws BadRowException {
        if (text == null) {
            if (!column.nullable()) {
                throw bad(
                        found,
                        Reason.SCHEMA_DRIFT,
                        "'" + column.name() + "' has no value, and the source's schema says NOT NULL");
            }
            return null;
        }
        Object value = CsvValues.value(text, ScalarKind.of(column.dataType()).orElseThrow());
        if (value == null) {
            String shown = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
            throw bad(
                    found,
                    Reason.SCHEMA_DRIFT,
                    "'" + column.name() + "' is \"" + shown + "\", no "
                            + column.dataType().simpleString());
        }
        return value;
    }

    /** A row of several lines, or with wrong quotes, may have taken in others, whose number is unknown. */
    private BadRowException malformed(CsvRecords.Found found, String what) throws BadRowException {
        if (found.lines() > 1 || found.isTorn()) {
            throw new CorruptDataException(
                    file + ":" + (found.line() + 1),
                    what + "; where the row ends is unknown (line " + (found.line() + found.lines())
                            + " or another), and rows may be lost: repair the quotes; one in a value is doubled");
        }
        throw bad(found, Reason.MALFORMED_LINE, what);
    }

    private BadRowException bad(CsvRecords.Found found, Reason reason, String what) {
        return new BadRowException(file, found.line(), reason, what, records.written());
    }

    @Override
    public OptionalLong line() {
        return OptionalLong.of(line);
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
