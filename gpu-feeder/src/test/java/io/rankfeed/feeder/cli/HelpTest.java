package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.RankfeedFeeder;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTest {
    @ParameterizedTest
    @ValueSource(strings = {"quickstart", "verify", "feed", "explain"})
    void everyCommandHelpsInTheSameLayoutAndHasAVersion(String command) {
        assertThat(run(command, "--help"))
                .startsWith("Usage: rankfeed " + command + " ")
                .containsSubsequence("\nOptions:\n", "\nExit codes:\n", "  4 ", "\nExample");
        assertThat(run(command, "--version")).startsWith("rankfeed ").hasLineCount(1);
    }

    private static String run(String... words) {
        StringWriter out = new StringWriter();
        assertThat(RankfeedFeeder.commandLine()
                        .setOut(new PrintWriter(out, true))
                        .execute(words))
                .isZero();
        return out.toString();
    }
}
