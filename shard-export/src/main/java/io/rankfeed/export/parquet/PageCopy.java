package io.rankfeed.export.parquet;

import java.util.Optional;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;

/** A decompressed page whose bytes can be read more than once; those of a page from Parquet's reader can be read once. */
final class PageCopy {
    private PageCopy() {}

    static DataPage of(DataPage page) {
        if (page instanceof DataPageV1 v1) {
            BytesInput bytes = copy(v1.getBytes());
            Optional<Integer> rows = v1.getIndexRowCount();
            return rows.isPresent()
                    ? new DataPageV1(
                            bytes,
                            v1.getValueCount(),
                            v1.getUncompressedSize(),
                            v1.getFirstRowIndex().orElseThrow(),
                            rows.get(),
                            v1.getStatistics(),
                            v1.getRlEncoding(),
                            v1.getDlEncoding(),
                            v1.getValueEncoding())
                    : new DataPageV1(
                            bytes,
                            v1.getValueCount(),
                            v1.getUncompressedSize(),
                            v1.getStatistics(),
                            v1.getRlEncoding(),
                            v1.getDlEncoding(),
                            v1.getValueEncoding());
        }
        DataPageV2 v2 = (DataPageV2) page;
        BytesInput repetitions = copy(v2.getRepetitionLevels());
        BytesInput definitions = copy(v2.getDefinitionLevels());
        BytesInput data = copy(v2.getData());
        return v2.getFirstRowIndex().isPresent()
                ? DataPageV2.uncompressed(
                        v2.getRowCount(),
                        v2.getNullCount(),
                        v2.getValueCount(),
                        v2.getFirstRowIndex().get(),
                        repetitions,
                        definitions,
                        v2.getDataEncoding(),
                        data,
                        v2.getStatistics())
                : DataPageV2.uncompressed(
                        v2.getRowCount(),
                        v2.getNullCount(),
                        v2.getValueCount(),
                        repetitions,
                        definitions,
                        v2.getDataEncoding(),
                        data,
                        v2.getStatistics());
    }

    private static BytesInput copy(BytesInput bytes) {
        return bytes.copy(new HeapByteBufferAllocator(), buffer -> {});
    }
}
