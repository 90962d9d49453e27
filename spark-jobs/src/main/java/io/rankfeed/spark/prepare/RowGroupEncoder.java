package io.rankfeed.spark.prepare;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.job.PrepareSection.Compression;
import io.rankfeed.spark.run.ParquetStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.OutputFile;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Encodes rows as a Parquet file of exactly one row group, in a local folder. What one gives depends on its rows and on
 * those that were encoded before. One object per unit of work.
 */
final class RowGroupEncoder {
    private static final long NEVER_FULL = 1L << 50;

    /** Every so many row groups each column is given the chance of a dictionary again. */
    private static final int DICTIONARIES_EVERY = 8;

    private final StructType schema;
    private final CompressionCodecName codec;
    private final Path scratch;

    /** Columns whose dictionary the writer gave up before: to begin one each time costs more than their values. */
    private final Set<String> plain = new TreeSet<>();

    private int encodes;

    RowGroupEncoder(StructType schema, Compression compression, Path scratch) {
        this.schema = schema;
        this.codec = switch (compression) {
            case ZSTD -> CompressionCodecName.ZSTD;
            case SNAPPY -> CompressionCodecName.SNAPPY;
            case NONE -> CompressionCodecName.UNCOMPRESSED;
        };
        this.scratch = scratch;
    }

    /**
     * An encoded file; deleted when closed.
     *
     * @param cut the rows in it
     * @param lengthBytes the whole file, footer included
     */
    record Encoded(Path file, Cut cut, long lengthBytes) implements AutoCloseable {
        @Override
        public void close() {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw new EnvironmentException("cannot remove " + file + ": " + e.getMessage(), e);
            }
        }
    }

    /** Encodes rows of the log. */
    Encoded encode(RowLog log, Cut cut) {
        if (encodes++ % DICTIONARIES_EVERY == 0) {
            plain.clear();
        }
        try {
            Path file = Files.createTempFile(scratch, "rankfeed-group-", ".parquet");
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
                    ParquetWriter<UnsafeRow> writer =
                            new Builder(new ParquetStream(out), schema, codec, plain).build()) {
                log.replay(cut, row -> write(writer, row));
            }
            plain.addAll(FooterOrder.sort(file));
            return new Encoded(file, cut, Files.size(file));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void write(ParquetWriter<UnsafeRow> writer, UnsafeRow row) {
        try {
            writer.write(row);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private EnvironmentException failed(IOException e) {
        return new EnvironmentException(
                "cannot encode rows in " + scratch + ": " + e.getMessage() + "; check the space there", e);
    }

    private static final class Builder extends ParquetWriter.Builder<UnsafeRow, Builder> {
        private final StructType schema;

        Builder(OutputFile file, StructType schema, CompressionCodecName codec, Set<String> plain) {
            super(file);
            this.schema = schema;
            withConf(new PlainParquetConfiguration());
            withCompressionCodec(codec);
            withWriterVersion(WriterVersion.PARQUET_1_0);
            withRowGroupSize(NEVER_FULL);
            withRowGroupRowCountLimit(Integer.MAX_VALUE);
            // Rows of megabytes: a page is looked at after each row, not after 100 of them.
            withMinRowCountForPageSizeCheck(1);
            withDictionaryEncoding(true);
            // No value of these stands twice.
            withDictionaryEncoding(RowLayout.ROW_ID, false);
            withDictionaryEncoding(RowLayout.SOURCE_ROW, false);
            plain.forEach(column -> withDictionaryEncoding(column, false));
            withPageWriteChecksumEnabled(true);
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        @Deprecated
        protected WriteSupport<UnsafeRow> getWriteSupport(Configuration conf) {
            return new PreparedWriteSupport(schema);
        }

        @Override
        protected WriteSupport<UnsafeRow> getWriteSupport(ParquetConfiguration conf) {
            return new PreparedWriteSupport(schema);
        }
    }
}
