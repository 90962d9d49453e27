package io.rankfeed.importing.format;

import io.rankfeed.schema.cache.FileBytes;
import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.ByteBuffer;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.RecordBatch;

/** The nodes and buffers of a record batch, taken one after the other in the order of the schema's fields. */
final class ArrowBuffers {
    private final FileBytes file;
    private final ArrowMessages.Batch batch;
    private int node;
    private int buffer;

    ArrowBuffers(FileBytes file, ArrowMessages.Batch batch) {
        this.file = file;
        this.batch = batch;
    }

    /**
     * A buffer.
     *
     * @param at offset in the file; the file has all of it
     */
    record Range(long at, long bytes) {}

    /**
     * A field's values, or those of a child.
     *
     * @param rows number of values
     */
    record Node(long rows, long nulls) {}

    Node node() {
        if (node >= header().nodesLength()) {
            throw damage("the record batch has fewer nodes than its schema");
        }
        FieldNode next = header().nodes(node++);
        if (next.length() < 0
                || next.nullCount() < 0
                || next.nullCount() > next.length()
                || next.length() > Integer.MAX_VALUE) {
            throw damage("node " + (node - 1) + " has " + next.length() + " rows, " + next.nullCount() + " null");
        }
        return new Node(next.length(), next.nullCount());
    }

    Range range() {
        if (buffer >= header().buffersLength()) {
            throw damage("the record batch has fewer buffers than its schema");
        }
        Buffer next = header().buffers(buffer++);
        if (next.offset() < 0 || next.length() < 0 || next.offset() > batch.bodyBytes() - next.length()) {
            throw damage("buffer " + (buffer - 1) + " of " + next.length() + " bytes at " + next.offset()
                    + " is not in the body of " + batch.bodyBytes());
        }
        return new Range(batch.bodyOffset() + next.offset(), next.length());
    }

    /** Reads the first bytes of a buffer. @throws CorruptDataException if it has fewer */
    ByteBuffer read(Range range, long bytes, String what) {
        require(range, bytes, what);
        return file.read(range.at(), bytes, what);
    }

    void require(Range range, long bytes, String what) {
        if (bytes > range.bytes()) {
            throw file.damage(range.at(), what + " need " + bytes + " bytes; the buffer has " + range.bytes());
        }
    }

    /** The exception for a record batch that is not one of its schema. */
    CorruptDataException damage(String what) {
        return file.damage(batch.offset(), what);
    }

    FileBytes file() {
        return file;
    }

    private RecordBatch header() {
        return batch.header();
    }
}
