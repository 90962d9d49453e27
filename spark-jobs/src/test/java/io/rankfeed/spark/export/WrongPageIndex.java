package io.rankfeed.spark.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.internal.hadoop.metadata.IndexReference;
import org.apache.parquet.io.LocalInputFile;

/** The fault of another writer: a page index that leads to other rows. */
final class WrongPageIndex {
    private WrongPageIndex() {}

    /** Writes one into the file: every page but the first of each column begins one row before. */
    static void write(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        ParquetMetadata footer;
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
            footer = reader.getFooter();
        }
        for (BlockMetaData group : footer.getBlocks()) {
            for (ColumnChunkMetaData column : group.getColumns()) {
                IndexReference at = column.getOffsetIndexReference();
                int offset = Math.toIntExact(at.getOffset());
                OffsetIndex index = Util.readOffsetIndex(new ByteArrayInputStream(bytes, offset, at.getLength()));
                for (PageLocation page : index.getPage_locations()) {
                    long first = page.getFirst_row_index();
                    // A number that is one byte shorter would move what follows.
                    page.setFirst_row_index(first == 0 || first == 64 || first == 8192 ? first : first - 1);
                }
                ByteArrayOutputStream written = new ByteArrayOutputStream();
                Util.writeOffsetIndex(index, written);
                assertThat(written.size()).isEqualTo(at.getLength());
                System.arraycopy(written.toByteArray(), 0, bytes, offset, at.getLength());
            }
        }
        Files.write(file, bytes);
        Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    }
}
