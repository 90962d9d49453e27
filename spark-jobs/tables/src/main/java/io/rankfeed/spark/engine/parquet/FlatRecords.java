package io.rankfeed.spark.engine.parquet;

import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Parquet's values as rows of Spark, columns without nesting; one row object, filled again for each record. */
final class FlatRecords extends RecordMaterializer<InternalRow> {
    private final SpecificInternalRow row;
    private final Root root;

    /** @param headBytes by column, how many bytes of each value are left out */
    FlatRecords(StructType columns, int[] headBytes) {
        row = new SpecificInternalRow(columns);
        Slot[] slots = new Slot[columns.size()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new Slot(row, i, columns.apply(i).dataType().typeName(), headBytes[i]);
        }
        root = new Root(row, slots);
    }

    @Override
    public InternalRow getCurrentRecord() {
        return row;
    }

    @Override
    public GroupConverter getRootConverter() {
        return root;
    }

    private static final class Root extends GroupConverter {
        private final SpecificInternalRow row;
        private final Slot[] slots;

        Root(SpecificInternalRow row, Slot[] slots) {
            this.row = row;
            this.slots = slots;
        }

        @Override
        public Converter getConverter(int column) {
            return slots[column];
        }

        /** Parquet reports the values that are there alone. */
        @Override
        public void start() {
            for (int i = 0; i < slots.length; i++) {
                row.setNullAt(i);
            }
        }

        @Override
        public void end() {}
    }

    private static final class Slot extends PrimitiveConverter {
        private final SpecificInternalRow row;
        private final int column;
        private final String type;
        private final int headBytes;

        Slot(SpecificInternalRow row, int column, String type, int headBytes) {
            this.row = row;
            this.column = column;
            this.type = type;
            this.headBytes = headBytes;
        }

        @Override
        public void addBoolean(boolean value) {
            row.setBoolean(column, value);
        }

        @Override
        public void addInt(int value) {
            switch (type) {
                case "byte" -> row.setByte(column, (byte) value);
                case "short" -> row.setShort(column, (short) value);
                default -> row.setInt(column, value);
            }
        }

        @Override
        public void addLong(long value) {
            row.setLong(column, value);
        }

        @Override
        public void addFloat(float value) {
            row.setFloat(column, value);
        }

        @Override
        public void addDouble(double value) {
            row.setDouble(column, value);
        }

        @Override
        public void addBinary(Binary value) {
            byte[] bytes = headBytes == 0
                    ? value.getBytes()
                    : value.slice(headBytes, value.length() - headBytes).getBytes();
            row.update(column, type.equals("string") ? UTF8String.fromBytes(bytes) : bytes);
        }
    }
}
