package io.rankfeed.export.parquet;

import io.rankfeed.schema.failure.CorruptDataException;
import java.util.Objects;
import org.apache.parquet.format.FileMetaData;
import shaded.parquet.org.apache.thrift.TConfiguration;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.transport.TEndpointTransport;
import shaded.parquet.org.apache.thrift.transport.TTransportException;

/**
 * The bytes of a Parquet footer as Thrift's input, which bounds every length in them. Parquet's own input is a stream that needs a
 * library for logging.
 */
public final class FooterBytes extends TEndpointTransport {
    /** The maximum nesting of structures. */
    public static final int MAX_DEPTH = 32;

    private final byte[] bytes;
    private final int end;
    private int position;

    /** @param start of the footer in the bytes */
    public FooterBytes(byte[] bytes, int start, int length) throws TException {
        super(new TConfiguration(length, length, MAX_DEPTH));
        this.bytes = bytes;
        this.position = start;
        this.end = start + length;
    }

    /**
     * Reads a footer. What it says of the file is not checked.
     *
     * @param file its name, for messages
     * @param offset of the footer in the file
     * @throws CorruptDataException if the bytes are not a footer
     */
    public static FileMetaData metadata(byte[] footer, String file, long offset) {
        try {
            FileMetaData metadata = new FileMetaData();
            metadata.read(new FooterBytes(footer, 0, footer.length).protocol());
            return metadata;
        } catch (TException | RuntimeException e) {
            throw new CorruptDataException(file, offset, "the Parquet footer cannot be read: " + why(e), e);
        }
    }

    /** Thrift's messages end with the structure that is read, over many lines. */
    private static String why(Exception e) {
        String message = Objects.requireNonNullElse(e.getMessage(), "").replaceFirst("(?s)(! Struct:|\\n).*", "");
        return message.isBlank() ? "its content is not valid" : message;
    }

    /** The reader of the encoding that footers have. */
    public TCompactProtocol protocol() {
        return new TCompactProtocol(this, end - position, end - position);
    }

    /** The index of the next byte in the array. */
    public int position() {
        return position;
    }

    @Override
    public int read(byte[] to, int from, int length) throws TTransportException {
        int read = Math.min(length, end - position);
        if (read <= 0 && length > 0) {
            throw new TTransportException(TTransportException.END_OF_FILE, "it ends within a value");
        }
        System.arraycopy(bytes, position, to, from, read);
        position += read;
        return read;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void open() {}

    @Override
    public void close() {}

    @Override
    public void write(byte[] from, int start, int length) {
        throw new UnsupportedOperationException("a footer is only read");
    }
}
