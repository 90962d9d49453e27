package io.rankfeed.spark.sample.table;

import io.rankfeed.export.parquet.ParquetStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A line of the plan's rows (docs/format/plan.md, section 10).
 *
 * @param index position in the stratum's list
 * @param lane −1 in the shared file
 * @param ordinal index in the lane, or in the shared file
 * @param file index of the prepared table's file
 * @param row index in that file
 */
public record PlanRow(int stratum, long index, int lane, long ordinal, long rowId, int file, long row) {
    static final MessageType SCHEMA = MessageTypeParser.parseMessageType("""
            message plan_rows {
              required int32 stratum;
              required int64 index;
              required int32 lane;
              required int64 ordinal;
              required int64 row_id;
              required int32 file;
              required int64 row;
            }
            """);

    /** The columns of {@link #SCHEMA}, for Spark. */
    static final StructType COLUMNS = new StructType()
            .add("stratum", DataTypes.IntegerType)
            .add("index", DataTypes.LongType)
            .add("lane", DataTypes.IntegerType)
            .add("ordinal", DataTypes.LongType)
            .add("row_id", DataTypes.LongType)
            .add("file", DataTypes.IntegerType)
            .add("row", DataTypes.LongType);

    /** Far above any file's size, so that each is one row group. */
    private static final long ROW_GROUP_BYTES = 1L << 30;

    /**
     * Writes rows to a stream that stays the caller's. Equal rows give equal bytes, in every JVM: a footer lists a
     * column's encodings in the order of identity hashes, so each column has only one (version 2, no dictionary).
     */
    public static ParquetWriter<PlanRow> writer(OutputStream out) throws IOException {
        return new Builder(new ParquetStream(out))
                .withConf(new PlainParquetConfiguration())
                .withWriterVersion(WriterVersion.PARQUET_2_0)
                .withDictionaryEncoding(false)
                .withCompressionCodec(CompressionCodecName.ZSTD)
                .withRowGroupSize(ROW_GROUP_BYTES)
                .build();
    }

    private static final class Builder extends ParquetWriter.Builder<PlanRow, Builder> {
        Builder(ParquetStream file) {
            super(file);
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        @Deprecated
        protected WriteSupport<PlanRow> getWriteSupport(Configuration conf) {
            return new Support();
        }

        @Override
        protected WriteSupport<PlanRow> getWriteSupport(ParquetConfiguration conf) {
            return new Support();
        }
    }

    private static final class Support extends WriteSupport<PlanRow> {
        private @Nullable RecordConsumer consumer;

        @Override
        @Deprecated
        public WriteContext init(Configuration conf) {
            return new WriteContext(SCHEMA, Map.of());
        }

        @Override
        public WriteContext init(ParquetConfiguration conf) {
            return new WriteContext(SCHEMA, Map.of());
        }

        @Override
        public void prepareForWrite(RecordConsumer target) {
            consumer = target;
        }

        @Override
        public void write(PlanRow row) {
            RecordConsumer out = Objects.requireNonNull(consumer);
            out.startMessage();
            integer(out, 0, row.stratum());
            number(out, 1, row.index());
            integer(out, 2, row.lane());
            number(out, 3, row.ordinal());
            number(out, 4, row.rowId());
            integer(out, 5, row.file());
            number(out, 6, row.row());
            out.endMessage();
        }

        private static void integer(RecordConsumer out, int column, int value) {
            out.startField(SCHEMA.getFieldName(column), column);
            out.addInteger(value);
            out.endField(SCHEMA.getFieldName(column), column);
        }

        private static void number(RecordConsumer out, int column, long value) {
            out.startField(SCHEMA.getFieldName(column), column);
            out.addLong(value);
            out.endField(SCHEMA.getFieldName(column), column);
        }
    }
}
