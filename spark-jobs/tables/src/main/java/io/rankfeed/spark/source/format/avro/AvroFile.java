package io.rankfeed.spark.source.format.avro;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.source.format.BadValue;
import io.rankfeed.spark.source.format.StoredBytes;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** The header and the blocks of an object container file, all of them checked when it is opened. */
final class AvroFile implements Closeable {
    private static final byte[] MAGIC = {'O', 'b', 'j', 1};
    private static final int SYNC_BYTES = 16;
    private static final int MAX_HEADER_BYTES = 64 << 20;
    private static final int FIRST_HEADER_BYTES = 1 << 16;
    /** The maximum bytes of the two numbers before a block, of at most 10 bytes each. */
    private static final int MAX_PREFIX_BYTES = 20;
    /** A row has a byte in nearly every schema. */
    private static final int MAX_ROWS_IN_BLOCK = AvroCodec.MAX_BLOCK_BYTES;

    /** @param offset of its content, which is compressed */
    record Block(long offset, long lengthBytes, long rows) {}

    private final StoredBytes bytes;
    private final Schema schema;
    private final AvroCodec codec;
    private final List<Block> blocks = new ArrayList<>();

    private AvroFile(StoredBytes bytes, Schema schema, AvroCodec codec) {
        this.bytes = bytes;
        this.schema = schema;
        this.codec = codec;
    }

    /** @throws CorruptDataException if it is not complete, or contradicts itself */
    static AvroFile open(Path path, Configuration conf) throws IOException {
        StoredBytes bytes = StoredBytes.open(path, conf);
        try {
            return read(bytes, FIRST_HEADER_BYTES);
        } catch (RuntimeException e) {
            bytes.close();
            throw e;
        }
    }

    /** A header has no length: it is read again with more bytes if it does not end in these. */
    private static AvroFile read(StoredBytes bytes, int headerBytes) {
        int length = (int) Math.min(bytes.lengthBytes(), headerBytes);
        AvroBytes in = new AvroBytes(bytes.read(0, length, "the header"));
        Map<String, byte[]> metadata = new HashMap<>();
        byte[] sync;
        try {
            if (!Arrays.equals(in.readFixed(MAGIC.length), MAGIC)) {
                throw bytes.damage(0, "not an Avro object container file");
            }
            for (long count = in.readCount(); count > 0; count = in.readCount()) {
                for (long i = 0; i < count; i++) {
                    metadata.put(in.readString(), in.readBytes());
                }
            }
            sync = in.readFixed(SYNC_BYTES);
        } catch (BadValue e) {
            if (length < Math.min(bytes.lengthBytes(), MAX_HEADER_BYTES)) {
                return read(bytes, 4 * headerBytes);
            }
            throw e.in(bytes.file(), "the header");
        }
        String codec = new String(
                metadata.getOrDefault("avro.codec", "null".getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
        AvroFile file = new AvroFile(bytes, schema(bytes, metadata), AvroCodec.of(codec, bytes.file()));
        file.walk(in.position(), sync);
        return file;
    }

    private static Schema schema(StoredBytes bytes, Map<String, byte[]> metadata) {
        byte[] stored = metadata.get("avro.schema");
        if (stored == null) {
            throw new CorruptDataException(bytes.file(), "the header has no schema");
        }
        Schema schema;
        try {
            schema = new Schema.Parser(NameValidator.NO_VALIDATION)
                    .setValidateDefaults(false)
                    .parse(new String(stored, StandardCharsets.UTF_8));
        } catch (RuntimeException e) {
            throw new CorruptDataException(bytes.file(), "the schema is invalid: " + e.getMessage(), e);
        }
        if (schema.getType() != Schema.Type.RECORD) {
            throw new ConfigException(
                    bytes.file() + ": its values are of type " + AvroTypes.words(schema) + ", only records are rows");
        }
        return schema;
    }

    private void walk(long from, byte[] sync) {
        long at = from;
        while (at < bytes.lengthBytes()) {
            long left = bytes.lengthBytes() - at;
            AvroBytes prefix = new AvroBytes(bytes.read(at, Math.min(MAX_PREFIX_BYTES, left), "a block"));
            long rows;
            long length;
            try {
                rows = prefix.readLong();
                length = prefix.readLong();
            } catch (BadValue e) {
                throw e.in(bytes.file(), "byte " + at);
            }
            long offset = at + prefix.position();
            if (rows < 0 || rows > MAX_ROWS_IN_BLOCK) {
                throw bytes.damage(at, "a block of " + rows + " rows");
            } else if (length < 0 || length > bytes.lengthBytes() - offset - SYNC_BYTES) {
                throw bytes.damage(at, "a block of " + length + " bytes does not fit into the file");
            }
            at = offset + length;
            if (!Arrays.equals(bytes.read(at, SYNC_BYTES, "a sync marker"), sync)) {
                throw bytes.damage(at, "no sync marker after a block");
            }
            at += SYNC_BYTES;
            blocks.add(new Block(offset, length, rows));
        }
    }

    String file() {
        return bytes.file();
    }

    Schema schema() {
        return schema;
    }

    List<Block> blocks() {
        return blocks;
    }

    long rows() {
        return blocks.stream().mapToLong(Block::rows).sum();
    }

    /** The values of a block. */
    AvroBytes open(Block block) {
        try {
            return new AvroBytes(codec.decompressed(bytes.read(block.offset(), block.lengthBytes(), "a block")));
        } catch (BadValue e) {
            throw e.in(bytes.file(), "byte " + block.offset());
        }
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
