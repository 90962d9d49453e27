package io.rankfeed.spark.source.jsonl;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.file.ComputedIterator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/** The lines of a UTF-8 file, gzipped or not, blank ones left out. Closes itself at the end. */
public final class JsonlLines extends ComputedIterator<JsonlLines.Line> {
    /**
     * A line of a file.
     *
     * @param number from 0, blank lines counted
     */
    public record Line(String file, long number, String text) {
        private static final String BYTE_ORDER_MARK = "\ufeff";

        /** What a file has there, without the mark with which some programs begin a UTF-8 file. */
        static Line of(String file, long number, String read) {
            return new Line(file, number, number == 0 && read.startsWith(BYTE_ORDER_MARK) ? read.substring(1) : read);
        }

        boolean isBlank() {
            return text.isBlank();
        }

        /** File and number, from 1. */
        String place() {
            return file + ":" + (number + 1);
        }

        public CorruptDataException damage(String what) {
            return new CorruptDataException(place(), what);
        }

        /** The argument of {@link #damage}. */
        String what(CorruptDataException damage) {
            return String.valueOf(damage.getMessage()).substring((place() + ": ").length());
        }

        ConfigException refused(String what) {
            return new ConfigException(place() + ": " + what);
        }
    }

    private final String file;
    private final Configuration conf;
    private final BufferedReader reader;
    private long number = -1;

    public JsonlLines(String file, Configuration conf) {
        this.file = file;
        this.conf = conf;
        try {
            this.reader = new BufferedReader(new InputStreamReader(bytes(), StandardCharsets.UTF_8.newDecoder()));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private InputStream bytes() throws IOException {
        Path path = new Path(file);
        InputStream raw = Storage.of(path, conf).open(path);
        return file.endsWith(".gz") ? new GzipMembers(raw) : raw;
    }

    @Override
    protected @Nullable Line compute() {
        try {
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                Line line = Line.of(file, ++number, text);
                if (!line.isBlank()) {
                    return line;
                }
            }
            number++;
            reader.close();
            return null;
        } catch (IOException e) {
            number++;
            throw e instanceof CharacterCodingException ? undecodable() : failed(e);
        }
    }

    /** The reader is ahead of its lines by a buffer; so they are read again, each by itself. */
    private RuntimeException undecodable() {
        long at = 0;
        // A character a byte, so that no line fails before its turn; lines end alike.
        try (BufferedReader again = new BufferedReader(new InputStreamReader(bytes(), StandardCharsets.ISO_8859_1))) {
            for (String line = again.readLine(); line != null; line = again.readLine()) {
                at++;
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line.getBytes(StandardCharsets.ISO_8859_1)));
            }
            return new EnvironmentException(file + " changed while the job read it; run the job again");
        } catch (CharacterCodingException e) {
            return new CorruptDataException(file + ":" + at, "is not valid UTF-8", e);
        } catch (IOException e) {
            return failed(e);
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
