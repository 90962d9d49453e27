package io.rankfeed.look;

import io.rankfeed.export.parquet.FooterBytes;
import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;

/**
 * A Parquet file as its footer reports it.
 *
 * @param blockBytes of the file system's blocks that it is in, or is compared with
 * @param codecs of its column chunks, by name
 */
// Thrift has checked required members; others are asked for only where they are set.
@SuppressWarnings("NullAway")
record ParquetFile(
        String name,
        long lengthBytes,
        long blockBytes,
        ParquetSchema schema,
        String createdBy,
        List<RowGroup> rowGroups,
        Set<String> codecs) {
    /** The footer of a table of 1,000 columns in 2,000 row groups is shorter. It is loaded into memory as a whole. */
    private static final int MAX_FOOTER_BYTES = 256 << 20;

    /**
     * A row group.
     *
     * @param start of its first column chunk in the file
     * @param end behind its last one
     */
    record RowGroup(long rows, long start, long end) {
        long lengthBytes() {
            return end - start;
        }

        /** The number of blocks of a size that the row group touches. */
        long blocks(long blockBytes) {
            return end > start ? (end - 1) / blockBytes - start / blockBytes + 1 : 0;
        }
    }

    /** @throws CorruptDataException if the footer is not there, cannot be read, or points outside the file */
    static ParquetFile read(Store store, StoredFile file) {
        String name = file.path();
        ParquetTail tail = tail(store, file);
        long footerBytes = tail.footerEnd() - tail.footerStart();
        if (footerBytes > MAX_FOOTER_BYTES) {
            throw new CorruptDataException(
                    name,
                    tail.footerEnd(),
                    "states a footer of " + footerBytes + " bytes; at most " + MAX_FOOTER_BYTES);
        }
        FileMetaData footer =
                FooterBytes.metadata(store.read(name, tail.footerStart(), (int) footerBytes), name, tail.footerStart());
        ParquetSchema schema = ParquetSchema.of(footer.getSchema(), tail);
        List<RowGroup> groups = new ArrayList<>();
        Set<String> codecs = new TreeSet<>();
        for (org.apache.parquet.format.RowGroup group : footer.getRow_groups()) {
            groups.add(rowGroup(group, schema, tail));
            for (ColumnChunk chunk : group.getColumns()) {
                if (chunk.isSetMeta_data()) {
                    codecs.add(String.valueOf(chunk.getMeta_data().getCodec()).toLowerCase(Locale.ROOT));
                }
            }
        }
        return new ParquetFile(
                name, file.bytes(), file.blockBytes(), schema, String.valueOf(footer.getCreated_by()), groups, codecs);
    }

    /** Returns the file for a comparison with blocks of another size. */
    ParquetFile withBlock(long bytes) {
        return new ParquetFile(name, lengthBytes, Math.max(1, bytes), schema, createdBy, rowGroups, codecs);
    }

    /** The offset after the last row group, in bytes. */
    long rowGroupsEnd() {
        return rowGroups.stream().mapToLong(RowGroup::end).max().orElse(0);
    }

    /** Bytes between row groups: what writers leave free to begin with a block. */
    long paddingBytes() {
        List<RowGroup> ordered = rowGroups.stream()
                .filter(group -> group.lengthBytes() > 0)
                .sorted(Comparator.comparingLong(RowGroup::start))
                .toList();
        long padding = 0;
        for (int i = 1; i < ordered.size(); i++) {
            padding += Math.max(0, ordered.get(i).start() - ordered.get(i - 1).end());
        }
        return padding;
    }

    long rows() {
        return rowGroups.stream().mapToLong(RowGroup::rows).sum();
    }

    private static ParquetTail tail(Store store, StoredFile file) {
        ParquetTail.Input input = (fromByte, bytes) ->
                System.arraycopy(store.read(file.path(), fromByte, bytes.length), 0, bytes, 0, bytes.length);
        try {
            return ParquetTail.of(input, file.path(), file.bytes());
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file.path() + ": " + e.getMessage(), e);
        }
    }

    private static RowGroup rowGroup(org.apache.parquet.format.RowGroup group, ParquetSchema schema, ParquetTail tail) {
        long rows = group.getNum_rows();
        if (rows < 0) {
            throw new CorruptDataException(
                    tail.name(), tail.footerStart(), "a row group has a count of " + rows + " rows");
        }
        long start = tail.footerStart();
        long end = 0;
        // An empty chunk may have any position: pyarrow writes 0. The metadata of an encrypted one is not in the
        // footer.
        for (ColumnChunk chunk : rows == 0 ? List.<ColumnChunk>of() : group.getColumns()) {
            if (chunk.isSetMeta_data()) {
                ColumnMetaData column = chunk.getMeta_data();
                String name = String.join(".", column.getPath_in_schema());
                long chunkStart = start(column);
                tail.refuseOutside(name, chunkStart, column.getTotal_compressed_size());
                if (schema.isFlat(column.getPath_in_schema()) && column.getNum_values() != rows) {
                    throw new CorruptDataException(
                            tail.name(),
                            tail.footerStart(),
                            "column " + name + " has a count of " + column.getNum_values()
                                    + " values in a row group of " + rows + " rows");
                }
                start = Math.min(start, chunkStart);
                end = Math.max(end, chunkStart + column.getTotal_compressed_size());
            }
        }
        return new RowGroup(rows, Math.min(start, end), end);
    }

    /** The dictionary comes first where there is one; some writers name the first data page in its place. */
    private static long start(ColumnMetaData column) {
        long data = column.getData_page_offset();
        long dictionary = column.getDictionary_page_offset();
        return column.isSetDictionary_page_offset() && dictionary > 0 && dictionary < data ? dictionary : data;
    }
}
