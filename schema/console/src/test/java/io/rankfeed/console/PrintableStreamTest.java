package io.rankfeed.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrintableStreamTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintableStream(new PrintStream(bytes, true, UTF_8), UTF_8);

    @Test
    void text_inAnyPieces_hasNoSecretsAndControlCharacters() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random dice = new Random(seed);
        String line = "Ä\u001b[31m red \u0007 s3a://key:hunter2@b/x?sig=q7Zabc \u202e\u0085 漢🙂\tend\n";
        String text = line.repeat(20);
        byte[] written = text.getBytes(UTF_8);
        for (int at = 0; at < written.length; ) {
            int count = Math.min(written.length - at, 1 + dice.nextInt(90));
            if (count == 1) {
                stream.write(written[at]);
            } else {
                stream.write(written, at, count);
            }
            at += count;
        }
        assertThat(bytes.toString(UTF_8))
                .isEqualTo("Ä\\u001b[31m red \\u0007 s3a://<redacted>@b/x?sig=<redacted> \\u202e\\u0085 漢🙂\tend\n"
                        .repeat(20));
    }

    @Test
    void line_unfinished_isShownWhenItIsFlushed() {
        stream.print("password=");
        assertThat(bytes.size()).isZero();
        stream.println("hunter2");
        assertThat(bytes.toString(UTF_8)).isEqualTo("password=<redacted>" + System.lineSeparator());
        bytes.reset();
        PrintWriter writer = new PrintWriter(stream, true, UTF_8);
        writer.print("go on? ");
        writer.flush();
        assertThat(bytes.toString(UTF_8)).isEqualTo("go on? ");
    }

    @Test
    void oneMessageIsLookedAtAsAWhole() {
        String key = "-----BEGIN PRIVATE KEY-----\nMIIEvQ\nIBADAN\n-----END PRIVATE KEY-----\n";
        byte[] written = ("at x\n" + key).getBytes(UTF_8);
        stream.write(written, 0, written.length);
        assertThat(bytes.toString(UTF_8))
                .isEqualTo("at x\n-----BEGIN PRIVATE KEY-----<redacted>-----END PRIVATE KEY-----\n");
    }

    @Test
    void aBarIsRedrawnAroundAPrintableState() {
        ProgressLine bar = new ProgressLine(stream, ProgressLine.Shape.BAR, () -> 0);
        bar.show(0.5, "stratum \u001b]0;title\u0007");
        bar.line("two\nlines");
        assertThat(bytes.toString(UTF_8))
                .isEqualTo("\r\u001b[K[############............] stratum \\u001b]0;title\\u0007\r\u001b[Ktwo\\nlines"
                        + System.lineSeparator());
    }

    @Test
    void aLineReplacesTheBar() {
        PrintableStream.redraw(stream, "[##..] 50 %");
        stream.println("begun");
        stream.println("ended");
        assertThat(bytes.toString(UTF_8).lines()).containsExactly("", "\u001b[K[##..] 50 %", "\u001b[Kbegun", "ended");
    }

    @Test
    void nothingFollowsTheLastLine() {
        PrintStream before = System.err;
        System.setErr(stream);
        try {
            PrintableStream.redraw(stream, "[##..] 50 %");
            stream.print("half a line");
            PrintableStream.end("stopped");
            PrintableStream.end("stopped again");
            PrintableStream.redraw(stream, "[###.] 75 %");
            stream.println("an error");
            stream.flush();
        } finally {
            System.setErr(before);
        }
        assertThat(bytes.toString(UTF_8)).isEqualTo("\r\u001b[K[##..] 50 %\r\u001b[Kstopped" + System.lineSeparator());
    }
}
