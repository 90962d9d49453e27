package io.rankfeed.console;

import io.rankfeed.schema.config.Redaction;
import io.rankfeed.schema.failure.Printable;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Replaces secrets and escapes control characters in standard output or standard error, also in text of Spark and
 * libraries. Names of columns, strata and files come from data, and messages quote them. Text is held until its line
 * ends or the stream is flushed. Ends of lines and tabs are not changed.
 */
public final class PrintableStream extends PrintStream {
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final Lines lines;

    PrintableStream(PrintStream raw, Charset charset) {
        this(new Lines(raw, charset), charset);
    }

    private PrintableStream(Lines lines, Charset charset) {
        super(lines, false, charset);
        this.lines = lines;
    }

    /**
     * Replaces System.out and System.err. Call it before a command line is created, because a command line keeps the
     * streams that it finds then.
     */
    public static void install() {
        if (!(System.out instanceof PrintableStream)) {
            System.setOut(of(System.out, "stdout"));
        }
        if (!(System.err instanceof PrintableStream)) {
            System.setErr(of(System.err, "stderr"));
        }
    }

    /** Prints the last line of System.err. Whatever any thread or library writes to the stream afterwards is dropped. */
    public static void end(String line) {
        if (System.err instanceof PrintableStream stream) {
            stream.lines.end(line);
        } else {
            System.err.println(Console.printable(line));
        }
    }

    private static PrintableStream of(PrintStream raw, String name) {
        PrintableStream stream = new PrintableStream(raw, charset(name));
        Runtime.getRuntime().addShutdownHook(new Thread(stream::flush, "rankfeed-flush-" + name));
        return stream;
    }

    /** Java 17 has only the second property, and only on a terminal. */
    private static Charset charset(String stream) {
        return Stream.of(stream + ".encoding", "sun." + stream + ".encoding")
                .map(System::getProperty)
                .filter(name -> name != null && Charset.isSupported(name))
                .findFirst()
                .map(Charset::forName)
                .orElseGet(Charset::defaultCharset);
    }

    /** Replaces the last line of a terminal, which has no end yet, by a text of one line; an empty one removes it. */
    public static void redraw(PrintStream out, String line) {
        String text = CLEAR_LINE + Console.printable(line);
        if (out instanceof PrintableStream stream) {
            stream.lines.redraw(text);
        } else {
            out.print(text);
            out.flush();
        }
    }

    /** From now on, all text that is written to System.err is formatted as objects, by line. */
    static void writeObjects(JsonLines json) {
        if (System.err instanceof PrintableStream stream) {
            stream.lines.json = json;
        }
    }

    /** Prints an object of {@link JsonLines} as a line. */
    static void printObject(PrintStream out, String object) {
        if (out instanceof PrintableStream stream) {
            stream.lines.printObject(object);
        } else {
            out.println(object);
        }
    }

    /** Prints an event where System.err has objects; otherwise returns false. */
    static boolean isPrintedAsObject(LogEvent event) {
        if (System.err instanceof PrintableStream stream && stream.lines.json != null) {
            stream.lines.printObject(stream.lines.json.line(event));
            return true;
        }
        return false;
    }

    /** Holds bytes up to the end of a line. */
    private static final class Lines extends OutputStream {
        private static final int MAX_HELD_BYTES = 1 << 20;

        private final PrintStream raw;
        private final Charset charset;
        private final ByteArrayOutputStream held = new ByteArrayOutputStream();
        private boolean isRedrawn;
        private boolean isEnded;
        private volatile @Nullable JsonLines json;

        Lines(PrintStream raw, Charset charset) {
            this.raw = raw;
            this.charset = charset;
        }

        @Override
        public synchronized void write(int b) {
            held.write(b);
            if (b == '\n') {
                show();
            }
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int count) {
            int end = from + count;
            while (end > from && bytes[end - 1] != '\n') {
                end--;
            }
            held.write(bytes, from, end - from);
            if (end > from) {
                show();
            }
            held.write(bytes, end, from + count - end);
            if (held.size() > MAX_HELD_BYTES) {
                show();
            }
        }

        @Override
        public synchronized void flush() {
            show();
            raw.flush();
        }

        synchronized void redraw(String text) {
            flush();
            if (!isEnded) {
                isRedrawn = !text.equals(CLEAR_LINE);
                raw.print(text);
                raw.flush();
            }
        }

        synchronized void end(String line) {
            if (!isEnded) {
                raw.println((isRedrawn ? CLEAR_LINE : "") + Console.printable(line));
                raw.flush();
                isEnded = true;
            }
        }

        synchronized void printObject(String object) {
            show();
            if (!isEnded) {
                raw.println(object);
                raw.flush();
            }
        }

        private void show() {
            if (held.size() > 0 && !isEnded) {
                String text = Redaction.text(held.toString(charset));
                JsonLines mine = json;
                if (mine == null) {
                    raw.print((isRedrawn ? CLEAR_LINE : "") + Printable.lines(text));
                } else {
                    // It comes from a library or the JVM, which use this stream for what went wrong.
                    text.lines()
                            .filter(line -> !line.isBlank())
                            .forEach(line -> raw.println(mine.line(LogEvent.warning(line))));
                }
                isRedrawn = false;
                raw.flush();
            }
            held.reset();
        }
    }
}
