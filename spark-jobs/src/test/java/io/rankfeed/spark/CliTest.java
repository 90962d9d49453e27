package io.rankfeed.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.console.Console;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.engine.ConfigErrors;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class CliTest {
    @Command(name = "stub")
    private record Stub(Callable<Integer> body) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            return body.call();
        }
    }

    private record Ended(int exitCode, String err) {}

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new IllegalStateException("oops"), 1, "rankfeed: this is a bug: oops"),
                Arguments.of(new ConfigException("no such key"), 2, "rankfeed: no such key"),
                Arguments.of(new CorruptDataException("f", 7, "is torn"), 3, "rankfeed: f, byte 7: is torn"),
                Arguments.of(new EnvironmentException("disk full"), 4, "rankfeed: disk full"),
                Arguments.of(new IOException("no route"), 4, "rankfeed: no route"),
                Arguments.of(
                        new SparkException("job aborted", new CorruptDataException("f", 7, "is torn")),
                        3,
                        "rankfeed: f, byte 7: is torn"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failure_eachKind_hasItsExitCodeAndOneLine(Exception failure, int exitCode, String line) {
        Ended ended = run(() -> {
            throw failure;
        });
        assertThat(ended.exitCode()).isEqualTo(exitCode);
        assertThat(ended.err().lines().findFirst()).hasValueSatisfying(first -> assertThat(first)
                .startsWith(line.substring(0, "rankfeed: ".length()))
                .contains(line.substring("rankfeed: ".length()).split(", byte", -1)[0]));
        assertThat(ended.err().lines().count() == 1).isEqualTo(exitCode != 1);
    }

    @Test
    void errorOfJvm_isABugInOneLineWithItsStack() {
        Ended ended = run(() -> {
            throw new NoSuchMethodError("of another version");
        });
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err())
                .startsWith("rankfeed: this is a bug: ")
                .contains("NoSuchMethodError: of another version", "at io.rankfeed.spark.CliTest");
    }

    @Test
    void exitCode_successIsZeroAndWrongFlagIsTwo() {
        assertThat(run(() -> 0)).isEqualTo(new Ended(0, ""));
        Ended wrong = run(() -> 0, "--no-such-flag");
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("--no-such-flag").contains("stub --help");
    }

    @Test
    void verbose_addsTheStack() {
        assertThat(run(
                                () -> {
                                    throw new ConfigException("no such key");
                                },
                                "--verbose")
                        .err())
                .contains("rankfeed: no such key", "at io.rankfeed.spark.CliTest");
    }

    @Test
    void refusals_thrownTogether_haveALineEach() {
        Ended ended = run(() -> {
            ConfigErrors refusals = new ConfigErrors();
            for (String name : List.of("a", "b")) {
                refusals.check(() -> {
                    throw new ConfigException("feed '" + name + "' is short");
                });
            }
            refusals.throwIfAny();
            return 0;
        });
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err().lines()).containsExactly("rankfeed: feed 'a' is short", "rankfeed: feed 'b' is short");
    }

    @Test
    void jobFile_absent_isNamedWithExitCodeTwo() {
        for (String name : List.of("no.yaml", "a:b c.yaml")) {
            StringWriter err = new StringWriter();
            int exitCode =
                    Console.execute(Cli.line(new RankfeedJobs()).setErr(new PrintWriter(err, true)), "prepare", name);
            assertThat(exitCode).isEqualTo(2);
            assertThat(err.toString()).contains("there is no job file " + name);
        }
    }

    @Test
    void help_everyCommand_hasTheSameParts() {
        CommandLine all = Cli.line(new RankfeedJobs());
        assertThat(all.getUsageMessage()).contains("Usage: rankfeed", "Commands:", "Exit codes:", "Example:");
        all.getSubcommands().forEach((name, command) -> {
            String help = command.getUsageMessage();
            assertThat(help)
                    .as(name)
                    .containsSubsequence("Usage: rankfeed " + name, "Options:", "Exit codes:", "Example:", name);
            assertThat(help.contains("With --exit-code: done")).isEqualTo(name.equals("diff"));
            command.getCommandSpec().options().stream()
                    .filter(option -> !option.usageHelp() && !option.versionHelp() && !option.required())
                    .forEach(option -> assertThat(String.join(" ", option.description()))
                            .as("%s %s", name, option.longestName())
                            .contains("Default: "));
        });
    }

    private static Ended run(Callable<Integer> body, String... args) {
        StringWriter err = new StringWriter();
        int exitCode = Console.execute(Cli.line(new Stub(body)).setErr(new PrintWriter(err, true)), args);
        return new Ended(exitCode, err.toString());
    }
}
