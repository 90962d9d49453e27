package io.rankfeed.spark.engine.parquet;

import java.io.IOException;
import java.util.Collections;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.schema.MessageType;

/** Copies an uncompressed Parquet file, with pages without rows between its pages, as Arrow's writer makes them. */
final class EmptyPages {
    private final ParquetFileWriter writer;
    private final Random random;

    private EmptyPages(ParquetFileWriter writer, Random random) {
        this.writer = writer;
        this.random = random;
    }

    @SuppressWarnings("deprecation") // the other constructors take an encryptor and what a writer of rows needs
    static void copy(java.nio.file.Path from, java.nio.file.Path to, Random random) throws IOException {
        Configuration conf = new Configuration();
        try (ParquetFileReader reader =
                ParquetFileReader.open(HadoopInputFile.fromPath(new Path(from.toUri()), conf))) {
            MessageType type = reader.getFileMetaData().getSchema();
            ParquetFileWriter writer = new ParquetFileWriter(conf, type, new Path(to.toUri()));
            EmptyPages copy = new EmptyPages(writer, random);
            writer.start();
            for (int group = 0; group < reader.getRowGroups().size(); group++) {
                BlockMetaData block = reader.getRowGroups().get(group);
                PageReadStore pages = reader.readRowGroup(group);
                writer.startBlock(block.getRowCount());
                for (ColumnChunkMetaData chunk : block.getColumns()) {
                    ColumnDescriptor column =
                            type.getColumnDescription(chunk.getPath().toArray());
                    copy.column(
                            column, pages.getPageReader(column), reader.readOffsetIndex(chunk), block.getRowCount());
                }
                writer.endBlock();
            }
            writer.end(reader.getFileMetaData().getKeyValueMetaData());
            writer.close();
        }
    }

    private void column(ColumnDescriptor column, PageReader pages, OffsetIndex index, long rows) throws IOException {
        writer.startColumn(column, pages.getTotalValueCount(), CompressionCodecName.UNCOMPRESSED);
        DictionaryPage dictionary = pages.readDictionaryPage();
        if (dictionary != null) {
            writer.writeDictionaryPage(dictionary);
        }
        for (int i = 0; i < index.getPageCount(); i++) {
            DataPage page = pages.readPage();
            while (random.nextInt(3) == 0) {
                empty(column, page);
            }
            write(page, (int) (index.getLastRowIndex(i, rows) - index.getFirstRowIndex(i) + 1));
            if (i + 1 == index.getPageCount() && random.nextBoolean()) {
                empty(column, page);
            }
        }
        writer.endColumn();
    }

    /** A page without values, of the same kind and encodings. */
    private void empty(ColumnDescriptor column, DataPage page) throws IOException {
        Statistics<?> none = Statistics.createStats(column.getPrimitiveType());
        if (page instanceof DataPageV1 first) {
            BytesInput noLevels = BytesInput.fromInt(0);
            int kinds = (column.getMaxRepetitionLevel() > 0 ? 1 : 0) + (column.getMaxDefinitionLevel() > 0 ? 1 : 0);
            BytesInput bytes = BytesInput.concat(Collections.nCopies(kinds, noLevels));
            DataPageV1 empty = new DataPageV1(
                    bytes,
                    0,
                    (int) bytes.size(),
                    none,
                    first.getRlEncoding(),
                    first.getDlEncoding(),
                    first.getValueEncoding());
            write(empty, 0);
        } else if (page instanceof DataPageV2 second) {
            BytesInput nothing = BytesInput.empty();
            write(DataPageV2.uncompressed(0, 0, 0, nothing, nothing, second.getDataEncoding(), nothing, none), 0);
        }
    }

    private void write(DataPage page, int rows) throws IOException {
        if (page instanceof DataPageV1 first) {
            writer.writeDataPage(
                    first.getValueCount(),
                    first.getUncompressedSize(),
                    first.getBytes(),
                    first.getStatistics(),
                    rows,
                    first.getRlEncoding(),
                    first.getDlEncoding(),
                    first.getValueEncoding());
        } else if (page instanceof DataPageV2 second) {
            writer.writeDataPageV2(
                    rows,
                    second.getNullCount(),
                    second.getValueCount(),
                    second.getRepetitionLevels(),
                    second.getDefinitionLevels(),
                    second.getDataEncoding(),
                    second.getData(),
                    false,
                    (int) second.getData().size(),
                    second.getStatistics());
        }
    }
}
