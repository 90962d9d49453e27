package io.rankfeed.spark.source.open;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.export.parquet.FileRowGroup;
import io.rankfeed.export.parquet.ParquetFooter;
import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.export.parquet.UnsupportedChunk;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.Input.InputFile;
import io.rankfeed.spark.engine.parquet.PlainTypes;
import io.rankfeed.spark.engine.parquet.ReaderBatch;
import io.rankfeed.spark.engine.parquet.RowDecoded;
import io.rankfeed.spark.engine.parquet.WideDecimals;
import io.rankfeed.spark.file.SourceFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;

/**
 * The parts of the footer of a source's Parquet file that a job needs.
 *
 * @param identity length and digest of the footer, which holds the position, size and statistics of every chunk
 * @param byRow the top-level columns that are {@link RowDecoded}
 * @param numbers the ranges of the columns of INT32 and unsigned INT64, by their paths
 * @param rowGroups those that have rows
 * @param unsupported why a top-level column cannot be read, by its name
 * @param writerZone the time zone from which Hive converted timestamps to UTC; empty if the file does not state it
 * @param isJulian whether Hive can have counted days before 1582-10-15 in the Julian calendar
 * @param rowBytes the maximum {@link ReaderBatch#rowBytes} of its row groups, decompressed
 */
public record SourceFooter(
        SourceFile file,
        InputFile identity,
        MessageType schema,
        SortedMap<String, String> unsupported,
        Set<String> byRow,
        Map<ColumnPath, IntRange> numbers,
        List<FileRowGroup> rowGroups,
        Optional<String> writerZone,
        boolean isJulian,
        long rowBytes)
        implements ColumnedFile {
    /** The name of the schema of files that Hive writes. */
    static final String HIVE = "hive_schema";

    /** Returns the number of rows of the file. */
    @Override
    public OptionalLong rows() {
        return OptionalLong.of(rowGroups.stream().mapToLong(FileRowGroup::rows).sum());
    }

    @Override
    public List<Column> columns() {
        return schema.getFields().stream().map(SourceFooter::column).toList();
    }

    private static Column column(Type field) {
        return new Column(field.getName(), type(field), field.isRepetition(Repetition.REQUIRED));
    }

    /** The type of a column in one line. */
    private static String type(Type field) {
        return field.toString().replaceAll("\\s+", " ").replaceFirst("^(required|optional) ", "");
    }

    @Override
    public boolean isConverted(String column) {
        return schema.containsField(column) && PlainTypes.isIn(schema.getType(column));
    }

    /** The schema, which is compared without writing it as text. */
    @Override
    public Object sameColumns() {
        return schema.getFields();
    }

    @Override
    public Optional<Column> column(String name) {
        return schema.containsField(name) ? Optional.of(column(schema.getType(name))) : Optional.empty();
    }

    /**
     * Reads and checks a footer.
     *
     * @throws io.rankfeed.schema.failure.CorruptDataException if the file contradicts itself
     * @throws EnvironmentException if it cannot be read
     */
    static SourceFooter read(SourceFile file, Configuration conf) {
        String name = file.path().toString();
        FileSystem fs = Storage.of(file.path(), conf);
        try (FSDataInputStream in = fs.open(file.path())) {
            ParquetTail tail = ParquetTail.of(in::readFully, name, file.lengthBytes());
            in.seek(tail.footerStart());
            InputFile identity = new InputFile(file.relative(), file.lengthBytes(), Sha256.hex(in));
            ParquetFooter footer = ParquetFooter.read(fs.getFileStatus(file.path()), tail, conf);
            footer.blocks().forEach(block -> UnsupportedChunk.refuseEncrypted(block, name));
            long rowBytes = footer.blocks().stream()
                    .filter(block -> block.getRowCount() > 0)
                    .mapToLong(block -> ReaderBatch.rowBytes(block.getTotalByteSize(), block.getRowCount()))
                    .max()
                    .orElse(0);
            return new SourceFooter(
                    file,
                    identity,
                    footer.schema(),
                    unsupported(footer, in),
                    RowDecoded.of(footer.blocks()),
                    IntRange.of(footer.blocks()),
                    footer.rowGroups(),
                    footer.keyValue("writer.time.zone"),
                    footer.schema().getName().equals(HIVE)
                            && !footer.keyValue("writer.date.proleptic").equals(Optional.of("true")),
                    rowBytes);
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + name + ": " + StorageFailures.firstLine(e), e);
        }
    }

    private static SortedMap<String, String> unsupported(ParquetFooter footer, FSDataInputStream in)
            throws IOException {
        SortedMap<String, String> unsupported = new TreeMap<>();
        for (Type field : footer.schema().getFields()) {
            WideDecimals.why(field).ifPresent(why -> unsupported.put(field.getName(), why));
        }
        for (BlockMetaData block : footer.blocks()) {
            for (ColumnChunkMetaData chunk : block.getColumns()) {
                String column = chunk.getPath().toArray()[0];
                List<String> why = block.getRowCount() == 0 ? List.of() : UnsupportedChunk.of(chunk, in);
                if (!why.isEmpty()) {
                    unsupported.putIfAbsent(column, String.join(", ", why));
                }
            }
        }
        return unsupported;
    }
}
