package io.rankfeed.spark.source.jsonl;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.file.ComputedIterator;
import io.rankfeed.spark.source.jsonl.JsonlLines.Line;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a file that one task reads, ascending. Only their bytes are read, and gaps that are shorter than a page.
 */
public final class LineChunk implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int MAX_LINES = 1 << 14;
    private static final long MAX_BYTES = 32L << 20;
    private static final int READ_OVER_BYTES = 4096;
    private static final int READ_AT_ONCE_BYTES = 1 << 20;

    private final String file;
    private final int[] lines;
    private final long[] starts;
    private final int[] lengths;

    private LineChunk(String file, int[] lines, LineIndex index) {
        this.file = file;
        this.lines = lines;
        this.starts = Arrays.stream(lines).mapToLong(index::start).toArray();
        this.lengths = Arrays.stream(lines)
                .map(line -> (int) (index.start(line + 1) - index.start(line)))
                .toArray();
    }

    /** @param lines ascending, none twice */
    public static List<LineChunk> of(String file, int[] lines, LineIndex index) {
        List<LineChunk> chunks = new ArrayList<>();
        int from = 0;
        long bytes = 0;
        for (int i = 0; i < lines.length; i++) {
            bytes += index.start(lines[i] + 1) - index.start(lines[i]);
            if (i + 1 == lines.length || i + 1 - from == MAX_LINES || bytes >= MAX_BYTES) {
                chunks.add(new LineChunk(file, Arrays.copyOfRange(lines, from, i + 1), index));
                from = i + 1;
                bytes = 0;
            }
        }
        return chunks;
    }

    public String file() {
        return file;
    }

    /** The lines, some of them read at a time. The file is closed after the last. */
    public Iterator<Line> read(Configuration conf) {
        return new ComputedIterator<>() {
            private final FSDataInputStream in = open(conf);
            private int next;
            private int read;
            private long from;
            private byte[] bytes = new byte[0];

            @Override
            protected @Nullable Line compute() {
                if (next == lines.length) {
                    return null;
                } else if (next == read) {
                    read = end(next);
                    from = starts[next];
                    bytes = bytes(in, next, read);
                }
                int at = next++;
                return line(at, bytes, (int) (starts[at] - from));
            }
        };
    }

    /** Returns the index after the last line that is read together with the line at {@code first}. */
    private int end(int first) {
        int end = first + 1;
        while (end < lines.length
                && starts[end] - (starts[end - 1] + lengths[end - 1]) <= READ_OVER_BYTES
                && starts[end] + lengths[end] - starts[first] <= READ_AT_ONCE_BYTES) {
            end++;
        }
        return end;
    }

    private FSDataInputStream open(Configuration conf) {
        Path path = new Path(file);
        try {
            return Storage.of(path, conf).open(path);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private byte[] bytes(FSDataInputStream in, int first, int end) {
        byte[] read = new byte[(int) (starts[end - 1] + lengths[end - 1] - starts[first])];
        try {
            in.readFully(starts[first], read);
            if (end == lines.length) {
                in.close();
            }
            return read;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private EnvironmentException failed(IOException e) {
        return new EnvironmentException(IoReason.of("cannot read " + file, e), e);
    }

    private Line line(int at, byte[] read, int offset) {
        int length = lengths[at];
        while (length > 0 && (read[offset + length - 1] == '\n' || read[offset + length - 1] == '\r')) {
            length--;
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(read, offset, length))
                    .toString();
            Line line = Line.of(file, lines[at], text, length);
            if (line.isBlank()) {
                throw line.damage("is blank, and the metadata counts it as a row; remove it from both");
            }
            return line;
        } catch (CharacterCodingException e) {
            throw new CorruptDataException(file + ":" + (lines[at] + 1), "is not valid UTF-8", e);
        }
    }
}
