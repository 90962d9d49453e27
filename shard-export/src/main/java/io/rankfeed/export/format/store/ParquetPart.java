package io.rankfeed.export.format.store;

import io.rankfeed.export.format.CountedFile;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFiles;
import io.rankfeed.export.format.PartSummary;
import io.rankfeed.export.parquet.ParquetStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.RecordConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the Parquet file of a part. Its footer has the features of the {@code datasets} library, and the Arrow schema, without which a
 * reader would have lists of any length in place of tensors.
 */
final class ParquetPart implements FormatWriter {
    private static final int ROW_GROUP_BYTES = 64 << 20;

    private final Part part;
    private final CountedFile file;
    private final ParquetWriter<FormatRow> writer;
    private long rows;

    ParquetPart(FileSet set, Part part, PartFiles files) throws IOException {
        this.part = part;
        ArrowFeatures features = new ArrowFeatures(set.schema());
        Map<String, String> footer = Map.of(
                ArrowFeatures.KEY,
                features.metadata(),
                "ARROW:schema",
                Base64.getEncoder().encodeToString(ArrowStream.schema(features)));
        file = new CountedFile(files, HuggingFace.path(set, part.index(), 0));
        // Equal rows give equal bytes: a footer lists the encodings of a column in the order of identity hashes, so
        // each has only one.
        writer = new Builder(new ParquetStream(file), new Support(new ParquetColumns(set.schema()), footer))
                .withConf(new PlainParquetConfiguration())
                .withWriterVersion(WriterVersion.PARQUET_2_0)
                .withDictionaryEncoding(false)
                .withCompressionCodec(CompressionCodecName.ZSTD)
                .withRowGroupSize((long) ROW_GROUP_BYTES)
                .withMinRowCountForPageSizeCheck(1)
                .build();
    }

    @Override
    public void row(FormatRow row) throws IOException {
        writer.write(row);
        rows++;
    }

    @Override
    public PartSummary finish() throws IOException {
        writer.close();
        return PartSummary.of(part.index(), List.of(file.publish(rows)));
    }

    /** Parquet's own close would write the rest of a file that is given up. */
    @Override
    public void close() throws IOException {
        file.close();
    }

    private static final class Builder extends ParquetWriter.Builder<FormatRow, Builder> {
        private final Support support;

        Builder(ParquetStream file, Support support) {
            super(file);
            this.support = support;
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        @Deprecated
        protected WriteSupport<FormatRow> getWriteSupport(Configuration conf) {
            return support;
        }

        @Override
        protected WriteSupport<FormatRow> getWriteSupport(ParquetConfiguration conf) {
            return support;
        }
    }

    private static final class Support extends WriteSupport<FormatRow> {
        private final ParquetColumns columns;
        private final Map<String, String> footer;
        private @Nullable RecordConsumer consumer;

        Support(ParquetColumns columns, Map<String, String> footer) {
            this.columns = columns;
            this.footer = footer;
        }

        @Override
        @Deprecated
        public WriteContext init(Configuration conf) {
            return new WriteContext(columns.type(), footer);
        }

        @Override
        public WriteContext init(ParquetConfiguration conf) {
            return new WriteContext(columns.type(), footer);
        }

        @Override
        public void prepareForWrite(RecordConsumer target) {
            consumer = target;
        }

        @Override
        public void write(FormatRow row) {
            columns.write(row, Objects.requireNonNull(consumer));
        }
    }
}
