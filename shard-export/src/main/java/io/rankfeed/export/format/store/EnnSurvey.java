package io.rankfeed.export.format.store;

import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.Survey;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.ConfigException;

/** Finds the scale of features and labels. */
final class EnnSurvey implements Survey {
    /** float64 holds every integer up to this, float32 up to the second. */
    private static final long MAX_FLOAT64 = 1L << 53;

    private static final long MAX_FLOAT32 = 1L << 24;

    private final EnnColumns columns;
    private final EnnScale scale = new EnnScale();

    EnnSurvey(EnnColumns columns) {
        this.columns = columns;
    }

    @Override
    public void row(FormatRow row) {
        for (int i = 0; i < columns.features().size(); i++) {
            add(row, columns.features().get(i));
        }
        if (columns.label() >= 0) {
            add(row, columns.label());
        }
    }

    private void add(FormatRow row, int index) {
        Field field = columns.schema().fields().get(index);
        DType dtype = field.dtype();
        if (Format.isNumber(field)) {
            add(row, field, row.bits(index));
        } else if (dtype == DType.FLOAT32) {
            scale.addFloats(row.array(index), row.offset(index), row.lengthBytes(index));
        } else {
            byte[] array = row.array(index);
            int end = row.offset(index) + row.lengthBytes(index);
            for (int at = row.offset(index); at < end; at += dtype.sizeBytes()) {
                add(row, field, LittleEndian.bits(dtype, array, at));
            }
        }
    }

    private void add(FormatRow row, Field field, long bits) {
        scale.add(LittleEndian.number(field.dtype(), bits));
        if (!EnnColumns.isInteger(field)) {
            return;
        }
        long value = LittleEndian.integer(field.dtype(), bits);
        if (field.dtype() == DType.UINT64
                ? Long.compareUnsigned(value, MAX_FLOAT64) > 0
                : isAbove(value, MAX_FLOAT64)) {
            throw new ConfigException("format enn cannot store column '" + field.name() + "': row " + row.rowId()
                    + " has an integer beyond 2^53, which float64 rounds");
        }
        if (isAbove(value, MAX_FLOAT32)) {
            scale.addWideInteger();
        }
    }

    private static boolean isAbove(long value, long limit) {
        return value > limit || value < -limit;
    }

    @Override
    public byte[] result() {
        return scale.toBytes();
    }
}
