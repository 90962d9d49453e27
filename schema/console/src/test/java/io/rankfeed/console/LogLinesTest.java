package io.rankfeed.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.json.StrictJson;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The log of a command, as text and as objects (docs/reference/log.md). */
class LogLinesTest {
    private static final LogEvent FED = LogEvent.info("train: 1,000 rows/s")
            .with("feed", "train")
            .with("rank", 3)
            .with("rows_per_second", 1000.12345)
            .with("data_wait", Double.NaN);

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintableStream(new PrintStream(bytes, true, UTF_8), UTF_8);
    private final JsonLines json = new JsonLines(InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z")));

    @Command(name = "long")
    static final class LongCommand implements Runnable {
        @Mixin
        private LogOption log = new LogOption();

        @Override
        public void run() {
            LogLines lines = log.start();
            lines.write(new LogEvent(LogLevel.DEBUG, "stages", Map.of()));
            lines.info("begun");
            lines.warning("late");
            throw new IllegalStateException("full\nof it");
        }
    }

    @BeforeEach
    void replaceStream() {
        System.setErr(stream);
    }

    @AfterEach
    void restoreStream() {
        System.setErr(before);
    }

    private List<String> lines() {
        return bytes.toString(UTF_8).lines().toList();
    }

    @Test
    void text_isThePrefixAndTheMessage() {
        LogLines.text(stream).prefixed("rankfeed feed: ").write(FED);
        LogLines.text(stream).info("two\nlines s3a://key:hunter2@b/x");
        LogLines.text(stream).write(new LogEvent(LogLevel.DEBUG, "stages", Map.of()));
        assertThat(lines()).containsExactly("rankfeed feed: train: 1,000 rows/s", "two\\nlines s3a://<redacted>@b/x");
    }

    @Test
    void json_isAnObjectWithTheFields() {
        LogLines.of(stream, LogLevel.INFO, json).prefixed("rankfeed feed: ").write(FED);
        assertThat(lines())
                .containsExactly("{\"time\":\"2026-01-02T03:04:05.000Z\",\"level\":\"info\","
                        + "\"message\":\"train: 1,000 rows/s\",\"feed\":\"train\",\"rank\":3,"
                        + "\"rows_per_second\":1000.123,\"data_wait\":0.0}");
    }

    @Test
    void json_isAsciiWithoutSecretsAndControlCharacters() {
        LogLines.of(stream, LogLevel.INFO, json)
                .write(LogEvent.warning("≤ \"ü\"\u001b[31m\n s3a://key:hunter2@b/x")
                        .with("run", "password=hunter2"));
        assertThat(lines()).singleElement().asString().isPrintable().doesNotContain("hunter2");
        assertThat(StrictJson.parse(bytes.toByteArray(), "line").path("message").asText())
                .isEqualTo("≤ \"ü\"\\u001b[31m\\n s3a://<redacted>@b/x");
    }

    @Test
    void otherText_becomesObjects() {
        PrintableStream.writeObjects(json);
        LogLines log = LogLines.of(stream, LogLevel.INFO, json);
        stream.print("half a line");
        log.info("begun");
        new IllegalStateException("it\nbroke").printStackTrace(new PrintWriter(stream, true, UTF_8));
        assertThat(lines()).hasSizeGreaterThan(3).allSatisfy(line -> assertThat(
                        StrictJson.parse(line.getBytes(UTF_8), "line")
                                .path("level")
                                .asText())
                .isIn("info", "warning"));
        assertThat(lines().get(0)).contains("\"warning\"", "half a line");
        assertThat(lines().get(1)).contains("\"info\"", "begun");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                     | begun late this",
                "--log-level debug    | stages begun late this",
                "--log-level warning  | late this",
                "--log-level error    | this",
            })
    void level_choosesLines(String words, String found) {
        for (String format : List.of("text", "json")) {
            bytes.reset();
            String line = (words == null ? "" : words + " ") + "--log-format " + format;
            CommandLine command = Console.commandLine(new LongCommand(), LogLinesTest.class, Failures.AS_THROWN);
            assertThat(Console.execute(command, line.split(" "))).isEqualTo(1);
            List<String> messages = lines().stream()
                    .map(each -> format.equals("text")
                            ? each.replaceFirst("rankfeed: ", "")
                            : StrictJson.parse(each.getBytes(UTF_8), "line")
                                    .path("message")
                                    .asText())
                    .filter(each ->
                            !each.contains("at ") && !each.contains("IllegalState") && !each.startsWith("of it"))
                    .map(each -> each.replaceFirst("[ :].*", ""))
                    .toList();
            assertThat(String.join(" ", messages)).isEqualTo(found);
            if (format.equals("json")) {
                assertThat(lines())
                        .anyMatch(each ->
                                each.contains("\"error\",\"message\":\"this is a bug: full of it\",\"exit_code\":1"));
            }
        }
    }

    @Test
    void wordThatIsNone_isRefusedWithTheWords() {
        CommandLine command = new CommandLine(new LongCommand());
        assertThatThrownBy(() -> command.parseArgs("--log-level", "INFO"))
                .hasMessageContaining("'INFO' is not debug, info, warning or error");
        assertThatThrownBy(() -> command.parseArgs("--log-format", "xml"))
                .hasMessageContaining("'xml' is not text or json");
    }
}
