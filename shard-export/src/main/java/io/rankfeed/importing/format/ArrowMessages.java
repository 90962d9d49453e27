package io.rankfeed.importing.format;

import io.rankfeed.schema.cache.FileBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.jspecify.annotations.Nullable;

/** The messages of an Arrow IPC stream, one after the other; of an Arrow IPC file its stream is read, and its footer is not. */
final class ArrowMessages {
    private static final byte[] FILE_MAGIC = "ARROW1\0\0".getBytes(StandardCharsets.US_ASCII);
    private static final int PREFIX_BYTES = 8;
    private static final int CONTINUATION = -1;
    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private final FileBytes file;
    private final Schema schema;
    /** A stream may end without its end marker. */
    private final boolean isStream;

    private long at;

    /**
     * A record batch.
     *
     * @param offset of the message in the file
     * @param bodyOffset offset of the body in the file
     * @param bodyBytes length of the body, which is in the file
     */
    record Batch(long offset, RecordBatch header, long bodyOffset, long bodyBytes) {}

    private record Read(Message message, long bodyOffset, long end) {}

    /** Reads the schema. @throws CorruptDataException if the file does not begin with one */
    ArrowMessages(FileBytes file) {
        this.file = file;
        isStream = file.lengthBytes() < FILE_MAGIC.length
                || !file.read(0, FILE_MAGIC.length, "the magic").equals(ByteBuffer.wrap(FILE_MAGIC));
        at = isStream ? 0 : FILE_MAGIC.length;
        long offset = at;
        Read first = next();
        if (first == null) {
            throw file.damage(offset, "is not an Arrow stream: it has no schema");
        }
        schema = file.flatbuffer(offset, "schema message", () -> {
            if (!(first.message().headerType() == MessageHeader.Schema
                    && first.message().header(new Schema()) instanceof Schema header)) {
                throw file.damage(offset, "is not an Arrow stream: its first message is not a schema");
            }
            if (header.endianness() != Endianness.Little) {
                throw Folders.unsupported(file, "is big-endian; write it on a little-endian machine");
            }
            return header;
        });
        at = first.end();
    }

    Schema schema() {
        return schema;
    }

    /** The offset of the next message, in bytes. */
    long position() {
        return at;
    }

    /** Returns the next record batch, null at the end. @throws CorruptDataException if what follows is not a message that the file has */
    @Nullable
    Batch nextBatch() {
        for (Read read = next(); read != null; read = next()) {
            Optional<Batch> batch = batch(at, read);
            at = read.end();
            if (batch.isPresent()) {
                return batch.get();
            }
        }
        return null;
    }

    /** The record batch of a message; empty for a dictionary. */
    private Optional<Batch> batch(long offset, Read read) {
        Message message = read.message();
        return file.flatbuffer(offset, "message", () -> {
            if (message.headerType() == MessageHeader.DictionaryBatch) {
                return Optional.empty();
            }
            if (!(message.headerType() == MessageHeader.RecordBatch
                    && message.header(new RecordBatch()) instanceof RecordBatch header)) {
                throw file.damage(offset, "a message of type " + message.headerType() + " is not a record batch");
            }
            if (header.compression() != null) {
                throw Folders.unsupported(file, "its record batches are compressed; write them without compression");
            }
            return Optional.of(new Batch(offset, header, read.bodyOffset(), message.bodyLength()));
        });
    }

    /** Reads the message at the position; null at the end of the stream or of the file. */
    private @Nullable Read next() {
        long offset = at;
        if (offset == file.lengthBytes() && !isStream) {
            throw file.damage(offset, "is cut off: it has no end marker and no footer");
        } else if (offset == file.lengthBytes()) {
            return null;
        }
        ByteBuffer prefix = file.read(offset, PREFIX_BYTES, "the prefix of a message");
        int continuation = prefix.getInt();
        int length = prefix.getInt();
        if (continuation != CONTINUATION) {
            throw file.damage(offset, "is not a message of an Arrow stream; write a file of Arrow before 0.15 again");
        } else if (length == 0) {
            return null;
        } else if (length < 0 || length > MAX_MESSAGE_BYTES) {
            throw file.damage(
                    offset, "a message of " + length + " bytes is invalid; at most " + MAX_MESSAGE_BYTES + " are read");
        }
        ByteBuffer bytes = file.read(offset + PREFIX_BYTES, length, "a message");
        long bodyOffset = offset + PREFIX_BYTES + length;
        return file.flatbuffer(offset, "message", () -> {
            Message message = Message.getRootAsMessage(bytes);
            long bodyBytes = message.bodyLength();
            if (bodyBytes < 0 || bodyBytes > file.lengthBytes() - bodyOffset) {
                throw file.damage(
                        offset,
                        "its body of " + bodyBytes + " bytes does not fit into the file's " + file.lengthBytes());
            }
            return new Read(message, bodyOffset, bodyOffset + bodyBytes);
        });
    }
}
