package io.rankfeed.export.format.store;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.CountedFile;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatFile;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFiles;
import io.rankfeed.export.format.PartSummary;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class EnnWriter implements FormatWriter {
    static final String FEATURES = "features.mmt";
    static final String LABELS = "labels.mmt";
    static final String ROW_IDS = "row_ids.mmt";

    private final EnnColumns columns;
    private final DType stored;
    private final byte[] scale;
    private final Part part;
    private final CountedFile features;
    private final @Nullable CountedFile labels;
    private final CountedFile rowIds;
    private final ByteBuilder converted = new ByteBuilder();

    /** @param scale the state of the part's summary */
    EnnWriter(String folder, EnnColumns columns, boolean isFloat32, byte[] scale, Part part, PartFiles files)
            throws IOException {
        this.columns = columns;
        this.stored = isFloat32 ? DType.FLOAT32 : DType.FLOAT64;
        this.scale = scale;
        this.part = part;
        features = new CountedFile(files, folder + "/" + FEATURES);
        labels = columns.label() < 0 ? null : new CountedFile(files, folder + "/" + LABELS);
        rowIds = new CountedFile(files, folder + "/" + ROW_IDS);
    }

    @Override
    public void row(FormatRow row) throws IOException {
        for (int i = 0; i < columns.features().size(); i++) {
            write(row, columns.features().get(i), features);
        }
        if (labels != null) {
            write(row, columns.label(), labels);
        }
        long id = row.rowId();
        if (columns.rowIds() >= 0) {
            Field field = columns.schema().fields().get(columns.rowIds());
            id = LittleEndian.integer(field.dtype(), row.bits(columns.rowIds()));
        }
        converted.clear();
        rowIds.write(converted.putLong(id));
    }

    private void write(FormatRow row, int index, CountedFile file) throws IOException {
        Field field = columns.schema().fields().get(index);
        DType dtype = field.dtype();
        converted.clear();
        if (Format.isNumber(field)) {
            put(dtype, row.bits(index));
        } else if (dtype == stored) {
            file.write(row.array(index), row.offset(index), row.lengthBytes(index));
            return;
        } else {
            byte[] array = row.array(index);
            int end = row.offset(index) + row.lengthBytes(index);
            for (int at = row.offset(index); at < end; at += dtype.sizeBytes()) {
                put(dtype, LittleEndian.bits(dtype, array, at));
            }
        }
        file.write(converted);
    }

    private void put(DType dtype, long bits) {
        if (dtype == stored) {
            converted.putBits(bits, dtype.sizeBytes());
        } else if (stored == DType.FLOAT32) {
            converted.putInt(Float.floatToRawIntBits((float) LittleEndian.number(dtype, bits)));
        } else {
            converted.putLong(Double.doubleToRawLongBits(LittleEndian.number(dtype, bits)));
        }
    }

    @Override
    public PartSummary finish() throws IOException {
        List<FormatFile> files = new ArrayList<>(List.of(features.publish(part.rows())));
        if (labels != null) {
            files.add(labels.publish(part.rows()));
        }
        files.add(rowIds.publish(part.rows()));
        return new PartSummary(part.index(), part.rows(), new ArrayList<>(files), scale);
    }

    @Override
    public void close() throws IOException {
        CountedFile.closeAll(labels == null ? List.of(features, rowIds) : List.of(features, labels, rowIds));
    }
}
