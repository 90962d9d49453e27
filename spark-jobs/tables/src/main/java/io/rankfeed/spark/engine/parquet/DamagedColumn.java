package io.rankfeed.spark.engine.parquet;

import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.export.parquet.DamagedContent;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.HadoopReadOptions;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.DummyRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** Finds the column at which a reader failed. The reader's exception does not name it. */
final class DamagedColumn {
    private DamagedColumn() {}

    /**
     * Reads the columns again, one by one.
     *
     * @param isRead whether a top-level column is read
     * @param from start of the byte range, up to {@code to}, in which the middles of the row groups are
     * @return empty if all can be read
     */
    static Optional<CorruptDataException> find(
            Path file, Predicate<String> isRead, long from, long to, Configuration conf) {
        ParquetReadOptions options = HadoopReadOptions.builder(conf)
                .withRange(from, to)
                .usePageChecksumVerification(true)
                .build();
        try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromPath(file, conf), options)) {
            for (Type field : reader.getFileMetaData().getSchema().getFields()) {
                if (isRead.test(field.getName())) {
                    try {
                        read(file, options, conf, field);
                    } catch (IOException | RuntimeException e) {
                        return StorageFailures.isUnavailable(e)
                                ? Optional.empty()
                                : Optional.of(new CorruptDataException(
                                        file.toString(),
                                        "column " + field.getName() + " cannot be read: " + DamagedContent.why(e),
                                        e));
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            // The reader's own failure is reported.
            return Optional.empty();
        }
        return Optional.empty();
    }

    private static void read(Path file, ParquetReadOptions options, Configuration conf, Type field) throws IOException {
        try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromPath(file, conf), options)) {
            String root = reader.getFileMetaData().getSchema().getName();
            MessageType schema = new MessageType(root, field);
            reader.setRequestedSchema(schema);
            for (PageReadStore group = reader.readNextRowGroup(); group != null; group = reader.readNextRowGroup()) {
                ColumnReadStoreImpl store = new ColumnReadStoreImpl(
                        group,
                        new DummyRecordConverter(schema).getRootConverter(),
                        schema,
                        reader.getFileMetaData().getCreatedBy());
                for (ColumnDescriptor column : schema.getColumns()) {
                    long count = group.getPageReader(column).getTotalValueCount();
                    ColumnReader values = store.getColumnReader(column);
                    for (long i = 0; i < count; i++) {
                        if (values.getCurrentDefinitionLevel() == column.getMaxDefinitionLevel()) {
                            values.writeCurrentValueToConverter();
                        }
                        values.consume();
                    }
                }
            }
        }
    }
}
