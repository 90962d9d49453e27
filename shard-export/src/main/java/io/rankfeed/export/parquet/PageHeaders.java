package io.rankfeed.export.parquet;

import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * The page headers of a column chunk, compared with the footer. Parquet's reader allocates the size, and returns the
 * number of values, that a header declares. Checksums do not cover headers.
 */
public final class PageHeaders {
    private final String file;
    private final ColumnDescriptor column;
    private final ColumnChunkMetaData chunk;
    private final FSDataInputStream in;
    private final long rows;
    private long values;
    private long pageRows;
    private boolean hasRowCounts;
    private boolean hasOpenRuns;

    private PageHeaders(
            String file, ColumnDescriptor column, ColumnChunkMetaData chunk, FSDataInputStream in, long rows) {
        this.file = file;
        this.column = column;
        this.chunk = chunk;
        this.in = in;
        this.rows = rows;
    }

    /**
     * Reads the headers and seeks from one to the next.
     *
     * @param rows of the row group, at least 1
     * @return whether {@link PageRuns} are in pages without checksums
     * @throws CorruptDataException if a header contradicts the footer
     */
    public static boolean check(
            String file, ColumnDescriptor column, ColumnChunkMetaData chunk, long rows, FSDataInputStream in)
            throws IOException {
        PageHeaders headers = new PageHeaders(file, column, chunk, in, rows);
        headers.walk();
        return headers.hasOpenRuns;
    }

    private void walk() throws IOException {
        long at = chunk.getStartingPos();
        long end = at + chunk.getTotalSize();
        boolean isFirst = true;
        while (values < chunk.getValueCount()) {
            in.seek(at);
            PageHeader header = header(at);
            long next = in.getPos() + header.getCompressed_page_size();
            if (header.getCompressed_page_size() < 0 || next > end) {
                throw damage(
                        at,
                        "declares " + header.getCompressed_page_size() + " bytes; its column chunk ends at byte "
                                + end);
            }
            // Writers differ in whether they count the headers.
            if (header.getUncompressed_page_size() < 0
                    || header.getUncompressed_page_size() > chunk.getTotalUncompressedSize()) {
                throw damage(
                        at,
                        "declares " + header.getUncompressed_page_size() + " bytes before compression; its column chunk"
                                + " has " + chunk.getTotalUncompressedSize());
            }
            if (chunk.getCodec() == CompressionCodecName.UNCOMPRESSED
                    && header.getUncompressed_page_size() != header.getCompressed_page_size()) {
                throw damage(at, "declares compression; its column chunk has none");
            }
            check(at, header, isFirst);
            isFirst = false;
            at = next;
        }
        if (hasRowCounts && pageRows != rows) {
            throw damage(at, "is the last one; the pages declare " + pageRows + " rows, their row group has " + rows);
        }
    }

    private PageHeader header(long at) throws IOException {
        try {
            return Util.readPageHeader(in);
        } catch (IOException | RuntimeException e) {
            if (StorageFailures.isUnavailable(e)) {
                throw e;
            }
            throw damage(at, "has no valid header");
        }
    }

    private void check(long at, PageHeader header, boolean isFirst) {
        if (header.isSetDictionary_page_header()) {
            DictionaryPageHeader dictionary = Objects.requireNonNull(header.getDictionary_page_header());
            // A dictionary of no values may have any number of bytes.
            if (!isFirst || dictionary.getNum_values() < 0) {
                throw damage(
                        at,
                        "is a dictionary of " + dictionary.getNum_values() + " values"
                                + (isFirst ? "" : " behind another page"));
            }
        } else if (header.isSetData_page_header()) {
            DataPageHeader data = Objects.requireNonNull(header.getData_page_header());
            add(at, data.getNum_values());
            hasOpenRuns |= !header.isSetCrc() && PageRuns.areIn(column, data.getEncoding());
        } else if (header.isSetData_page_header_v2()) {
            DataPageHeaderV2 data = Objects.requireNonNull(header.getData_page_header_v2());
            long levels = (long) data.getDefinition_levels_byte_length() + data.getRepetition_levels_byte_length();
            if (data.getDefinition_levels_byte_length() < 0
                    || data.getRepetition_levels_byte_length() < 0
                    || levels > Math.min(header.getCompressed_page_size(), header.getUncompressed_page_size())) {
                throw damage(at, "declares levels of " + levels + " bytes, more than the page has");
            }
            if (!data.isIs_compressed() && header.getUncompressed_page_size() != header.getCompressed_page_size()) {
                throw damage(at, "declares no compression, and two different lengths");
            }
            if (data.getNum_rows() < 0 || data.getNum_nulls() < 0 || data.getNum_nulls() > data.getNum_values()) {
                throw damage(
                        at,
                        "declares " + data.getNum_rows() + " rows and " + data.getNum_nulls() + " nulls among "
                                + data.getNum_values() + " values");
            }
            hasRowCounts = true;
            pageRows += data.getNum_rows();
            add(at, data.getNum_values());
            hasOpenRuns |= !header.isSetCrc() && PageRuns.areIn(column, data.getEncoding());
        } else if (!header.isSetIndex_page_header()) {
            throw damage(at, "has no valid header");
        }
    }

    private void add(long at, int count) {
        if (count < 0 || count > chunk.getValueCount() - values) {
            throw damage(
                    at,
                    "declares " + count + " values after " + values + "; its column chunk has "
                            + chunk.getValueCount());
        }
        values += count;
    }

    private CorruptDataException damage(long at, String what) {
        return new CorruptDataException(
                file, at, "column " + chunk.getPath().toDotString() + ": the page here " + what);
    }
}
