package io.rankfeed.schema.cache;

/**
 * A record batch of a cache file.
 *
 * @param offset where its message starts in the file; what its CRC32C covers ends at {@link #end}
 * @param bodyOffset where its body starts in the file
 * @param body where the buffers are in the body
 * @param crc32c of message and body, as the footer has it
 */
public record CacheBatch(long offset, long bodyOffset, BatchBody body, int crc32c) {
    public int rows() {
        return body.rows();
    }

    /** The first byte after the batch. */
    public long end() {
        return bodyOffset + body.lengthBytes();
    }

    /** The offset in the file of a column's values, in bytes. */
    public long valuesOffset(int column) {
        return bodyOffset + body.valuesAt(column);
    }

    /** Declared length of a column's values, padding included. */
    public long valuesBytes(int column) {
        return body.valuesBytes(column);
    }

    /** The offset in the file of a LIST column's int32 item offsets, in bytes. */
    public long itemOffsetsOffset(int column) {
        return bodyOffset + body.itemOffsetsAt(column);
    }

    /** The offset in the file of a column's {@code rows + 1} int32 offsets, in bytes; meaningless for a FIXED column. */
    public long offsetsOffset(int column) {
        return bodyOffset + body.offsetsAt(column);
    }
}
