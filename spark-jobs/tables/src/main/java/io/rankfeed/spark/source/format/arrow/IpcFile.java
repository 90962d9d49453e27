package io.rankfeed.spark.source.format.arrow;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.spark.source.format.StoredBytes;
import io.rankfeed.spark.source.format.arrow.BatchParts.Batch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * The messages of an IPC file or stream, all of them checked when it is opened. A file is a stream between two magic words, with a
 * footer that repeats its schema and where its messages are.
 */
final class IpcFile implements Closeable {
    static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    static final int PREFIX_BYTES = 8;
    static final int MAX_METADATA_BYTES = 256 << 20;
    private static final byte[] FEATHER_1 = "FEA1".getBytes(StandardCharsets.US_ASCII);
    private static final int CONTINUATION = -1;

    /**
     * A message with a body.
     *
     * @param dictionary the number of the dictionary, null of a record batch
     * @param metadataOffset of its flatbuffer
     * @param bodyOffset the end of its flatbuffer
     */
    record Part(@Nullable Long dictionary, long metadataOffset, long bodyOffset, long bodyBytes, long rows) {
        long offset() {
            return metadataOffset - PREFIX_BYTES;
        }
    }

    private final StoredBytes bytes;
    private final boolean isStream;
    private final List<Part> parts = new ArrayList<>();
    private boolean isSchemaRead;
    private List<ArrowField> fields = List.of();
    private Map<Long, ArrowField> dictionaries = Map.of();

    boolean isStream() {
        return isStream;
    }

    private IpcFile(StoredBytes bytes, boolean isStream) {
        this.bytes = bytes;
        this.isStream = isStream;
    }

    /** @throws CorruptDataException if it is not complete, or contradicts itself */
    static IpcFile open(Path path, Configuration conf) throws IOException {
        StoredBytes bytes = StoredBytes.open(path, conf);
        try {
            byte[] head = bytes.read(0, Math.min(bytes.lengthBytes(), MAGIC.length), "the magic");
            if (Arrays.equals(head, 0, Math.min(head.length, FEATHER_1.length), FEATHER_1, 0, FEATHER_1.length)) {
                throw new ConfigException(
                        bytes.file() + ": Feather version 1 is not supported; write the file again with"
                                + " pyarrow.feather.write_feather, which writes version 2");
            }
            IpcFile file = new IpcFile(bytes, !Arrays.equals(head, MAGIC));
            if (file.isStream) {
                file.walk(0, bytes.lengthBytes());
            } else {
                IpcFooter footer = IpcFooter.read(bytes);
                file.walk(file.firstMessage(footer), footer.offset());
                footer.compare(file.fields, file.parts);
            }
            return file;
        } catch (RuntimeException e) {
            bytes.close();
            throw e;
        }
    }

    StoredBytes bytes() {
        return bytes;
    }

    String file() {
        return bytes.file();
    }

    List<ArrowField> fields() {
        return fields;
    }

    /** See {@link ArrowSchema#dictionaries}. */
    Map<Long, ArrowField> dictionaries() {
        return dictionaries;
    }

    /** The messages in the order in which they must be read: dictionaries of a file are valid in all of it. */
    List<Part> parts() {
        List<Part> ordered = new ArrayList<>(parts);
        if (!isStream) {
            ordered.sort((a, b) -> Boolean.compare(a.dictionary() == null, b.dictionary() == null));
        }
        return ordered;
    }

    long rows() {
        return parts.stream()
                .filter(part -> part.dictionary() == null)
                .mapToLong(Part::rows)
                .sum();
    }

    /**
     * Returns the offset of the first message. Some writers, such as Polars, write no schema message before the first
     * batch: the footer's schema is read then.
     */
    private long firstMessage(IpcFooter footer) {
        byte[] marker = bytes.read(PREFIX_BYTES, Integer.BYTES, "a message");
        if (little(marker).getInt() == CONTINUATION) {
            return PREFIX_BYTES;
        }
        setFields(footer.fields());
        return Stream.concat(footer.dictionaries().stream(), footer.batches().stream())
                .mapToLong(block -> block.get(0))
                .min()
                .orElse(footer.offset());
    }

    private void setFields(List<ArrowField> read) {
        isSchemaRead = true;
        fields = read;
        dictionaries = ArrowSchema.dictionaries(read, file());
    }

