package io.rankfeed.spark.source.format.mds;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.format.BadValue;
import io.rankfeed.spark.source.format.RowFormat;
import io.rankfeed.spark.source.format.StoredFile;
import io.rankfeed.spark.source.open.ColumnedFile.Column;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Shards of MDS. Of a compressed shard the decompressed file is read if it exists, as the library does.
 *
 * @param shards by the path of the file that is read
 */
public record MdsFormat(Map<String, MdsShard> shards) implements RowFormat {
    /**
     * The format of the shards that an index lists.
     *
     * @param file the index, for messages
     * @param found the files of its folder
     * @throws CorruptDataException if it is not an index, or lists a file that does not exist
     */
    public static MdsFormat of(JsonNode index, String file, List<SourceFile> found) {
        Map<String, String> paths = new HashMap<>();
        found.forEach(one -> paths.put(one.relative(), one.path().toString()));
        Map<String, MdsShard> shards = new HashMap<>();
        for (MdsShard shard : MdsShard.all(index, file)) {
            String path = paths.getOrDefault(
                    shard.raw().name(), paths.getOrDefault(shard.zip().name(), ""));
            if (path.isEmpty()) {
                throw new CorruptDataException(file, "lists " + shard.zip().name() + ", which does not exist");
            }
            shards.put(path, shard);
        }
        return new MdsFormat(shards);
    }

    boolean reads(SourceFile file) {
        return shards.containsKey(file.path().toString());
    }

    @Override
    public boolean isScanned() {
        return true;
    }

    @Override
    public StoredFile stored(SourceFile file, Configuration conf) throws IOException {
        String path = file.path().toString();
        MdsShard shard = shard(path);
        boolean isZip = file.relative().equals(shard.zip().name());
        MdsFile.checkHashes(path, isZip ? shard.zip() : shard.raw(), conf);
        Map<String, DataType> types = new HashMap<>();
        for (MdsColumn column : shard.columns()) {
            DataType type = column.type();
            if (type != null) {
                types.put(column.name(), type);
            }
        }
        try (MdsFile opened = MdsFile.open(path, shard, conf)) {
            return new StoredFile(
                    file,
                    shard.columns().stream()
                            .map(column -> new Column(column.name(), column.encoding(), true))
                            .toList(),
                    types,
                    OptionalLong.of(opened.samples()));
        }
    }

    private MdsShard shard(String path) {
        return Objects.requireNonNull(shards.get(new Path(path).toString()), path);
    }

    @Override
    public FileRows rows(String file, List<String> columns, Configuration conf) throws IOException {
        MdsShard shard = shard(file);
        MdsFile opened = MdsFile.open(file, shard, conf);
        return new FileRows() {
            private int row;

            @Override
            public @Nullable Object @Nullable [] next() {
                if (row == opened.samples()) {
                    return null;
                }
                @Nullable Object[] values = new @Nullable Object[columns.size()];
                String at = "";
                try {
                    ByteBuffer sample = opened.sample(row);
                    int[] sizes = sizes(shard.columns(), sample);
                    for (int i = 0; i < sizes.length; i++) {
                        MdsColumn column = shard.columns().get(i);
                        at = ", column '" + column.name() + "'";
                        ByteBuffer value = slice(sample, sizes[i]);
                        int index = columns.indexOf(column.name());
                        if (index >= 0) {
                            values[index] = column.value(value);
                        }
                    }
                    at = "";
                    if (sample.hasRemaining()) {
                        throw BadValue.damaged("has " + sample.remaining() + " bytes after its last column");
                    }
                } catch (BadValue e) {
                    throw opened.damage(row, at + ": " + e.getMessage());
                }
                row++;
                return values;
            }

            @Override
            public void close() throws IOException {
                opened.close();
            }
        };
    }

    /** The sizes of columns without a fixed one are before the values. */
    private static int[] sizes(List<MdsColumn> columns, ByteBuffer sample) {
        int[] sizes = new int[columns.size()];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = columns.get(i).size();
            if (sizes[i] == 0) {
                sizes[i] = slice(sample, Integer.BYTES).getInt();
            }
        }
        return sizes;
    }

    private static ByteBuffer slice(ByteBuffer sample, int size) {
        if (size < 0 || size > sample.remaining()) {
            throw BadValue.damaged(
                    "a value of " + (size & 0xffff_ffffL) + " bytes, " + sample.remaining() + " are left");
        }
        ByteBuffer value = sample.slice(sample.position(), size).order(ByteOrder.LITTLE_ENDIAN);
        sample.position(sample.position() + size);
        return value;
    }
}
