package io.rankfeed.spark.source;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.run.Storage;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/** The lines of a UTF-8 file, gzipped or not, blank ones left out. Closes itself at the end. */
final class JsonlLines implements Iterator<JsonlLines.Line> {
    /**
     * A line that is not blank.
     *
     * @param number from 0, blank lines counted
     */
    record Line(String file, long number, String text) {
        CorruptDataException damage(String what) {
            return new CorruptDataException(file + ":" + (number + 1), what);
        }
    }

    private final String file;
    private final BufferedReader reader;
    private long number = -1;
    private @Nullable Line next;
    private boolean ended;

    JsonlLines(String file, Configuration conf) {
        this.file = file;
        Path path = new Path(file);
        try {
            InputStream raw = Storage.of(path, conf).open(path);
            InputStream in = file.endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw;
            this.reader = new BufferedReader(new InputStreamReader(
                    in,
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .onUnmappableCharacter(CodingErrorAction.REPORT)));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public boolean hasNext() {
        while (next == null && !ended) {
            advance();
        }
        return next != null;
    }

    @Override
    public Line next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        Line line = next;
        next = null;
        return line;
    }

    private void advance() {
        try {
            String text = reader.readLine();
            number++;
            if (text == null) {
                ended = true;
                reader.close();
            } else if (!text.isBlank()) {
                next = new Line(file, number, text);
            }
        } catch (IOException e) {
            number++;
            throw failed(e);
        }
    }

    private RuntimeException failed(IOException e) {
        String where = file + ":" + (number + 1);
        if (e instanceof CharacterCodingException) {
            return new CorruptDataException(where, "is no valid UTF-8 (within the next lines)", e);
        } else if (e instanceof ZipException || e instanceof EOFException) {
            return new CorruptDataException(where, "the gzip stream is damaged: " + e.getMessage(), e);
        }
        return new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
    }
}
