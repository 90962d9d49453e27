package io.rankfeed.spark.source;

import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.Input.InputFile;
import io.rankfeed.spark.run.ParquetTail;
import io.rankfeed.spark.run.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
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
 * @param groups its row groups that have rows
 * @param unsupported why a top-level column cannot be read, by its name
 * @param rowBytes the most {@link ReaderBatch#rowBytes} of a row group, decompressed
 */
record ParquetFooter(
        SourceFile file,
        InputFile identity,
        MessageType schema,
        SortedMap<String, String> unsupported,
        long rows,
        List<FileRowGroup> groups,
        long rowBytes) {
    /** @throws CorruptDataException if the file contradicts itself */
    static ParquetFooter read(SourceFile file, Configuration conf) {
        String name = file.path().toString();
        FileSystem fs = Storage.of(file.path(), conf);
        try (FSDataInputStream in = fs.open(file.path())) {
            ParquetTail tail = ParquetTail.of(in, name, file.lengthBytes());
            in.seek(tail.footerStart());
            InputFile identity = new InputFile(file.relative(), file.lengthBytes(), Sha256.hex(in));
            return parsed(file, conf, fs, in, tail, identity);
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + name + ": " + e.getMessage(), e);
        }
    }

    private static ParquetFooter parsed(
            SourceFile file,
            Configuration conf,
            FileSystem fs,
            FSDataInputStream in,
            ParquetTail tail,
            InputFile identity)
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
            // Parquet's reader meets damage with whatever exception comes first; this one, a table without columns too.
            String why = e instanceof IndexOutOfBoundsException ? "it has no columns, or not all" : firstLine(e);
            throw new CorruptDataException(
                    name, "its footer at byte " + tail.footerStart() + " cannot be read: " + why, e);
        }
        long rows = 0;
        long rowBytes = 0;
        List<FileRowGroup> groups = new ArrayList<>();
        SortedMap<String, String> unsupported = new TreeMap<>();
        for (BlockMetaData block : metadata.getBlocks()) {
            UnsupportedParquet.refuseEncrypted(block, name);
            if (block.getRowCount() > 0) {
                groups.add(new FileRowGroup(
                        rows, block.getRowCount(), block.getStartingPos() + block.getCompressedSize() / 2));
                rowBytes = Math.max(rowBytes, ReaderBatch.rowBytes(block.getTotalByteSize(), block.getRowCount()));
            }
            rows += block.getRowCount();
            for (ColumnChunkMetaData chunk : block.getColumns()) {
                check(tail, metadata.getFileMetaData().getSchema(), block, chunk);
                String column = chunk.getPath().toArray()[0];
                if (block.getRowCount() > 0 && !unsupported.containsKey(column)) {
                    List<String> why = UnsupportedParquet.of(chunk, in);
                    if (!why.isEmpty()) {
                        unsupported.put(column, String.join(", ", why));
                    }
                }
            }
        }
        return new ParquetFooter(
                file, identity, metadata.getFileMetaData().getSchema(), unsupported, rows, groups, rowBytes);
    }

    private static void check(ParquetTail tail, MessageType schema, BlockMetaData block, ColumnChunkMetaData chunk) {
        if (block.getRowCount() == 0) {
            return; // A chunk of no rows need lie nowhere: pyarrow writes 0 for its place.
        }
        tail.refuseOutside(chunk);
        boolean flat = schema.containsPath(chunk.getPath().toArray())
                && schema.getMaxRepetitionLevel(chunk.getPath().toArray()) == 0;
        if (flat && chunk.getValueCount() != block.getRowCount()) {
            throw new CorruptDataException(
                    tail.name(),
                    tail.footerStart(),
                    "column " + chunk.getPath().toDotString() + " is said to have " + chunk.getValueCount()
                            + " values in " + block.getRowCount() + " rows");
        }
    }

    private static String firstLine(Exception e) {
        String message = String.valueOf(e.getMessage());
        return message.lines().findFirst().orElse(message);
    }
}
