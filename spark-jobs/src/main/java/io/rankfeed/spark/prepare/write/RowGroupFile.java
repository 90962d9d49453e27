package io.rankfeed.spark.prepare.write;

import io.rankfeed.export.parquet.ParquetStream;
import io.rankfeed.spark.engine.parquet.ParquetTypes;
import io.rankfeed.spark.engine.parquet.RowChecksum;
import io.rankfeed.spark.tensor.ScalarKind;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Map;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.codec.ZstandardCodec;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Types;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Writes a Parquet file of one row group: the first columns of each row, as many as the schema has, then the row's checksum
 * where the schema ends with one, and Spark's own description of the schema in the footer. Nothing else goes there: no time,
 * no host, so that equal rows are equal bytes.
 *
 * <p>Rows are flat, so their values go straight to their columns, without Parquet's record consumer, which costs a narrow
 * row as much as its encoding.
 */
final class RowGroupFile implements AutoCloseable {
    /** A row group ends where its file does. */
    private static final long NEVER_FULL = 1L << 50;

    /** The default, 3, makes files of packed tokens 4 % smaller, for a seventh more of the whole job's CPU time (bench/README.md). */
    private static final String ZSTD_LEVEL = "1";

    private final String sparkSchema;
    private final CompressionCodecFactory codecs;
    private final ParquetFileWriter file;
    private final ColumnChunkPageWriteStore pages;
    private final ColumnWriteStore store;
    private final ScalarKind[] kinds;
    private final ColumnWriter[] columns;
    private final RowChecksum.@Nullable Computation checksums;
    private long rows;

    /** @param out is left open */
    RowGroupFile(OutputStream out, StructType schema, CompressionCodecName codec, ParquetProperties properties)
            throws IOException {
        MessageType message = message(schema);
        this.sparkSchema = schema.json();
        this.file = new ParquetFileWriter(
                new ParquetStream(out), message, ParquetFileWriter.Mode.CREATE, NEVER_FULL, 0, null, properties);
        PlainParquetConfiguration conf = new PlainParquetConfiguration();
        conf.set(ZstandardCodec.PARQUET_COMPRESS_ZSTD_LEVEL, ZSTD_LEVEL);
        this.codecs = new CodecFactory(conf, properties.getPageSizeThreshold());
        this.pages = new ColumnChunkPageWriteStore(
                codecs.getCompressor(codec),
                message,
                properties.getAllocator(),
                properties.getColumnIndexTruncateLength(),
                properties.getPageWriteChecksumEnabled());
        this.store = properties.newColumnWriteStore(message, pages, pages);
        this.checksums = RowChecksum.in(schema).map(RowChecksum::open).orElse(null);
        this.columns = message.getColumns().stream().map(store::getColumnWriter).toArray(ColumnWriter[]::new);
        this.kinds = Arrays.stream(schema.fields())
                .filter(field -> !field.name().equals(RowChecksum.COLUMN))
                .map(RowGroupFile::kind)
                .toArray(ScalarKind[]::new);
        file.start();
    }

    void write(UnsafeRow row) {
        for (int i = 0; i < kinds.length; i++) {
            ColumnWriter column = columns[i];
            if (row.isNullAt(i)) {
                column.writeNull(0, 0);
                continue;
            }
            switch (kinds[i]) {
                case BOOLEAN -> column.write(row.getBoolean(i), 0, 1);
                case BYTE -> column.write(row.getByte(i), 0, 1);
                case SHORT -> column.write(row.getShort(i), 0, 1);
                case INTEGER -> column.write(row.getInt(i), 0, 1);
                case LONG -> column.write(row.getLong(i), 0, 1);
                case FLOAT -> column.write(row.getFloat(i), 0, 1);
                case DOUBLE -> column.write(row.getDouble(i), 0, 1);
                // An unsafe row holds strings and binary alike, and they are taken from where they are.
                case STRING, BINARY -> column.write(inPlace(row.getUTF8String(i)), 0, 1);
            }
        }
        if (checksums != null) {
            columns[kinds.length].write(Binary.fromReusedByteArray(checksums.of(row, rows)), 0, 1);
        }
        store.endRecord();
        rows++;
    }

    /** Ends the file and returns how long it is. */
    long finish() throws IOException {
        file.startBlock(rows);
        store.flush();
        pages.flushToFileWriter(file);
        file.endBlock();
        file.end(Map.of(ParquetTypes.SPARK_SCHEMA, sparkSchema));
        return file.getPos();
    }

    @Override
    public void close() throws IOException {
        try (file;
                pages;
                store) {
            codecs.release();
        }
    }

    private static Binary inPlace(UTF8String bytes) {
        byte[] base = (byte[]) bytes.getBaseObject();
        int offset = (int) (bytes.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
        return Binary.fromReusedByteArray(base, offset, bytes.numBytes());
    }

    private static ScalarKind kind(StructField field) {
        return ScalarKind.of(field.dataType())
                .orElseThrow(() -> new IllegalArgumentException(
                        "no Parquet type for " + field.dataType().simpleString()));
    }

    private static MessageType message(StructType schema) {
        Types.MessageTypeBuilder message = Types.buildMessage();
        for (StructField field : schema.fields()) {
            message.addField(kind(field).parquet(field.name()));
        }
        return message.named("spark_schema");
    }
}
