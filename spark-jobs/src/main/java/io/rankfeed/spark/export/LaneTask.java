package io.rankfeed.spark.export;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.export.commit.FaultPoints;
import io.rankfeed.export.commit.StagedFile;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.export.lane.LaneHeader;
import io.rankfeed.export.lane.LaneWriter;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.SchemaJson;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Footer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Writes, in one task, the files of the units whose rows it gets, sorted by {@linkplain CacheUnits#destination destination}.
 *
 * @param schemaJson the columns of the caches, as JSON
 * @param preparedFiles the files of the prepared table, for messages about rows that do not fit
 */
record LaneTask(
        CacheUnits units,
        ArtifactAttempt folder,
        String schemaJson,
        ArrayList<DataType> types,
        int batchRows,
        List<String> preparedFiles)
        implements Serializable {
    private static final int BUFFER_BYTES = 1 << 18;

    /** Columns of a row before its fields. */
    private static final int DESTINATION = 0;

    private static final int PLANNED_ID = 1;
    private static final int FILE = 2;
    private static final int ROW = 3;
    private static final int ROW_ID = 4;
    private static final int SOURCE = 5;
    private static final int SOURCE_ROW = 6;
    private static final int FIRST_FIELD = 7;

    /** The result of writing a unit; {@code maxLengths} and {@code maxItems} by field, 0 where a field has none. */
    record Written(
            int unit,
            WrittenFile file,
            int footerBytes,
            String footerSha256,
            List<Long> maxLengths,
            List<Long> maxItems)
            implements Serializable {
        /** The file's entry of the manifest. */
        ArtifactFile listed() {
            return ArtifactFile.of(
                    file.path(), file.lengthBytes(), file.sha256(), file.rows(), new Footer(footerBytes, footerSha256));
        }
    }

    Iterator<Written> units(Iterator<InternalRow> rows) throws IOException {
        SampleSchema schema = SchemaJson.fromJson(
                JsonObject.root(StrictJson.parse(schemaJson.getBytes(StandardCharsets.UTF_8), "schema"), "schema"));
        CacheFields fields = new CacheFields(schema, types, FIRST_FIELD);
        List<Written> written = new ArrayList<>();
        InternalRow row = rows.hasNext() ? rows.next() : null;
        while (row != null) {
            int number = unit(row);
            CacheUnits.Unit unit = units.unit(number);
            try (StagedFile staged = folder.stage(unit.path())) {
                OutputStream out = new BufferedOutputStream(staged.stream(), BUFFER_BYTES);
                LaneWriter writer = new LaneWriter(new LaneHeader(unit.feed(), unit.lane(), schema, batchRows), out);
                row = fill(writer, fields, number, row, rows);
                refuseOthers(unit, writer.rows());
                Footer footer = writer.finish();
                out.flush();
                FaultPoints.reached("export.in-unit");
                List<Long> maxLengths = new ArrayList<>();
                List<Long> maxItems = new ArrayList<>();
                for (int field = 0; field < types.size(); field++) {
                    maxLengths.add(writer.maxLength(field));
                    maxItems.add(writer.maxItems(field));
                }
                written.add(new Written(
                        number, staged.publish(writer.rows()), footer.bytes(), footer.sha256(), maxLengths, maxItems));
            }
        }
        return written.iterator();
    }

    /** Writes the rows of a unit; returns the first one of the next. */
    private @Nullable InternalRow fill(
            LaneWriter writer, CacheFields fields, int number, InternalRow first, Iterator<InternalRow> rows)
            throws IOException {
        CacheUnits.Unit unit = units.unit(number);
        InternalRow row = first;
        while (unit(row) == number) {
            long ordinal = units.ordinalOfDestination(row.getLong(DESTINATION));
            if (ordinal != unit.firstOrdinal() + writer.rows()) {
                throw new CorruptDataException(
                        unit.path(),
                        "row " + (unit.firstOrdinal() + writer.rows()) + " of its lane is not in the prepared table, or"
                                + " twice in the plan (next is " + ordinal + "); run sample again");
            }
            move(row, writer, fields);
            if (!rows.hasNext()) {
                return null;
            }
            row = rows.next();
        }
        return row;
    }

    private static int unit(InternalRow row) {
        return CacheUnits.unitOfDestination(row.getLong(DESTINATION));
    }

    private void move(InternalRow row, LaneWriter writer, CacheFields fields) throws IOException {
        if (row.getLong(PLANNED_ID) != row.getLong(ROW_ID)) {
            throw new CorruptDataException(
                    at(row),
                    "has row id " + row.getLong(ROW_ID) + " where the plan has " + row.getLong(PLANNED_ID)
                            + "; run sample again");
        }
        try {
            writer.beginRow(row.getLong(ROW_ID), row.getInt(SOURCE), row.getLong(SOURCE_ROW));
            fields.move(row, writer);
            writer.endRow();
        } catch (CorruptDataException e) {
            throw new CorruptDataException(at(row), String.valueOf(e.getMessage()), e);
        }
    }

    private void refuseOthers(CacheUnits.Unit unit, long rows) {
        if (rows != unit.rows()) {
            throw new CorruptDataException(
                    unit.path(), rows + " of its " + unit.rows() + " rows are in the prepared table; run sample again");
        }
    }

    private String at(InternalRow row) {
        return preparedFiles.get(row.getInt(FILE)) + ", row " + row.getLong(ROW);
    }
}
