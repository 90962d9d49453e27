package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.RankfeedFeeder;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTest {
    @ParameterizedTest
    @ValueSource(strings = {"quickstart", "verify", "feed", "explain", "diagnose", "bench", "doctor"})
    void help_everyCommand_hasLayoutAndVersion(String command) {
        assertThat(run(command, "--help"))
                .startsWith("Usage: rankfeed " + command + " ")
                .containsSubsequence("\nOptions:\n", "\nExit codes:\n", "  4 ", "\nExample");
        assertThat(run(command, "--version")).startsWith("rankfeed ").hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "feed V --world 2 torchrun train.py, 'torchrun' comes after VERSION-DIR without a --; write rankfeed feed V",
                "feed V torchrun -- train.py, 'torchrun' comes after VERSION-DIR without a --",
                "feed V torchrun --nproc-per-node 2 train.py, write the options of the command to run after --",
                "feed -- true, VERSION-DIR is missing; write it before --",
                "feed --world 2 -- torchrun train.py, VERSION-DIR is missing; write it before --"
            })
    void feed_withoutVersionOrDoubleDash_isRefused(String words, String reported) {
        StringWriter err = new StringWriter();
        assertThat(RankfeedFeeder.commandLine()
                        .setErr(new PrintWriter(err, true))
                        .execute(words.split(" ")))
                .isEqualTo(2);
        assertThat(err.toString()).hasLineCount(1).contains(reported);
    }

    @ParameterizedTest
    @CsvSource({"diagnose, --dry-run", "diagnose, --report", "bench, --dry-run", "bench, --report", "bench, --pictures"
    })
    void option_thatACommandDoesNotHave_isNotListedAndRefused(String command, String option) {
        assertThat(run(command, "--help")).doesNotContain(option);
        StringWriter err = new StringWriter();
        assertThat(RankfeedFeeder.commandLine()
                        .setErr(new PrintWriter(err, true))
                        .execute(command, "V", option))
                .isEqualTo(2);
        assertThat(err.toString()).hasLineCount(1).contains(option);
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
