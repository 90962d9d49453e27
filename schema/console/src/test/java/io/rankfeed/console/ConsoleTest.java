package io.rankfeed.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.ConfigException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

class ConsoleTest {
    private final StringWriter err = new StringWriter();

    @Command(name = "stub", exitCodeList = "3:Own text.")
    static final class Stub implements Callable<Integer> {
        @Parameters(index = "0", arity = "0..1", description = "An address.")
        private String address = "";

        @Override
        public Integer call() {
            switch (address) {
                case "" -> {
                    return 0;
                }
                case "error" -> throw new NoSuchMethodError("of another version");
                case "bug" -> throw new IllegalStateException("two\n  lines");
                default -> throw new ConfigException(address + ": no version");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hdfs://user:hunter2@name/versions/x", "s3a://b/x?X-Amz-Signature=hunter2"})
    void secretsOfAnAddressAreNotPrinted(String address) {
        assertThat(run(address)).isEqualTo(2);
        assertThat(err.toString())
                .hasLineCount(1)
                .contains("<redacted>", "no version")
                .doesNotContain("hunter2");
    }

    @Test
    void rejectedArgument_withSecret_isPrintedWithoutIt() {
        assertThat(run("a", "--passwrd=x", "hdfs://user:hunter2@name/x")).isEqualTo(2);
        assertThat(err.toString()).hasLineCount(1).contains("(see stub --help)").doesNotContain("hunter2");
    }

    @Command(name = "strict")
    static final class Strict implements Callable<Integer> {
        @Parameters(index = "0", paramLabel = "FILE", description = "A file.")
        private String file = "";

        @Override
        public Integer call() {
            return file.length();
        }
    }

    @Test
    void unknownOption_missingParameter_isNamedFirst() {
        CommandLine strict = Console.commandLine(new Strict(), ConsoleTest.class, Failures.AS_THROWN)
                .setErr(new PrintWriter(err));

        assertThat(Console.execute(strict, "--hlp")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("rankfeed: Unknown option: '--hlp'")
                .hasLineCount(1);
        err.getBuffer().setLength(0);
        assertThat(Console.execute(strict)).isEqualTo(2);
        assertThat(err.toString()).startsWith("rankfeed: Missing required parameter: 'FILE'");
    }

    @Test
    void aBugIsOneLineAndItsStackTrace() {
        assertThat(run("bug")).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("rankfeed: this is a bug: two lines\n")
                .contains("at io.rankfeed.console.ConsoleTest$Stub.call");
        assertThat(run("error")).isEqualTo(1);
        assertThat(err.toString()).contains("this is a bug: of another version");
    }

    @Test
    void verboseAddsTheStackTrace() {
        assertThat(run("a", "--verbose")).isEqualTo(2);
        assertThat(err.toString()).startsWith("rankfeed: a: no version\n").contains("ConfigException");
    }

    @Test
    void everyHelpListsTheExitCodes() {
        String help = line().getUsageMessage();
        assertThat(help)
                .containsSubsequence(
                        "Usage: stub",
                        "Parameters:",
                        "Options:",
                        "--verbose",
                        "Exit codes:",
                        "  2 ",
                        "  3 ",
                        "Own text.");
        assertThat(help.lines()).allMatch(text -> text.length() <= 110);
        assertThat(run()).isZero();
    }

    private int run(String... args) {
        return Console.execute(line().setErr(new PrintWriter(err, true)), args);
    }

    private static CommandLine line() {
        return Console.commandLine(new Stub(), Console.class, Failures.AS_THROWN);
    }
}
