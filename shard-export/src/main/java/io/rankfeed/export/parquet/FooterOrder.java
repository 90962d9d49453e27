package io.rankfeed.export.parquet;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/**
 * Makes a Parquet footer the same in every JVM. The writer lists the encodings of a column chunk in the order of a hash
 * set of enum constants, which is that of their identity hashes; sorted, equal rows are equal bytes.
 */
public final class FooterOrder {
    /** The bytes after the footer: its length in four bytes, then the magic. */
    private static final int TAIL_BYTES = 8;

    /**
     * The minimum number of values that show whether a column has a dictionary, unless they are long: Parquet gives up
     * dictionaries of more bytes.
     */
    private static final long MIN_VALUES = 1000;

    private static final long TELLING_BYTES = ParquetProperties.DEFAULT_DICTIONARY_PAGE_SIZE;

    private FooterOrder() {}

    /**
     * @param lengthBytes of the Parquet file, behind which others may be
     * @return columns that gave up their dictionary
     */
    public static Set<String> sort(Path parquet, long lengthBytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(parquet.toFile(), "rw")) {
            file.seek(lengthBytes - TAIL_BYTES);
            byte[] footer = new byte[Integer.reverseBytes(file.readInt())];
            long start = lengthBytes - TAIL_BYTES - footer.length;
            file.seek(start);
            file.readFully(footer);
            FileMetaData metadata = Util.readFileMetaData(new ByteArrayInputStream(footer));
            byte[] sorted = sorted(metadata, footer.length);
            if (sorted.length != footer.length) {
                throw new IllegalStateException("sorting a Parquet footer changed its length");
            }
            file.seek(start);
            file.write(sorted);
            return plain(metadata);
        }
    }

    private static Set<String> plain(FileMetaData metadata) {
        Set<String> names = new TreeSet<>();
        for (RowGroup group : requireNonNull(metadata.getRow_groups())) {
            for (ColumnChunk chunk : requireNonNull(group.getColumns())) {
                ColumnMetaData column = requireNonNull(chunk.getMeta_data());
                boolean hasEnoughValues =
                        column.getNum_values() >= MIN_VALUES || column.getTotal_uncompressed_size() > 2 * TELLING_BYTES;
                if (!column.isSetDictionary_page_offset() && hasEnoughValues) {
                    names.add(String.join(".", requireNonNull(column.getPath_in_schema())));
                }
            }
        }
        return names;
    }

    private static byte[] sorted(FileMetaData metadata, int lengthBytes) throws IOException {
        for (RowGroup group : requireNonNull(metadata.getRow_groups())) {
            for (ColumnChunk chunk : requireNonNull(group.getColumns())) {
                ColumnMetaData column = requireNonNull(chunk.getMeta_data());
                requireNonNull(column.getEncodings()).sort(null);
            }
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(lengthBytes);
        Util.writeFileMetaData(metadata, out);
        return out.toByteArray();
    }
}
