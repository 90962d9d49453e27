package io.rankfeed.spark.source.jsonl;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.file.ComputedIterator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a UTF-8 file or of a range of it, gzipped or not, by default without blank ones. Closes itself at the end. At most
 * {@link #MAX_LINE_BYTES} of a line are in memory.
 */
public final class JsonlLines extends ComputedIterator<JsonlLines.Line> {
    /**
     * Maximum bytes of a line without its end. The longest JSON string that is read fits: 20,000,000 characters of at
     * most 3 bytes each.
     */
    static final int MAX_LINE_BYTES = 64 << 20;

    /**
     * A line of a file.
     *
     * @param number from 0, blank lines counted
     * @param text empty if the line is too long
     * @param lengthBytes of the line in its file
     */
    public record Line(String file, long number, String text, long lengthBytes) {
        private static final String BYTE_ORDER_MARK = "\ufeff";

        /**
         * Returns a line as the file has it, without the byte order mark with which some programs begin a UTF-8 file.
         */
        static Line of(String file, long number, String read, long lengthBytes) {
            boolean isMarked = number == 0 && read.startsWith(BYTE_ORDER_MARK);
            return new Line(file, number, isMarked ? read.substring(1) : read, lengthBytes);
        }

        static Line tooLong(String file, long number, long lengthBytes) {
            return new Line(file, number, "", lengthBytes);
        }

        static CorruptDataException tooLong(String location, long lengthBytes) {
            return new CorruptDataException(
                    location,
                    "has " + lengthBytes + " bytes; a line has at most " + MAX_LINE_BYTES
                            + ": split it into several lines, or store large values in the files of a binary source");
        }

        boolean isTooLong() {
            return lengthBytes > MAX_LINE_BYTES;
        }

        /**
         * The line without its end.
         *
         * @throws CorruptDataException if it is longer than lines may be
         */
        @Override
        public String text() {
            if (isTooLong()) {
                throw tooLong(location(), lengthBytes);
            }
            return text;
        }

        /** The text; empty if the line is too long. */
        String held() {
            return text;
        }

        boolean isBlank() {
            return !isTooLong() && text.isBlank();
        }

        /** File and number, from 1. */
        String location() {
            return file + ":" + (number + 1);
        }

        public CorruptDataException damage(String what) {
            return new CorruptDataException(location(), what);
        }

        /** The argument of {@link #damage}. */
        String what(CorruptDataException damage) {
            return String.valueOf(damage.getMessage()).substring((location() + ": ").length());
        }

        ConfigException refused(String what) {
            return new ConfigException(location() + ": " + what);
        }
    }

    private final String file;
    private final BoundedLines lines;
    private final boolean keepsBlank;
    private long number;

    public JsonlLines(String file, Configuration conf) {
        this(LineRange.whole(file), conf);
    }

    JsonlLines(LineRange range, Configuration conf) {
        this(range, conf, false);
    }

    /** @param keepsBlank whether blank lines are returned too */
    JsonlLines(LineRange range, Configuration conf, boolean keepsBlank) {
        this.keepsBlank = keepsBlank;
        this.file = range.file();
        this.number = range.firstLine() - 1;
        try {
            InputStream raw = range.open(conf);
            this.lines = LineRange.isGzipped(file)
                    ? new BoundedLines(new GzipMembers(raw), MAX_LINE_BYTES)
                    : new BoundedLines(raw, MAX_LINE_BYTES, range.end() - range.begin());
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    protected @Nullable Line compute() {
        number++;
        try {
            for (; lines.next(); number++) {
                Line line = lines.isTooLong()
                        ? Line.tooLong(file, number, lines.lengthBytes())
                        : Line.of(file, number, lines.text(), lines.lengthBytes());
                if (keepsBlank || !line.isBlank()) {
                    return line;
                }
            }
            lines.close();
            return null;
        } catch (CharacterCodingException e) {
            throw new CorruptDataException(file + ":" + (number + 1), "is not valid UTF-8", e);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private RuntimeException failed(IOException e) {
        String where = file + ":" + (number + 1);
        if (e instanceof GzipMembers.CorruptedException) {
            return new CorruptDataException(where, String.valueOf(e.getMessage()), e);
        }
        return new EnvironmentException(IoReason.of("cannot read " + file, e), e);
    }
}
