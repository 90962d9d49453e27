package io.rankfeed.spark.prepare.write;

import io.rankfeed.export.parquet.FooterOrder;
import io.rankfeed.job.PrepareSection.Compression;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.engine.parquet.RowChecksum;
import io.rankfeed.spark.prepare.pack.RowLayout;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.spark.sql.types.StructType;

/**
 * Encodes rows as a Parquet file of exactly one row group, in a local folder. What one gives depends on its rows and on
 * those that were encoded before. One object per unit of work.
 */
public final class RowGroupEncoder implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;

    /** The number of row groups after which each column is encoded with a dictionary again, as a trial. */
    private static final int DICTIONARIES_EVERY = 8;

    private final StructType schema;
    private final CompressionCodecName codec;
    private final ScratchFiles scratch;

    /** Columns whose dictionary the writer gave up before: to begin one each time costs more than their values. */
    private final Set<String> plain = new TreeSet<>();

    private int encodes;

    public RowGroupEncoder(StructType schema, Compression compression, Path scratch) {
        this.schema = schema;
        this.codec = switch (compression) {
            case ZSTD -> CompressionCodecName.ZSTD;
            case SNAPPY -> CompressionCodecName.SNAPPY;
            case NONE -> CompressionCodecName.UNCOMPRESSED;
        };
        this.scratch = new ScratchFiles(scratch);
    }

    /**
     * An encoded file, to be closed once by whoever has it, in whatever thread.
     *
     * @param file what is in it after its length is of no account
     * @param cut the rows in it
     * @param lengthBytes the whole file, footer included
     */
    public record Encoded(ScratchFiles scratch, Path file, GroupRows cut, long lengthBytes) implements AutoCloseable {
        void copyTo(OutputStream out) throws IOException {
            byte[] buffer = new byte[BUFFER_BYTES];
            long left = lengthBytes;
            try (InputStream in = Files.newInputStream(file)) {
                while (left > 0) {
                    int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
                    if (read < 0) {
                        throw new EOFException(file + " lacks its last " + left + " bytes");
                    }
                    out.write(buffer, 0, read);
                    left -= read;
                }
            }
        }

        @Override
        public void close() {
            scratch.giveBack(file);
        }
    }

    /** Encodes rows of the log. */
    public Encoded encode(RowLog log, GroupRows cut) {
        if (encodes++ % DICTIONARIES_EVERY == 0) {
            plain.clear();
        }
        try {
            Path file = scratch.take();
            long lengthBytes;
            try (OutputStream out = new BufferedOutputStream(
                            Files.newOutputStream(file, StandardOpenOption.WRITE), BUFFER_BYTES);
                    RowGroupFile rows = new RowGroupFile(out, schema, codec, properties())) {
                log.replay(cut, rows::write);
                lengthBytes = rows.finish();
            }
            plain.addAll(FooterOrder.sort(file, lengthBytes));
            return new Encoded(scratch, file, cut, lengthBytes);
        } catch (IOException e) {
            throw new EnvironmentException(
                    IoReason.of("cannot encode rows in " + scratch.folder(), scratch.folder(), e), e);
        }
    }

    private ParquetProperties properties() {
        ParquetProperties.Builder properties = ParquetProperties.builder()
                .withWriterVersion(WriterVersion.PARQUET_1_0)
                .withRowGroupRowCountLimit(Integer.MAX_VALUE)
                // Rows of megabytes: a page is read after each row, not after 100 of them.
                .withMinRowCountForPageSizeCheck(1)
                .withDictionaryEncoding(true)
                // All of these values are different.
                .withDictionaryEncoding(RowLayout.ROW_ID, false)
                .withDictionaryEncoding(RowLayout.SOURCE_ROW, false)
                .withDictionaryEncoding(RowChecksum.COLUMN, false)
                .withPageWriteChecksumEnabled(true);
        plain.forEach(column -> properties.withDictionaryEncoding(column, false));
        return properties.build();
    }

    /** Removes its files, those that are not closed too. */
    @Override
    public void close() {
        scratch.close();
    }
}
