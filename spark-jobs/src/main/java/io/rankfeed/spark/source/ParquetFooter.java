package io.rankfeed.spark.source;

import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.Input.InputFile;
import io.rankfeed.spark.run.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.MessageType;

/**
 * The footer of a Parquet file, checked against the file before any task opens it.
 *
 * @param identity length and digest of the footer, which holds every chunk's place, size and statistics
 * @param rows that the footer promises
 */
record ParquetFooter(SourceFile file, InputFile identity, MessageType schema, long rows) {
    private static final int TRAILER_BYTES = 8;
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    /** @throws CorruptDataException if the file contradicts itself */
    static ParquetFooter read(SourceFile file, Configuration conf) {
        String name = file.path().toString();
        if (file.lengthBytes() < MAGIC.length + TRAILER_BYTES) {
            throw new CorruptDataException(name, file.lengthBytes() + " bytes are too few for a Parquet file");
        }
        FileSystem fs = Storage.of(file.path(), conf);
        try (FSDataInputStream in = fs.open(file.path())) {
            byte[] trailer = new byte[TRAILER_BYTES];
            in.readFully(file.lengthBytes() - TRAILER_BYTES, trailer);
            if (!Arrays.equals(trailer, 4, 8, MAGIC, 0, 4)) {
                throw new CorruptDataException(
                        name, file.lengthBytes() - 4, "does not end with PAR1; the file is cut short or no Parquet");
            }
            long footerBytes = Integer.toUnsignedLong(
                    ByteBuffer.wrap(trailer).order(ByteOrder.LITTLE_ENDIAN).getInt());
            long start = file.lengthBytes() - TRAILER_BYTES - footerBytes;
            if (start < MAGIC.length) {
                throw new CorruptDataException(
                        name, file.lengthBytes() - TRAILER_BYTES, "claims a footer of " + footerBytes + " bytes");
            }
            in.seek(start);
            InputFile identity = new InputFile(file.relative(), file.lengthBytes(), Sha256.hex(in));
            return parsed(file, conf, fs, start, identity);
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + name + ": " + e.getMessage(), e);
        }
    }

    private static ParquetFooter parsed(
            SourceFile file, Configuration conf, FileSystem fs, long footerStart, InputFile identity)
            throws IOException {
        String name = file.path().toString();
        FileStatus status = fs.getFileStatus(file.path());
        ParquetMetadata metadata;
        try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromStatus(status, conf))) {
            metadata = reader.getFooter();
        } catch (RuntimeException | IOException e) {
            if (SparkFailures.isSurroundings(e)) {
                throw new EnvironmentException("cannot read " + name + ": " + firstLine(e), e);
            }
            // Parquet's reader meets damage with whatever exception comes first.
            throw new CorruptDataException(
                    name, "its footer at byte " + footerStart + " cannot be read: " + firstLine(e), e);
        }
        long rows = 0;
        for (BlockMetaData block : metadata.getBlocks()) {
            rows += block.getRowCount();
            for (ColumnChunkMetaData chunk : block.getColumns()) {
                check(name, footerStart, metadata.getFileMetaData().getSchema(), block, chunk);
            }
        }
        return new ParquetFooter(file, identity, metadata.getFileMetaData().getSchema(), rows);
    }

    private static void check(
            String name, long footerStart, MessageType schema, BlockMetaData block, ColumnChunkMetaData chunk) {
        if (block.getRowCount() == 0) {
            return; // A chunk of no rows need lie nowhere: pyarrow writes 0 for its place.
        }
        long start = chunk.getStartingPos();
        long size = chunk.getTotalSize();
        // Subtraction: a start and a size out of damage may overflow together.
        if (start < MAGIC.length || start > footerStart || size < 0 || size > footerStart - start) {
            throw new CorruptDataException(
                    name,
                    footerStart,
                    "column " + chunk.getPath().toDotString() + " is said to lie at " + start + " with "
                            + chunk.getTotalSize() + " bytes, outside the file's data");
        }
        boolean flat = schema.containsPath(chunk.getPath().toArray())
                && schema.getMaxRepetitionLevel(chunk.getPath().toArray()) == 0;
        if (flat && chunk.getValueCount() != block.getRowCount()) {
            throw new CorruptDataException(
                    name,
                    footerStart,
                    "column " + chunk.getPath().toDotString() + " is said to have " + chunk.getValueCount()
                            + " values in " + block.getRowCount() + " rows");
        }
    }

    private static String firstLine(Exception e) {
        String message = String.valueOf(e.getMessage());
        return message.lines().findFirst().orElse(message);
    }
}