    private void walk(long from, long end) {
        long at = from;
        boolean isEnded = false;
        while (at < end && !isEnded) {
            ByteBuffer prefix = little(bytes.read(at, Math.min(PREFIX_BYTES, end - at), "a message"));
            if (prefix.remaining() < PREFIX_BYTES || prefix.getInt() != CONTINUATION) {
                throw bytes.damage(at, at == 0 ? "not an Arrow IPC file or stream" : "no message of Arrow starts here");
            }
            int metadataBytes = prefix.getInt();
            at += PREFIX_BYTES;
            if (metadataBytes < 0 || metadataBytes > MAX_METADATA_BYTES || metadataBytes > end - at) {
                throw bytes.damage(at, "a message of " + metadataBytes + " bytes does not fit into the file");
            }
            isEnded = metadataBytes == 0;
            if (!isEnded) {
                at = message(at, metadataBytes, end);
            }
        }
        if (isStream && !isEnded) {
            throw bytes.damage(at, "no end-of-stream marker; the stream is truncated");
        } else if (isStream && at != end) {
            throw bytes.damage(at, (end - at) + " bytes after the end-of-stream marker");
        } else if (!isSchemaRead) {
            throw bytes.damage(from, "no schema");
        }
    }

    /** Returns where the next message starts. */
    private long message(long offset, int metadataBytes, long end) {
        long bodyOffset = offset + metadataBytes;
        ByteBuffer metadata = little(bytes.read(offset, metadataBytes, "a message"));
        return guarded(bytes, offset, "message", () -> {
            Message message = Message.getRootAsMessage(metadata);
            requireVersion(bytes, message.version());
            long bodyBytes = message.bodyLength();
            if (bodyBytes < 0 || bodyBytes > end - bodyOffset) {
                throw bytes.damage(offset, "a body of " + bodyBytes + " bytes does not fit into the file");
            } else if (message.headerType() == MessageHeader.Schema) {
                if (isSchemaRead || bodyBytes != 0) {
                    throw bytes.damage(offset, "a second schema, or one with a body");
                }
                setFields(ArrowSchema.read((Schema) message.header(new Schema()), file()));
            } else if (!isSchemaRead) {
                throw bytes.damage(offset, "the first message is not the schema");
            } else {
                Batch batch = batch(message, offset);
                parts.add(new Part(batch.dictionary(), offset, bodyOffset, bodyBytes, batch.rows()));
                BatchParts.of(batch, bytes, bodyOffset, bodyBytes);
            }
            return bodyOffset + bodyBytes;
        });
    }

    /** The buffers of a message. */
    BatchParts open(Part part) {
        long offset = part.metadataOffset();
        ByteBuffer metadata = little(bytes.read(offset, part.bodyOffset() - offset, "a message"));
        return guarded(
                bytes,
                offset,
                "message",
                () -> BatchParts.of(
                        batch(Message.getRootAsMessage(metadata), offset), bytes, part.bodyOffset(), part.bodyBytes()));
    }

    private Batch batch(Message message, long offset) {
        if (message.headerType() == MessageHeader.RecordBatch) {
            RecordBatch header = (RecordBatch) Objects.requireNonNull(message.header(new RecordBatch()));
            return new Batch(null, false, header, fields);
        } else if (message.headerType() != MessageHeader.DictionaryBatch) {
            throw bytes.damage(offset, "a message of type " + message.headerType() + " is not part of a table");
        }
        DictionaryBatch header = (DictionaryBatch) Objects.requireNonNull(message.header(new DictionaryBatch()));
        ArrowField values = dictionaries.get(header.id());
        if (values == null) {
            throw bytes.damage(offset, "dictionary " + header.id() + " is not in the schema");
        }
        return new Batch(header.id(), header.isDelta(), Objects.requireNonNull(header.data()), List.of(values));
    }

    static void requireVersion(StoredBytes bytes, short version) {
        if (version != MetadataVersion.V4 && version != MetadataVersion.V5) {
            throw new ConfigException(bytes.file() + ": version " + (version + 1)
                    + " of Arrow's metadata is not supported," + " only 4 and 5; write the file again");
        }
    }

    /** Flatbuffers are not verified before they are read: what their accessors throw is damage. */
    static <T> T guarded(StoredBytes bytes, long offset, String what, Supplier<T> read) {
        try {
            return read.get();
        } catch (RankfeedException e) {
            throw e;
        } catch (IndexOutOfBoundsException
                | IllegalArgumentException
                | ArithmeticException
                | NegativeArraySizeException
                | NullPointerException e) {
            throw bytes.damage(offset, "the " + what + " is invalid: " + e.getMessage());
        }
    }

    static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
