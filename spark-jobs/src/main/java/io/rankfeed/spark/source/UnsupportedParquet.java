package io.rankfeed.spark.source;

import io.rankfeed.schema.failure.ConfigException;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.execution.datasources.parquet.ParquetToSparkSchemaConverter;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Valid Parquet that Spark cannot read, found in footers before a task meets it: a configuration error, not a corrupted file. */
final class UnsupportedParquet {
    private static final Set<CompressionCodecName> CODECS = Set.of(
            CompressionCodecName.UNCOMPRESSED,
            CompressionCodecName.SNAPPY,
            CompressionCodecName.GZIP,
            CompressionCodecName.ZSTD,
            CompressionCodecName.LZ4,
            CompressionCodecName.LZ4_RAW);

    private UnsupportedParquet() {}

    /** Why the values of a chunk cannot be read; nothing where they can. */
    static List<String> of(ColumnChunkMetaData chunk, FSDataInputStream in) throws IOException {
        List<String> why = new ArrayList<>();
        if (chunk.getEncodings().contains(Encoding.BYTE_STREAM_SPLIT)) {
            why.add("encoding BYTE_STREAM_SPLIT");
        }
        if (!CODECS.contains(chunk.getCodec())) {
            why.add("codec " + chunk.getCodec());
        } else if (chunk.getCodec() == CompressionCodecName.LZ4 && !isHadoopFramed(chunk, in)) {
            why.add("codec LZ4 without Hadoop's framing");
        }
        return why;
    }

    /** Where a column is encrypted, the row group's size cannot be read either. @throws ConfigException naming the columns */
    static void refuseEncrypted(BlockMetaData block, String file) {
        List<String> encrypted = block.getColumns().stream()
                .filter(ColumnChunkMetaData::isEncrypted)
                .map(chunk -> "'" + chunk.getPath().toDotString() + "'")
                .toList();
        if (!encrypted.isEmpty()) {
            throw new ConfigException(file + ": unsupported: encrypted Parquet columns " + String.join(", ", encrypted)
                    + "; decrypt the file");
        }
    }

    /**
     * Refuses columns of a source that cannot be read.
     *
     * @param chosen the source's {@code columns:}; empty: all
     * @return the schema of those that can
     * @throws ConfigException naming every other column that is wanted, with its file and the reason
     */
    static StructType readable(String source, StructType stored, List<ParquetFooter> footers, List<String> chosen) {
        Map<String, String> unsupported = new TreeMap<>();
        String file = footers.get(0).file().path().toString();
        for (ParquetFooter footer : footers) {
            for (Map.Entry<String, String> column : footer.unsupported().entrySet()) {
                if (unsupported.putIfAbsent(column.getKey(), column.getValue()) == null && unsupported.size() == 1) {
                    file = footer.file().path().toString();
                }
            }
        }
        for (Type field : footers.get(0).schema().getFields()) {
            if (!stored.getFieldIndex(field.getName()).isDefined()) {
                unsupported.put(field.getName(), "type " + field.toString().replaceAll("\\s+", " "));
            }
        }
        boolean wanted = unsupported.keySet().stream()
                .anyMatch(column -> chosen.isEmpty() || chosen.stream().anyMatch(column::equalsIgnoreCase));
        if (wanted) {
            throw new ConfigException("sources." + source + ": " + file + ": unsupported Parquet in "
                    + unsupported.entrySet().stream()
                            .map(column -> "column '" + column.getKey() + "' (" + column.getValue() + ")")
                            .collect(Collectors.joining(", "))
                    + "; name the other columns under sources." + source
                    + ".columns, or write the table again with types,"
                    + " encodings and codecs that Spark reads");
        }
        return stored;
    }

    /** The columns that Spark has a type for. */
    static StructType convertible(MessageType schema) {
        ParquetToSparkSchemaConverter converter = new ParquetToSparkSchemaConverter(SQLConf.get());
        return new StructType(schema.getFields().stream()
                .flatMap(field -> converted(converter, schema.getName(), field).stream())
                .toArray(StructField[]::new));
    }

    private static Optional<StructField> converted(ParquetToSparkSchemaConverter converter, String root, Type field) {
        try {
            return Optional.of(converter.convert(new MessageType(root, field)).fields()[0]);
        } catch (Exception e) {
            // Scala throws checked exceptions unannounced; whatever it is, Spark has no type for this column.
            return Optional.empty();
        }
    }

    /** Hadoop's LZ4 begins each page with its length in big-endian bytes; others write the LZ4 block alone. */
    private static boolean isHadoopFramed(ColumnChunkMetaData chunk, FSDataInputStream in) throws IOException {
        in.seek(chunk.getStartingPos());
        PageHeader header = Util.readPageHeader(in);
        return header.getCompressed_page_size() >= 8
                && new DataInputStream(in).readInt() == header.getUncompressed_page_size();
    }
}
